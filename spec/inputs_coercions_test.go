package spec

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	"github.com/shopspring/decimal"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

type (
	// coerced has one input per coercion, named like it.
	coerced struct{ cmdx.Base }
	// insistent has the same, required.
	insistent struct{ cmdx.Base }

	currency  string
	cents     int64
	share     float32
	agreed    bool
	tagList   []string
	labelMap  map[currency]int
	panicking struct{}
	silent    struct{ A int }
	spoken    struct{ text string }
	address   struct {
		City string `json:"city"`
		Zip  int    `cmdx:"zip"`
	}
	money struct {
		Cents    int64
		Currency string
	}
)

func (panicking) String() string               { panic("no text") }
func (panicking) MarshalText() ([]byte, error) { panic("no text") }
func (s spoken) String() string                { return s.text }

var parseMoney = inputs.Register("spec_money", func(v any) (money, error) {
	text, _ := v.(string)
	amount, unit, ok := strings.Cut(text, " ")
	n, err := decimal.NewFromString(amount)
	if !ok || err != nil {
		return money{}, errors.New("no money: " + text)
	}
	return money{n.Shift(2).IntPart(), unit}, nil
})

var everyCoercion = []inputs.Coercion{
	inputs.String, inputs.Integer, inputs.Float, inputs.Decimal, inputs.Boolean, inputs.Date, inputs.DateTime, inputs.Time,
	inputs.Duration, inputs.Array, inputs.Hash, inputs.Symbol, inputs.Rational, inputs.Complex,
}

func (*coerced) Configure(c *cmdx.Config) {
	for _, coercion := range everyCoercion {
		c.Optional(coercion.Name(), inputs.Coerce(coercion))
	}
	c.Optional("hex", inputs.Coerce(inputs.Integer), inputs.Base(16))
	c.Optional("prefixed", inputs.Coerce(inputs.Integer), inputs.Base(0))
	c.Optional("german", inputs.Coerce(inputs.Date), inputs.Layout("02.01.2006", "2.1.06"))
	c.Optional("zoned", inputs.Coerce(inputs.DateTime), inputs.Layout("2006-01-02 15:04 MST"))
	c.Optional("either", inputs.Coerce(inputs.Integer, inputs.Boolean))
	c.Optional("integers", inputs.Coerce(inputs.Array.Of(inputs.Integer)))
	c.Optional("money", inputs.Coerce(parseMoney))
	c.Optional("named", inputs.Coerce(inputs.Named("spec_money")))
	c.Optional("inline", inputs.Coerce(inputs.Func("even", func(v any) (int, error) {
		if n, ok := v.(int); ok && n%2 == 0 {
			return n, nil
		}
		return 0, errors.New("odd")
	})))
}

func (*coerced) Work(context.Context) error { return nil }

func (*insistent) Configure(c *cmdx.Config) {
	for _, coercion := range everyCoercion {
		c.Required(coercion.Name(), inputs.Coerce(coercion))
	}
}

func (*insistent) Work(context.Context) error { return nil }

// refusedWith stands for a value that is not taken, with the words for it.
type refusedWith string

const (
	noString   refusedWith = "could not coerce into a string"
	noInteger  refusedWith = "could not coerce into an integer"
	noFloat    refusedWith = "could not coerce into a float"
	noDecimal  refusedWith = "could not coerce into a decimal"
	noBoolean  refusedWith = "could not coerce into a boolean"
	noDate     refusedWith = "could not coerce into a date"
	noDateTime refusedWith = "could not coerce into a date_time"
	noTime     refusedWith = "could not coerce into a time"
	noDuration refusedWith = "could not coerce into a duration"
	noArray    refusedWith = "could not coerce into an array"
	noHash     refusedWith = "could not coerce into a hash"
	noSymbol   refusedWith = "could not coerce into a symbol"
	noRational refusedWith = "could not coerce into a rational"
	noComplex  refusedWith = "could not coerce into a complex"
)

// isDecimal and isRational compare by digits, with their type.
func isDecimal(text string) types.GomegaMatcher {
	return And(BeAssignableToTypeOf(decimal.Decimal{}), WithTransform(func(d decimal.Decimal) string { return d.String() }, Equal(text)))
}

func isRational(text string) types.GomegaMatcher {
	return And(BeAssignableToTypeOf(&big.Rat{}), WithTransform((*big.Rat).String, Equal(text)))
}

// isMoment compares the moment and the offset from UTC.
func isMoment(rfc string) types.GomegaMatcher {
	return And(BeAssignableToTypeOf(time.Time{}), WithTransform(func(t time.Time) string { return t.Format(time.RFC3339Nano) }, Equal(rfc)))
}

var _ = Describe("Coercions", func() {
	run := func(args cmdx.Args) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &coerced{}, args)
	}
	takes := func(name string, value, want any) {
		GinkgoHelper()
		r := run(cmdx.Args{name: value})
		if words, no := want.(refusedWith); no {
			Expect(r).To(endFailed(name + " " + string(words)))
			return
		}
		Expect(r).To(endSuccess())
		got := r.Task().(*coerced).Input(name)
		if matcher, ok := want.(types.GomegaMatcher); ok {
			Expect(got).To(matcher)
			return
		}
		Expect(got).To(Equal(want))
	}
	here := time.FixedZone("", 2*60*60)
	noon := time.Date(2026, 3, 4, 12, 30, 15, 123456789, here)
	text, number, none, noNumber := "pay_1", 7, (*string)(nil), (*int)(nil)
	page, _ := url.Parse("https://example.org/a?b=c")

	DescribeTable("string takes anything with a plain text form", func(value, want any) { takes("string", value, want) },
		Entry("text", "pay_1", "pay_1"),
		Entry("empty text", "", ""),
		Entry("text of a named type", currency("EUR"), "EUR"),
		Entry("a pointer to text", &text, "pay_1"),
		Entry("bytes", []byte("pay_1"), "pay_1"),
		Entry("bytes that are no text", []byte{0xff, 0xfe}, noString),
		Entry("raw JSON of a text", json.RawMessage(`"pay_1"`), "pay_1"),
		Entry("raw JSON of an object", json.RawMessage(`{"a":1}`), `{"a":1}`),
		Entry("raw JSON null, which is nothing given", json.RawMessage(` null `), BeNil()),
		Entry("raw JSON that is none", json.RawMessage(`{`), noString),
		Entry("json.Number", json.Number("9900.0"), "9900.0"),
		Entry("an int", -7, "-7"),
		Entry("an int of a named type", cents(7), "7"),
		Entry("the largest uint", uint64(math.MaxUint64), "18446744073709551615"),
		Entry("a float, by its shortest text", 0.1, "0.1"),
		Entry("a float32, by its shortest text", float32(0.1), "0.1"),
		Entry("a whole float that may be another number", 9007199254740993.0, noString),
		Entry("a boolean", true, "true"),
		Entry("a Stringer", spoken{"said"}, "said"),
		Entry("what marshals text", netip.MustParseAddr("10.0.0.1"), "10.0.0.1"),
		Entry("a url", page, "https://example.org/a?b=c"),
		Entry("a time", noon, "2026-03-04T12:30:15.123456789+02:00"),
		Entry("a duration", 90*time.Second, "1m30s"),
		Entry("a decimal", decimal.RequireFromString("12.50"), "12.5"),
		Entry("a decimal that would fill the memory", decimal.New(1, math.MaxInt32), noString),
		Entry("a pointer to such a decimal", func() *decimal.Decimal { d := decimal.New(1, math.MaxInt32); return &d }(), noString),
		Entry("a big.Float that would", new(big.Float).SetMantExp(big.NewFloat(1), math.MaxInt32), noString),
		Entry("a big number", big.NewInt(7), "7"),
		Entry("no map", map[string]any{"a": 1}, noString),
		Entry("no slice", []string{"a"}, noString),
		Entry("no struct without a text", silent{1}, noString),
		Entry("nothing whose methods panic", panicking{}, noString),
		Entry("no function", func() {}, noString),
	)

	DescribeTable("integer takes whole numbers, exactly", func(value, want any) { takes("integer", value, want) },
		Entry("int", 7, int64(7)), Entry("int8", int8(-7), int64(-7)), Entry("int16", int16(7), int64(7)), Entry("int32", int32(7), int64(7)), Entry("int64", int64(math.MinInt64), int64(math.MinInt64)),
		Entry("uint", uint(7), int64(7)), Entry("uint8", uint8(7), int64(7)), Entry("uint16", uint16(7), int64(7)), Entry("uint32", uint32(7), int64(7)), Entry("uint64", uint64(7), int64(7)),
		Entry("a named type", cents(7), int64(7)), Entry("a pointer", &number, int64(7)),
		Entry("a whole float", 7.0, int64(7)), Entry("a whole float32", share(7), int64(7)), Entry("the largest exact float", 9007199254740991.0, int64(9007199254740991)),
		Entry("a float that may be another number", 9007199254740992.0, noInteger),
		Entry("a float with a fraction", 7.5, noInteger), Entry("NaN", math.NaN(), noInteger), Entry("infinity", math.Inf(1), noInteger), Entry("2^63 as a float", math.Pow(2, 63), noInteger),
		Entry("text", "7", int64(7)), Entry("text of a named type", currency("7"), int64(7)), Entry("space around", " \t7\n", int64(7)), Entry("signs", "+7", int64(7)), Entry("a minus", "-7", int64(-7)),
		Entry("single underscores", "1_000_000", int64(1000000)), Entry("leading zeros are decimal", "017", int64(17)), Entry("not octal: 08", "08", int64(8)),
		Entry("underscores at the edge", "_1", noInteger), Entry("doubled underscores", "1__0", noInteger), Entry("a fraction in text", "7.0", noInteger), Entry("an exponent in text", "1e3", noInteger),
		Entry("hexadecimal text", "0x10", noInteger), Entry("octal text", "0o17", noInteger), Entry("binary text", "0b1", noInteger), Entry("full-width digits", "１２", noInteger), Entry("rubbish behind", "12 kg", noInteger),
		Entry("empty text", "", noInteger), Entry("NaN as text", "NaN", noInteger), Entry("a hostile exponent", "1e999999999", noInteger),
		Entry("2^63-1 in text", "9223372036854775807", int64(math.MaxInt64)), Entry("2^63 in text", "9223372036854775808", noInteger), Entry("2^63 as uint64", uint64(1<<63), noInteger),
		Entry("json.Number", json.Number("9007199254740993"), int64(9007199254740993)), Entry("json.Number with an exponent", json.Number("9.9e3"), int64(9900)), Entry("json.Number with a zero fraction", json.Number("7.0"), int64(7)),
		Entry("json.Number with a fraction", json.Number("7.5"), noInteger), Entry("json.Number of a hostile exponent", json.Number("1e999999999"), noInteger), Entry("json.Number that is none", json.Number("x"), noInteger),
		Entry("bytes", []byte("7"), int64(7)), Entry("raw JSON", json.RawMessage("7"), int64(7)), Entry("raw JSON of a fraction", json.RawMessage("7.5"), noInteger),
		Entry("a decimal", decimal.RequireFromString("7.00"), int64(7)), Entry("a decimal with a fraction", decimal.RequireFromString("7.01"), noInteger), Entry("a hostile decimal", decimal.New(1, math.MaxInt32), noInteger),
		Entry("big.Int", big.NewInt(7), int64(7)), Entry("big.Int beyond", new(big.Int).Lsh(big.NewInt(1), 63), noInteger), Entry("big.Rat", big.NewRat(14, 2), int64(7)), Entry("big.Rat with a fraction", big.NewRat(1, 2), noInteger),
		Entry("a boolean", true, noInteger), Entry("a named boolean", agreed(true), noInteger), Entry("a time", noon, noInteger), Entry("a slice", []int{7}, noInteger), Entry("a struct", silent{7}, noInteger), Entry("what panics", panicking{}, noInteger),
	)

	DescribeTable("integer reads text in another base by Base", func(name, text string, want any) { takes(name, text, want) },
		Entry("hexadecimal", "hex", "ff", int64(255)), Entry("with its prefix", "hex", "0xFF", int64(255)), Entry("negative", "hex", "-ff", int64(-255)), Entry("with underscores", "hex", "f_f", int64(255)),
		Entry("digits of no such base", "hex", "fg", noInteger), Entry("the largest", "hex", "7fffffffffffffff", int64(math.MaxInt64)), Entry("beyond", "hex", "8000000000000000", noInteger), Entry("a prefix alone", "hex", "0x", noInteger),
		Entry("by prefix: hexadecimal", "prefixed", "0x10", int64(16)), Entry("by prefix: octal", "prefixed", "0o17", int64(15)), Entry("by prefix: binary", "prefixed", "0b101", int64(5)),
		Entry("by prefix: decimal without one", "prefixed", "12", int64(12)), Entry("by prefix: a leading zero is none", "prefixed", "017", int64(17)),
	)
	It("integer leaves numbers alone that have a Base", func() { takes("hex", 10, int64(10)); takes("hex", json.Number("10"), int64(10)) })

	DescribeTable("float takes numbers and numeric text", func(value, want any) { takes("float", value, want) },
		Entry("a float", 1.5, 1.5), Entry("a float32", float32(0.5), 0.5), Entry("a named type", share(0.5), 0.5), Entry("an int", 7, 7.0), Entry("a uint", uint8(7), 7.0), Entry("a pointer", &number, 7.0),
		Entry("text", "1.5", 1.5), Entry("an exponent", "1.5e3", 1500.0), Entry("space and sign", " -1.5 ", -1.5), Entry("underscores", "1_000.25", 1000.25), Entry("leading zeros", "007.5", 7.5),
		Entry("json.Number", json.Number("1.5"), 1.5), Entry("bytes", []byte("1.5"), 1.5), Entry("raw JSON", json.RawMessage("1.5"), 1.5), Entry("a decimal", decimal.RequireFromString("0.1"), 0.1), Entry("big.Rat", big.NewRat(1, 3), 1.0/3),
		Entry("NaN as text", "NaN", noFloat), Entry("infinity as text", "+Inf", noFloat), Entry("infinity in words", "infinity", noFloat), Entry("hexadecimal text", "0x1p-2", noFloat), Entry("a comma", "1,5", noFloat),
		Entry("beyond its range", "1e400", noFloat), Entry("a hostile exponent", "1e999999999", noFloat), Entry("what would become zero", "1e-400", noFloat), Entry("a whole number that no float holds", "9007199254740993", noFloat), Entry("an int that no float holds", 9007199254740993, noFloat),
		Entry("a boolean", true, noFloat), Entry("empty text", "", noFloat), Entry("a slice", []float64{1}, noFloat), Entry("what panics", panicking{}, noFloat),
	)

	DescribeTable("decimal keeps every digit", func(value, want any) { takes("decimal", value, want) },
		Entry("a decimal", decimal.RequireFromString("12.50"), isDecimal("12.5")), Entry("an int", 7, isDecimal("7")), Entry("the largest uint", uint64(math.MaxUint64), isDecimal("18446744073709551615")), Entry("a named type", cents(-7), isDecimal("-7")),
		Entry("text", "12.34", isDecimal("12.34")), Entry("text with more digits than a float has", "12345678901234567890.123456789012345678", isDecimal("12345678901234567890.123456789012345678")), Entry("an exponent", "1.5e-3", isDecimal("0.0015")),
		Entry("space, sign and underscores", " +1_000.5 ", isDecimal("1000.5")), Entry("leading zeros", "007", isDecimal("7")), Entry("text of a named type", currency("1.5"), isDecimal("1.5")), Entry("bytes", []byte("1.5"), isDecimal("1.5")),
		Entry("json.Number", json.Number("0.30000000000000000001"), isDecimal("0.30000000000000000001")), Entry("raw JSON", json.RawMessage("0.1"), isDecimal("0.1")),
		Entry("a float, by its shortest text", 0.1, isDecimal("0.1")), Entry("a float32, by its shortest text", float32(0.1), isDecimal("0.1")), Entry("big.Int", new(big.Int).Lsh(big.NewInt(1), 70), isDecimal("1180591620717411303424")), Entry("big.Rat that ends", big.NewRat(1, 8), isDecimal("0.125")),
		Entry("big.Rat that does not", big.NewRat(1, 3), noDecimal), Entry("NaN", math.NaN(), noDecimal), Entry("infinity", math.Inf(-1), noDecimal), Entry("NaN as text", "NaN", noDecimal),
		Entry("a hostile exponent", "1e999999999", noDecimal), Entry("a hostile negative one", "1e-999999999", noDecimal), Entry("in json.Number", json.Number("1e999999999"), noDecimal), Entry("in a decimal", decimal.New(1, math.MaxInt32), noDecimal), Entry("in a negative decimal", decimal.New(1, math.MinInt32), noDecimal),
		Entry("zero with one is zero", json.Number("0e999999999"), isDecimal("0")), Entry("hexadecimal text", "0x10", noDecimal), Entry("a comma", "1,5", noDecimal), Entry("empty text", "", noDecimal), Entry("a boolean", true, noDecimal), Entry("a slice", []string{"1"}, noDecimal), Entry("what panics", panicking{}, noDecimal),
	)

	DescribeTable("boolean takes the usual words", func(value, want any) { takes("boolean", value, want) },
		Entry("true", true, true), Entry("a named type", agreed(false), false), Entry(nil, "true", true), Entry(nil, "T", true), Entry(nil, "Yes", true), Entry(nil, "y", true), Entry(nil, "ON", true), Entry(nil, "1", true), Entry(nil, 1, true), Entry(nil, 1.0, true), Entry(nil, json.Number("1"), true), Entry(nil, uint8(1), true),
		Entry(nil, "false", false), Entry(nil, "F", false), Entry(nil, "No", false), Entry(nil, "n", false), Entry(nil, "Off", false), Entry(nil, "0", false), Entry(nil, 0, false), Entry(nil, json.Number("0"), false), Entry("bytes", []byte("on"), true), Entry("raw JSON", json.RawMessage("true"), true),
		Entry("empty text", "", noBoolean), Entry("space", " ", noBoolean), Entry("space around", " true", noBoolean), Entry("another word", "perhaps", noBoolean), Entry("another number", 2, noBoolean), Entry("a fraction", 0.5, noBoolean), Entry("a slice", []bool{true}, noBoolean), Entry("what panics", panicking{}, noBoolean),
	)

	for _, name := range []string{"date_time", "time"} {
		no := map[string]refusedWith{"date_time": noDateTime, "time": noTime}[name]
		DescribeTable(name+" takes times and their usual text", func(value, want any) { takes(name, value, want) },
			Entry("a time, as it is", noon, noon), Entry("a pointer", &noon, noon), Entry("RFC 3339", "2026-03-04T12:30:15+02:00", isMoment("2026-03-04T12:30:15+02:00")), Entry("with a fraction", "2026-03-04T12:30:15.5Z", isMoment("2026-03-04T12:30:15.5Z")),
			Entry("nanoseconds", "2026-03-04T12:30:15.123456789Z", isMoment("2026-03-04T12:30:15.123456789Z")), Entry("a day", "2026-03-04", isMoment("2026-03-04T00:00:00Z")), Entry("a day and a clock are UTC", "2026-03-04 12:30:15", isMoment("2026-03-04T12:30:15Z")),
			Entry("with a zone", "2026-03-04 12:30:15+02:00", isMoment("2026-03-04T12:30:15+02:00")), Entry("as databases write it", "2026-03-04 12:30:15.25 +0200", isMoment("2026-03-04T12:30:15.25+02:00")), Entry("UTC by name", "2026-03-04 12:30:15 UTC", isMoment("2026-03-04T12:30:15Z")),
			Entry("space around", " 2026-03-04 ", isMoment("2026-03-04T00:00:00Z")), Entry("a leap day", "2028-02-29", isMoment("2028-02-29T00:00:00Z")), Entry("bytes", []byte("2026-03-04"), isMoment("2026-03-04T00:00:00Z")), Entry("raw JSON", json.RawMessage(`"2026-03-04"`), isMoment("2026-03-04T00:00:00Z")),
			Entry("no leap day", "2026-02-29", no), Entry("an impossible month", "2026-13-01", no), Entry("day zero", "2026-03-00", no), Entry("an impossible hour", "2026-03-04 24:00:00", no), Entry("an impossible minute", "2026-03-04 23:60:00", no), Entry("a leap second", "2026-03-04 23:59:60", no), Entry("sixty seconds", "2026-03-04 12:30:60", no), Entry("sixty minutes", "2026-03-04 12:60:00", no), Entry("an impossible zone", "2026-03-04T12:00:00+24:00", no),
			Entry("finer than nanoseconds", "2026-03-04T12:30:15.1234567891Z", no), Entry("a comma", "2026-03-04T12:30:15,5Z", no), Entry("hours of one digit", "2026-03-04T1:30:15Z", no), Entry("a clock alone", "12:30:15", no), Entry("rubbish behind", "2026-03-04x", no), Entry("digits as text", "1772600000", no), Entry("another layout", "04.03.2026", no), Entry("empty text", "", no), Entry("a zone that is only named", "2026-03-04 12:30:15 CET", no), Entry("a boolean", true, no), Entry("a slice", []time.Time{noon}, no), Entry("what panics", panicking{}, no),
		)
	}

	DescribeTable("time takes Unix seconds too", func(value, want any) { takes("time", value, want) },
		Entry("an int", 1772600000, isMoment("2026-03-04T04:53:20Z")), Entry("negative", -1, isMoment("1969-12-31T23:59:59Z")), Entry("a float", 1772600000.25, isMoment("2026-03-04T04:53:20.25Z")), Entry("json.Number", json.Number("1772600000.123456789"), isMoment("2026-03-04T04:53:20.123456789Z")), Entry("a negative fraction", json.Number("-0.5"), isMoment("1969-12-31T23:59:59.5Z")), Entry("a decimal", decimal.RequireFromString("1.5"), isMoment("1970-01-01T00:00:01.5Z")),
		Entry("a duration, which is no moment", time.Minute, noTime), Entry("finer than nanoseconds", json.Number("1.0000000001"), noTime), Entry("milliseconds, which are no seconds", int64(1772600000000), noTime), Entry("beyond every year", int64(math.MaxInt64), noTime), Entry("before every year", int64(math.MinInt64), noTime), Entry("NaN", math.NaN(), noTime), Entry("a hostile exponent", json.Number("1e999999999"), noTime),
	)
	It("date_time takes no numbers", func() { takes("date_time", 1772600000, noDateTime); takes("date", 1772600000, noDate) })

	DescribeTable("date takes the day, in UTC, as it is written", func(value, want any) { takes("date", value, want) },
		Entry("a day", "2026-03-04", isMoment("2026-03-04T00:00:00Z")), Entry("a moment late in another zone", "2026-03-04T23:30:00-05:00", isMoment("2026-03-04T00:00:00Z")), Entry("a time", noon, isMoment("2026-03-04T00:00:00Z")), Entry("an impossible day", "2026-02-30", noDate), Entry("a clock alone", "12:30", noDate), Entry("empty text", "", noDate), Entry("a boolean", false, noDate),
	)

	DescribeTable("Layout reads text instead of the usual forms", func(name string, value, want any) { takes(name, value, want) },
		Entry("the first", "german", "04.03.2026", isMoment("2026-03-04T00:00:00Z")), Entry("the second", "german", "4.3.26", isMoment("2026-03-04T00:00:00Z")), Entry("not the usual one", "german", "2026-03-04", noDate), Entry("impossible dates", "german", "30.02.2026", noDate), Entry("times as they are", "german", noon, isMoment("2026-03-04T00:00:00Z")),
		Entry("UTC by name", "zoned", "2026-03-04 12:30 UTC", isMoment("2026-03-04T12:30:00Z")), Entry("no zone that is only named", "zoned", "2026-03-04 12:30 CET", noDateTime),
	)

	DescribeTable("duration takes Go's text and seconds", func(value, want any) { takes("duration", value, want) },
		Entry("a duration", 90*time.Second, 90*time.Second), Entry("text", "1h30m", 90*time.Minute), Entry("a fraction", "1.5s", 1500*time.Millisecond), Entry("negative", "-2ms", -2*time.Millisecond), Entry("zero", "0", time.Duration(0)), Entry("bytes", []byte("250ms"), 250*time.Millisecond), Entry("raw JSON", json.RawMessage(`"1s"`), time.Second),
		Entry("an int is seconds", 90, 90*time.Second), Entry("a float is seconds", 0.25, 250*time.Millisecond), Entry("a float to the nanosecond", 0.1+0.2, 300*time.Millisecond), Entry("json.Number", json.Number("1.5"), 1500*time.Millisecond), Entry("a decimal", decimal.RequireFromString("0.000000001"), time.Nanosecond), Entry("a uint", uint8(2), 2*time.Second),
		Entry("digits as text", "90", noDuration), Entry("text finer than nanoseconds", "0.0000000001s", noDuration), Entry("json.Number finer than that", json.Number("0.0000000001"), noDuration), Entry("too long in text", "3000000h", noDuration), Entry("too long in seconds", 10_000_000_000, noDuration), Entry("a hostile exponent", json.Number("1e999999999"), noDuration), Entry("NaN", math.NaN(), noDuration), Entry("an unknown unit", "1d", noDuration), Entry("empty text", "", noDuration), Entry("a boolean", true, noDuration), Entry("what panics", panicking{}, noDuration),
	)

	DescribeTable("array takes lists, and anything else alone", func(value, want any) { takes("array", value, want) },
		Entry("a slice", []string{"a", "b"}, []any{"a", "b"}), Entry("[]any", []any{1, "b"}, []any{1, "b"}), Entry("a named slice", tagList{"a"}, []any{"a"}), Entry("an array", [2]int{1, 2}, []any{1, 2}), Entry("an empty slice", []string{}, []any{}), Entry("a pointer to a slice", &[]int{1}, []any{1}),
		Entry("JSON text", `[1, "b", null]`, []any{json.Number("1"), "b", nil}), Entry("JSON in bytes", []byte(` [1]`), []any{json.Number("1")}), Entry("raw JSON", json.RawMessage(`["a"]`), []any{"a"}), Entry("text that only begins like JSON", `["a"`, noArray), Entry("JSON with more behind", `[1] [2]`, noArray),
		Entry("text", "a", []any{"a"}), Entry("empty text", "", []any{""}), Entry("an int", 7, []any{7}), Entry("a map", map[string]int{"a": 1}, []any{map[string]int{"a": 1}}), Entry("a struct", silent{1}, []any{silent{1}}), Entry("a time", noon, []any{noon}), Entry("what has its own text", netip.MustParseAddr("10.0.0.1"), []any{netip.MustParseAddr("10.0.0.1")}), Entry("false", false, []any{false}),
	)
	DescribeTable("array makes its elements by Of", func(value, want any) { takes("integers", value, want) },
		Entry("of ints", []int8{1, 2}, []int64{1, 2}), Entry("of text", []string{"1", "2"}, []int64{1, 2}), Entry("of JSON text", "[1,2]", []int64{1, 2}), Entry("alone", "1", []int64{1}), Entry("nothing", []string{}, []int64{}),
	)
	It("array tells which element is wrong", func() {
		Expect(run(cmdx.Args{"integers": []string{"1", "x", "y"}})).To(endFailed("integers[1] could not coerce into an integer"))
	})

	DescribeTable("hash takes maps, structs and JSON objects", func(value, want any) { takes("hash", value, want) },
		Entry("a map", map[string]any{"a": 1}, map[string]any{"a": 1}), Entry("a typed map", map[string]int{"a": 1}, map[string]any{"a": 1}), Entry("named keys", labelMap{"a": 1}, map[string]any{"a": 1}), Entry("keys that are text in fact", map[any]any{"a": 1}, map[string]any{"a": 1}), Entry("a pointer", &map[string]int{"a": 1}, map[string]any{"a": 1}),
		Entry("a struct, by its tags", address{"Bonn", 53111}, map[string]any{"city": "Bonn", "zip": 53111}), Entry("JSON text", `{"a": 1}`, map[string]any{"a": json.Number("1")}), Entry("JSON in bytes", []byte(`{}`), map[string]any{}), Entry("raw JSON", json.RawMessage(`{"a":[]}`), map[string]any{"a": []any{}}), Entry("a form", url.Values{"a": {"1"}}, map[string]any{"a": []string{"1"}}),
		Entry("text that is no JSON object", `{"a"`, noHash), Entry("JSON with more behind", `{} {}`, noHash), Entry("a JSON array", `[1]`, noHash), Entry("other text", "a", noHash), Entry("empty text", "", noHash), Entry("keys that are no text", map[int]int{1: 1}, noHash), Entry("keys that are no text in fact", map[any]any{1: 1}, noHash), Entry("a slice", []string{"a"}, noHash), Entry("a number", 1, noHash), Entry("a boolean", false, noHash), Entry("a time", noon, noHash), Entry("a decimal", decimal.New(1, 0), noHash),
	)

	DescribeTable("symbol takes short text", func(value, want any) { takes("symbol", value, want) },
		Entry("text", "paid", "paid"), Entry("a named type", currency("EUR"), "EUR"), Entry("256 bytes", strings.Repeat("a", 256), strings.Repeat("a", 256)), Entry("257 bytes", strings.Repeat("a", 257), noSymbol), Entry("fewer runes of more bytes", strings.Repeat("é", 129), noSymbol), Entry("a map", map[string]int{}, noSymbol), Entry("what panics", panicking{}, noSymbol),
	)

	DescribeTable("rational takes fractions and numbers", func(value, want any) { takes("rational", value, want) },
		Entry("a fraction", "3/4", isRational("3/4")), Entry("negative", "-6/8", isRational("-3/4")), Entry("a decimal text", "0.75", isRational("3/4")), Entry("an exponent", "75e-2", isRational("3/4")), Entry("underscores", "1_000/3", isRational("1000/3")), Entry("space around", " 1/3 ", isRational("1/3")),
		Entry("an int", 7, isRational("7/1")), Entry("a float, by its shortest text", 0.1, isRational("1/10")), Entry("json.Number", json.Number("0.1"), isRational("1/10")), Entry("a decimal", decimal.RequireFromString("0.125"), isRational("1/8")), Entry("big.Rat", big.NewRat(1, 3), isRational("1/3")), Entry("big.Int", big.NewInt(3), isRational("3/1")),
		Entry("nothing below", "1/0", noRational), Entry("half a fraction", "1/", noRational), Entry("two strokes", "1/2/3", noRational), Entry("a sign below", "1/-2", noRational), Entry("space within", "1 / 2", noRational), Entry("a fraction in a fraction", "1.5/2", noRational), Entry("hexadecimal", "0x1/2", noRational), Entry("a hostile exponent", "1e999999999", noRational), Entry("NaN", math.NaN(), noRational), Entry("empty text", "", noRational), Entry("a boolean", true, noRational), Entry("what panics", panicking{}, noRational),
	)

	DescribeTable("complex takes complex text and numbers", func(value, want any) { takes("complex", value, want) },
		Entry("complex128", 1+2i, 1+2i), Entry("complex64", complex64(1+2i), 1+2i), Entry("text", "1+2i", 1+2i), Entry("in brackets", "(1-2i)", 1-2i), Entry("imaginary", "2i", 2i), Entry("one of it", "i", 1i), Entry("less one", "3-i", 3-1i), Entry("exponents", "1e3-2.5e-1i", 1000-0.25i), Entry("real text", "1.5", 1.5+0i), Entry("an int", 7, 7+0i), Entry("a float", 0.5, 0.5+0i), Entry("json.Number", json.Number("0.5"), 0.5+0i),
		Entry("NaN in text", "NaN+i", noComplex), Entry("infinity in text", "Infi", noComplex), Entry("two parts of one kind", "1i+2i", noComplex), Entry("a bracket alone", "(1+2i", noComplex), Entry("rubbish", "1+2j", noComplex), Entry("beyond its range", "1e400i", noComplex), Entry("empty text", "", noComplex), Entry("brackets alone", "()", noComplex), Entry("a boolean", true, noComplex), Entry("what panics", panicking{}, noComplex),
	)

	DescribeTable("of the application's own take what their function takes", func(name string, value, want any) { takes(name, value, want) },
		Entry("registered", "money", "12.50 EUR", money{1250, "EUR"}), Entry("by name", "named", "12.50 EUR", money{1250, "EUR"}), Entry("inline", "inline", 2, 2),
		Entry("and refuse the rest, without the error's words", "money", "secret", refusedWith("could not coerce into a spec_money")), Entry("inline, with the article that fits", "inline", 3, refusedWith("could not coerce into an even")),
	)

	Context("several, tried in order", func() {
		It("take the first that fits", func() { takes("either", "1", int64(1)); takes("either", "yes", true) })
		It("name them all when none does", func() {
			takes("either", "perhaps", refusedWith("could not coerce into one of: integer, boolean"))
		})
	})

	It("leave an optional input out that is nil, of any type", func() {
		for _, coercion := range everyCoercion {
			for _, nothing := range []any{nil, none, noNumber, (*time.Time)(nil), (*decimal.Decimal)(nil), (*big.Int)(nil), json.RawMessage("null"), sql.NullString{}} {
				r := run(cmdx.Args{coercion.Name(): nothing})
				Expect(r).To(endSuccess())
				Expect(r.Task().(*coerced).Input(coercion.Name())).To(BeNil())
			}
		}
	})

	It("refuse an explicit nil of a required one, but boolean, which is false, and hash, which is empty", func() {
		for _, nothing := range []any{nil, none, noNumber, json.RawMessage("null"), sql.NullString{}} {
			args := cmdx.Args{}
			for _, coercion := range everyCoercion {
				args[coercion.Name()] = nothing
			}
			r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &insistent{}, args)
			Expect(r).To(endFailed())
			var refused []string
			for _, coercion := range everyCoercion {
				if messages := r.Errors().Get(coercion.Name()); len(messages) > 0 {
					Expect(messages).To(Equal([]string{"could not coerce into " + coercion.Phrase()}))
					refused = append(refused, coercion.Name())
				}
			}
			Expect(refused).To(Equal(words("string, integer, float, decimal, date, date_time, time, duration, array, symbol, rational, complex")))
			Expect(r.Task().(*insistent).Input("boolean")).To(BeFalse())
			Expect(r.Task().(*insistent).Input("hash")).To(Equal(map[string]any{}))
		}
	})

	It("change nothing of what the caller passed, nor share it", func() {
		inner := map[string]any{"b": 1}
		list, hash, rational := []any{inner}, map[string]any{"a": inner}, big.NewRat(1, 2)
		r := run(cmdx.Args{"array": list, "hash": hash, "rational": rational})
		Expect(r).To(endSuccess())
		t := r.Task().(*coerced)
		t.Input("array").([]any)[0].(map[string]any)["b"] = 2
		t.Input("hash").(map[string]any)["a"].(map[string]any)["b"] = 2
		t.Input("rational").(*big.Rat).SetInt64(5)
		Expect(inner).To(Equal(map[string]any{"b": 1}))
		Expect(rational.String()).To(Equal("1/2"))
	})
})
