package stores

import (
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
)

type (
	namedString  string
	namedInt     int32
	namedUint    uint16
	namedBool    bool
	namedFloat   float64
	namedFloat32 float32
	selfPointer  *selfPointer

	marshaller     struct{ text string }
	pointerText    struct{ text string }
	stringer       struct{ text string }
	both           struct{}
	panicking      struct{ with any }
	failing        struct{ err error }
	namedWithText  int
	withoutMethods struct{ A int }
)

var errTold = errors.New("secret-value is not fit")

func (m marshaller) MarshalText() ([]byte, error)   { return []byte(m.text), nil }
func (p *pointerText) MarshalText() ([]byte, error) { return []byte(p.text), nil }
func (s stringer) String() string                   { return s.text }
func (both) MarshalText() ([]byte, error)           { return []byte("marshalled"), nil }
func (both) String() string                         { return "stringed" }
func (p panicking) String() string                  { panic(p.with) }
func (f failing) MarshalText() ([]byte, error)      { return []byte("half"), f.err }
func (namedWithText) String() string                { return "seven" }

func TestSegment(t *testing.T) {
	nested := new("deep")
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"nil", nil, ""},
		{"empty string", "", ""},
		{"string", "pay_123", "pay_123"},
		{"blank string", " ", " "},
		{"any text", "a:b{c}\x00é\xff", "a:b{c}\x00é\xff"},
		{"named string", namedString("n"), "n"},
		{"pointer to string", new("p"), "p"},
		{"pointer to pointer", &nested, "deep"},
		{"pointer to named", new(namedInt(-7)), "-7"},
		{"pointer to any", new(any("inside")), "inside"},
		{"pointer to nil any", new(any), ""},
		{"nil pointer", (*string)(nil), ""},
		{"pointer to nil pointer", new((*int)(nil)), ""},
		{"nil *big.Int", (*big.Int)(nil), ""},
		{"nil *time.Time", (*time.Time)(nil), ""},
		{"nil Stringer", (*stringer)(nil), ""},
		{"nil slice with MarshalText", net.IP(nil), ""},
		{"nil map", map[string]int(nil), ""},
		{"nil func", (func())(nil), ""},
		{"nil *json.Number", (*json.Number)(nil), ""},

		{"MarshalText", marshaller{"m"}, "m"},
		{"empty MarshalText", marshaller{""}, ""},
		{"pointer to MarshalText", &marshaller{"m"}, "m"},
		{"MarshalText of the pointer", &pointerText{"p"}, "p"},
		{"String", stringer{"s"}, "s"},
		{"empty String", stringer{""}, ""},
		{"MarshalText before String", both{}, "marshalled"},
		{"String before the kind", namedWithText(7), "seven"},
		{"duration", 90 * time.Second, "1m30s"},
		{"time", time.Date(2026, 12, 1, 10, 0, 0, 5, time.UTC), "2026-12-01T10:00:00.000000005Z"},
		{"IP", net.IPv4(10, 0, 0, 1), "10.0.0.1"},
		{"*big.Int", big.NewInt(-12), "-12"},
		{"a String that says nil", stringer{"<nil>"}, "<nil>"},

		{"true", true, "true"},
		{"false", false, "false"},
		{"named bool", namedBool(true), "true"},
		{"int", 0, "0"},
		{"int min", math.MinInt64, "-9223372036854775808"},
		{"int8", int8(-128), "-128"},
		{"int64", int64(math.MaxInt64), "9223372036854775807"},
		{"uint8", uint8(255), "255"},
		{"uint64 keeps all digits", uint64(12345678901234567890), "12345678901234567890"},
		{"named uint", namedUint(65535), "65535"},
		{"rune", 'a', "97"},

		{"float", 9900.0, "9900"},
		{"minus zero", math.Copysign(0, -1), "0"},
		{"negative float", -12.0, "-12"},
		{"float in plain digits", 1e15, "1000000000000000"},
		{"largest float", float64(1<<53 - 1), "9007199254740991"},
		{"smallest float", -float64(1<<53 - 1), "-9007199254740991"},
		{"float32", float32(1<<24 - 1), "16777215"},
		{"named float", namedFloat(3), "3"},
		{"named float32", namedFloat32(3), "3"},

		{"json.Number", json.Number("42"), "42"},
		{"json.Number keeps all digits", json.Number("12345678901234567890"), "12345678901234567890"},
		{"pointer to json.Number", new(json.Number("9.9e3")), "9900"},
		{"pointer to pointer to json.Number", new(new(json.Number("9900.0"))), "9900"},
		{"any holding a json.Number", new(any(json.Number("1.50"))), "1.5"},
		{"empty json.Number", json.Number(""), ""},
	} {
		if got, err := Segment(c.v); got != c.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestSegmentHasNoMonotonicText(t *testing.T) {
	now := time.Now()
	with, err1 := Segment(now)
	without, err2 := Segment(now.Round(0))
	if with != without || strings.Contains(with, "m=") || err1 != nil || err2 != nil {
		t.Errorf("got %q and %q, %v, %v", with, without, err1, err2)
	}
}

func TestSegmentRefuses(t *testing.T) {
	var self selfPointer
	self = &self
	for _, c := range []struct {
		v          any
		goType     string
		says       string
		wraps      error
		neverTells string
	}{
		{v: 1.5, goType: "float64", says: "json.Number", neverTells: "1.5"},
		{v: float64(1 << 53), goType: "float64", says: "UseNumber", neverTells: "9007199254740992"},
		{v: -float64(1 << 53), goType: "float64", says: "UseNumber", neverTells: "9007199254740992"},
		{v: 1e300, goType: "float64", says: "json.Number"},
		{v: float32(1 << 24), goType: "float32", says: "UseNumber", neverTells: "16777216"},
		{v: float32(0.5), goType: "float32", says: "fraction"},
		{v: math.NaN(), goType: "float64", says: "UseNumber", neverTells: "NaN"},
		{v: math.Inf(1), goType: "float64", says: "UseNumber", neverTells: "Inf"},
		{v: math.Inf(-1), goType: "float64", says: "UseNumber", neverTells: "Inf"},
		{v: namedFloat(0.5), goType: "stores.namedFloat", says: "fraction"},
		{v: complex(1, 0), goType: "complex128", says: "text form"},
		{v: uintptr(4711), goType: "uintptr", says: "text form", neverTells: "4711"},
		{v: []byte("secret"), goType: "[]uint8", says: "text form", neverTells: "secret"},
		{v: []string{"secret"}, goType: "[]string", says: "text form", neverTells: "secret"},
		{v: [1]string{"secret"}, goType: "[1]string", says: "text form", neverTells: "secret"},
		{v: map[string]int{"secret": 1}, goType: "map[string]int", says: "text form", neverTells: "secret"},
		{v: withoutMethods{4711}, goType: "stores.withoutMethods", says: "text form", neverTells: "4711"},
		{v: &withoutMethods{4711}, goType: "stores.withoutMethods", says: "text form", neverTells: "4711"},
		{v: pointerText{"secret"}, goType: "stores.pointerText", says: "text form", neverTells: "secret"},
		{v: func() {}, goType: "func()", says: "text form"},
		{v: make(chan int), goType: "chan int", says: "text form"},
		{v: self, goType: "stores.selfPointer", says: "pointer"},
		{v: failing{errTold}, goType: "stores.failing", says: "MarshalText returned an error", wraps: errTold, neverTells: "secret"},
		{v: panicking{errTold}, goType: "stores.panicking", says: "String panicked", wraps: errTold, neverTells: "secret"},
		{v: panicking{"secret"}, goType: "stores.panicking", says: "String panicked", neverTells: "secret"},
		{v: panicking{nil}, goType: "stores.panicking", says: "String panicked", wraps: new(runtime.PanicNilError)},
		{v: struct{ encoding.TextMarshaler }{}, goType: "struct", says: "MarshalText panicked"},
		{v: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), goType: "time.Time", says: "MarshalText returned an error", neverTells: "10000"},
		{v: json.Number("secret"), goType: "json.Number", says: "not a JSON number", neverTells: "secret"},
	} {
		got, err := Segment(c.v)
		refused, ok := errors.AsType[*SegmentError](err)
		switch {
		case got != "" || !ok:
			t.Errorf("%T: got %q, %v, want a *SegmentError", c.v, got, err)
		case !strings.HasPrefix(refused.Type, c.goType) || !strings.Contains(err.Error(), c.goType) || !strings.Contains(err.Error(), c.says):
			t.Errorf("%T: got %q, want a text with %q and %q", c.v, err, c.goType, c.says)
		case c.neverTells != "" && strings.Contains(err.Error(), c.neverTells):
			t.Errorf("%T: the text tells the value: %s", c.v, err)
		}
		if nilPanic, ok := c.wraps.(*runtime.PanicNilError); ok {
			if !errors.As(err, &nilPanic) {
				t.Errorf("%T: %v does not wrap the panic", c.v, err)
			}
		} else if c.wraps != nil && !errors.Is(err, c.wraps) {
			t.Errorf("%T: %v does not wrap the method's error", c.v, err)
		}
	}
}

// An exit is not a panic: the goroutine ends, and nobody takes it for a key.
type exiting struct{}

func (exiting) String() string { runtime.Goexit(); return "" }

func TestSegmentLetsGoexitThrough(t *testing.T) {
	returned := false
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = Segment(exiting{})
		returned = true
	}()
	<-done
	if returned {
		t.Error("Segment came back from a Goexit")
	}
}

func TestSegmentAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, c := range []struct {
		v    any
		most float64
	}{{"pay_123", 0}, {7, 0}, {123_456_789, 1}, {int64(123_456_789), 1}, {json.Number("42"), 0}, {json.Number("9900.0"), 2}} {
		if got := testing.AllocsPerRun(100, func() { _, _ = Segment(c.v) }); got > c.most {
			t.Errorf("%T %v: %.0f allocations, want %.0f at most", c.v, c.v, got, c.most)
		}
	}
}
