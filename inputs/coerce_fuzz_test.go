package inputs

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

var numberSeeds = []string{"", "0", "-0", "7", " 7 ", "+7", "1_000", "1__0", "9223372036854775808", "-9223372036854775808", "9.9e3", "1e1000000000", "1e-5", "0.5", "NaN", "0x1p-2", "7.", "１"}

var (
	integerText = regexp.MustCompile(`^[+-]?\d+(_\d+)*$`)
	jsonText    = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	jsonExp     = regexp.MustCompile(`[eE]([+-]?\d+)$`)
)

func FuzzInteger(f *testing.F) {
	for _, s := range numberSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Integer.Coerce(text)
		want, good := new(big.Int), false
		if trimmed := strings.TrimSpace(text); integerText.MatchString(trimmed) {
			want, good = want.SetString(strings.TrimPrefix(strings.ReplaceAll(trimmed, "_", ""), "+"), 10)
		}
		good = good && want.IsInt64()
		if ok != good || ok && got != want.Int64() {
			t.Errorf("as text: got %v %v, want %v %v", got, ok, want, good)
		}

		if exp := jsonExp.FindStringSubmatch(text); exp != nil {
			if n, err := strconv.Atoi(exp[1]); err != nil || n > 1000 || n < -1000 {
				Integer.Coerce(json.Number(text))
				return
			}
		}
		got, ok = Integer.Coerce(json.Number(text))
		good = false
		if jsonText.MatchString(text) {
			r, parsed := new(big.Rat).SetString(text)
			if good = parsed && r.IsInt() && r.Num().IsInt64(); good {
				want = r.Num()
			}
		}
		if ok != good || ok && got != want.Int64() {
			t.Errorf("as json.Number: got %v %v, want %v %v", got, ok, want, good)
		}
	})
}

func FuzzFloat(f *testing.F) {
	for _, s := range numberSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Float.Coerce(text)
		if !ok {
			return
		}
		plain := strings.ReplaceAll(strings.TrimSpace(text), "_", "")
		want, err := strconv.ParseFloat(plain, 64)
		if err != nil || got != want || strings.ContainsAny(plain, "xXnNpP") {
			t.Errorf("got %v, want %v (%v)", got, want, err)
		}
		if n, whole := new(big.Int).SetString(plain, 10); whole {
			if back, _ := new(big.Float).SetFloat64(want).Int(nil); back.Cmp(n) != 0 {
				t.Error("a whole number changed")
			}
		}
	})
}

func FuzzBoolean(f *testing.F) {
	for _, s := range []string{"", "true", "T", "yes", "off", "0", "1", "2", "yeſ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := Boolean.Coerce(text)
		isTrue := regexp.MustCompile(`^(?i:true|t|yes|y|on|1)$`).MatchString(text) && isASCII(text)
		isFalse := regexp.MustCompile(`^(?i:false|f|no|n|off|0)$`).MatchString(text) && isASCII(text)
		if ok != (isTrue || isFalse) || ok && got != isTrue {
			t.Errorf("got %v %v", got, ok)
		}
	})
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func FuzzString(f *testing.F) {
	f.Add([]byte("abc"), int64(5), 0.1)
	f.Add([]byte{0xff}, int64(-5), 1e300)
	f.Fuzz(func(t *testing.T, raw []byte, n int64, x float64) {
		if got, ok := String.Coerce(string(raw)); !ok || got != string(raw) {
			t.Error("text changed")
		}
		if got, ok := String.Coerce(raw); ok != (raw != nil && utf8.Valid(raw)) || ok && got != string(raw) {
			t.Error("bytes changed")
		}
		if got, ok := String.Coerce(n); !ok || got != strconv.FormatInt(n, 10) {
			t.Error("an int changed")
		}
		got, ok := String.Coerce(x)
		if math.Trunc(x) == x && math.Abs(x) >= 1<<53 && !math.IsInf(x, 0) {
			if ok {
				t.Error("a float that may be another number was taken")
			}
			return
		}
		if back, err := strconv.ParseFloat(got.(string), 64); !ok || err != nil || back != x && x == x {
			t.Error("a float changed")
		}
	})
}
