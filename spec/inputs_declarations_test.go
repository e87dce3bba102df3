package spec

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/outputs"
)

// Transfers move money between accounts. Their declarations use every option.
type (
	bankTask struct {
		cmdx.Base
		Region string
	}
	transfer struct {
		bankTask
		Recipient string `cmdx:"recipient"`
		Amount    int64  `cmdx:"amount_cents"`
		Fee       int64  `cmdx:"fee_cents"`
		Currency  string `cmdx:"currency"`
		Memo      string `cmdx:"memo"`

		live bool
	}
	transferAbroad  struct{ transfer }
	transferUnnamed struct{ transfer }
	transferTagged  struct {
		cmdx.Base
		Amount int64  `cmdx:"amount_cents,required,description='What to move, in cents'" validate:"gt=0"`
		Memo   string `cmdx:"memo,default='a, b'"`
		Times  int    `cmdx:"times,default=2"`
	}
	transferUntagged struct{ transferTagged }
	transferRetagged struct {
		transferUntagged
		Amount float64 `cmdx:"amount_cents"`
	}
	transferAgain struct{ transferUntagged }
)

func (t *bankTask) tenant() any { return t.Region + " bank" }

func (*transfer) Configure(c *cmdx.Config) {
	c.Required("to", inputs.As("recipient"), inputs.Transform(strings.ToUpper), inputs.Presence())
	c.Required("amount_cents", inputs.Description("What to move."))
	c.Optional("fee_cents", inputs.DefaultFrom((*transfer).usualFee))
	c.Optional("currency", inputs.Default("eur"), inputs.TransformFunc(knownCurrency))
	c.Required("code", inputs.If(cmdx.When((*transfer).large)), inputs.Coerce(inputs.String))
	c.Required("note", inputs.Unless(cmdx.When((*transfer).isLive)), inputs.Prefix("own_"), inputs.Suffix("_text"))
	c.Optional("tenant", inputs.FromFunc((*bankTask).tenant))
	c.Optional("memo", inputs.FromInput("own_note_text"), inputs.TransformFrom((*transfer).signed))
}

func (t *transfer) large() bool   { return t.Amount > 1_000 }
func (t *transfer) isLive() bool  { return t.live }
func (t *transfer) usualFee() any { return t.Amount / 100 }
func (t *transfer) signed(v any) (any, error) {
	return v.(string) + " to " + t.Recipient, nil
}

func (t *transfer) Work(context.Context) error { return nil }

func knownCurrency(v any) (any, error) {
	if v == "xxx" {
		return nil, errors.New("there is no currency xxx")
	}
	return v, nil
}

func (*transferAbroad) Configure(c *cmdx.Config) {
	c.RemoveInput("code", "note", "memo")
	c.Optional("to", inputs.Default("self"))
}

func (*transferUnnamed) Configure(c *cmdx.Config) { c.RemoveInput("to") }

func (*transferTagged) Work(context.Context) error { return nil }

func (*transferUntagged) Configure(c *cmdx.Config) { c.RemoveInput("amount_cents", "memo") }
func (*transferAgain) Configure(c *cmdx.Config)    { c.Required("amount_cents") }

// A declarer is a task of whatever S declares.
type declarer[S interface{ say(*cmdx.Config) }] struct {
	doing
	Port  int               `cmdx:"port"`
	Names []string          `cmdx:"names"`
	Tags  map[string]string `cmdx:"tags"`
}

func (*declarer[S]) Configure(c *cmdx.Config) {
	var s S
	s.say(c)
}

var _ = Describe("Declarations of inputs", func() {
	run := func(t cmdx.Task, args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, args)
	}
	transferred := func(template transfer, args cmdx.Args) (*transfer, *cmdx.Result) {
		r := run(&template, args)
		return r.Task().(*transfer), r
	}
	small := cmdx.Args{"to": "ann", "amount_cents": 900, "note": "rent"}

	It("are all sound here", func() {
		Expect(cmdx.Validate(&transfer{}, &transferAbroad{}, &transferUnnamed{}, &transferTagged{}, &transferUntagged{}, &transferRetagged{}, &transferAgain{})).To(Succeed())
	})

	Describe("Sources", func() {
		It("are the context unless said otherwise", func() {
			d, r := transferred(transfer{}, small)
			Expect(r).To(endSuccess())
			Expect(d.Amount).To(Equal(int64(900)))
		})

		It("are another input, as that became", func() {
			d, _ := transferred(transfer{}, small)
			Expect(d.Memo).To(Equal("rent to ANN"))
			Expect(d.Input("memo")).To(Equal("rent to ANN"))
		})

		It("are a method of the task or of an ancestor, and not the caller", func() {
			d, _ := transferred(transfer{bankTask: bankTask{Region: "eu"}}, cmdx.Args{"to": "ann", "amount_cents": 1, "note": "", "tenant": "mine"})
			Expect(d.Input("tenant")).To(Equal("eu bank"))
		})

		It("that give nil count as missing", func() {
			r := run(&declarer[sourceless]{}, cmdx.Args{"b": 1})
			Expect(r).To(endFailed("b is required. c is required"))
		})

		It("that are wrong themselves are told once", func() {
			r := run(&declarer[sourceWrong]{}, cmdx.Args{"a": "odd"})
			Expect(r).To(endFailed("a could not coerce into an integer"))
		})
	})

	Describe("Gates", func() {
		It("of If make an input required where they let a run through", func() {
			_, r := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 5_000, "note": ""})
			Expect(r).To(endFailed("code is required"))
			d, r := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 5_000, "note": "", "code": 123})
			Expect(r).To(endSuccess())
			Expect(d.Input("code")).To(Equal("123"))
		})

		It("of If leave it optional elsewhere, and nil is not checked", func() {
			_, r := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 5, "note": "", "code": nil})
			Expect(r).To(endSuccess())
		})

		It("of Unless make it optional", func() {
			_, r := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 5})
			Expect(r).To(endFailed("own_note_text is required"))
			_, r = transferred(transfer{live: true}, cmdx.Args{"to": "ann", "amount_cents": 5})
			Expect(r).To(endSuccess())
		})
	})

	Describe("Defaults", func() {
		It("are values, coerced and transformed like a caller's", func() {
			d, _ := transferred(transfer{}, small)
			Expect(d.Currency).To(Equal("eur"))
		})

		It("are methods, which see what was resolved before", func() {
			d, _ := transferred(transfer{}, small)
			Expect(d.Fee).To(Equal(int64(9)))
			d, _ = transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 900, "note": "", "fee_cents": 0})
			Expect(d.Fee).To(BeZero())
		})

		It("are never shared between runs", func() {
			first := run(&declarer[defaultMaps]{}, nil).Task().(*declarer[defaultMaps])
			first.Tags["written"], first.Names[0] = "yes", "written"
			second := run(&declarer[defaultMaps]{}, nil).Task().(*declarer[defaultMaps])
			Expect(second.Tags).To(Equal(map[string]string{"tier": "web"}))
			Expect(second.Names).To(Equal([]string{"a"}))
		})
	})

	Describe("Transforms", func() {
		It("come after the coercion and before the rules", func() {
			d, _ := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 1, "note": ""})
			Expect(d.Recipient).To(Equal("ANN"))
			Expect(run(&declarer[transformed]{}, cmdx.Args{"port": " 80 "}).Task().(*declarer[transformed]).Port).To(Equal(8080))
			Expect(run(&declarer[transformed]{}, cmdx.Args{"port": -8001})).To(endFailed("port must be greater than 0"))
		})

		It("that return another type are coerced into the field's", func() {
			r := run(&declarer[transformedFreely]{}, cmdx.Args{"port": "tcp:80", "names": "a,b"})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*declarer[transformedFreely]).Port).To(Equal(80))
			Expect(r.Task().(*declarer[transformedFreely]).Names).To(Equal([]string{"a", "b"}))
			Expect(run(&declarer[transformedFreely]{}, cmdx.Args{"port": "tcp:http"})).To(endFailed("port could not coerce into an integer"))
		})

		It("that refuse a value fail the run, and tell nobody their error", func() {
			_, r := transferred(transfer{}, cmdx.Args{"to": "ann", "amount_cents": 1, "note": "", "currency": "xxx"})
			Expect(r).To(endFailed("currency could not be transformed"))
		})

		It("are given a map or slice of their own", func() {
			given := []string{"b", "a"}
			r := run(&declarer[transformedInPlace]{}, cmdx.Args{"anything": given})
			Expect(r.Task().(*declarer[transformedInPlace]).Input("anything")).To(Equal([]string{"changed", "a"}))
			Expect(given).To(Equal([]string{"b", "a"}))
		})

		It("do not see nil", func() {
			Expect(run(&declarer[transformedFreely]{}, cmdx.Args{"port": nil})).To(endSuccess())
		})
	})

	Describe("Naming", func() {
		It("changes what an input is read by and its errors, not the caller's key", func() {
			d, _ := transferred(transfer{}, small)
			Expect(d.Input("recipient")).To(Equal("ANN"))
			Expect(d.Input("own_note_text")).To(Equal("rent"))
			_, r := transferred(transfer{}, cmdx.Args{"recipient": "ann", "amount_cents": 1, "own_note_text": "x"})
			Expect(r).To(endFailed("recipient is required. own_note_text is required"))
			Expect(r.Errors().ToMap()).To(HaveKey("own_note_text"))
		})

		It("lets an input be read by the caller's key too", func() {
			d, _ := transferred(transfer{}, small)
			Expect(d.Input("to")).To(Equal("ANN"))
			Expect(d.Input("note")).To(Equal("rent"))
		})

		It("is decided by As where there is a prefix too", func() {
			r := run(&declarer[namedTwice]{}, nil)
			Expect(r).To(endFailed("mine is required"))
		})
	})

	Describe("A child", func() {
		It("removes inherited inputs", func() {
			r := run(&transferAbroad{}, cmdx.Args{"amount_cents": 5_000})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*transferAbroad).Input("code")).To(BeNil())
			Expect(r.Task().(*transferAbroad).Memo).To(BeEmpty())
		})

		It("declares an inherited one again, and only what it says counts", func() {
			Expect(run(&transferAbroad{}, cmdx.Args{"amount_cents": 1}).Task().(*transferAbroad).Input("to")).To(Equal("self"))
			_, r := transferred(transfer{}, cmdx.Args{"amount_cents": 1, "note": ""})
			Expect(r).To(endFailed("recipient is required"), "the parent stays as it was")
		})

		It("removes an input with the field that is bound to its reading name", func() {
			r := run(&transferUnnamed{}, cmdx.Args{"amount_cents": 1, "note": "x", "to": "ann", "recipient": "ann"})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*transferUnnamed).Recipient).To(BeEmpty())
		})

		It("removes what a parent's tags declare, and the field is left alone", func() {
			r := run(&transferUntagged{}, cmdx.Args{"amount_cents": 7, "memo": "x"})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*transferUntagged).transferTagged.Amount).To(BeZero())
			Expect(r.Task().(*transferUntagged).Times).To(Equal(2))
		})

		It("of a type that removed an input can have it again, by a tag or in Configure", func() {
			r := run(&transferRetagged{}, cmdx.Args{"amount_cents": "1.5"})
			Expect(r.Task().(*transferRetagged).Amount).To(Equal(1.5))
			Expect(r.Task().(*transferRetagged).transferTagged.Amount).To(BeZero())
			Expect(run(&transferAgain{}, nil)).To(endFailed("amount_cents is required"))
			Expect(run(&transferAgain{}, cmdx.Args{"amount_cents": 3}).Task().(*transferAgain).Amount).To(Equal(int64(3)))
		})
	})

	Describe("Tags", func() {
		It("say what Configure could say", func() {
			Expect(run(&transferTagged{}, nil)).To(endFailed("amount_cents is required"))
			d := run(&transferTagged{}, cmdx.Args{"amount_cents": 1}).Task().(*transferTagged)
			Expect(d.Memo).To(Equal("a, b"))
			Expect(d.Times).To(Equal(2))
		})
	})

	DescribeTable("are refused",
		func(task cmdx.Task, anchor string, says ...string) {
			var mistake *cmdx.DefinitionError
			Expect(errors.As(cmdx.Validate(task), &mistake)).To(BeTrue(), "nothing is wrong")
			Expect(mistake.Anchor).To(Equal(anchor))
			for _, text := range says {
				Expect(mistake.Error()).To(ContainSubstring(text))
			}
			r := run(task, nil)
			Expect(r).To(endFailed())
			Expect(r.Cause()).To(MatchError(mistake))
		},
		Entry("an input taken from one that is declared after it", &declarer[refusedLater]{}, "an-input-that-cannot-be", `"b", which is declared after it`, "Declare"),
		Entry("an input taken from itself", &declarer[refusedSelf]{}, "an-input-that-cannot-be", `"a" is taken from itself`),
		Entry("an input taken from nothing", &declarer[refusedNothing]{}, "an-input-that-cannot-be", `"b", which is not declared`),
		Entry("two inputs of one reading name", &declarer[refusedTwice]{}, "an-input-that-cannot-be", `both read as "b"`),
		Entry("a blank reading name", &declarer[refusedBlank]{}, "an-input-that-cannot-be", "blank name by As"),
		Entry("a gate of an optional input", &declarer[refusedGate]{}, "an-input-that-cannot-be", "has a gate"),
		Entry("a nil gate function", &declarer[refusedNilGate]{}, "a-wrong-option", "the gate's function is nil"),
		Entry("an error gate", &declarer[refusedErrorGate]{}, "whenerror-elsewhere"),
		Entry("a gate of another type", &declarer[refusedForeignGate]{}, "a-function-of-another-type", "*spec.transfer"),
		Entry("a source of another type", &declarer[refusedForeignSource]{}, "a-function-of-another-type", "*spec.transfer"),
		Entry("a default of another type", &declarer[refusedForeignDefault]{}, "a-function-of-another-type", "*spec.transfer"),
		Entry("a transform of another type", &declarer[refusedForeignTransform]{}, "a-function-of-another-type", "*spec.transfer"),
		Entry("a nil source function", &declarer[refusedNilSource]{}, "an-input-that-cannot-be", "FromFunc is nil"),
		Entry("a nil default method", &declarer[refusedNilDefault]{}, "an-input-that-cannot-be", "DefaultFrom is nil"),
		Entry("a nil transform", &declarer[refusedNilTransform]{}, "an-input-that-cannot-be", "a transform is nil"),
		Entry("a transform of a type that the value cannot be", &declarer[refusedTransform]{}, "an-input-that-cannot-be", "a transform of string, but its value is a int64"),
		Entry("the removal of an input that is not there", &declarer[refusedRemoval]{}, "removing-what-is-not-there", `no input "to" to remove`),
		Entry("the removal of an output that is not there", &declarer[refusedOutputRemoval]{}, "removing-what-is-not-there", `no output "to" to remove`),
		Entry("an output's default of another type", &declarer[refusedOutputDefault]{}, "a-function-of-another-type", "*spec.transfer"),
		Entry("an output's nil default method", &declarer[refusedNilOutputDefault]{}, "a-wrong-option", "DefaultFrom is nil"),
		Entry("an unknown tag option", &refusedTagOption{}, "an-input-that-cannot-be", `unknown option "requird"`),
		Entry("an open quote in a tag", &refusedTagQuote{}, "an-input-that-cannot-be", "single quote that is not closed"),
	)
})

// What a declarer says.
type (
	sourceless              struct{}
	sourceWrong             struct{}
	defaultMaps             struct{}
	transformed             struct{}
	transformedFreely       struct{}
	transformedInPlace      struct{}
	namedTwice              struct{}
	refusedLater            struct{}
	refusedSelf             struct{}
	refusedNothing          struct{}
	refusedTwice            struct{}
	refusedBlank            struct{}
	refusedGate             struct{}
	refusedNilGate          struct{}
	refusedErrorGate        struct{}
	refusedForeignGate      struct{}
	refusedForeignSource    struct{}
	refusedForeignDefault   struct{}
	refusedForeignTransform struct{}
	refusedNilSource        struct{}
	refusedNilDefault       struct{}
	refusedNilTransform     struct{}
	refusedTransform        struct{}
	refusedRemoval          struct{}
	refusedOutputRemoval    struct{}
	refusedOutputDefault    struct{}
	refusedNilOutputDefault struct{}
	refusedTagOption        struct {
		doing
		A int `cmdx:"a,requird"`
	}
	refusedTagQuote struct {
		doing
		A string `cmdx:"a,default='x"`
	}
)

func (sourceless) say(c *cmdx.Config) {
	c.Optional("a")
	c.Required("b", inputs.FromInput("a"))
	c.Required("c", inputs.FromFunc(func(*doing) any { return nil }))
}

func (sourceWrong) say(c *cmdx.Config) {
	c.Required("a", inputs.Coerce(inputs.Integer))
	c.Required("b", inputs.FromInput("a"), inputs.Coerce(inputs.String))
	c.Optional("c", inputs.FromInput("b"), inputs.Coerce(inputs.String), inputs.Default("d"), inputs.Validate("min=10"))
}

func (defaultMaps) say(c *cmdx.Config) {
	tags, names := map[string]string{"tier": "web"}, []string{"a"}
	c.Optional("tags", inputs.DefaultFrom(func(*doing) any { return tags }))
	c.Optional("names", inputs.DefaultFunc(func() any { return names }))
}

func (transformed) say(c *cmdx.Config) {
	c.Optional("port", inputs.Transform(func(n int) int { return n + 8000 }), inputs.Validate("gt=0"))
}

func (transformedFreely) say(c *cmdx.Config) {
	c.Optional("port", inputs.Coerce(inputs.String), inputs.TransformFunc(func(v any) (any, error) {
		return strings.TrimPrefix(v.(string), "tcp:"), nil
	}))
	c.Optional("names", inputs.Coerce(inputs.String), inputs.TransformFunc(func(v any) (any, error) {
		return strings.Split(v.(string), ","), nil
	}))
}

func (transformedInPlace) say(c *cmdx.Config) {
	c.Optional("anything", inputs.Transform(func(list []string) []string { list[0] = "changed"; return list }))
}

func (namedTwice) say(c *cmdx.Config) {
	c.Required("a", inputs.Prefix("x_"), inputs.As("mine"), inputs.Suffix("_y"))
}

func (refusedLater) say(c *cmdx.Config) {
	c.Optional("a", inputs.FromInput("b"))
	c.Optional("b")
}

func (refusedSelf) say(c *cmdx.Config)    { c.Optional("a", inputs.FromInput("a")) }
func (refusedNothing) say(c *cmdx.Config) { c.Optional("a", inputs.FromInput("b")) }

func (refusedTwice) say(c *cmdx.Config) {
	c.Optional("a", inputs.As("b"))
	c.Optional("b")
}

func (refusedBlank) say(c *cmdx.Config)   { c.Optional("a", inputs.As(" ")) }
func (refusedGate) say(c *cmdx.Config)    { c.Optional("a", inputs.If(cmdx.Always)) }
func (refusedNilGate) say(c *cmdx.Config) { c.Required("a", inputs.Unless(cmdx.When[doing](nil))) }

func (refusedErrorGate) say(c *cmdx.Config) {
	c.Required("a", inputs.If(cmdx.WhenError(func(*doing, error, int) bool { return true })))
}

func (refusedForeignGate) say(c *cmdx.Config) {
	c.Required("a", inputs.If(cmdx.When((*transfer).large)))
}

func (refusedForeignSource) say(c *cmdx.Config) {
	c.Required("a", inputs.FromFunc((*transfer).usualFee))
}

func (refusedForeignDefault) say(c *cmdx.Config) {
	c.Optional("a", inputs.DefaultFrom((*transfer).usualFee))
}

func (refusedForeignTransform) say(c *cmdx.Config) {
	c.Optional("a", inputs.TransformFrom((*transfer).signed))
}

func (refusedNilSource) say(c *cmdx.Config)    { c.Optional("a", inputs.FromFunc[doing](nil)) }
func (refusedNilDefault) say(c *cmdx.Config)   { c.Optional("a", inputs.DefaultFrom[doing](nil)) }
func (refusedNilTransform) say(c *cmdx.Config) { c.Optional("a", inputs.Transform[string](nil)) }
func (refusedTransform) say(c *cmdx.Config)    { c.Optional("port", inputs.Transform(strings.ToUpper)) }
func (refusedRemoval) say(c *cmdx.Config)      { c.RemoveInput("port", "to") }

func (refusedOutputRemoval) say(c *cmdx.Config) {
	c.Output("from")
	c.RemoveOutput("from", "to")
}

func (refusedOutputDefault) say(c *cmdx.Config) {
	c.Output("a", outputs.DefaultFrom((*transfer).usualFee))
}

func (refusedNilOutputDefault) say(c *cmdx.Config) { c.Output("a", outputs.DefaultFrom[doing](nil)) }
