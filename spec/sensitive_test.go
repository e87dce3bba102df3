package spec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/telemetry"
)

// The canary is looked for wherever people may look, in any spelling of it.
const canary = "canary-4929-1234"

const canaryNumber = 4929123456781234

type (
	cardHolder struct {
		doing
		Card    string         `cmdx:"card,sensitive"`
		Payer   map[string]any `cmdx:"payer"`
		Lines   []any          `cmdx:"lines"`
		Limit   int64          `cmdx:"limit"`
		Bearer  string         `cmdx:"bearer"`
		Masked  string         `cmdx:"masked"`
		OrderID string         `cmdx:"order_id"`
	}
	cardHashed   struct{ cardHolder }
	cardInKey    struct{ cardHolder }
	cardInCtxKey struct{ cardHolder }
	cardTagged   struct {
		doing
		Login struct {
			User     string `cmdx:"user,required"`
			Password string `cmdx:"password,required,sensitive" validate:"min=40"`
		} `cmdx:"login"`
	}
)

func (*cardHolder) Configure(c *cmdx.Config) {
	c.Optional("card", inputs.Coerce(inputs.String)) // its tag says that it is sensitive
	c.Optional("payer", inputs.Nested(
		inputs.Optional("name"),
		inputs.Optional("secret", inputs.Sensitive()),
		inputs.Optional("deep", inputs.Sensitive(), inputs.Nested(inputs.Optional("pin", inputs.Coerce(inputs.Integer)))),
	))
	c.Optional("lines", inputs.Each(inputs.Optional("token", inputs.Sensitive(), inputs.Coerce(inputs.String), inputs.Validate("max=3"))))
	c.Optional("limit", inputs.Sensitive())
	c.Optional("key", inputs.As("bearer"), inputs.Sensitive(), inputs.Coerce(inputs.String))
	c.Optional("masked", inputs.FromInput("card"), inputs.Transform(func(s string) string { return "xx" + s + "xx" }))
}

func (t *cardHolder) keyOfCard() string { return "card:" + t.Card }

func (*cardHashed) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Hashed(cmdx.FromContext("card")))
	c.LockWith(cmdx.Hashed(cmdx.KeyFunc((*cardHolder).keyOfCard)))
}

func (*cardInKey) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*cardHolder).keyOfCard))
}

func (*cardInCtxKey) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("copied")) }

// sights are all places where a run may be seen.
type sights struct {
	mu    sync.Mutex
	texts []string
}

func (s *sights) see(what string, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, what+": "+text)
}

func (s *sights) seeResult(what string, r *cmdx.Result, causes bool) {
	asJSON := func(v any) string {
		data, err := json.Marshal(v)
		Expect(err).NotTo(HaveOccurred())
		return string(data)
	}
	s.see(what+" reason", r.Reason())
	s.see(what+" string", r.String()+fmt.Sprintf("%v %+v", r, r))
	s.see(what+" map", fmt.Sprintf("%v %+v", r.ToMap(), r.ToMap())+asJSON(r.ToMap()))
	s.see(what+" JSON", asJSON(r))
	s.see(what+" log value", r.LogValue().String())
	s.see(what+" errors", r.Errors().String()+fmt.Sprint(r.Errors().ToMap())+asJSON(r.Errors()))
	s.see(what+" context", asJSON(r.Context())+r.Context().String()+fmt.Sprint(r.Context().ToShow()))
	s.see(what+" chain", fmt.Sprint(r.Chain().Results()))
	if err := r.Err(); err != nil {
		s.see(what+" fault", err.Error()+fmt.Sprintf("%v %+v", err, err))
	}
	for err := r.Cause(); causes && err != nil; err = errors.Unwrap(err) {
		s.see(what+" cause", fmt.Sprintf("%T %v %+v", err, err, err))
	}
}

// watch executes a task and looks at everything that can be seen of it.
func watch(t cmdx.Task, args any, causes bool) (*cmdx.Result, *sights) {
	GinkgoHelper()
	log, seen := &doLog{}, &sights{}
	rt := cmdx.New(cmdx.Configuration{Logger: log.logger()})
	for _, name := range telemetry.Names() {
		rt.Telemetry().Subscribe(name, func(e cmdx.Event) {
			data, err := json.Marshal(e.Payload)
			seen.see("event "+string(name), fmt.Sprintf("%v %+v %v", e.Payload, e, err)+string(data))
			if r, ok := e.Payload["result"].(*cmdx.Result); ok {
				seen.seeResult("event "+string(name), r, false)
			}
		})
	}
	r := rt.Execute(context.Background(), t, args)
	log.logger().Info("result", "result", r, "context", r.Context(), "errors", r.Errors())
	seen.seeResult("result", r, causes)
	seen.see("log", log.text())
	return r, seen
}

// showNoCanary also looks for pieces of it, and for the number.
func (s *sights) showNoCanary() {
	GinkgoHelper()
	for _, text := range s.texts {
		for _, secret := range []string{canary, strings.ToUpper(canary), "4929-1234", strconv.Itoa(canaryNumber), "4.929123456781234"} {
			Expect(text).NotTo(ContainSubstring(secret))
		}
	}
	Expect(len(s.texts)).To(BeNumerically(">", 8), "nothing was looked at")
}

// coercing has a sensitive input of every coercion.
type coercing[S interface{ coercion() inputs.Coercion }] struct{ doing }

func (*coercing[S]) Configure(c *cmdx.Config) {
	var s S
	c.Required("secret", inputs.Sensitive(), inputs.Coerce(s.coercion()))
}

type (
	coercesInteger  struct{}
	coercesFloat    struct{}
	coercesDecimal  struct{}
	coercesBoolean  struct{}
	coercesDate     struct{}
	coercesDateTime struct{}
	coercesTime     struct{}
	coercesDuration struct{}
	coercesHash     struct{}
	coercesSymbol   struct{}
	coercesRational struct{}
	coercesComplex  struct{}
	coercesArray    struct{}
	coercesOwn      struct{}
	coercesPanic    struct{}
)

func (coercesInteger) coercion() inputs.Coercion  { return inputs.Integer }
func (coercesFloat) coercion() inputs.Coercion    { return inputs.Float }
func (coercesDecimal) coercion() inputs.Coercion  { return inputs.Decimal }
func (coercesBoolean) coercion() inputs.Coercion  { return inputs.Boolean }
func (coercesDate) coercion() inputs.Coercion     { return inputs.Date }
func (coercesDateTime) coercion() inputs.Coercion { return inputs.DateTime }
func (coercesTime) coercion() inputs.Coercion     { return inputs.Time }
func (coercesDuration) coercion() inputs.Coercion { return inputs.Duration }
func (coercesHash) coercion() inputs.Coercion     { return inputs.Hash }
func (coercesSymbol) coercion() inputs.Coercion   { return inputs.Symbol }
func (coercesRational) coercion() inputs.Coercion { return inputs.Rational }
func (coercesComplex) coercion() inputs.Coercion  { return inputs.Complex }
func (coercesArray) coercion() inputs.Coercion    { return inputs.Array.Of(inputs.Integer) }

func (coercesOwn) coercion() inputs.Coercion {
	return inputs.Func("iban", func(v any) (string, error) { return "", fmt.Errorf("%v is no IBAN", v) })
}

func (coercesPanic) coercion() inputs.Coercion {
	return inputs.Func("iban", func(v any) (string, error) { panic(fmt.Sprintf("%v is no IBAN", v)) })
}

// checking has a sensitive input with whatever S says.
type checking[S interface{ options() []inputs.Option }] struct{ doing }

func (*checking[S]) Configure(c *cmdx.Config) {
	var s S
	c.Required("secret", append(s.options(), inputs.Sensitive(), inputs.Coerce(inputs.String))...)
}

type (
	checksTag       struct{}
	checksTransform struct{}
	checksPanic     struct{}
	checksPanicErr  struct{}
)

func (checksTag) options() []inputs.Option { return []inputs.Option{inputs.Validate("email|len=3")} }

func (checksTransform) options() []inputs.Option {
	return []inputs.Option{inputs.TransformFunc(func(v any) (any, error) { return nil, fmt.Errorf("cannot turn %v", v) })}
}

func (checksPanic) options() []inputs.Option {
	return []inputs.Option{inputs.Transform(func(s string) string { panic(strings.ToUpper(s)) })}
}

func (checksPanicErr) options() []inputs.Option {
	return []inputs.Option{inputs.TransformFrom(func(_ *doing, v any) (any, error) { panic(fmt.Errorf("no %v", v)) })}
}

var _ = Describe("Sensitive inputs", func() {
	everywhere := cmdx.Args{
		"card": canary, "limit": canaryNumber, "key": []byte(canary), "order_id": "o1",
		"payer": map[string]any{"name": "Ann", "secret": canary, "deep": map[string]any{"pin": strconv.Itoa(canaryNumber)}},
		"lines": []any{map[string]any{"token": "abc"}},
	}

	It("can be read by programs as ever", func() {
		r, _ := watch(&cardHolder{}, everywhere, true)
		Expect(r).To(endSuccess())
		t := r.Task().(*cardHolder)
		Expect(t.Card).To(Equal(canary))
		Expect(t.Bearer).To(Equal(canary))
		Expect(t.Limit).To(Equal(int64(canaryNumber)))
		Expect(t.Input("payer.secret")).To(Equal(canary))
		Expect(t.Masked).To(Equal("xx" + canary + "xx"))
		Expect(r.Context().MustGet("card")).To(Equal(canary))
		Expect(r.Context().ToMap()).To(HaveKeyWithValue("card", canary))
	})

	It("are nowhere to be seen of a success, and the rest is", func() {
		r, seen := watch(&cardHolder{}, everywhere, true)
		seen.showNoCanary()
		Expect(r.ToMap()["context"]).To(Equal(map[string]any{
			"card": "[redacted]", "limit": "[redacted]", "key": "[redacted]", "order_id": "o1",
			"payer": map[string]any{"name": "Ann", "secret": "[redacted]", "deep": "[redacted]"},
			"lines": []any{map[string]any{"token": "[redacted]"}},
		}))
	})

	It("are nowhere to be seen in copies that Work makes", func() {
		r, seen := watch(&cardHolder{doing: doing{work: func(_ context.Context, t *doing) error {
			secret := t.Input("card").(string)
			t.Context().Set("copied", secret)
			t.Context().Set("header", []string{"Bearer " + secret})
			t.Context().Set("number", t.Input("limit"))
			t.Context().Set("raw", []byte(secret))
			t.Context().Set("derived", struct{ Card, Kind string }{secret, "visa"})
			t.Context().Set("receipt", "r1")
			t.Errors().Add("card", "is "+secret)
			return t.Fail("declined "+secret, cmdx.Metadata{"card": secret, "code": "declined"})
		}}}, everywhere, true)
		seen.showNoCanary()
		Expect(r.Reason()).To(Equal("declined [redacted]"))
		Expect(r.ToMap()["metadata"]).To(Equal(cmdx.Metadata{"card": "[redacted]", "code": "declined"}))
		Expect(r.ToMap()["context"]).To(HaveKeyWithValue("receipt", "r1"))
	})

	It("are nowhere to be seen of an error that Work returns, though the cause is what it was", func() {
		raised := fmt.Errorf("gateway: parsing %q", canary)
		r, seen := watch(&cardHolder{doing: doing{work: func(context.Context, *doing) error { return raised }}}, everywhere, false)
		seen.showNoCanary()
		Expect(r.Cause()).To(BeIdenticalTo(raised))
		Expect(r.ToMap()["cause"]).To(MatchError(raised))
	})

	It("are nowhere to be seen of a nested run that shares the context, nor of one outside", func() {
		var nested *cmdx.Result
		outer := do(func(ctx context.Context, t *doing) error {
			nested = cmdx.Execute(ctx, &cardHolder{}, t.Context())
			return nil
		})
		_, seen := watch(outer, everywhere, true)
		seen.seeResult("nested", nested, true)
		seen.showNoCanary()
		_, seen = watch(&doing{}, nested.Context(), true)
		seen.showNoCanary()
		_, seen = watch(&doing{}, nested, true)
		seen.showNoCanary()
	})

	It("are nowhere to be seen of a run that is refused before they are resolved", func() {
		_, seen := watch(&cardInCtxKey{cardHolder{doing: doing{}}}, cmdx.Args{"card": canary, "copied": canary}, true)
		seen.showNoCanary()
		_, seen = watch(&declarer[refusedCards]{}, everywhere, true)
		seen.showNoCanary()
	})

	It("are nowhere to be seen of nested errors", func() {
		r, seen := watch(&cardHolder{}, cmdx.Args{
			"payer": map[string]any{"secret": canary, "deep": map[string]any{"pin": canary}},
			"lines": []any{map[string]any{"token": canary}},
		}, true)
		Expect(r).To(endFailed("payer.deep.pin could not coerce into an integer. lines[0].token length must be at most 3"))
		seen.showNoCanary()
		r, seen = watch(&cardHolder{}, cmdx.Args{"payer": `{"secret":"` + canary + `"}`, "lines": canary}, true)
		Expect(r).To(endFailed("lines[0] could not coerce into a hash"))
		seen.showNoCanary()
		r, seen = watch(&cardTagged{}, cmdx.Args{"login": struct {
			User     int    `json:"user"`
			Password string `cmdx:"password"`
		}{1, canary}}, true)
		Expect(r).To(endFailed("login.password length must be at least 40"))
		seen.showNoCanary()
		r, seen = watch(&cardTagged{}, cmdx.Args{"login": map[string]any{"user": "ann", "password": canary}}, true)
		Expect(r).To(endFailed("login.password length must be at least 40"))
		seen.showNoCanary()
	})

	DescribeTable("are nowhere to be seen of a refusal by",
		func(task cmdx.Task, given any, reason string) {
			r, seen := watch(task, cmdx.Args{"secret": given}, true)
			Expect(r).To(endFailed())
			Expect(r.Reason()).To(ContainSubstring(reason))
			seen.showNoCanary()
		},
		Entry("integer", &coercing[coercesInteger]{}, canary, "could not coerce into an integer"),
		Entry("integer of a map", &coercing[coercesInteger]{}, map[string]any{"a": canary}, "could not coerce into an integer"),
		Entry("float", &coercing[coercesFloat]{}, canary, "could not coerce into a float"),
		Entry("decimal", &coercing[coercesDecimal]{}, canary, "could not coerce into a decimal"),
		Entry("boolean", &coercing[coercesBoolean]{}, canaryNumber, "could not coerce into a boolean"),
		Entry("date", &coercing[coercesDate]{}, canary, "could not coerce into a date"),
		Entry("date_time", &coercing[coercesDateTime]{}, canary, "could not coerce into a date_time"),
		Entry("time", &coercing[coercesTime]{}, canary, "could not coerce into a time"),
		Entry("duration", &coercing[coercesDuration]{}, canary, "could not coerce into a duration"),
		Entry("hash", &coercing[coercesHash]{}, canary, "could not coerce into a hash"),
		Entry("symbol", &coercing[coercesSymbol]{}, strings.Repeat(canary, 20), "could not coerce into a symbol"),
		Entry("rational", &coercing[coercesRational]{}, canary, "could not coerce into a rational"),
		Entry("complex", &coercing[coercesComplex]{}, canary, "could not coerce into a complex"),
		Entry("the elements of an array", &coercing[coercesArray]{}, []string{"1", canary}, "could not coerce into"),
		Entry("a coercion of the application", &coercing[coercesOwn]{}, canary, "could not coerce into"),
		Entry("one that panics", &coercing[coercesPanic]{}, canary, `"secret" panicked with a value of type string`),
		Entry("a tag", &checking[checksTag]{}, canary, "secret "),
		Entry("a transform", &checking[checksTransform]{}, canary, "could not be transformed"),
		Entry("a transform that panics with a text made of it", &checking[checksPanic]{}, canary, `"secret" panicked with a value of type string`),
		Entry("a method that panics with an error", &checking[checksPanicErr]{}, canary, `"secret" panicked with a value of type *`),
	)

	Describe("Keys", func() {
		It("of them are refused when the task is defined", func() {
			for _, t := range []cmdx.Task{&declarer[sensitiveKey]{}, &declarer[sensitiveDerivedKey]{}, &declarer[sensitiveLock]{}, &declarer[sensitiveNestedKey]{}} {
				var mistake *cmdx.DefinitionError
				Expect(errors.As(cmdx.Validate(t), &mistake)).To(BeTrue(), "%T", t)
				Expect(mistake.Anchor).To(Equal("a-sensitive-key"))
				Expect(mistake.Where).To(ContainSubstring("sensitive_test.go"))
				Expect(mistake.Fix).To(ContainSubstring("cmdx.Hashed(cmdx.FromContext("))
			}
		})

		It("made of them by a method or found in the context fail the run, and Work is not run", func() {
			worked := false
			work := doing{work: func(context.Context, *doing) error { worked = true; return nil }}
			for _, t := range []cmdx.Task{&cardInKey{cardHolder{doing: work}}, &cardInCtxKey{cardHolder{doing: work}}} {
				r, seen := watch(t, cmdx.Args{"card": canary, "copied": canary}, true)
				Expect(r).To(endFailed())
				var shown *cmdx.SensitiveKeyError
				Expect(errors.As(r.Err(), &shown)).To(BeTrue())
				seen.showNoCanary()
			}
			Expect(worked).To(BeFalse())
		})

		It("of them may be hashed", func() {
			Expect(cmdx.Validate(&cardHashed{})).To(Succeed())
			r, seen := watch(&cardHashed{}, everywhere, true)
			Expect(r).To(endSuccess())
			seen.showNoCanary()
		})

		It("of other inputs may be equal by chance", func() {
			r, _ := watch(&declarer[sensitiveBeside]{}, cmdx.Args{"pin": "123456", "order": "123456"}, true)
			Expect(r).To(endSuccess())
		})
	})
})

type (
	sensitiveKey        struct{}
	sensitiveDerivedKey struct{}
	sensitiveLock       struct{}
	sensitiveNestedKey  struct{}
	sensitiveBeside     struct{}
	refusedCards        struct{}
)

func (sensitiveKey) say(c *cmdx.Config) {
	c.Required("to", inputs.As("iban"), inputs.Sensitive())
	c.IdempotentBy(cmdx.FromContext("iban"))
}

func (sensitiveDerivedKey) say(c *cmdx.Config) {
	c.Required("iban", inputs.Sensitive())
	c.Optional("account", inputs.FromInput("iban"))
	c.IdempotentBy(cmdx.FromContext("account"))
}

func (sensitiveLock) say(c *cmdx.Config) {
	c.Required("iban", inputs.Sensitive())
	c.LockWith(cmdx.FromContext("iban"))
}

func (sensitiveNestedKey) say(c *cmdx.Config) {
	c.Required("payer", inputs.Sensitive(), inputs.Nested(inputs.Required("iban")))
	c.RateLimit(cmdx.FromContext("payer.iban"), cmdx.Rate{Limit: 1, Per: 1e9})
}

func (sensitiveBeside) say(c *cmdx.Config) {
	c.Required("pin", inputs.Sensitive(), inputs.Coerce(inputs.String))
	c.Required("order", inputs.Coerce(inputs.String))
	c.IdempotentBy(cmdx.FromContext("order"))
}

func (refusedCards) say(c *cmdx.Config) {
	c.Required("card", inputs.Sensitive())
	c.IdempotentBy(cmdx.FromContext("card"))
}
