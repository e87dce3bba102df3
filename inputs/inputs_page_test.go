package inputs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const inputsPage = "../docs/inputs.md"

// pageRows are the rows of a table of a page, by the marker above it.
func pageRows(t *testing.T, page, marker string) [][]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "<!-- table: "+marker+" -->\n")
	if !found {
		t.Fatalf("%s has no table %q", page, marker)
	}
	var rows [][]string
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows[2:]
}

// optionsIn are the exported functions that make options, in files that match.
func optionsIn(t *testing.T, patterns ...string) []string {
	t.Helper()
	var names []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
					continue
				}
				if made, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && (made.Name == "Option" || made.Name == "Condition") {
					names = append(names, f.Name.Name)
				}
			}
		}
	}
	return names
}

var codeName = regexp.MustCompile("`([A-Za-z]+)`")

func TestThePageNamesEveryOption(t *testing.T) {
	var told []string
	for _, row := range pageRows(t, inputsPage, "input options") {
		for _, m := range codeName.FindAllStringSubmatch(row[0], -1) {
			told = append(told, m[1])
		}
	}
	there := append(optionsIn(t, "option_*.go", "transform.go"), "Coerce", "If", "Unless")
	slices.Sort(told)
	slices.Sort(there)
	if !slices.Equal(told, there) {
		t.Errorf("the page names %v, the package has %v", told, there)
	}
}

func TestThePageNamesEveryTagOption(t *testing.T) {
	for _, row := range pageRows(t, inputsPage, "tag options") {
		text := strings.ReplaceAll(strings.Trim(row[0], "`"), "…", "x")
		if _, problem := readTag("name," + text); problem != nil {
			t.Errorf("%s: %s", row[0], problem.Text)
		}
	}
	_, problem := readTag("name,odd")
	for _, row := range pageRows(t, inputsPage, "tag options") {
		if !strings.Contains(problem.Fix, strings.Trim(row[0], "`")) {
			t.Errorf("the definition error does not name %s", row[0])
		}
	}
}

func TestThePageTellsWhatBecomesOfHardlyAnything(t *testing.T) {
	plusOne := Transform(func(n int64) int64 { return n + 1 })
	declarations := map[string]Declaration{
		"required":                           Required("x", Coerce(Integer)),
		"required, default":                  Required("x", Coerce(Integer), Default(9)),
		"optional":                           Optional("x", Coerce(Integer)),
		"optional, default":                  Optional("x", Coerce(Integer), Default(9)),
		"optional, transform":                Optional("x", Coerce(Integer), plusOne),
		"optional, rule":                     Optional("x", Coerce(Integer), Validate("gt=0")),
		"optional, default, transform, rule": Optional("x", Coerce(Integer), Default(9), plusOne, Validate("gt=0")),
	}
	rows := pageRows(t, inputsPage, "missing, nil, empty, zero")
	if len(rows) != len(declarations) {
		t.Errorf("the page has %d rows", len(rows))
	}
	for _, row := range rows {
		d, ok := declarations[row[0]]
		if !ok {
			t.Errorf("the page has a row %q", row[0])
			continue
		}
		for i, args := range []source{{}, {"x": nil}, {"x": ""}, {"x": 0}} {
			_, values, messages := resolved(t, none{}, args, d)
			got := strings.TrimPrefix(strings.Join(messages, ". "), "x ")
			if len(messages) == 0 {
				got = strings.Replace(fmt.Sprint(values["x"]), "<nil>", "nil", 1)
			}
			if got != row[i+1] {
				t.Errorf("%s, given %v: %q, the page says %q", row[0], args, got, row[i+1])
			}
		}
	}
}
