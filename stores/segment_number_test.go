package stores

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestNumberSegment(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.00e7": "0", "0e999999999999999999999": "0",
		"1": "1", "-1": "-1", "10": "10", "100": "100",
		"9900": "9900", "9900.0": "9900", "9900.00": "9900", "9.9e3": "9900", "9.9E+3": "9900", "99e2": "9900",
		"9900000e-3": "9900", "0.00099e7": "9900", "990.0e1": "9900", "-9.9e3": "-9900", "9900e0": "9900", "9900e-0": "9900",
		"12345678901234567890": "12345678901234567890", "12345678901234567890.0": "12345678901234567890",
		"9007199254740993": "9007199254740993", "9007199254740993e0": "9007199254740993",
		"1.5": "1.5", "1.50": "1.5", "15e-1": "1.5", "0.15e1": "1.5", "-0.5": "-0.5", "5e-1": "0.5", "5e-3": "0.005", "10.01": "10.01", "0.1": "0.1",
		"1e21": "1000000000000000000000", "1.25e1": "12.5",
		"1e308": "1" + strings.Repeat("0", 308), "1e-324": "0." + strings.Repeat("0", 323) + "1",
		strings.Repeat("9", 5_000): strings.Repeat("9", 5_000),
	} {
		if got, err := numberSegment(json.Number(in)); got != want || err != nil {
			t.Errorf("%.40s: got %.40q, %v, want %.40q", in, got, err, want)
		}
	}
}

func TestNumberSegmentRefuses(t *testing.T) {
	for _, in := range []string{
		"-", "+1", "01", "-01", "1.", ".5", "1.e1", "1e", "1e+", "e1", "1e1.5", "1e1e1", "0x10", "1_000", " 1", "1 ", "١", "NaN", "Infinity", "abc", "1,5", "--1", "1-", "00", "1\x00",
		"1e9999", "1e-9999", "-1e9999",
	} {
		if got, err := numberSegment(json.Number(in)); got != "" || err == nil {
			t.Errorf("%q: got %q, %v, want an error", in, got, err)
		}
	}
}

func TestHostileExponentsCostNothing(t *testing.T) {
	const digits = 200_000
	for _, in := range []string{
		"1e999999999", "-1e999999999", "1e-999999999", "1e99999999999999999999999999", "1E+9223372036854775808", "1e-9223372036854775809",
		"0e999999999", "0.0e-999999999", "1e" + strings.Repeat("9", digits), "1." + strings.Repeat("0", digits) + "e-1",
		"0." + strings.Repeat("0", digits) + "1e" + strings.Repeat("9", 30), strings.Repeat("9", digits) + "e-999999999",
	} {
		began := time.Now()
		text, _ := numberSegment(json.Number(in))
		if len(text) > len(in)+maxPadding+len("-0.") {
			t.Errorf("%.30s: %d characters of text", in, len(text))
		}
		if took := time.Since(began); took > 5*time.Second { // a machine under load; the hostile way would take hours
			t.Errorf("%.30s: took %s", in, took)
		}
	}
	if !raceEnabled {
		if got := testing.AllocsPerRun(10, func() { _, _ = numberSegment("1e999999999") }); got > 2 {
			t.Errorf("%.0f allocations, want those of the error", got)
		}
	}
}

var canonicalNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$`)

func FuzzNumberSegment(f *testing.F) {
	for _, seed := range []string{"", "0", "-0", "9900.0", "9.9e3", "1e21", "1.50", "5e-3", "1e999999999", "0e999999999", "01", "1.", "-", "12345678901234567890", "1E+2", "-81e-0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := numberSegment(json.Number(in))
		if in == "" {
			if got != "" || err != nil {
				t.Fatalf("blank gives %q, %v", got, err)
			}
			return
		}
		isNumber := strings.ContainsRune("-0123456789", rune(in[0])) && strings.TrimSpace(in) == in && json.Valid([]byte(in))
		if err != nil {
			if isNumber && !strings.ContainsAny(in, "eE") && !strings.Contains(in, "."+strings.Repeat("0", maxPadding)) {
				t.Fatalf("%q is a number without an exponent and was refused: %v", in, err)
			}
			return
		}
		if !isNumber {
			t.Fatalf("%q is no JSON number and gives %q", in, got)
		}
		if !canonicalNumber.MatchString(got) {
			t.Fatalf("%q gives %q, which is not canonical", in, got)
		}
		if again, err := numberSegment(json.Number(got)); again != got || err != nil {
			t.Fatalf("%q gives %q, and that gives %q, %v", in, got, again, err)
		}
		if got == "0" {
			// big.Rat would compute the power of a hostile exponent first.
			if strings.Trim(strings.FieldsFunc(in, func(r rune) bool { return r == 'e' || r == 'E' })[0], "-0.") != "" {
				t.Fatalf("%q is not zero", in)
			}
			return
		}
		want, ok1 := new(big.Rat).SetString(in)
		same, ok2 := new(big.Rat).SetString(got)
		if !ok1 || !ok2 || want.Cmp(same) != 0 {
			t.Fatalf("%q gives %q, which is another number", in, got)
		}
	})
}
