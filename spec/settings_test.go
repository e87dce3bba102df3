package spec

import (
	"context"
	"log/slog"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// What the logger, the tags and the correlation of an application's tasks are.
var (
	settingsLog = &doLog{}
	settingsOwn = &doLog{}
)

type settingsParent struct{ cmdx.Base }

func (*settingsParent) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{
		Logger: settingsLog.logger(), Tags: []string{"billing"}, StrictContext: cmdx.On,
		CorrelationID: func(context.Context) string { return "of-the-parent" },
	})
}

func (t *settingsParent) Work(context.Context) error {
	t.Logger().Warn("at work")
	t.Context().MustGet("account")
	return nil
}

type settingsChild struct{ settingsParent }

func (*settingsChild) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{Logger: settingsOwn.logger(), Tags: []string{"refunds"}})
	c.Tags("monthly")
}

type settingsBack struct{ settingsChild }

func (*settingsBack) Configure(c *cmdx.Config) {
	c.RemoveSettings(cmdx.SettingLogger, cmdx.SettingTags, cmdx.SettingStrictContext, cmdx.SettingCorrelationID)
}

type settingsLax struct{ settingsParent }

func (*settingsLax) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{StrictContext: cmdx.Off, Tags: []string{}})
}

type settingsWrong struct{ settingsParent }

func (*settingsWrong) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{StrictContext: 7})
	c.RemoveSettings("colour")
}

var _ = Describe("Settings", func() {
	var (
		ctx  = context.Background()
		log  *doLog
		rt   *cmdx.Runtime
		last = func(l *doLog) map[string]any {
			lines := l.lines()
			Expect(lines).NotTo(BeEmpty())
			return lines[len(lines)-1]
		}
	)

	BeforeEach(func() {
		log = &doLog{}
		rt = cmdx.New(cmdx.Configuration{
			Logger:        log.logger(),
			CorrelationID: func(context.Context) string { return "of-the-runtime" },
		})
	})

	It("of a type win over the runtime's", func() {
		r := rt.Execute(ctx, &settingsParent{}, nil)

		Expect(r.Tags()).To(Equal([]string{"billing"}))
		Expect(r.XID()).To(Equal("of-the-parent"))
		Expect(r.Cause()).To(MatchError(ContainSubstring(`no key "account"`)), "the context is strict")
		Expect(last(settingsLog)).To(HaveKeyWithValue("msg", "cmdx: task executed"))
		Expect(settingsLog.text()).To(ContainSubstring("at work"))
		Expect(log.lines()).To(BeEmpty())
	})

	It("of a child win field by field", func() {
		r := rt.Execute(ctx, &settingsChild{}, cmdx.Args{"account": 1})

		Expect(r).To(endSuccess())
		Expect(r.Tags()).To(Equal([]string{"refunds", "monthly"}))
		Expect(r.XID()).To(Equal("of-the-parent"))
		Expect(last(settingsOwn)).To(HaveKeyWithValue("result", HaveKeyWithValue("tid", r.TID())))
	})

	It("can be taken back to the runtime's", func() {
		r := rt.Execute(ctx, &settingsBack{}, nil)

		Expect(r).To(endSuccess())
		Expect(r.Tags()).To(BeEmpty())
		Expect(r.XID()).To(Equal("of-the-runtime"))
		Expect(last(log)).To(HaveKeyWithValue("result", HaveKeyWithValue("tid", r.TID())))
	})

	It("know off and empty from not said", func() {
		r := rt.Execute(ctx, &settingsLax{}, nil)

		Expect(r).To(endSuccess())
		Expect(r.Tags()).To(BeEmpty())
	})

	It("can be read from the definition", func() {
		d, err := cmdx.DefinitionOf(&settingsChild{})
		Expect(err).NotTo(HaveOccurred())
		s := d.EffectiveSettings()
		Expect(s.Tags).To(Equal([]string{"refunds", "monthly"}))
		Expect(s.StrictContext).To(Equal(cmdx.On))
		s.Tags[0] = "changed"
		Expect(d.EffectiveSettings().Tags).To(Equal([]string{"refunds", "monthly"}))
	})

	It("refuse what they do not know", func() {
		err := cmdx.Validate(&settingsWrong{})
		Expect(err).To(MatchError(ContainSubstring("StrictContext is an unknown position")))
		Expect(err).To(MatchError(ContainSubstring("there is no such setting")))
	})

	It("take a logger whose handler panics for a silent one", func() {
		task := &settingsPanics{}
		Expect(rt.Execute(ctx, task, nil)).To(endSuccess())
	})
})

type settingsPanics struct{ cmdx.Base }

func (*settingsPanics) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{Logger: slog.New(settingsBroken{})})
}
func (t *settingsPanics) Work(context.Context) error { t.Logger().Info("x"); return nil }

type settingsBroken struct{}

func (settingsBroken) Enabled(context.Context, slog.Level) bool  { return true }
func (settingsBroken) Handle(context.Context, slog.Record) error { panic("broken") }
func (h settingsBroken) WithAttrs([]slog.Attr) slog.Handler      { return h }
func (h settingsBroken) WithGroup(string) slog.Handler           { return h }
