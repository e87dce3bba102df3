package inputs

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/shopspring/decimal"
)

type (
	namedText  string
	namedInt   int32
	namedFloat float32
	namedBool  bool
	level      int
	loop       *loop
	secretText string
)

func (level) String() string      { return "high" }
func (secretText) String() string { return "hidden" }

type panicking struct{}

func (panicking) String() string { panic("no text") }

type marshalFails struct{}

func (marshalFails) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

type onPointer struct{ text string }

func (p *onPointer) String() string { return p.text }

func pointer[T any](v T) *T { return &v }

func cyclic() any {
	var p loop
	p = &p
	return p
}

// refused stands for a value that a coercion does not take.
type refused struct{}

type row struct {
	name     string
	in, want any
}

func takes(t *testing.T, c Coercion, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			got, ok := c.Coerce(r.in)
			if _, no := r.want.(refused); no {
				g.Expect(ok).To(gomega.BeFalse())
				g.Expect(got).To(gomega.BeNil())
				return
			}
			g.Expect(ok).To(gomega.BeTrue())
			g.Expect(got).To(gomega.BeIdenticalTo(r.want))
		})
	}
}

func TestString(t *testing.T) {
	address, _ := url.Parse("https://example.org/a")
	takes(t, String, []row{
		{"text", "pay_1", "pay_1"},
		{"empty text", "", ""},
		{"named text", namedText("eur"), "eur"},
		{"named text with a String method", secretText("s"), "s"},
		{"json.Number", json.Number("9900.0"), "9900.0"},
		{"bytes", []byte("abc"), "abc"},
		{"bytes that are no text", []byte{0xff}, refused{}},
		{"raw JSON", json.RawMessage(`{"a":1}`), `{"a":1}`},
		{"int", 42, "42"},
		{"negative", int8(-5), "-5"},
		{"largest uint", uint64(math.MaxUint64), "18446744073709551615"},
		{"whole float", 9900.0, "9900"},
		{"float", 0.1, "0.1"},
		{"float32", float32(0.1), "0.1"},
		{"largest exact float", float64(1<<53 - 1), "9007199254740991"},
		{"whole float that may be another number", float64(1 << 53), refused{}},
		{"whole float32 that may be another number", float32(1 << 24), refused{}},
		{"large float", 1e21, refused{}},
		{"bool", true, "true"},
		{"named bool", namedBool(false), "false"},
		{"Stringer", level(3), "high"},
		{"text marshaler", netip.MustParseAddr("10.0.0.1"), "10.0.0.1"},
		{"time", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "2026-01-02T03:04:05Z"},
		{"duration", 90 * time.Second, "1m30s"},
		{"pointer with String", address, "https://example.org/a"},
		{"struct whose pointer has String", onPointer{"x"}, "x"},
		{"pointer", pointer("x"), "x"},
		{"pointer to pointer", pointer(pointer(7)), "7"},
		{"big.Int", big.NewInt(12), "12"},
		{"nil", nil, refused{}},
		{"typed nil", (*string)(nil), refused{}},
		{"nil Stringer", (*onPointer)(nil), refused{}},
		{"nil bytes", []byte(nil), refused{}},
		{"String panics", panicking{}, refused{}},
		{"MarshalText fails", marshalFails{}, refused{}},
		{"map", map[string]any{}, refused{}},
		{"slice", []string{"a"}, refused{}},
		{"struct", struct{ A int }{1}, refused{}},
		{"func", func() {}, refused{}},
		{"channel", make(chan int), refused{}},
		{"cyclic pointer", cyclic(), refused{}},
	})
}

func TestInteger(t *testing.T) {
	var rows []row
	add := func(in, want any) { rows = append(rows, row{"", in, want}) }
	for _, in := range []any{
		7, int8(7), int16(7), int32(7), int64(7), uint(7), uint8(7), uint16(7), uint32(7), uint64(7), 7.0, float32(7),
		"7", " 7 ", "+7", "007", "0_7", "\t7\n", namedText("7"), namedInt(7), namedFloat(7), level(7), pointer(7), pointer("7"), big.NewInt(7),
		json.Number("7"), json.Number("7.0"), json.Number("7e0"), json.Number("0.7e1"), json.Number("70E-1"), json.Number("700e-2"),
		json.Number("7.000e+000"), json.Number("0.0000000000000000000000000000007e31"), pointer(json.Number("7")),
		[]byte(" 7 "), json.RawMessage("7"), json.RawMessage(`"7"`), pointer(json.RawMessage("7.0")), decimal.New(70, -1), pointer(decimal.New(7, 0)), big.NewRat(14, 2), big.NewFloat(7), *big.NewInt(7),
	} {
		add(in, int64(7))
	}
	for _, in := range []any{
		nil, (*int)(nil), (*big.Int)(nil), true, namedBool(false), "", " ", "-", "+", "+-7", "- 7", "7.0", "7.5", "7e0", "1e3", "0x7", "0b1", "0o7", "1_", "_1", "1__0", "1_ 0",
		"７", "٧", "7a", "7 7", "NaN", "Inf", "1,000", 7.5, math.NaN(), math.Inf(1), math.Inf(-1), 9223372036854775808.0, -9223372036854775808.0, 1e300, -1e300, float64(1 << 53), float64(-(1 << 53)), float32(1 << 24),
		"9223372036854775808", "-9223372036854775809", "18446744073709551616", strings.Repeat("9", 5000), uint64(1 << 63), new(big.Int).Lsh(big.NewInt(1), 63), new(big.Int).Lsh(big.NewInt(1), 640),
		json.Number(""), json.Number("7.5"), json.Number("7e-1"), json.Number(" 7"), json.Number("+7"), json.Number("7_0"), json.Number("0x7"), json.Number("7."), json.Number(".7"), json.Number("7e"), json.Number("7e+"), json.Number("-"), json.Number("NaN"),
		json.Number("1e19"), json.Number("9223372036854775808"), json.Number("1e999999999999999999999"), json.Number("1e-999999999999999999999"),
		[]byte("7.5"), json.RawMessage("7.5"), json.RawMessage("null"), json.RawMessage("7 7"), json.RawMessage(""), []int{7}, map[string]any{}, struct{}{}, panicking{}, complex(7, 0), cyclic(),
	} {
		add(in, refused{})
	}
	for _, r := range []struct {
		in   any
		want int64
	}{
		{"9223372036854775807", math.MaxInt64},
		{"-9223372036854775808", math.MinInt64},
		{"-0", 0},
		{"1_000_000", 1000000},
		{-3.0, -3},
		{math.Copysign(0, -1), 0},
		{float64(-(1<<53 - 1)), -(1<<53 - 1)},
		{9007199254740993, 9007199254740993},
		{json.Number("9.9e3"), 9900},
		{json.Number("9900.0"), 9900},
		{json.Number("-9.9e3"), -9900},
		{json.Number("1e18"), 1e18},
		{json.Number("9007199254740993"), 9007199254740993},
		{json.Number("0e999999999999999999999"), 0},
		{json.Number("-0.0"), 0},
		{json.Number("100.00"), 100},
		{json.Number("1" + strings.Repeat("0", 400) + "e-400"), 1},
		{new(big.Int).SetInt64(math.MinInt64), math.MinInt64},
	} {
		add(r.in, r.want)
	}
	takes(t, Integer, rows)
}

func TestIntegerForUnsignedFields(t *testing.T) {
	wide := Integer.fit(typeOf[uint64]())
	takes(t, wide, []row{
		{"small", uint64(5), int64(5)},
		{"beyond int64", uint64(12345678901234567890), uint64(12345678901234567890)},
		{"as text", "18446744073709551615", uint64(math.MaxUint64)},
		{"as json.Number", json.Number("1.8446744073709551615e19"), uint64(math.MaxUint64)},
		{"as a float that may be another number", 9223372036854775808.0, refused{}},
		{"too large", "18446744073709551616", refused{}},
		{"too large a float", 18446744073709551616.0, refused{}},
		{"far below zero", "-9223372036854775809", refused{}},
		{"nil", nil, refused{}},
	})
}

func TestHostileNumbersAreCheap(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, text := range []string{"1e1000000000", "-1e-1000000000", "1e9223372036854775808", "0." + strings.Repeat("0", 100000) + "1", strings.Repeat("1", 100000)} {
		for _, c := range []Coercion{Integer, Float, Boolean} {
			_, ok := c.Coerce(json.Number(text))
			g.Expect(ok).To(gomega.BeFalse())
			_, ok = c.Coerce(text)
			g.Expect(ok).To(gomega.BeFalse())
		}
	}
	cost := testing.AllocsPerRun(10, func() { Integer.Coerce(json.Number("1e1000000000")) })
	g.Expect(cost).To(gomega.BeNumerically("<=", 1))
}

func TestFloat(t *testing.T) {
	var rows []row
	add := func(in, want any) { rows = append(rows, row{"", in, want}) }
	for _, in := range []any{
		1.5, float32(1.5), "1.5", " 1.5 ", "+1.5", "1.5e0", "15e-1", "0.15E1", "0_1.5", "1.50", namedText("1.5"), namedFloat(1.5), pointer(1.5),
		json.Number("1.5"), json.Number("15e-1"), pointer(json.Number("1.5")),
		[]byte("1.5"), json.RawMessage("1.5"), decimal.New(15, -1), big.NewRat(3, 2), big.NewFloat(1.5),
	} {
		add(in, 1.5)
	}
	for _, in := range []any{3, int8(3), uint64(3), "3", json.Number("3"), namedInt(3), big.NewInt(3), "003", "3."} {
		add(in, 3.0)
	}
	for _, in := range []any{
		nil, (*float64)(nil), true, "", " ", ".", "-", "e5", "1e", "1.5.5", "NaN", "nan", "Inf", "-inf", "+Infinity", "0x1p-2", "0x10", "1_", "_1", "1__0", "1._5", "1,5", "1.5x", "１",
		"1e400", "-1e400", "1e-400", "1e1000000000", json.Number("1e400"), json.Number("NaN"), json.Number("1_0"), json.Number(" 1"), json.Number(".5"),
		9007199254740993, uint64(math.MaxUint64), "9007199254740993", json.Number("9007199254740993"), strings.Repeat("9", 400),
		[]byte("x"), json.RawMessage("true"), []float64{1.5}, map[string]any{}, struct{}{}, panicking{}, complex(1, 0), cyclic(),
	} {
		add(in, refused{})
	}
	for _, r := range []struct {
		in   any
		want float64
	}{
		{"0", 0}, {"0e5", 0}, {"0.000e-999", 0}, {"0.1", 0.1}, {".5", 0.5}, {"1e3", 1000}, {"-2.5", -2.5},
		{"1_000.25", 1000.25}, {1 << 53, 9007199254740992}, {"9007199254740992", 9007199254740992}, {"-00100", -100},
		{math.Inf(1), math.Inf(1)}, {"100000000000000000000", 1e20}, {int64(math.MinInt64), -9223372036854775808},
	} {
		add(r.in, r.want)
	}
	takes(t, Float, rows)
	nan, ok := Float.Coerce(math.NaN())
	gomega.NewWithT(t).Expect(ok && math.IsNaN(nan.(float64))).To(gomega.BeTrue())
}

func TestBoolean(t *testing.T) {
	var rows []row
	for _, in := range []any{
		true, namedBool(true), pointer(true), "true", "TRUE", "True", "t", "T", "yes", "YES", "y", "on", "On", "1", namedText("yes"), pointer("on"),
		1, int8(1), uint64(1), 1.0, float32(1), json.Number("1"), []byte("on"), json.RawMessage("true"), json.RawMessage(`"yes"`), decimal.New(1, 0), big.NewInt(1),
	} {
		rows = append(rows, row{"", in, true})
	}
	for _, in := range []any{
		nil, (*bool)(nil), (*string)(nil), false, namedBool(false), "false", "FALSE", "f", "no", "No", "n", "off", "OFF", "0", 0, uint8(0), 0.0, json.Number("0"), json.RawMessage("null"), json.RawMessage("false"), decimal.Decimal{},
	} {
		rows = append(rows, row{"", in, false})
	}
	for _, in := range []any{
		"", " ", " true", "2", "-1", "yeſ", "oui", "truetrue", 2, -1, 0.5, uint64(2), math.NaN(), json.Number("2"), json.Number("true"), json.Number("0.5"),
		[]byte("truely"), json.RawMessage("2"), json.RawMessage("nul"), decimal.New(2, 0), []bool{true}, map[string]any(nil), []string(nil), struct{}{}, panicking{}, cyclic(),
	} {
		rows = append(rows, row{"", in, refused{}})
	}
	takes(t, Boolean, rows)
}
