package cmdxctx

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestExactNumber(t *testing.T) {
	type cents int32
	cases := []struct{ from, want any }{
		{int64(5), int8(5)}, {uint8(200), int16(200)}, {cents(5), int64(5)}, {5, cents(5)}, {time.Second, int64(1e9)},
		{-3.0, int(-3)}, {float32(1<<24 - 1), int32(1<<24 - 1)}, {math.Copysign(0, -1), 0},
		{int64(math.MaxInt64), uint64(math.MaxInt64)}, {1 << 53, float64(1 << 53)}, {int64(math.MinInt64), -float64(1 << 63)},
		{uint64(1 << 63), float64(1 << 63)}, {0.5, float32(0.5)}, {math.Inf(1), float32(math.Inf(1))},
		{json.Number("9900.0"), 9900}, {json.Number("9.9e3"), int16(9900)}, {json.Number("-0"), 0}, {json.Number("100e-2"), 1},
		{json.Number("18446744073709551615"), uint64(math.MaxUint64)}, {json.Number("-9223372036854775808"), int64(math.MinInt64)},
		{json.Number("0e999999999999999999999"), 0}, {json.Number("0.1"), 0.1}, {json.Number("1e300"), 1e300}, {json.Number("-0.25"), float32(-0.25)},
	}
	for _, c := range cases {
		got, problem := exactNumber(reflect.ValueOf(c.from), reflect.TypeOf(c.want))
		if problem != "" || got.Interface() != c.want {
			t.Errorf("%T %v into %T: got %v, %q", c.from, c.from, c.want, got, problem)
		}
	}
}

func TestNumbersThatWouldChange(t *testing.T) {
	type (
		Int   = int64
		Uint  = uint64
		Float = float64
	)
	cases := []struct{ from, to any }{
		{128, int8(0)}, {-1, uint(0)}, {256, uint8(0)}, {uint64(1 << 63), Int(0)}, {1.5, Int(0)}, {-1.0, Uint(0)},
		{float64(1 << 53), Int(0)}, {float64(1 << 63), Int(0)}, {float32(1 << 24), Int(0)}, {math.NaN(), Int(0)}, {math.Inf(-1), Int(0)},
		{1<<53 + 1, Float(0)}, {int64(math.MaxInt64), Float(0)}, {uint64(math.MaxUint64), Float(0)}, {1<<24 + 1, float32(0)},
		{0.1, float32(0)}, {1e300, float32(0)}, {"5", Int(0)}, {true, Int(0)},
		{json.Number("1.5"), Int(0)}, {json.Number("1e-1"), Int(0)}, {json.Number("1e19"), Int(0)}, {json.Number("-1"), Uint(0)},
		{json.Number("1e999999999"), Int(0)}, {json.Number("1e-999999999999999999999"), Int(0)}, {json.Number("1e999999999999999999999"), Int(0)},
		{json.Number("9007199254740993"), Float(0)}, {json.Number("1e999"), Float(0)},
		{json.Number(""), Int(0)}, {json.Number("0x10"), Int(0)}, {json.Number("1_000"), Int(0)}, {json.Number(" 1"), Int(0)}, {json.Number("1 "), Float(0)},
		{json.Number("NaN"), Float(0)}, {json.Number("010"), Int(0)}, {json.Number("٣"), Int(0)}, {json.Number("+1"), Int(0)}, {json.Number("null"), Float(0)},
	}
	for _, c := range cases {
		if got, problem := exactNumber(reflect.ValueOf(c.from), reflect.TypeOf(c.to)); problem == "" {
			t.Errorf("%T %v into %T gave %v", c.from, c.from, c.to, got)
		}
	}
}

func FuzzExactNumberFromText(f *testing.F) {
	for _, seed := range []string{"0", "-1", "9.9e3", "18446744073709551615", "1e-3", "1.50", "1e99999", "x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, problem := exactNumber(reflect.ValueOf(json.Number(text)), reflect.TypeFor[int64]())
		if problem != "" && text != "" && strings.Contains(problem, text) && len(text) > 3 {
			t.Errorf("the problem repeats the text %q", text)
		}
		if len(text) > 40 || strings.ContainsAny(text, "eE") && len(text) > 8 {
			return // too long for the exact arithmetic below
		}
		want, ok := new(big.Rat).SetString(text)
		fits := ok && json.Valid([]byte(text)) && want.IsInt() && want.Num().IsInt64()
		if fits && strings.TrimSpace(text) != text {
			fits = false
		}
		if fits != (problem == "") {
			t.Fatalf("%q: fits %v, problem %q", text, fits, problem)
		}
		if fits && want.Num().Int64() != got.Int() {
			t.Fatalf("%q became %d", text, got.Int())
		}
	})
}
