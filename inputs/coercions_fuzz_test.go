package inputs

import (
	"database/sql"
	"encoding/json"
	"math"
	"math/big"
	"math/cmplx"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

type nested struct {
	Name   string          `json:"name"`
	Count  int8            `json:"count"`
	At     *time.Time      `json:"at"`
	Amount decimal.Decimal `json:"amount"`
	List   []nested        `json:"list"`
	More   map[string]any  `json:"more"`
	Maybe  sql.NullInt64   `json:"maybe"`
	ID     uuid.UUID       `json:"id"`
	hidden func()
}

// everyKindOf makes Go values of all kinds out of a fuzzer's material.
func everyKindOf(text string, n int64, x float64) []any {
	t := time.Unix(n%(1<<40), n%1e9)
	d := decimal.New(n, int32(n>>16))
	list := []any{text, n, x, nil, json.Number(text)}
	hash := map[string]any{"name": text, "count": n, "at": text, "amount": x, "more": list, text: n, "list": list, "maybe": x, "id": text}
	loop := map[string]any{"name": text}
	loop["list"], loop["more"] = []any{loop}, loop
	var endless []any
	endless = append(endless, text, nil)
	endless[1] = endless
	return []any{
		text, []byte(text), namedText(text), json.Number(text), json.RawMessage(text), pointer(text), pointer(json.RawMessage(text)), pointer([]byte(text)),
		json.RawMessage(strconv.Quote(text)), secretText(text), onPointer{text}, &onPointer{text}, panicking{}, &panicking{}, marshalFails{},
		n, int8(n), uint(n), uint64(n), uint8(n), namedInt(n), level(n), pointer(n), pointer(pointer(n)), uintptr(n),
		x, float32(x), namedFloat(x), pointer(x), complex(x, float64(n)), complex64(complex(x, 1)),
		n%2 == 0, namedBool(n%2 == 0), t, &t, time.Duration(n), t.UTC(),
		d, &d, decimal.NullDecimal{Decimal: d, Valid: n%2 == 0}, big.NewInt(n), *big.NewInt(n), big.NewRat(n, 7), bigFloat(x), new(big.Float).SetMantExp(big.NewFloat(1.5), int(int32(n))), (*big.Int)(nil), (*big.Rat)(nil), &big.Float{},
		list, &list, []string{text, text}, []int64{n, n}, [2]string{text, text}, []json.RawMessage{json.RawMessage(text)}, [3]any{text, n, x}, endless,
		hash, map[namedText]int64{namedText(text): n}, map[any]any{text: n}, map[any]any{n: text}, map[int]string{1: text}, loop, map[string][]string{text: {text}},
		nested{Name: text, Count: int8(n)}, &nested{Name: text}, struct{ name string }{text}, struct{ Name any }{loop}, (*nested)(nil),
		sql.NullString{String: text, Valid: n%2 == 0}, sql.NullTime{Time: t, Valid: true}, sql.Null[any]{V: list, Valid: true}, sql.Null[json.RawMessage]{V: json.RawMessage(text), Valid: true}, uuid.NullUUID{}, uuid.UUID{byte(n)},
		cmdxctx.Form{text, text}, cmdxctx.Form{}, cmdxctx.Form(nil), cmdxctx.New(hash), nil, (*string)(nil), []string(nil), map[string]any(nil), cyclic(), func() {}, make(chan int), struct{}{}, any(nil),
	}
}

func bigFloat(x float64) *big.Float {
	if x != x {
		return new(big.Float).SetInf(true)
	}
	return big.NewFloat(x)
}

// everyCoercion are the built-in ones, and those of fields of many types.
func everyCoercion() []Coercion {
	list := slices.Clone(builtIn[:])
	list = append(list, Array.Of(Integer), Array.Of(Array.Of(Date)), Integer.withBase(16), Integer.withBase(0), Time.withLayouts([]string{"02.01.2006 15:04 MST"}))
	for _, t := range []reflect.Type{
		typeOf[*big.Int](), typeOf[uint64](), typeOf[[]int64](), typeOf[[]*int](), typeOf[[2]string](), typeOf[[][]time.Time](), typeOf[map[string]int](), typeOf[map[namedText][]decimal.Decimal](),
		typeOf[nested](), typeOf[*nested](), typeOf[[]nested](), typeOf[map[string]nested](), typeOf[uuid.UUID](), typeOf[json.RawMessage](), typeOf[[]byte](), typeOf[sql.NullInt64](), typeOf[[]sql.NullString](), typeOf[struct{ V any }](),
	} {
		c, ok := coercionOf(t)
		if !ok {
			panic("no coercion for " + t.String())
		}
		list = append(list, fitTo(t, c))
	}
	return list
}

// FuzzEveryCoercion: whatever comes in, a value of a promised type comes out
// or none, and it is the same when it goes through again.
func FuzzEveryCoercion(f *testing.F) {
	for _, text := range append(numberSeeds, "2026-03-04", "2026-03-04T12:00:00.5+02:00", "1h30m", "[1,2]", `{"name":"a","list":[{"count":300}]}`, "1/3", "1+2i", "true", "null", "1e999999999", "0x1f", "\xff", "on") {
		f.Add(text, int64(7), 1.5)
	}
	f.Add("", int64(math.MinInt64), math.Inf(-1))
	f.Add("x", int64(math.MaxInt64), math.NaN())
	coercions := everyCoercion()
	f.Fuzz(func(t *testing.T, text string, n int64, x float64) {
		for _, v := range everyKindOf(text, n, x) {
			for _, c := range coercions {
				once, ok := c.Coerce(v)
				if !ok {
					if once != nil {
						t.Errorf("%s: refused %T and gave a value", c.Name(), v)
					}
					if l, is := c.(locator); is {
						l.locate(v)
					}
					continue
				}
				if !slices.Contains(c.Types(), reflect.TypeOf(once)) {
					t.Errorf("%s made a %T of a %T", c.Name(), once, v)
				}
				again, ok := c.Coerce(once)
				if !ok || !same(once, again) {
					t.Errorf("%s made %#v of a %T, and then %#v (%v)", c.Name(), once, v, again, ok)
				}
			}
		}
	})
}

// same compares deeply; NaN is itself.
func same(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	switch a := a.(type) {
	case float64:
		return a != a
	case complex128:
		return cmplx.IsNaN(a)
	case decimal.Decimal:
		return a.Equal(b.(decimal.Decimal))
	}
	kind := reflect.TypeOf(a).Kind()
	return kind == reflect.Slice || kind == reflect.Map || kind == reflect.Array || kind == reflect.Struct // may hold either
}

// FuzzIntegerRoundTrip: an integer is the same after it was text, JSON, a
// decimal or a big number.
func FuzzIntegerRoundTrip(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 17, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 1} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		text, ok := String.Coerce(n)
		if !ok {
			t.Fatal("no text")
		}
		s := text.(string)
		exact, _ := Decimal.Coerce(n)
		ratio, _ := Rational.Coerce(n)
		for _, v := range []any{s, " " + s + "\n", []byte(s), json.Number(s), json.RawMessage(s), exact, ratio, big.NewInt(n), s + "", json.Number(s + ".00"), json.Number(s + "0e-1")} {
			if back, ok := Integer.Coerce(v); !ok || back != n {
				t.Errorf("%d came back from a %T as %v", n, v, back)
			}
		}
		if back, ok := Integer.withBase(36).Coerce(strconv.FormatInt(n, 36)); !ok || back != n {
			t.Errorf("%d came back from base 36 as %v", n, back)
		}
	})
}

// FuzzTime: a time is the same after it was text, and nothing is read that
// package time would read otherwise.
func FuzzTime(f *testing.F) {
	f.Add("2026-03-04T12:30:15.5+02:00", int64(0), int64(0), 0)
	f.Add("2026-02-29 24:00:60 -0000", int64(1772600000), int64(123456789), 7200)
	f.Fuzz(func(t *testing.T, text string, seconds, nanos int64, offset int) {
		if got, ok := parseTime(text); ok {
			layouts := []string{time.RFC3339Nano, "2006-01-02", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05 MST",
				"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05-0700", "2006-01-02 15:04:05-07", "2006-01-02 15:04:05 -07", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05-07", "2006-01-02T15:04:05 -0700", "2006-01-02T15:04:05 -07", "2006-01-02T15:04:05 Z07:00", "2006-01-02T15:04:05 MST"}
			if !slices.ContainsFunc(layouts, func(layout string) bool {
				want, err := time.Parse(layout, text)
				return err == nil && want.Equal(got)
			}) {
				t.Errorf("read %v", got)
			}
		}
		seconds = firstSecond + int64(uint64(seconds)%uint64(lastSecond-firstSecond-1e6)) + 1e5
		minute := (offset % (23 * 60)) * 60
		want := time.Unix(seconds, (nanos%1e9+1e9)%1e9).In(time.FixedZone("", minute))
		written, ok := String.Coerce(want)
		if !ok {
			t.Fatalf("no text for %v", want)
		}
		for _, c := range []Coercion{DateTime, Time} {
			got, ok := c.Coerce(written)
			if !ok || !got.(time.Time).Equal(want) {
				t.Errorf("%v came back as %v", want, got)
			}
		}
		if got, ok := Time.Coerce(json.Number(strconv.FormatInt(want.Unix(), 10) + ".0")); !ok || got.(time.Time).Unix() != want.Unix() {
			t.Errorf("%v came back from seconds as %v", want, got)
		}
		d, _ := Date.Coerce(want)
		if got, ok := Date.Coerce(d.(time.Time).Format(time.DateOnly)); !ok || got != d {
			t.Errorf("%v came back as the day %v", d, got)
		}
	})
}

// FuzzDuration: what package time reads is read alike or refused.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"1h30m", "1.5s", "-2ms", "0.0000000001s", "0", ".5h", "1.1.1s", "9223372036854775807ns", "1µs2ns"} {
		f.Add(text, int64(90))
	}
	f.Fuzz(func(t *testing.T, text string, n int64) {
		want, err := time.ParseDuration(strings.TrimSpace(text))
		if got, ok := Duration.Coerce(text); ok && (err != nil || got != want) {
			t.Errorf("got %v, want %v (%v)", got, want, err)
		}
		d := time.Duration(n)
		for _, v := range []any{d, d.String(), json.Number(decimal.New(n, -9).String()), decimal.New(n, -9)} {
			if got, ok := Duration.Coerce(v); !ok || got != d {
				t.Errorf("%v came back from a %T as %v", d, v, got)
			}
		}
	})
}

var decimalText = regexp.MustCompile(`^[+-]?(\d+(_\d+)*\.?|(\d+(_\d+)*)?\.\d+(_\d+)*)([eE][+-]?\d+(_\d+)*)?$`)

// FuzzDecimal: every digit is kept, in decimals as in fractions and floats.
func FuzzDecimal(f *testing.F) {
	for _, s := range append(numberSeeds, "12345678901234567890.123456789012345678", "1e-9999", "1E+5", ".5", "5.", "1/3", "-0/7") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain := strings.ReplaceAll(strings.TrimSpace(text), "_", "")
		got, ok := Decimal.Coerce(text)
		if readable := decimalText.MatchString(strings.TrimSpace(text)); ok && !readable {
			t.Fatalf("read as %v", got)
		}
		if !ok {
			return
		}
		d := got.(decimal.Decimal)
		want, err := decimal.NewFromString(strings.TrimSuffix(plain, "."))
		if strings.Contains(plain, ".e") || strings.Contains(plain, ".E") || strings.HasSuffix(plain, ".") {
			want, err = d, nil // the library reads these otherwise
		}
		if err != nil && d.IsZero() {
			return // zero with an exponent that nobody can hold
		}
		if err != nil || !d.Equal(want) {
			t.Errorf("got %v, want %v (%v)", d, want, err)
		}
		if back, ok := Decimal.Coerce(d.String()); !ok || !back.(decimal.Decimal).Equal(d) {
			t.Errorf("%v came back as %v", d, back)
		}
		ratio, ok := Rational.Coerce(text)
		if !ok || ratio.(*big.Rat).Cmp(d.Rat()) != 0 {
			t.Errorf("as a fraction %v, as a decimal %v", ratio, d)
		}
	})
}

var oneOfIt = regexp.MustCompile(`(^|[+(-])i`)

// FuzzComplex: what strconv reads is read alike or refused; a lone i is one.
func FuzzComplex(f *testing.F) {
	for _, s := range []string{"1+2i", "(1-2i)", "i", "-i", "1e3-2.5e-1i", "NaN+i", "Infi", "1i+2i", "+-1i", "1_0i"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Complex.Coerce(text)
		if !ok {
			return
		}
		plain := oneOfIt.ReplaceAllString(strings.ReplaceAll(strings.TrimSpace(text), "_", ""), "${1}1i")
		want, err := strconv.ParseComplex(plain, 128)
		if err != nil || got != want {
			t.Errorf("got %v, want %v (%v)", got, want, err)
		}
	})
}
