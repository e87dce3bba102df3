package inputs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx/internal/run"
)

type source map[string]any

func (s source) Get(key string) (any, bool) { v, ok := s[key]; return v, ok }

type report []string

func (r *report) Add(key, message string) { *r = append(*r, key+" "+message) }

// resolved compiles a plan for T, runs it on a copy of the template, and
// returns the copy, the values by name and the messages.
func resolved[T any](t *testing.T, template T, args source, declarations ...Declaration) (T, map[string]any, []string) {
	t.Helper()
	var s Set
	for _, d := range declarations {
		s = s.With(d)
	}
	plan, problems := Compile(reflect.TypeFor[T](), s)
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	copied := template
	var messages report
	values := plan.Resolve(context.Background(), &run.Run{Root: unsafe.Pointer(&copied)}, args, &messages)
	if len(values) != plan.Len() {
		t.Fatalf("%d values for %d inputs", len(values), plan.Len())
	}
	byName := map[string]any{}
	for name, i := range plan.Names() {
		byName[name] = values[i]
	}
	return copied, byName, messages
}

type none struct{}

func TestMissingNilEmptyAndZero(t *testing.T) {
	type state struct {
		name string
		args source
	}
	states := []state{
		{"missing", source{}}, {"nil", source{"x": nil}}, {"typed nil", source{"x": (*int)(nil)}}, {"empty", source{"x": ""}}, {"zero", source{"x": 0}}, {"value", source{"x": "5"}},
	}
	const notInt = "x could not coerce into an integer"
	rows := []struct {
		name        string
		declaration Declaration
		values      [6]any
		messages    [6]string
	}{
		{
			"required", Required("x", Coerce(Integer)),
			[6]any{nil, nil, nil, nil, int64(0), int64(5)},
			[6]string{"x is required", notInt, notInt, notInt, "", ""},
		},
		{
			"required, default", Required("x", Coerce(Integer), Default(9)),
			[6]any{nil, nil, nil, nil, int64(0), int64(5)},
			[6]string{"x is required", notInt, notInt, notInt, "", ""},
		},
		{
			"optional", Optional("x", Coerce(Integer)),
			[6]any{nil, nil, nil, nil, int64(0), int64(5)},
			[6]string{"", "", "", notInt, "", ""},
		},
		{
			"optional, default", Optional("x", Coerce(Integer), Default("9")),
			[6]any{int64(9), int64(9), int64(9), nil, int64(0), int64(5)},
			[6]string{"", "", "", notInt, "", ""},
		},
		{
			"optional, default func", Optional("x", Coerce(Integer), DefaultFunc(func() any { return 9.0 })),
			[6]any{int64(9), int64(9), int64(9), nil, int64(0), int64(5)},
			[6]string{"", "", "", notInt, "", ""},
		},
		{
			"optional, default func of nil", Optional("x", Coerce(Integer), DefaultFunc(func() any { return nil })),
			[6]any{nil, nil, nil, nil, int64(0), int64(5)},
			[6]string{"", "", "", notInt, "", ""},
		},
		{
			"optional, validated", Optional("x", Coerce(Integer), Validate("gt=0")),
			[6]any{nil, nil, nil, nil, nil, int64(5)},
			[6]string{"", "", "", notInt, "x must be greater than 0", ""},
		},
		{
			"optional, default, validated", Optional("x", Coerce(Integer), Default(-1), Validate("gt=0")),
			[6]any{nil, nil, nil, nil, nil, int64(5)},
			[6]string{"x must be greater than 0", "x must be greater than 0", "x must be greater than 0", notInt, "x must be greater than 0", ""},
		},
		{
			"required, boolean", Required("x", Coerce(Boolean)),
			[6]any{nil, false, false, nil, false, nil},
			[6]string{"x is required", "", "", "x could not coerce into a boolean", "", "x could not coerce into a boolean"},
		},
		{
			"required, string, presence", Required("x", Coerce(String), Presence()),
			[6]any{nil, nil, nil, nil, "0", "5"},
			[6]string{"x is required", "x could not coerce into a string", "x could not coerce into a string", "x cannot be empty", "", ""},
		},
		{
			"optional, string, presence", Optional("x", Coerce(String), Presence()),
			[6]any{nil, nil, nil, nil, "0", "5"},
			[6]string{"", "", "", "x cannot be empty", "", ""},
		},
		{
			"required, no coercion", Required("x"),
			[6]any{nil, nil, (*int)(nil), "", 0, "5"},
			[6]string{"x is required", "", "", "", "", ""},
		},
		{
			"required, no coercion, presence", Required("x", Presence()),
			[6]any{nil, nil, nil, nil, 0, "5"},
			[6]string{"x is required", "x cannot be empty", "x cannot be empty", "x cannot be empty", "", ""},
		},
		{
			"two coercions", Required("x", Coerce(Integer, Float)),
			[6]any{nil, nil, nil, nil, int64(0), int64(5)},
			[6]string{"x is required", "x could not coerce into one of: integer, float", "x could not coerce into one of: integer, float", "x could not coerce into one of: integer, float", "", ""},
		},
	}
	for _, r := range rows {
		for i, s := range states {
			t.Run(r.name+"/"+s.name, func(t *testing.T) {
				g := gomega.NewWithT(t)
				_, values, messages := resolved(t, none{}, s.args, r.declaration)
				if r.values[i] == nil {
					g.Expect(values["x"]).To(gomega.BeNil())
				} else {
					g.Expect(values["x"]).To(gomega.Equal(r.values[i]))
				}
				g.Expect(strings.Join(messages, "|")).To(gomega.Equal(r.messages[i]))
			})
		}
	}
}

func TestAllErrorsInOrderOfDeclaration(t *testing.T) {
	g := gomega.NewWithT(t)
	_, _, messages := resolved(t, none{}, source{"port": "secret-1", "email": " "},
		Required("environment", Coerce(String)), Required("port", Coerce(Integer)),
		Required("email", Coerce(String), Presence(), Validate("email")))
	g.Expect(messages).To(gomega.Equal([]string{
		"environment is required", "port could not coerce into an integer", "email cannot be empty", "email must be an email address",
	}))
}

func TestSecondCoercionIsTried(t *testing.T) {
	g := gomega.NewWithT(t)
	_, values, _ := resolved(t, none{}, source{"x": "1.5"}, Required("x", Coerce(Integer, Float)))
	g.Expect(values["x"]).To(gomega.Equal(1.5))
}

func TestNilSource(t *testing.T) {
	plan, _ := Compile(typeOf[none](), Set{}.With(Required("x")))
	var messages report
	plan.Resolve(context.Background(), &run.Run{}, nil, &messages)
	gomega.NewWithT(t).Expect(messages).To(gomega.Equal(report{"x is required"}))
}

type kinds struct {
	S   string      `cmdx:"s"`
	NS  namedText   `cmdx:"ns"`
	I   int         `cmdx:"i"`
	I8  int8        `cmdx:"i8"`
	I16 int16       `cmdx:"i16"`
	I32 int32       `cmdx:"i32"`
	I64 int64       `cmdx:"i64"`
	NI  namedInt    `cmdx:"ni"`
	U   uint        `cmdx:"u"`
	U8  uint8       `cmdx:"u8"`
	U16 uint16      `cmdx:"u16"`
	U32 uint32      `cmdx:"u32"`
	U64 uint64      `cmdx:"u64"`
	F32 float32     `cmdx:"f32"`
	F64 float64     `cmdx:"f64"`
	B   bool        `cmdx:"b"`
	NB  namedBool   `cmdx:"nb"`
	PS  *string     `cmdx:"ps"`
	PI8 *int8       `cmdx:"pi8"`
	PNS *namedText  `cmdx:"pns"`
	Any any         `cmdx:"any"`
	L   []string    `cmdx:"l"`
	PL  *[]string   `cmdx:"pl"`
	M   map[any]any `cmdx:"m"`
	T   time.Time   `cmdx:"t"`
	D   time.Duration
	DD  time.Duration `cmdx:"d"`
	N   json.Number   `cmdx:"n"`
	E   error         `cmdx:"e"`
	PP  **string      `cmdx:"pp"`
}

func TestBinding(t *testing.T) {
	problem := errors.New("x")
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, r := range []struct {
		key      string
		in       any
		value    any
		field    func(kinds) any
		wantBind any
	}{
		{"s", 5, "5", func(k kinds) any { return k.S }, "5"},
		{"ns", "eur", "eur", func(k kinds) any { return k.NS }, namedText("eur")},
		{"i", "-7", int64(-7), func(k kinds) any { return k.I }, -7},
		{"i8", -128, int64(-128), func(k kinds) any { return k.I8 }, int8(-128)},
		{"i16", 300, int64(300), func(k kinds) any { return k.I16 }, int16(300)},
		{"i32", 1 << 30, int64(1 << 30), func(k kinds) any { return k.I32 }, int32(1 << 30)},
		{"i64", json.Number("9.9e3"), int64(9900), func(k kinds) any { return k.I64 }, int64(9900)},
		{"ni", 7, int64(7), func(k kinds) any { return k.NI }, namedInt(7)},
		{"u", 7, int64(7), func(k kinds) any { return k.U }, uint(7)},
		{"u8", 255, int64(255), func(k kinds) any { return k.U8 }, uint8(255)},
		{"u16", 65535, int64(65535), func(k kinds) any { return k.U16 }, uint16(65535)},
		{"u32", 1 << 31, int64(1 << 31), func(k kinds) any { return k.U32 }, uint32(1 << 31)},
		{"u64", uint64(math.MaxUint64), uint64(math.MaxUint64), func(k kinds) any { return k.U64 }, uint64(math.MaxUint64)},
		{"f32", "0.1", 0.1, func(k kinds) any { return k.F32 }, float32(0.1)},
		{"f64", "0.1", 0.1, func(k kinds) any { return k.F64 }, 0.1},
		{"b", "yes", true, func(k kinds) any { return k.B }, true},
		{"nb", 1, true, func(k kinds) any { return k.NB }, namedBool(true)},
		{"ps", "x", "x", func(k kinds) any { return *k.PS }, "x"},
		{"pi8", 5, int64(5), func(k kinds) any { return *k.PI8 }, int8(5)},
		{"pns", "x", "x", func(k kinds) any { return *k.PNS }, namedText("x")},
		{"any", 5, 5, func(k kinds) any { return k.Any }, 5},
		{"l", []string{"a"}, []string{"a"}, func(k kinds) any { return k.L }, []string{"a"}},
		{"l", &[]string{"a"}, []string{"a"}, func(k kinds) any { return k.L }, []string{"a"}},
		{"pl", []string{"a"}, []string{"a"}, func(k kinds) any { return k.PL }, &[]string{"a"}},
		{"m", map[any]any{1: 2}, map[any]any{1: 2}, func(k kinds) any { return k.M }, map[any]any{1: 2}},
		{"t", at, at, func(k kinds) any { return k.T }, at},
		{"d", time.Second, time.Second, func(k kinds) any { return k.DD }, time.Second},
		{"n", json.Number("1e3"), json.Number("1e3"), func(k kinds) any { return k.N }, json.Number("1e3")},
		{"e", problem, problem, func(k kinds) any { return k.E }, problem},
	} {
		t.Run(r.key, func(t *testing.T) {
			g := gomega.NewWithT(t)
			task, values, messages := resolved(t, kinds{}, source{r.key: r.in})
			g.Expect(messages).To(gomega.BeEmpty())
			g.Expect(values[r.key]).To(gomega.Equal(r.value))
			g.Expect(r.field(task)).To(gomega.Equal(r.wantBind))
		})
	}
}

func TestValuesThatFieldsCannotHold(t *testing.T) {
	for _, r := range []struct {
		key     string
		in      any
		message string
	}{
		{"i8", 300, "could not coerce into an integer"},
		{"i8", -129, "could not coerce into an integer"},
		{"ni", 1 << 40, "could not coerce into an integer"},
		{"u", -1, "could not coerce into an integer"},
		{"u8", 256, "could not coerce into an integer"},
		{"i64", uint64(1 << 63), "could not coerce into an integer"},
		{"u64", "18446744073709551616", "could not coerce into an integer"},
		{"pi8", 300, "could not coerce into an integer"},
		{"f32", 1e39, "could not coerce into a float"},
		{"f32", 1e-60, "could not coerce into a float"},
		{"f32", 16777217, "could not coerce into a float"},
		{"s", []int{1}, "could not coerce into a string"},
		{"b", "", "could not coerce into a boolean"},
		{"l", `["a"`, "could not coerce into an array"},
		{"m", "a", "could not coerce into a hash"},
		{"t", "2026-02-30", "could not coerce into a time"},
		{"d", "5", "could not coerce into a duration"},
		{"d", true, "could not coerce into a duration"},
		{"n", 5, "could not coerce into a number"},
		{"e", "x", "could not coerce into an interface"},
	} {
		t.Run(r.key, func(t *testing.T) {
			g := gomega.NewWithT(t)
			task, values, messages := resolved(t, kinds{}, source{r.key: r.in})
			g.Expect(messages).To(gomega.Equal([]string{r.key + " " + r.message}))
			g.Expect(values[r.key]).To(gomega.BeNil())
			g.Expect(task).To(gomega.Equal(kinds{}))
		})
	}
}

func TestFloat32SpecialValues(t *testing.T) {
	g := gomega.NewWithT(t)
	task, _, messages := resolved(t, kinds{}, source{"f32": math.NaN()})
	g.Expect(messages).To(gomega.BeEmpty())
	g.Expect(task.F32 != task.F32).To(gomega.BeTrue())
	task, _, _ = resolved(t, kinds{}, source{"f32": math.Inf(-1)})
	g.Expect(float64(task.F32)).To(gomega.Equal(math.Inf(-1)))
}

func TestRequiredNilForFieldsWithoutDeclaration(t *testing.T) {
	type task struct {
		L []string       `cmdx:"l,required"`
		M map[string]int `cmdx:"m,required"`
		A any            `cmdx:"a,required"`
		T time.Time      `cmdx:"t,required"`
	}
	g := gomega.NewWithT(t)
	_, values, messages := resolved(t, task{L: []string{"x"}}, source{"l": nil, "m": nil, "a": nil, "t": nil})
	g.Expect(messages).To(gomega.Equal([]string{"l could not coerce into an array", "t could not coerce into a time"}))
	g.Expect(values["m"]).To(gomega.Equal(map[string]int{}))
	g.Expect(values["l"]).To(gomega.BeNil())
}

func TestPresets(t *testing.T) {
	g := gomega.NewWithT(t)
	text := "preset"
	template := kinds{
		S: "a", NS: "b", I8: 3, U64: math.MaxUint64, F32: 0.5, B: true, PS: &text,
		Any: []int{1}, L: []string{"x"}, M: map[any]any{"k": []int{1}}, D: time.Hour, DD: time.Minute,
	}
	task, values, messages := resolved(t, template, source{"ns": nil})
	g.Expect(messages).To(gomega.BeEmpty())
	g.Expect(task).To(gomega.Equal(template))
	g.Expect(values).To(gomega.HaveKeyWithValue("s", "a"))
	g.Expect(values).To(gomega.HaveKeyWithValue("ns", "b"))
	g.Expect(values).To(gomega.HaveKeyWithValue("i8", int64(3)))
	g.Expect(values).To(gomega.HaveKeyWithValue("u64", uint64(math.MaxUint64)))
	g.Expect(values).To(gomega.HaveKeyWithValue("f32", 0.5))
	g.Expect(values).To(gomega.HaveKeyWithValue("b", true))
	g.Expect(values).To(gomega.HaveKeyWithValue("ps", "preset"))
	g.Expect(values).To(gomega.HaveKeyWithValue("d", time.Minute))
	g.Expect(values).To(gomega.HaveKeyWithValue("i64", gomega.BeNil()))
	g.Expect(task.PS).To(gomega.BeIdenticalTo(&text))

	task.L[0], task.Any.([]int)[0] = "y", 2
	task.M["k"].([]int)[0] = 2
	g.Expect(template.L).To(gomega.Equal([]string{"x"}))
	g.Expect(template.Any).To(gomega.Equal([]int{1}))
	g.Expect(template.M["k"]).To(gomega.Equal([]int{1}))
}

func TestPresetWinsOverDefaultAndIsChecked(t *testing.T) {
	type task struct {
		N int `cmdx:"n"`
	}
	g := gomega.NewWithT(t)
	d := Optional("n", Default(9), Validate("lt=100"))
	got, values, _ := resolved(t, task{N: 3}, source{}, d)
	g.Expect(got.N).To(gomega.Equal(3))
	g.Expect(values["n"]).To(gomega.Equal(int64(3)))
	got, _, _ = resolved(t, task{}, source{}, d)
	g.Expect(got.N).To(gomega.Equal(9))
	got, _, _ = resolved(t, task{N: 3}, source{"n": 4}, d)
	g.Expect(got.N).To(gomega.Equal(4))
	_, _, messages := resolved(t, task{N: 300}, source{}, d)
	g.Expect(messages).To(gomega.Equal([]string{"n must be less than 100"}))
	_, _, messages = resolved(t, task{N: 3}, source{}, Required("n"))
	g.Expect(messages).To(gomega.Equal([]string{"n is required"}))
}

func TestPresetOfAnUntypedField(t *testing.T) {
	type task struct {
		V any `cmdx:"v"`
	}
	g := gomega.NewWithT(t)
	got, values, _ := resolved(t, task{V: "7"}, source{}, Optional("v", Coerce(Integer)))
	g.Expect(values["v"]).To(gomega.Equal(int64(7)))
	g.Expect(got.V).To(gomega.Equal(int64(7)))
	_, _, messages := resolved(t, task{}, source{"v": uint64(1 << 63)}, Optional("v", Coerce(Integer)))
	g.Expect(messages).To(gomega.Equal([]string{"v could not coerce into an integer"}))
}

func TestNothingIsShared(t *testing.T) {
	type task struct {
		L []string       `cmdx:"l"`
		M map[string]any `cmdx:"m"`
		P *[]string      `cmdx:"p"`
	}
	g := gomega.NewWithT(t)
	list, mapping, deflt := []string{"a"}, map[string]any{"k": []int{1}}, map[string]any{"k": []int{1}}
	mapping["self"] = mapping

	got, _, messages := resolved(t, task{}, source{"l": list, "m": mapping, "p": list})
	g.Expect(messages).To(gomega.BeEmpty())
	got.L[0], (*got.P)[0] = "b", "c"
	got.M["k"].([]int)[0] = 2
	got.M["new"] = true
	g.Expect(list).To(gomega.Equal([]string{"a"}))
	g.Expect(mapping["k"]).To(gomega.Equal([]int{1}))
	g.Expect(mapping).To(gomega.HaveLen(2))

	got, _, _ = resolved(t, task{}, source{"l": &list})
	got.L[0] = "b"
	g.Expect(list).To(gomega.Equal([]string{"a"}))

	for _, d := range []Declaration{Optional("m", Default(deflt)), Optional("m", DefaultFunc(func() any { return deflt }))} {
		got, _, _ = resolved(t, task{}, source{}, d)
		got.M["k"].([]int)[0] = 2
		g.Expect(deflt["k"]).To(gomega.Equal([]int{1}))
		_, values, _ := resolved(t, none{}, source{}, d)
		values["m"].(map[string]any)["k"] = nil
		g.Expect(deflt["k"]).To(gomega.Equal([]int{1}))
	}
}

// A value in a message is a leak, wherever the message comes from.
func TestNoMessageHoldsAValue(t *testing.T) {
	const secret = "4111secret"
	type task struct {
		R io.Reader `cmdx:"r"`
	}
	_, _, messages := resolved(t, task{}, source{"i": secret, "f": secret, "b": secret, "e": secret, "o": secret, "l": []string{secret}, "m": map[string]string{secret: secret}, "r": secret},
		Required("i", Coerce(Integer)), Required("f", Coerce(Float, Integer)), Required("b", Coerce(Boolean)),
		Required("e", Coerce(String), Validate("email|uuid|base32")), Required("o", Coerce(String), Validate("oneof=a b")),
		Required("l", Coerce(String)), Required("m", Coerce(String)))
	g := gomega.NewWithT(t)
	g.Expect(messages).To(gomega.HaveLen(8))
	g.Expect(strings.Join(messages, " ")).NotTo(gomega.ContainSubstring("secret"))
}

type benchTask struct {
	ID       string `cmdx:"payment_id"`
	Amount   int64  `cmdx:"amount_cents"`
	Currency string `cmdx:"currency"`
}

func benchPlan(tb testing.TB) *Plan {
	plan, problems := Compile(typeOf[benchTask](), Set{}.
		With(Required("payment_id", Coerce(String), Presence())).
		With(Required("amount_cents", Coerce(Integer), Validate("gt=0"))).
		With(Optional("currency", Coerce(String))))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return plan
}

func TestResolvingCostsTheValuesAndTheirBoxes(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations are counted without the race detector only")
	}
	plan, args, task, messages := benchPlan(t), Source(source{"payment_id": "pay_123", "amount_cents": 9_900, "currency": "eur"}), &benchTask{}, &report{}
	subject := &run.Run{Root: unsafe.Pointer(task)}
	cost := testing.AllocsPerRun(100, func() {
		plan.Resolve(context.Background(), subject, args, messages)
	})
	gomega.NewWithT(t).Expect(cost).To(gomega.BeNumerically("<=", 2)) // the slice, and one int made an int64
}

// BenchmarkResolve measures three inputs, found, coerced, checked and bound.
func BenchmarkResolve(b *testing.B) {
	plan, args, task, messages := benchPlan(b), Source(source{"payment_id": "pay_123", "amount_cents": 9_900, "currency": "eur"}), &benchTask{}, &report{}
	subject := &run.Run{Root: unsafe.Pointer(task)}
	b.ReportAllocs()
	for b.Loop() {
		plan.Resolve(context.Background(), subject, args, messages)
	}
}

func TestOnePlanServesManyRunsAtOnce(t *testing.T) {
	plan, template := benchPlan(t), benchTask{Currency: "eur"}
	var runs sync.WaitGroup
	for i := range 50 {
		runs.Go(func() {
			task, messages := template, report{}
			values := plan.Resolve(context.Background(), &run.Run{Root: unsafe.Pointer(&task)}, source{"payment_id": i, "amount_cents": i}, &messages)
			if i == 0 {
				if len(messages) != 1 {
					t.Errorf("messages: %v", messages)
				}
				return
			}
			if values[1] != int64(i) || task != (benchTask{ID: strconv.Itoa(i), Amount: int64(i), Currency: "eur"}) {
				t.Errorf("run %d was given another run's values", i)
			}
		})
	}
	runs.Wait()
}
