package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// keyedByValue claims by whatever value its template holds.
type keyedByValue struct {
	idemWorker
	Value any
	Err   error
	Asked *int
}

type keyOfValue struct{}

func (keyOfValue) Key(_ context.Context, task cmdx.Task) (any, error) {
	t := task.(*keyedByValue)
	if t.Asked != nil {
		*t.Asked++
	}
	return t.Value, t.Err
}

func (*keyedByValue) Configure(c *cmdx.Config) {
	c.IdempotentBy(keyOfValue{})
	c.RetryOn(cmdx.ErrorIs(errIdemOutage), cmdx.Retry{Limit: 2, Delay: cmdx.NoDelay})
}

// keyedByInput has inputs with and without a default.
type keyedByInput struct{ idemWorker }

func (*keyedByInput) Configure(c *cmdx.Config) {
	c.Optional("order", inputs.Coerce(inputs.Integer), inputs.Default("7"))
	c.IdempotentBy(cmdx.FromContext("order"))
}

// keyedByField binds the input that the key is made of.
type keyedByField struct {
	idemWorker
	Order string `cmdx:"order,required"`
}

func (t *keyedByField) key() string { return t.Order + "/" + fmt.Sprint(t.Input("order")) }

func (*keyedByField) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.KeyFunc((*keyedByField).key)) }

// keyedByHash shows no key to the store.
type keyedByHash struct{ idemWorker }

func (*keyedByHash) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Hashed(cmdx.FromContext("id")))
}

// keyedForTask has one key for the whole type.
type keyedForTask struct{ idemWorker }

func (*keyedForTask) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.PerTask) }

// keyedAbove inherits a key function that was written for a parent.
type (
	keyedParent struct {
		idemWorker
		Tenant string
	}
	keyedAbove struct {
		Note string
		keyedParent
	}
)

func (p *keyedParent) tenantKey() string { return "tenant " + p.Tenant }

func (*keyedParent) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.KeyFunc((*keyedParent).tenantKey)) }

// Types whose values make keys.
type (
	keyName    string
	keyNumber  int16
	keyFlag    bool
	keyMass    float64
	keyTexted  struct{ text string }
	keyPrinted struct{ text string }
	keyBoth    struct{}
	keyBroken  struct{}
	keyBursts  struct{}
	keyPlain   struct{ ID string }
)

func (k keyTexted) MarshalText() ([]byte, error) { return []byte(k.text), nil }
func (k keyPrinted) String() string              { return k.text }
func (keyBoth) MarshalText() ([]byte, error)     { return []byte("marshalled"), nil }
func (keyBoth) String() string                   { return "printed" }
func (keyBroken) MarshalText() ([]byte, error)   { return nil, errors.New("secret-4711") }
func (keyBursts) String() string                 { panic("secret-4711") }

func pointerTo[T any](v T) *T { return &v }

var _ = Describe("Keys", func() {
	var rig *idemRig

	BeforeEach(func() { rig = newIdemRig() })

	key := func(value any) string {
		before := len(rig.store.CallsOf(storetest.OpEnter))
		res := rig.run(&keyedByValue{Value: value}, nil)
		Expect(res.IsOK()).To(BeTrue(), "%v", res)
		entered := rig.store.CallsOf(storetest.OpEnter)
		if len(entered) == before {
			return ""
		}
		return strings.TrimPrefix(entered[before].Key, "cmdx:idem:keyedByValue:")
	}

	Describe("Segments", func() {
		DescribeTable("are made of",
			func(value any, segment string) { Expect(key(value)).To(Equal(segment)) },
			Entry("a string", "pay_123", "pay_123"),
			Entry("a string that looks like nil", "<nil>", "<nil>"),
			Entry("a blank character", " ", " "),
			Entry("a text marshaler", keyTexted{"t"}, "t"),
			Entry("a pointer to a text marshaler", &keyTexted{"t"}, "t"),
			Entry("an address, a text marshaler", netip.MustParseAddr("10.0.0.1"), "10.0.0.1"),
			Entry("a stringer", keyPrinted{"s"}, "s"),
			Entry("a pointer to a stringer", &keyPrinted{"s"}, "s"),
			Entry("both, by its marshalled text", keyBoth{}, "marshalled"),
			Entry("true", true, "true"),
			Entry("false", false, "false"),
			Entry("int", int(-7), "-7"),
			Entry("zero", 0, "0"),
			Entry("int8", int8(math.MinInt8), "-128"),
			Entry("int16", int16(math.MaxInt16), "32767"),
			Entry("int32", int32(math.MinInt32), "-2147483648"),
			Entry("int64", int64(math.MaxInt64), "9223372036854775807"),
			Entry("uint", uint(7), "7"),
			Entry("uint8", uint8(255), "255"),
			Entry("uint16", uint16(65535), "65535"),
			Entry("uint32", uint32(4294967295), "4294967295"),
			Entry("uint64 beyond int64, every digit", uint64(12345678901234567890), "12345678901234567890"),
			Entry("json.Number, every digit", json.Number("12345678901234567890"), "12345678901234567890"),
			Entry("json.Number with an empty fraction", json.Number("9900.0"), "9900"),
			Entry("json.Number with an exponent", json.Number("9.9e3"), "9900"),
			Entry("json.Number minus zero", json.Number("-0"), "0"),
			Entry("a pointer to a json.Number", pointerTo(json.Number("9.9e3")), "9900"),
			Entry("a whole float64", 9900.0, "9900"),
			Entry("a whole float64 that prints with an exponent", 1e15, "1000000000000000"),
			Entry("the largest float64 below 2^53", float64(1<<53-1), "9007199254740991"),
			Entry("its negative", -float64(1<<53-1), "-9007199254740991"),
			Entry("minus zero", math.Copysign(0, -1), "0"),
			Entry("a whole float32", float32(16777215), "16777215"),
			Entry("a named string", keyName("n"), "n"),
			Entry("a named integer", keyNumber(-3), "-3"),
			Entry("a named bool", keyFlag(true), "true"),
			Entry("a named float", keyMass(12), "12"),
			Entry("a pointer to a string", pointerTo("p"), "p"),
			Entry("a pointer to a named integer", pointerTo(keyNumber(5)), "5"),
			Entry("a pointer to a float", pointerTo(3.0), "3"),
		)

		DescribeTable("are blank for whatever stands for nothing",
			func(value any) {
				Expect(key(value)).To(BeEmpty())
				Expect(rig.store.Calls()).To(BeEmpty())
			},
			Entry("nil", nil),
			Entry("an empty string", ""),
			Entry("an empty named string", keyName("")),
			Entry("an empty json.Number", json.Number("")),
			Entry("a nil pointer to a string", (*string)(nil)),
			Entry("a nil pointer to a stringer", (*keyPrinted)(nil)),
			Entry("a nil pointer to a text marshaler", (*keyTexted)(nil)),
			Entry("a stringer without a text", keyPrinted{}),
			Entry("a marshaler without a text", keyTexted{}),
			Entry("a pointer to an empty string", pointerTo("")),
		)

		DescribeTable("are refused with a clear error, without a claim, Work or the value",
			func(value any, hint string) {
				res := rig.run(&keyedByValue{idemWorker: idemReturning(rig, nil), Value: value}, nil)
				Expect(res).To(idemEnd("failed"))
				var refused *stores.SegmentError
				Expect(errors.As(res.Cause(), &refused)).To(BeTrue())
				Expect(refused.Error()).To(ContainSubstring(hint))
				Expect(res.Reason()).NotTo(ContainSubstring("4711"))
				Expect(rig.works()).To(BeZero())
				Expect(rig.store.Calls()).To(BeEmpty())
			},
			Entry("a float from 2^53 on", float64(1<<53), "UseNumber"),
			Entry("a negative float from -2^53 on", -float64(1<<53), "json.Number"),
			Entry("a float32 from 2^24 on", float32(1<<24), "json.Number"),
			Entry("a float with a fraction", 47.11, "float64"),
			Entry("not a number", math.NaN(), "float64"),
			Entry("infinity", math.Inf(1), "float64"),
			Entry("a map", map[string]int{"4711": 1}, "map[string]int"),
			Entry("a slice", []string{"4711"}, "[]string"),
			Entry("a struct without a text", keyPlain{"4711"}, "keyPlain"),
			Entry("a pointer to one", &keyPlain{"4711"}, "keyPlain"),
			Entry("a complex number", 4711i, "complex128"),
			Entry("an address", uintptr(4711), "uintptr"),
			Entry("a channel", make(chan int), "chan int"),
			Entry("a json.Number that is no number", json.Number("4711x"), "json.Number"),
			Entry("a json.Number with a hostile exponent", json.Number("1e999999999"), "json.Number"),
			Entry("a marshaler that fails", keyBroken{}, "MarshalText"),
			Entry("a stringer that panics", keyBursts{}, "String"),
		)

		DescribeTable("keep apart what is different",
			func(one, other any) { Expect(key(one)).NotTo(Equal(key(other))) },
			Entry("neighbours above 2^53 as json.Number", json.Number("9007199254740992"), json.Number("9007199254740993")),
			Entry("neighbours above 2^63", uint64(math.MaxUint64), uint64(math.MaxUint64-1)),
			Entry("letters of another case", "Pay", "pay"),
			Entry("a text with a blank behind", "pay ", "pay"),
			Entry("a fraction and its neighbour", json.Number("1.10"), json.Number("1.1000000000000000001")),
			Entry("a missing value and the word for it", nil, "<nil>"),
			Entry("two zones of one instant", time.Unix(0, 0).UTC(), time.Unix(0, 1).UTC()),
		)

		It("tell instants without their monotonic reading", func() {
			now := time.Now()
			Expect(key(now)).To(Equal(key(now.Round(0))))
		})
	})

	DescribeTable("Hostile segments are stored and found letter for letter",
		func(segment string) {
			Expect(rig.run(&keyedByValue{Value: segment}, nil)).To(idemEnd("success"))
			res := rig.run(&keyedByValue{Value: segment}, nil)
			Expect(res).To(idemEnd("skipped duplicate completed"))
			Expect(res.Metadata()["idempotency_key"]).To(Equal("cmdx:idem:keyedByValue:" + segment))
			Expect(rig.value("cmdx:idem:keyedByValue:" + segment)).To(Equal("completed"))
		},
		Entry("braces", "{a}{b}}"),
		Entry("an opening brace", "a{"),
		Entry("colons", "::a:b:"),
		Entry("blanks", " a  b "),
		Entry("line ends", "a\r\nb"),
		Entry("control characters", "\x00\x01\x7f"),
		Entry("letters of many scripts", "ключ-鍵-🔑-é"),
		Entry("what is no UTF-8", "\xff\xfe"),
		Entry("300 bytes", strings.Repeat("a", 300)),
		Entry("ten kilobytes", strings.Repeat("b", 10<<10)),
	)

	Describe("FromContext", func() {
		enters := func(task cmdx.Task, args any) string {
			rig.store.Forget()
			rig.Execute(context.Background(), task, args)
			return rig.store.CallsOf(storetest.OpEnter)[0].Key
		}

		It("takes the resolved input of that name before the context's own value", func() {
			Expect(enters(&keyedByInput{}, cmdx.Args{"order": " 0042 "})).To(Equal("cmdx:idem:keyedByInput:42"))
		})

		It("takes an input's default where the caller gave nothing", func() {
			Expect(enters(&keyedByInput{}, nil)).To(Equal("cmdx:idem:keyedByInput:7"))
		})

		It("takes the context's value where no input has the name", func() {
			Expect(enters(&idemPlainCharge{}, cmdx.Args{"id": "c"})).To(Equal(idemPlainKey("c")))
		})

		It("matches names exactly", func() {
			rig.Execute(context.Background(), &idemPlainCharge{}, cmdx.Args{"ID": "c", "Id": "c"})
			Expect(rig.store.Calls()).To(BeEmpty())
		})

		It("does not rewrite the context", func() {
			res := rig.Execute(context.Background(), &keyedByInput{}, cmdx.Args{"order": " 0042 "})
			value, _ := res.Context().Get("order")
			Expect(value).To(Equal(" 0042 "))
		})
	})

	Describe("KeyFunc", func() {
		It("sees bound fields and inputs", func() {
			rig.Execute(context.Background(), &keyedByField{}, cmdx.Args{"order": 5})
			Expect(rig.value("cmdx:idem:keyedByField:5/5")).To(Equal("completed"))
		})

		It("works on a descendant of the type that it was written for", func() {
			rig.run(&keyedAbove{Note: "n", keyedParent: keyedParent{Tenant: "acme"}}, nil)
			Expect(rig.value("cmdx:idem:keyedAbove:tenant acme")).To(Equal("completed"))
		})
	})

	Describe("PerTask", func() {
		It("is the segment all", func() {
			rig.run(&keyedForTask{}, nil)
			Expect(rig.value("cmdx:idem:keyedForTask:all")).To(Equal("completed"))
		})
	})

	Describe("Hashed", func() {
		It("is the SHA-256 of the segment in hexadecimal digits", func() {
			sum := sha256.Sum256([]byte("ada@example.org"))
			rig.run(&keyedByHash{}, "ada@example.org")
			Expect(rig.value("cmdx:idem:keyedByHash:" + hex.EncodeToString(sum[:]))).To(Equal("completed"))
		})

		It("is the same for values of the same segment", func() {
			rig.run(&keyedByHash{}, 42)
			Expect(rig.run(&keyedByHash{}, "42")).To(idemEnd("skipped duplicate completed"))
		})

		It("leaves a blank key blank", func() {
			for range 2 {
				Expect(rig.run(&keyedByHash{}, "")).To(idemEnd("success"))
			}
			Expect(rig.store.Calls()).To(BeEmpty())
		})

		It("refuses what is no segment", func() {
			Expect(rig.run(&keyedByHash{}, []int{1}).Cause()).To(BeAssignableToTypeOf(&stores.SegmentError{}))
		})
	})

	Describe("Once per run", func() {
		It("asks the resolver once, however often work is tried", func() {
			asked := 0
			rig.run(&keyedByValue{idemWorker: idemReturning(rig, errIdemOutage), Value: "k", Asked: &asked}, nil)
			Expect(rig.works()).To(Equal(3))
			Expect(asked).To(Equal(1))
		})

		It("moves neither completion nor release to another key when work changes what the key was made of", func() {
			var changing keyedByValue
			for _, end := range []error{nil, errors.New("no")} {
				rig.store.Forget()
				changing = keyedByValue{Value: &keyTexted{"before"}}
				changing.Do = func(context.Context, *idemWorker) error {
					changing.Value.(*keyTexted).text = "after"
					return end
				}
				rig.run(&changing, nil)
				calls := rig.store.Calls()
				Expect(calls).To(HaveLen(2))
				Expect(calls[1].Key).To(Equal(calls[0].Key))
				rig.memory.Delete(context.Background(), calls[0].Key)
			}
			rig.store.Forget()
			rig.run(&idemPlainCharge{idemDoing(func(_ context.Context, w *idemWorker) error {
				w.Context().Set("id", "other")
				return nil
			})}, "k")
			Expect(rig.value(idemPlainKey("k"))).To(Equal("completed"))
			Expect(rig.value(idemPlainKey("other"))).To(BeEmpty())
		})

		It("fails the run with the resolver's own error, without a claim", func() {
			away := errors.New("the directory is away")
			res := rig.run(&keyedByValue{idemWorker: idemReturning(rig, nil), Err: away}, nil)
			Expect(res).To(idemEnd("failed"))
			Expect(errors.Is(res.Cause(), away)).To(BeTrue())
			Expect(rig.works()).To(BeZero())
			Expect(rig.store.Calls()).To(BeEmpty())
		})
	})

	Describe("Types", func() {
		It("keeps the claims of two task types apart", func() {
			rig.run(&idemPlainCharge{}, "k")
			Expect(rig.run(&idemRefusingCharge{}, "k")).To(idemEnd("success"))
		})
	})
})
