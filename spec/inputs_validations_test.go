package spec

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/shopspring/decimal"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// Bookings are validated in every way.
type (
	booking struct {
		cmdx.Base
		Walked bool
	}
	bookingNumber struct {
		booking
	}
	bookingText struct {
		booking
	}
	bookingOwn struct {
		booking
		Limit int64 `cmdx:"limit"`
	}
	bookingBeside struct {
		cmdx.Base
	}
	bookingNil struct{ cmdx.Base }
)

func (*booking) Work(context.Context) error       { return nil }
func (*bookingBeside) Work(context.Context) error { return nil }
func (*bookingNil) Work(context.Context) error    { return nil }
func (t *booking) walked() bool                   { return t.Walked }
func (t *bookingOwn) affordable(n int) bool       { return int64(n) <= t.Limit }

var bookingCode = regexp.MustCompile(`^[a-z]+$`)

// Any is whatever the caller passed; every rule has an input of its own.
func (*booking) Configure(c *cmdx.Config) {
	rules := map[string]inputs.Option{
		"presence": inputs.Presence(), "absence": inputs.Absence(),
		"format": inputs.Format(bookingCode), "without": inputs.FormatWithout(bookingCode),
		"in": inputs.Inclusion(inputs.OneOf[any]("a", 2)), "in_range": inputs.Inclusion(inputs.Within(1, 5)),
		"out": inputs.Exclusion(inputs.OneOf[any]("a", 2)), "out_range": inputs.Exclusion(inputs.Within(1, 5)),
		"l_within": inputs.Length(inputs.Within(1, 5)), "l_not_within": inputs.Length(inputs.NotWithin(1, 5)),
		"l_min": inputs.Length(inputs.AtLeast(3)), "l_max": inputs.Length(inputs.AtMost(3)),
		"l_gt": inputs.Length(inputs.GreaterThan(3)), "l_lt": inputs.Length(inputs.LessThan(3)),
		"l_is": inputs.Length(inputs.Is(3)), "l_is_not": inputs.Length(inputs.IsNot(3)),
		"n_within": inputs.Numeric(inputs.Within(1, 5)), "n_not_within": inputs.Numeric(inputs.NotWithin(1, 5)),
		"n_min": inputs.Numeric(inputs.AtLeast(3)), "n_max": inputs.Numeric(inputs.AtMost(3)),
		"n_gt": inputs.Numeric(inputs.GreaterThan(3)), "n_lt": inputs.Numeric(inputs.LessThan(3)),
		"n_is": inputs.Numeric(inputs.Is(3)), "n_is_not": inputs.Numeric(inputs.IsNot(3)),
		"duration": inputs.Numeric(inputs.AtLeast(time.Second)),
		"if":       inputs.Presence(inputs.If(cmdx.When((*booking).walked))),
		"unless":   inputs.Presence(inputs.Unless(cmdx.When((*booking).walked))),
		"message":  inputs.Length(inputs.Is(3), inputs.Message("needs three of {them}")),
	}
	for name, rule := range rules {
		c.Optional(name, rule)
	}
}

// nil reaches the rules of a required input only.
func (*bookingNil) Configure(c *cmdx.Config) {
	c.Required("presence", inputs.Presence())
	c.Required("absence", inputs.Absence())
	c.Required("format", inputs.Format(bookingCode))
	c.Required("in", inputs.Inclusion(inputs.OneOf("a")))
	c.Required("out", inputs.Exclusion(inputs.OneOf("a")))
	c.Required("numeric", inputs.Numeric(inputs.Is(3)))
	c.Required("length", inputs.Length(inputs.Is(3)))
	c.Required("allowed", inputs.Length(inputs.Is(3), inputs.AllowNil()))
}

func (*bookingNumber) Configure(c *cmdx.Config) {
	c.Optional("decimal", inputs.Coerce(inputs.Decimal), inputs.Numeric(inputs.AtLeast(json.Number("0.10"))))
	c.Optional("rational", inputs.Coerce(inputs.Rational), inputs.Numeric(inputs.LessThan(big.NewRat(1, 3))))
	c.Optional("integer", inputs.Coerce(inputs.Integer), inputs.Numeric(inputs.Within(-1, uint64(math.MaxUint64))))
	c.Optional("at", inputs.Coerce(inputs.DateTime),
		inputs.Inclusion(inputs.Within(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC))))
	c.Optional("tagged", inputs.Coerce(inputs.Decimal), inputs.Validate("gte=0.10,lt=1e3"))
}

func (*bookingText) Configure(c *cmdx.Config) {
	c.Optional("mail", inputs.Coerce(inputs.String), inputs.Validate("omitempty,email"))
	c.Optional("isbn", inputs.Coerce(inputs.String), inputs.Validate("isbn"))
	c.Optional("own", inputs.Coerce(inputs.String), inputs.Validate("email", inputs.Message("must be ours")))
}

func init() {
	if err := inputs.RegisterValidator("spec_even", "must be even", func(n int) bool { return n%2 == 0 }); err != nil {
		panic(err)
	}
}

func (*bookingOwn) Configure(c *cmdx.Config) {
	c.Optional("limit", inputs.Default(10))
	c.Optional("even", inputs.Coerce(inputs.Integer), inputs.ValidateBy("spec_even"))
	c.Optional("odd", inputs.Coerce(inputs.Integer), inputs.ValidateFunc(func(n int64) bool { return n%2 != 0 }))
	c.Optional("price", inputs.Coerce(inputs.Integer), inputs.ValidateFrom((*bookingOwn).affordable, inputs.Message("is beyond the limit")))
}

func (*bookingBeside) Configure(c *cmdx.Config) {
	c.Optional("starts_at", inputs.Coerce(inputs.DateTime))
	c.Optional("ends_at", inputs.Coerce(inputs.DateTime), inputs.Validate("gtfield=starts_at"))
	c.Optional("password", inputs.Coerce(inputs.String))
	c.Optional("confirmation", inputs.Coerce(inputs.String), inputs.Validate("eqfield=password"))
	c.Optional("low", inputs.Coerce(inputs.Integer))
	c.Optional("high", inputs.Coerce(inputs.Decimal), inputs.Validate("gtefield=low,nefield=low"))
}

var _ = Describe("Validations", func() {
	check := func(t cmdx.Task, name string, value any) []string {
		GinkgoHelper()
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, cmdx.Args{name: value})
		var wrong *cmdx.DefinitionError
		Expect(r.Cause()).NotTo(BeAssignableToTypeOf(wrong), r.Reason())
		return r.Errors().Get(name)
	}

	DescribeTable("say in fixed words what breaks them",
		func(name, message string, breaks, keeps []any) {
			for _, value := range breaks {
				Expect(check(&booking{}, name, value)).To(Equal([]string{message}), "%T %v", value, value)
			}
			for _, value := range keeps {
				Expect(check(&booking{}, name, value)).To(BeEmpty(), "%T %v", value, value)
			}
		},
		Entry("presence", "presence", "cannot be empty", []any{"", " \t\u00a0", []string{}, map[string]int{}}, []any{"a", 0, false, []string{""}}),
		Entry("absence", "absence", "must be empty", []any{"a", 0, false, []string{""}}, []any{"", " ", []string{}, map[string]int{}}),
		Entry("format with", "format", "is an invalid format", []any{"A", "", 5, []string{"a"}}, []any{"abc"}),
		Entry("format without", "without", "is an invalid format", []any{"abc", 5}, []any{"A", ""}),
		Entry("inclusion list", "in", "must be one of: a, 2", []any{"b", 3, "2", true, []any{"a"}, map[string]any{}}, []any{"a", 2, uint8(2), 2.0, json.Number("2.0")}),
		Entry("inclusion range", "in_range", "must be within 1 and 5", []any{0, 6, 5.01, "3", true}, []any{1, 5, 4.99, json.Number("1")}),
		Entry("exclusion list", "out", "must not be one of: a, 2", []any{"a", 2, json.Number("2")}, []any{"b", 3, []any{"a"}}),
		Entry("exclusion range", "out_range", "must not be within 1 and 5", []any{1, 5, 3.3}, []any{0, 6, "3"}),
		Entry("length within", "l_within", "length must be within 1 and 5", []any{"", "abcdef", []int{}}, []any{"a", "äöüßé", []int{1}}),
		Entry("length not within", "l_not_within", "length must not be within 1 and 5", []any{"a", "abcde"}, []any{"", "abcdef"}),
		Entry("length min", "l_min", "length must be at least 3", []any{"äö"}, []any{"äöü"}),
		Entry("length max", "l_max", "length must be at most 3", []any{"abcd"}, []any{"äöü"}),
		Entry("length gt", "l_gt", "length must be greater than 3", []any{"abc"}, []any{"abcd"}),
		Entry("length lt", "l_lt", "length must be less than 3", []any{"abc"}, []any{"ab", []int{1, 2}}),
		Entry("length is", "l_is", "length must be 3", []any{"ab"}, []any{"日本語", map[string]int{"a": 1, "b": 2, "c": 3}}),
		Entry("length is not", "l_is_not", "length must not be 3", []any{"日本語"}, []any{"ab"}),
		Entry("length of what has none", "l_is", "must have a length", []any{3, true, json.Number("123"), struct{}{}}, nil),
		Entry("numeric within", "n_within", "must be within 1 and 5", []any{0, 6, 5.0001}, []any{1, 5, 2.5}),
		Entry("numeric not within", "n_not_within", "must not be within 1 and 5", []any{1, 5, 2.5}, []any{0, 5.0001}),
		Entry("numeric min", "n_min", "must be at least 3", []any{2, 2.99}, []any{3, uint64(math.MaxUint64)}),
		Entry("numeric max", "n_max", "must be at most 3", []any{4, json.Number("3.00000000000000000001")}, []any{3, -1}),
		Entry("numeric gt", "n_gt", "must be greater than 3", []any{3, json.Number("3.0")}, []any{json.Number("3.00000000000000000001")}),
		Entry("numeric lt", "n_lt", "must be less than 3", []any{3}, []any{2.5}),
		Entry("numeric is", "n_is", "must be 3", []any{2}, []any{3, 3.0, big.NewInt(3), decimal.NewFromInt(3)}),
		Entry("numeric is not", "n_is_not", "must not be 3", []any{3, big.NewRat(3, 1)}, []any{2}),
		Entry("numeric of what is no number", "n_is", "must be numeric", []any{"3", true, math.NaN(), time.Second, []int{3}}, nil),
		Entry("numeric of durations", "duration", "must be at least 1s", []any{time.Millisecond}, []any{time.Second}),
	)

	DescribeTable("know nil",
		func(name, message string) {
			args := cmdx.Args{}
			for _, key := range []string{"presence", "absence", "format", "in", "out", "numeric", "length", "allowed"} {
				args[key] = nil
			}
			r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &bookingNil{}, args)
			if message == "" {
				Expect(r.Errors().Get(name)).To(BeEmpty())
			} else {
				Expect(r.Errors().Get(name)).To(Equal([]string{message}))
			}
		},
		Entry("as empty", "presence", "cannot be empty"),
		Entry("as absent", "absence", ""),
		Entry("as no text", "format", "is an invalid format"),
		Entry("as no member", "in", "must be one of: a"),
		Entry("as none to be excluded", "out", ""),
		Entry("as no number", "numeric", "must be numeric"),
		Entry("as nothing with a length", "length", "must have a length"),
		Entry("as allowed by AllowNil", "allowed", ""),
	)

	It("of an optional input are not asked about nil", func() {
		Expect(check(&booking{}, "presence", nil)).To(BeEmpty())
	})

	DescribeTable("hold exactly for every kind of number and for times",
		func(name string, breaks, keeps any, message string) {
			Expect(check(&bookingNumber{}, name, breaks)).To(Equal([]string{message}))
			Expect(check(&bookingNumber{}, name, keeps)).To(BeEmpty())
		},
		Entry("a decimal", "decimal", "0.0999999999999999999999", "0.1", "must be at least 0.10"),
		Entry("a rational", "rational", "1/3", "33333333333333333333/100000000000000000000", "must be less than 1/3"),
		Entry("an integer and a bound beyond its type", "integer", -2, int64(math.MaxInt64), "must be within -1 and 18446744073709551615"),
		Entry("a time", "at", "2027-01-01", "2026-12-31", "must be within 2026-01-01T00:00:00Z and 2026-12-31T00:00:00Z"),
		Entry("a tag on a decimal", "tagged", "0.09", "0.10", "must be at least 0.10"),
		Entry("a tag on a large decimal", "tagged", "1000.00", "999.99", "must be less than 1e3"),
	)

	Context("with options", func() {
		It("are asked where their gates let them", func() {
			Expect(check(&booking{}, "if", "")).To(BeEmpty())
			Expect(check(&booking{Walked: true}, "if", "")).To(Equal([]string{"cannot be empty"}))
			Expect(check(&booking{}, "unless", "")).To(Equal([]string{"cannot be empty"}))
			Expect(check(&booking{Walked: true}, "unless", "")).To(BeEmpty())
		})

		It("say the words of Message as they are", func() {
			Expect(check(&booking{}, "message", "ab")).To(Equal([]string{"needs three of {them}"}))
			Expect(check(&bookingText{}, "own", "x")).To(Equal([]string{"must be ours"}))
		})
	})

	Context("by a tag", func() {
		It("say a plain sentence, or that the rule of that name does not hold", func() {
			Expect(check(&bookingText{}, "mail", "x")).To(Equal([]string{"must be an email address"}))
			Expect(check(&bookingText{}, "mail", "")).To(BeEmpty())
			Expect(check(&bookingText{}, "isbn", "x")).To(Equal([]string{"is invalid (isbn)"}))
		})

		DescribeTable("compare with an input that is declared before",
			func(args cmdx.Args, reason string) {
				Expect(cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &bookingBeside{}, args).Reason()).To(Equal(reason))
			},
			Entry("a time after", cmdx.Args{"starts_at": "2026-01-01", "ends_at": "2026-01-02"}, ""),
			Entry("a time that is equal", cmdx.Args{"starts_at": "2026-01-01", "ends_at": "2026-01-01"}, "ends_at must be after starts_at"),
			Entry("nothing to compare with", cmdx.Args{"ends_at": "2026-01-01"}, ""),
			Entry("one that is wrong itself", cmdx.Args{"starts_at": "soon", "ends_at": "2026-01-01"}, "starts_at could not coerce into a date_time"),
			Entry("the same text", cmdx.Args{"password": "a", "confirmation": "a"}, ""),
			Entry("another text", cmdx.Args{"password": "a", "confirmation": "b"}, "confirmation must be equal to password"),
			Entry("no text", cmdx.Args{"confirmation": "b"}, "confirmation must be equal to password"),
			Entry("numbers of two kinds", cmdx.Args{"low": 3, "high": "2.99"}, "high must be at least low"),
			Entry("equal numbers of two kinds", cmdx.Args{"low": 3, "high": "3.00"}, "high must differ from low"),
		)
	})

	Context("of an application's own", func() {
		It("are registered by name with their words", func() {
			Expect(check(&bookingOwn{}, "even", 3)).To(Equal([]string{"must be even"}))
			Expect(check(&bookingOwn{}, "even", 4)).To(BeEmpty())
			var failed *inputs.RegisterError
			Expect(inputs.RegisterValidator("spec_even", "again", func(int) bool { return true })).To(BeAssignableToTypeOf(failed))
			Expect(inputs.RegisterValidator("a b", "again", func(int) bool { return true })).NotTo(Succeed())
			Expect(inputs.RegisterValidator("spec_blank", " ", func(int) bool { return true })).NotTo(Succeed())
			Expect(inputs.RegisterValidator[int]("spec_nil", "x", nil)).NotTo(Succeed())
		})

		It("are functions and methods, which see what was resolved before", func() {
			Expect(check(&bookingOwn{}, "odd", 4)).To(Equal([]string{"is invalid"}))
			Expect(check(&bookingOwn{}, "price", 11)).To(Equal([]string{"is beyond the limit"}))
			Expect(check(&bookingOwn{}, "price", 10)).To(BeEmpty())
		})
	})

	DescribeTable("that cannot hold are definition errors",
		func(text string, options ...inputs.Option) {
			_, problems := inputs.Compile(nil, inputs.Set{}.With(inputs.Required("value", options...)))
			Expect(problems).To(HaveLen(1))
			Expect(problems[0].Text).To(Equal(`the input "value": ` + text))
			Expect(problems[0].Fix).NotTo(BeEmpty())
		},
		Entry("no expression", "its format has no regular expression", inputs.Format(nil)),
		Entry("format of a number", `the rule "format" cannot check a value of type int64`, inputs.Coerce(inputs.Integer), inputs.Format(bookingCode)),
		Entry("length of a number", `the rule "length" cannot check a value of type int64`, inputs.Coerce(inputs.Integer), inputs.Length(inputs.Is(1))),
		Entry("length of a decimal", `the rule "length" cannot check a value of type decimal.Decimal`, inputs.Coerce(inputs.Decimal), inputs.Length(inputs.Is(1))),
		Entry("a length that cannot be", `the rule "length" has a bound that no length can have`, inputs.Length(inputs.Within(-1, 5))),
		Entry("a length with a fraction", `the rule "length" has a bound that no length can have`, inputs.Length(inputs.Is(1.5))),
		Entry("no limit", `the rule "length" has no limit`, inputs.Length(nil)),
		Entry("numeric of text", `the rule "numeric" cannot check a value of type string`, inputs.Coerce(inputs.String), inputs.Numeric(inputs.Is(1))),
		Entry("numeric by text", `the rule "numeric" has a bound of type string`, inputs.Numeric(inputs.Is("1"))),
		Entry("a number for a duration", `the rule "numeric" cannot check a value of type time.Duration`, inputs.Coerce(inputs.Duration), inputs.Numeric(inputs.Is(1))),
		Entry("an empty range", `the rule "numeric": nothing can lie within its bounds`, inputs.Numeric(inputs.Within(5, 1))),
		Entry("a range of two kinds", `the rule "inclusion": nothing can lie within its bounds`, inputs.Inclusion(inputs.Within(1, "5"))),
		Entry("an empty list", `the rule "inclusion" has an empty list`, inputs.Inclusion(inputs.OneOf[string]())),
		Entry("no members", `the rule "exclusion" has no members`, inputs.Exclusion(nil)),
		Entry("nil in a list", `the rule "inclusion": nil is no value to compare with`, inputs.Inclusion(inputs.OneOf[any](nil))),
		Entry("a list of another type", `the rule "inclusion" lists a value of type string, which a value of type int64 never is`, inputs.Coerce(inputs.Integer), inputs.Inclusion(inputs.OneOf("a"))),
		Entry("absence of a number", `the rule "absence" cannot check a value of type int64`, inputs.Coerce(inputs.Integer), inputs.Absence()),
		Entry("a function of another type", "its validation takes a value of type []string, but the value is a int64", inputs.Coerce(inputs.Integer), inputs.ValidateFunc(func([]string) bool { return true })),
		Entry("no function", "the function of a validation is nil", inputs.ValidateFunc[int](nil)),
		Entry("no such validator", `there is no validator "spec_odd"`, inputs.ValidateBy("spec_odd")),
		Entry("a blank message", "the message of a rule is blank", inputs.Presence(inputs.Message(" "))),
		Entry("an input that is not there", `the rule "eqfield" compares with the input "other", and there is none before this one`, inputs.Validate("eqfield=other")),
	)
})
