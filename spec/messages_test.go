package spec

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores"
)

// messagesPay speaks in every way that a task can speak.
type messagesPay struct{ cmdx.Base }

func (*messagesPay) Configure(c *cmdx.Config) {
	c.Name("spec.messages.Pay")
	c.Required("payment_id", inputs.Coerce(inputs.String), inputs.Presence())
	c.Required("cents", inputs.Coerce(inputs.Integer), inputs.Numeric(inputs.Within(1, 5)))
	c.Output("receipt")
	c.IdempotentBy(cmdx.FromContext("payment_id"))
}

func (*messagesPay) Work(context.Context) error { return nil }

var _ = Describe("Messages", Serial, func() {
	register := func(locale string, texts map[string]string) {
		GinkgoHelper()
		Expect(cmdx.RegisterMessages(locale, texts)).To(Succeed())
		DeferCleanup(func() { cmdx.ForgetMessages(locale) })
	}
	spanish := map[string]string{
		"inputs.required":            "es obligatorio",
		"inputs.not_coerced":         "no se pudo convertir en {type}",
		"types.integer":              "un entero",
		"validations.numeric.within": "debe estar entre {min} y {max}",
		"outputs.missing":            "falta en el contexto",
		"idempotency.duplicate":      "duplicado ({state})",
	}
	pay := func(ctx context.Context, rt *cmdx.Runtime, args cmdx.Args) string {
		return rt.Execute(ctx, &messagesPay{}, args).Reason()
	}

	It("are English without a word from anybody", func() {
		rt := cmdx.New(cmdx.Configuration{Locale: "es"})
		Expect(pay(cmdx.WithLocale(context.Background(), "es"), rt, cmdx.Args{"cents": "x"})).
			To(Equal("payment_id is required. cents could not coerce into an integer"))
	})

	It("are in the Configuration's locale, in the nearest words there are", func() {
		register("es", spanish)
		rt := cmdx.New(cmdx.Configuration{Locale: "es-MX"})
		ctx := context.Background()
		Expect(pay(ctx, rt, cmdx.Args{"cents": "x"})).To(Equal("payment_id es obligatorio. cents no se pudo convertir en un entero"))
		Expect(pay(ctx, rt, cmdx.Args{"payment_id": " ", "cents": 6})).To(Equal("payment_id cannot be empty. cents debe estar entre 1 y 5"))
		Expect(pay(ctx, rt, cmdx.Args{"payment_id": "a", "cents": 5})).To(Equal("receipt falta en el contexto"))
	})

	It("are in ctx's locale before that of the Configuration", func() {
		register("es", spanish)
		rt := cmdx.New(cmdx.Configuration{Locale: "es"})
		Expect(pay(cmdx.WithLocale(context.Background(), "en"), rt, cmdx.Args{"cents": 5})).To(Equal("payment_id is required"))
		Expect(pay(cmdx.WithLocale(context.Background(), "es"), cmdx.New(cmdx.Configuration{}), cmdx.Args{"cents": 5})).To(Equal("payment_id es obligatorio"))
	})

	It("are those of the refusing guard too", func() {
		register("es", spanish)
		rt := cmdx.New(cmdx.Configuration{Locale: "es"})
		_, err := rt.Store().Set(context.Background(), "cmdx:idem:spec.messages.Pay:a", "completed", stores.SetOptions{TTL: time.Minute})
		Expect(err).NotTo(HaveOccurred())
		Expect(pay(context.Background(), rt, cmdx.Args{"payment_id": "a", "cents": 5})).To(Equal("duplicado (completed)"))
	})

	It("can be replaced in English", func() {
		register("en", map[string]string{"inputs.required": "has to be given"})
		Expect(pay(context.Background(), cmdx.New(cmdx.Configuration{}), cmdx.Args{"cents": 5})).To(Equal("payment_id has to be given"))
	})

	It("of two runs at once do not disturb each other", func() {
		register("es", spanish)
		rt := cmdx.New(cmdx.Configuration{})
		var running sync.WaitGroup
		for locale, want := range map[string]string{"es": "payment_id es obligatorio", "en": "payment_id is required"} {
			for range 20 {
				running.Go(func() {
					defer GinkgoRecover()
					Expect(pay(cmdx.WithLocale(context.Background(), locale), rt, cmdx.Args{"cents": 5})).To(Equal(want))
				})
			}
		}
		running.Wait()
	})

	It("are refused with the key when it does not exist or the text is broken, all together", func() {
		err := cmdx.RegisterMessages("es", map[string]string{
			"inputs.requierd": "x", "validations.numeric.within": "entre {mni}", "inputs.required": "es obligatorio",
		})
		var failed *cmdx.MessageError
		Expect(err).To(MatchError(SatisfyAll(ContainSubstring(`"inputs.requierd"`), ContainSubstring(`"validations.numeric.within"`), ContainSubstring("{mni}"))))
		Expect(errors.As(err, &failed)).To(BeTrue())
		Expect(pay(cmdx.WithLocale(context.Background(), "es"), cmdx.New(cmdx.Configuration{}), cmdx.Args{"cents": 5})).To(Equal("payment_id is required"))
	})

	It("have keys with their English texts", func() {
		all := cmdx.Messages()
		Expect(all).To(HaveKeyWithValue("validations.numeric.within", "must be within {min} and {max}"))
		for key := range all {
			all[key] = "?"
		}
		Expect(cmdx.Messages()).To(HaveKeyWithValue("inputs.required", "is required"), "the map is the caller's own")
	})

	It("are on their page, every key with its English text", func() {
		shown := map[string]string{}
		for _, row := range docsPageAt(docsPages(), "docs/messages.md").tables["<!-- keys -->"] {
			if row[0] != "Key" {
				shown[strings.Trim(row[0], "`")] = strings.Trim(row[1], "`")
			}
		}
		for key, text := range cmdx.Messages() {
			if !strings.HasPrefix(key, "validators.") {
				Expect(shown).To(HaveKeyWithValue(key, strings.TrimSpace(text)))
			}
			delete(shown, key)
		}
		Expect(shown).To(BeEmpty(), "keys that are not there")
	})
})
