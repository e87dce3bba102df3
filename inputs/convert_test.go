package inputs

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
)

func converts[T any](t *testing.T, in any, want T) {
	t.Helper()
	got, err := Convert[T](in)
	g := gomega.NewWithT(t)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(any(got)).To(gomega.BeEquivalentTo(any(want)))
}

func refuses[T any](t *testing.T, in any, inexact bool) {
	t.Helper()
	got, err := Convert[T](in)
	g := gomega.NewWithT(t)
	var failed *ConversionError
	g.Expect(errors.As(err, &failed)).To(gomega.BeTrue())
	g.Expect(failed.Inexact).To(gomega.Equal(inexact))
	g.Expect(failed.To).To(gomega.Equal(typeOf[T]()))
	g.Expect(any(got) == any(*new(T))).To(gomega.BeTrue())
	g.Expect(strings.Contains(err.Error(), "secret")).To(gomega.BeFalse())
}

func TestConvert(t *testing.T) {
	converts(t, int64(5), 5)
	converts(t, int64(5), int8(5))
	converts(t, 5, uint64(5))
	converts(t, 5.0, 5)
	converts(t, 5, 5.0)
	converts(t, 0.5, float32(0.5))
	converts(t, float32(0.1), float64(float32(0.1)))
	converts(t, uint64(math.MaxUint64), uint64(math.MaxUint64))
	converts(t, json.Number("9.9e3"), int16(9900))
	converts(t, json.Number("1.5"), 1.5)
	converts(t, "x", "x")
	converts(t, "x", namedText("x"))
	converts(t, namedText("x"), "x")
	converts(t, true, namedBool(true))
	converts(t, time.Second, int64(1e9))
	converts(t, pointer(int64(5)), 5)
	converts(t, []string{"a"}, []string{"a"})
	converts[any](t, "x", "x")

	g := gomega.NewWithT(t)
	p, err := Convert[*int](int64(5))
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(*p).To(gomega.Equal(5))
	n, err := Convert[*namedText]("x")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(*n).To(gomega.Equal(namedText("x")))
	for _, v := range []any{nil, (*int8)(nil)} {
		p, err = Convert[*int](v)
		g.Expect(err).NotTo(gomega.HaveOccurred())
		g.Expect(p).To(gomega.BeNil())
	}
	list, err := Convert[[]string](nil)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(list).To(gomega.BeNil())
	v, err := Convert[any](nil)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(v).To(gomega.BeNil())
}

func TestConvertRefuses(t *testing.T) {
	refuses[int8](t, 300, true)
	refuses[uint](t, -1, true)
	refuses[int64](t, uint64(1<<63), true)
	refuses[int](t, 1.5, true)
	refuses[int](t, math.NaN(), true)
	refuses[int64](t, 9223372036854775808.0, true)
	refuses[float32](t, 0.1, true)
	refuses[float32](t, 1e300, true)
	refuses[float64](t, 1<<53+1, true)
	refuses[int](t, json.Number("1.5"), true)
	refuses[int](t, json.Number("secret"), true)
	refuses[*int8](t, 300, true)
	refuses[int](t, nil, false)
	refuses[string](t, nil, false)
	refuses[int](t, (*int)(nil), false)
	refuses[string](t, 65, false)
	refuses[int](t, "5", false)
	refuses[bool](t, 1, false)
	refuses[json.Number](t, "secret", false)
	refuses[error](t, "secret", false)
	refuses[time.Time](t, "2026-01-02", false)
	refuses[int](t, cyclic(), false)
	refuses[struct{ A int }](t, map[string]any{"A": 1}, false)
}
