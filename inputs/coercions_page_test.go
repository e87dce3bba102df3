package inputs

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
)

// The tables of docs/coercions.md are made of the code. Where one differs, the
// test writes it as it must be.
const coercionsPage = "../docs/coercions.md"

// goNames are the coercions as a declaration writes them.
var goNames = map[Coercion]string{
	String: "inputs.String", Integer: "inputs.Integer", Float: "inputs.Float", Decimal: "inputs.Decimal", Boolean: "inputs.Boolean",
	Date: "inputs.Date", DateTime: "inputs.DateTime", Time: "inputs.Time", Duration: "inputs.Duration", Array: "inputs.Array",
	Hash: "inputs.Hash", Symbol: "inputs.Symbol", Rational: "inputs.Rational", Complex: "inputs.Complex",
}

// fieldTypes are types that a bound field may have.
var fieldTypes = []struct {
	name string
	typ  reflect.Type
}{
	{"string", typeOf[string]()}, {"int … int64", typeOf[int]()}, {"uint … uint64", typeOf[uint]()}, {"float32, float64", typeOf[float64]()}, {"bool", typeOf[bool]()},
	{"complex64, complex128", typeOf[complex128]()}, {"big.Int", typeOf[big.Int]()}, {"big.Rat", typeOf[big.Rat]()}, {"decimal.Decimal", decimalType},
	{"time.Time", timeType}, {"time.Duration", durationType}, {"slices", typeOf[[]int]()}, {"arrays", typeOf[[2]int]()}, {"maps with string keys", typeOf[map[string]int]()}, {"structs", typeOf[struct{ A int }]()},
}

func coercionRows() [][]string {
	rows := [][]string{{"coercion", "declared as", "gives", "fields that hold it", "asked for by the field"}}
	for _, c := range builtIn {
		var gives, holders, asks []string
		for _, t := range c.Types() {
			gives = append(gives, "`"+strings.ReplaceAll(t.String(), "interface {}", "any")+"`")
		}
		for _, field := range fieldTypes {
			if c.Stores(field.typ) {
				holders = append(holders, field.name)
			}
			if asked, ok := coercionOf(field.typ); ok && asked == c {
				asks = append(asks, field.name)
			}
		}
		same := "yes"
		switch {
		case len(asks) == 0:
			same = "no"
		case len(asks) != len(holders):
			same = strings.Join(asks, ", ")
		}
		rows = append(rows, []string{c.Name(), "`" + goNames[c] + "`", strings.Join(gives, ", "), strings.Join(holders, ", "), same})
	}
	return rows
}

type sample struct {
	text  string
	value any
}

func textSample(s string) sample { return sample{fmt.Sprintf("%q", s), s} }

func sampleRows(coercions []Coercion, samples []sample) [][]string {
	head := []string{"given"}
	for _, c := range coercions {
		head = append(head, c.Name())
	}
	rows := [][]string{head}
	for _, s := range samples {
		row := []string{"`" + s.text + "`"}
		for _, c := range coercions {
			cell := "–"
			if v, ok := c.Coerce(s.value); ok {
				cell = "`" + shownAs(v) + "`"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

func shownAs(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case []any, map[string]any:
		encoded, _ := json.Marshal(v)
		return string(encoded)
	}
	return fmt.Sprint(v)
}

func markdown(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}

func TestThePageShowsWhatTheCodeDoes(t *testing.T) {
	page, err := os.ReadFile(coercionsPage)
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))
	null, seven := sample{"nil", nil}, sample{"7", 7}
	for name, rows := range map[string][][]string{
		"coercions": coercionRows(),
		"numbers": sampleRows([]Coercion{Integer, Float, Decimal, Rational, Complex}, []sample{
			textSample("17"), textSample("017"), textSample(" +1_000 "), textSample("1.50"), textSample("1e3"), textSample("0x10"), textSample("1/4"), textSample("2i"), textSample("1,5"), textSample("NaN"), textSample("9007199254740993"), textSample("1e999999999"), textSample(""),
			seven, {"7.0", 7.0}, {"0.1", 0.1}, {"float64(1<<53)", float64(1 << 53)}, {"math.NaN()", math.NaN()}, {`json.Number("1.0")`, json.Number("1.0")}, {`json.Number("9007199254740993")`, json.Number("9007199254740993")}, {`json.RawMessage("7")`, json.RawMessage("7")}, {`[]byte("7")`, []byte("7")},
			{`decimal.New(15, -1)`, decimal.New(15, -1)}, {"big.NewRat(1, 3)", big.NewRat(1, 3)}, {"true", true}, null,
		}),
		"words": sampleRows([]Coercion{String, Symbol, Boolean}, []sample{
			textSample("paid"), textSample("Yes"), textSample("off"), textSample(" true"), textSample(""), {`[]byte("on")`, []byte("on")}, {"1", 1}, {"2", 2}, {"0.1", 0.1}, {"true", true}, {`json.Number("1")`, json.Number("1")}, {`json.RawMessage("true")`, json.RawMessage("true")},
			{"90 * time.Second", 90 * time.Second}, {"noon", noon}, {`[]string{"a"}`, []string{"a"}}, {"map[string]int{}", map[string]int{}}, {"struct{}{}", struct{}{}}, null,
		}),
		"times": sampleRows([]Coercion{Date, DateTime, Time, Duration}, []sample{
			textSample("2026-03-04"), textSample("2026-03-04 12:30:15"), textSample("2026-03-04T23:30:00-05:00"), textSample("2026-03-04 12:30:15.5 +0100"), textSample("2026-02-30"), textSample("04.03.2026"), textSample("2026-03-04 12:00:00 CET"), textSample("1h30m"), textSample("1.5s"), textSample("90"), textSample(""),
			{"noon", noon}, {"90 * time.Second", 90 * time.Second}, {"90", 90}, {"0.25", 0.25}, {`json.Number("1772600000.5")`, json.Number("1772600000.5")}, {"1772600000000", 1772600000000}, {"true", true}, null,
		}),
		"collections": sampleRows([]Coercion{Array, Hash}, []sample{
			{`[]string{"a", "b"}`, []string{"a", "b"}}, {`map[string]int{"a": 1}`, map[string]int{"a": 1}}, {`url.Values{"a": {"1"}}`, map[string][]string{"a": {"1"}}}, {"struct{ City string }{…}", struct{ City string }{"Bonn"}},
			textSample("[1, 2]"), textSample(`{"a": 1}`), textSample("[1,"), textSample("{}{}"), textSample("a"), textSample(""), {"7", 7}, {"map[int]int{1: 2}", map[int]int{1: 2}}, {"noon", noon}, null,
		}),
	} {
		want := "<!-- table: " + name + " -->\n" + markdown(rows)
		if !strings.Contains(string(page), want+"\n") {
			t.Errorf("%s needs the table\n\n%s", coercionsPage, want)
		}
	}
}
