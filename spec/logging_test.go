package spec

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/cmdxtest"
	"github.com/cmdx-go/cmdx/inputs"
)

// Tasks that log as their types say.
type (
	logCharge struct{ doing }
	logLoud   struct{ logCharge }
	logQuiet  struct{ logCharge }
	logShort  struct{ logCharge }
	logFull   struct{ logCharge }
	logBack   struct{ logFull }
	logWrong  struct{ logCharge }
	logOwn    struct{ logCharge }
	logPINs   struct {
		logFull
		PIN string `cmdx:"pin"`
	}
)

// logLevel and logTo are what the types below were told when they were
// described, which happens once.
var (
	logLevel = &slog.LevelVar{}
	logTo    = &doLog{}
)

func (*logLoud) Configure(c *cmdx.Config)  { c.Settings(cmdx.Settings{Level: logLevel}) }
func (*logQuiet) Configure(c *cmdx.Config) { c.Settings(cmdx.Settings{Level: slog.LevelError}) }
func (*logShort) Configure(c *cmdx.Config) {
	c.Settings(cmdx.Settings{LogExclude: []string{"context", "metadata", "tid"}})
}
func (*logFull) Configure(c *cmdx.Config)  { c.Settings(cmdx.Settings{LogExclude: []string{}}) }
func (*logBack) Configure(c *cmdx.Config)  { c.RemoveSettings(cmdx.SettingLogExclude) }
func (*logWrong) Configure(c *cmdx.Config) { c.Settings(cmdx.Settings{LogExclude: []string{"contxt"}}) }
func (*logOwn) Configure(c *cmdx.Config)   { c.Settings(cmdx.Settings{Logger: logTo.logger()}) }
func (*logPINs) Configure(c *cmdx.Config)  { c.Required("pin", inputs.Sensitive()) }

var _ = Describe("Logging, by type", func() {
	skip := logCharge{doing{work: func(_ context.Context, t *doing) error {
		t.Logger().Info("charging")
		return t.Skip("closed", cmdx.Metadata{"code": "shut", "fee": 30, "wait": time.Second, "list": []string{"a"}})
	}}}

	run := func(t cmdx.Task, args any) (*cmdx.Result, []map[string]any) {
		log := &doLog{}
		r := cmdx.New(cmdx.Configuration{Logger: log.logger()}).Execute(context.Background(), t, args)
		return r, log.lines()
	}
	// shown are the attributes of the execution's line.
	shown := func(lines []map[string]any) map[string]any {
		GinkgoHelper()
		Expect(lines).NotTo(BeEmpty())
		return lines[len(lines)-1]["result"].(map[string]any)
	}

	It("writes typed attributes, metadata as a group, and no context", func() {
		r, lines := run(&skip, cmdx.Args{"card": "visa"})
		Expect(shown(lines)).To(Equal(map[string]any{
			"task": "logCharge", "type": "Task", "tid": r.TID(), "cid": r.CID(), "index": 0.0,
			"state": "interrupted", "status": "skipped", "duration": float64(r.Duration()), "reason": "closed",
			"metadata": map[string]any{"code": "shut", "fee": 30.0, "wait": 1e9, "list": `["a"]`},
		}))
	})

	It("writes the same line as text", func() {
		var out bytes.Buffer
		rt := cmdx.New(cmdx.Configuration{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		rt.Execute(context.Background(), &skip, nil)
		Expect(out.String()).To(And(ContainSubstring("result.status=skipped"), ContainSubstring("result.metadata.fee=30")))
	})

	Describe("Level", func() {
		It("drops what lies below it, also of the task's own logger", func() {
			_, lines := run(&logQuiet{skip}, nil)
			Expect(lines).To(BeEmpty())
			_, lines = run(&logQuiet{logCharge{doing{work: func(_ context.Context, t *doing) error {
				t.Logger().With("a", 1).WithGroup("g").Error("broken")
				t.Logger().With("a", 1).WithGroup("g").Info("not shown")
				return nil
			}}}}, nil)
			Expect(lines).To(ConsistOf(HaveKeyWithValue("msg", "broken")))
		})

		It("is asked each time, so that it can change while a program runs", func() {
			logLevel.Set(slog.LevelInfo)
			_, lines := run(&logLoud{skip}, nil)
			Expect(lines).To(HaveLen(2))
			logLevel.Set(slog.LevelWarn)
			_, lines = run(&logLoud{skip}, nil)
			Expect(lines).To(BeEmpty())
		})

		It("lets nothing through that the logger's handler drops", func() {
			logLevel.Set(slog.LevelDebug)
			var out bytes.Buffer
			rt := cmdx.New(cmdx.Configuration{Logger: slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelError}))})
			rt.Execute(context.Background(), &logLoud{skip}, nil)
			Expect(out.String()).To(BeEmpty())
		})
	})

	Describe("LogExclude", func() {
		It("keeps keys out of the line", func() {
			_, lines := run(&logShort{skip}, cmdx.Args{"card": "visa"})
			Expect(shown(lines)).NotTo(Or(HaveKey("context"), HaveKey("metadata"), HaveKey("tid")))
			Expect(shown(lines)).To(HaveKeyWithValue("reason", "closed"))
		})

		It("shows the context when the list says so, but for sensitive inputs", func() {
			_, lines := run(&logFull{skip}, cmdx.Args{"card": "visa"})
			Expect(shown(lines)).To(HaveKeyWithValue("context", `{"card":"visa"}`))
			_, lines = run(&logPINs{logFull: logFull{skip}}, cmdx.Args{"pin": "hunter2hunter2"})
			Expect(shown(lines)["context"]).NotTo(ContainSubstring("hunter2"))
			Expect(shown(lines)["context"]).To(ContainSubstring("pin"))
		})

		It("goes back to what nobody said", func() {
			_, lines := run(&logBack{logFull{skip}}, cmdx.Args{"card": "visa"})
			Expect(shown(lines)).NotTo(HaveKey("context"))
		})

		It("refuses a key that no result has", func() {
			r, _ := run(&logWrong{}, nil)
			var problem *cmdx.DefinitionError
			Expect(r).To(cmdxtest.BeFailed().WithCause(&problem))
			Expect(problem.Problem).To(ContainSubstring(`"contxt"`))
		})
	})

	It("goes to the type's logger in the runtime's place", func() {
		before := len(logTo.lines())
		_, lines := run(&logOwn{skip}, nil)
		Expect(lines).To(BeEmpty())
		Expect(logTo.lines()[before:]).To(HaveLen(2))
	})

	It("tells flags, tags and causes where there are any", func() {
		var out bytes.Buffer
		rt := cmdx.New(cmdx.Configuration{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		_, err := rt.ExecuteBang(context.Background(), do(func(context.Context, *doing) error { return errDeclined }), nil)
		Expect(errors.Is(err, errDeclined)).To(BeTrue())
		rt.Execute(context.Background(), &billingTask{}, nil)
		first, second, _ := strings.Cut(out.String(), "\n")
		Expect(first).To(And(ContainSubstring("result.strict=true"), ContainSubstring(`result.cause="card declined"`)))
		Expect(second).To(ContainSubstring(`result.tags="[billing money]"`))
	})
})
