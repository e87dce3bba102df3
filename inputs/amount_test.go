package inputs

import (
	"encoding/json"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/shopspring/decimal"
)

func euros(cents int64) decimal.Decimal { return decimal.New(cents, -2) }

func TestAmountsAreComparedExactly(t *testing.T) {
	type namedInt int16
	for _, r := range []struct {
		less, more any
	}{
		{int64(-1), uint64(0)},
		{int64(math.MinInt64), int64(math.MinInt64 + 1)},
		{int64(math.MaxInt64), uint64(math.MaxInt64 + 1)},
		{uint64(math.MaxUint64), bigInt("18446744073709551616")},
		{bigInt("-18446744073709551617"), bigInt("-18446744073709551616")},
		{json.Number("9007199254740992"), json.Number("9007199254740993")},
		{json.Number("0.1"), json.Number("0.10000000000000000000000000000000001")},
		{json.Number("-2e1"), -19.9},
		{0.1, json.Number("0.11")},
		{float32(0.1), json.Number("0.11")},
		{euros(999), json.Number("10")},
		{euros(-1001), int64(-10)},
		{big.NewRat(1, 3), json.Number("0.333333333333333333333333333334")},
		{json.Number("0.333333333333333333333333333333"), big.NewRat(1, 3)},
		{big.NewRat(-1, 3), big.NewRat(-1, 4)},
		{math.Inf(-1), json.Number("-1e999999999")},
		{json.Number("1e999999999"), math.Inf(1)},
		{json.Number("1e-999999999999"), json.Number("1e-999999999998")},
		{json.Number("0e999999999999999999"), json.Number("1e-9999999999999999")},
		{decimal.New(1, math.MaxInt32-1), decimal.New(1, math.MaxInt32)},
		{big.NewRat(1, 7), decimal.New(1, math.MaxInt32)},
		{decimal.New(1, math.MinInt32), big.NewRat(1, 7)},
		{namedInt(3), pointer(int8(4))},
		{math.MaxFloat64, json.Number("1.7976931348623158e308")},
		{*big.NewInt(5), *big.NewRat(11, 2)},
	} {
		g := gomega.NewWithT(t)
		less, ok := amountOf(r.less)
		g.Expect(ok).To(gomega.BeTrue(), "%v", r.less)
		more, ok := amountOf(r.more)
		g.Expect(ok).To(gomega.BeTrue(), "%v", r.more)
		g.Expect(less.compare(more)).To(gomega.BeNumerically("<", 0), "%v and %v", r.less, r.more)
		g.Expect(more.compare(less)).To(gomega.BeNumerically(">", 0), "%v and %v", r.more, r.less)
		g.Expect(more.compare(more)).To(gomega.BeZero(), "%v", r.more)
	}
}

func TestAmountsThatAreEqual(t *testing.T) {
	for _, same := range [][]any{
		{5, uint8(5), 5.0, float32(5), json.Number("5"), json.Number("5.00"), json.Number("0.5e1"), big.NewInt(5), big.NewRat(10, 2), euros(500), json.Number("50e-1")},
		{0.1, float32(0.1), json.Number("0.1"), json.Number("100e-3"), big.NewRat(1, 10), euros(10)},
		{json.Number("12345678901234567890"), uint64(12345678901234567890), bigInt("12345678901234567890"), json.Number("1234567890123456789e1")},
		{0, 0.0, math.Copysign(0, -1), json.Number("-0"), json.Number("0e999999999"), euros(0), new(big.Rat), json.Number("-0.00")},
		{1e300, json.Number("1e300"), json.Number("0.1e301")},
	} {
		g := gomega.NewWithT(t)
		for _, v := range same {
			for _, w := range same {
				a, _ := amountOf(v)
				b, ok := amountOf(w)
				g.Expect(ok).To(gomega.BeTrue(), "%T %v", w, w)
				g.Expect(a.compare(b)).To(gomega.BeZero(), "%T %v and %T %v", v, v, w, w)
			}
		}
	}
}

func TestWhatIsNoAmount(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, v := range []any{
		nil, "5", true, math.NaN(), float32(math.NaN()), time.Second, time.Now(), json.Number(""), json.Number("x"), json.Number("0x10"), json.Number("+-1"), json.Number("1_0"),
		(*int)(nil), (*big.Int)(nil), (*big.Rat)(nil), (*decimal.Decimal)(nil), []int{1}, map[string]int{}, complex(1, 0), struct{}{}, big.NewFloat(1), cyclic(),
	} {
		_, ok := amountOf(v)
		g.Expect(ok).To(gomega.BeFalse(), "%T", v)
	}
}

func FuzzAmount(f *testing.F) {
	f.Add("1e999999999", "0.1")
	f.Add("-5", "5e-324")
	f.Fuzz(func(t *testing.T, text, other string) {
		a, ok := parseAmount(text)
		b, also := parseAmount(other)
		if !ok || !also {
			return
		}
		if (a.compare(b) > 0) != (b.compare(a) < 0) {
			t.Errorf("%q and %q", text, other)
		}
		if len(text) > 7 || len(other) > 7 {
			return // what big.Rat makes of an exponent costs too much
		}
		x, ok := new(big.Rat).SetString(text)
		y, also := new(big.Rat).SetString(other)
		if ok && also && (x.Cmp(y) > 0) != (a.compare(b) > 0) {
			t.Errorf("%q and %q", text, other)
		}
	})
}
