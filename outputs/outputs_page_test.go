package outputs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestThePageNamesEveryOption(t *testing.T) {
	page, err := os.ReadFile("../docs/outputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- table: output options -->\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var told, there []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Za-z]+)`").FindAllStringSubmatch(table, -1) {
		told = append(told, m[1])
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "outputs.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
			continue
		}
		if made, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && made.Name == "Option" {
			there = append(there, f.Name.Name)
		}
	}
	slices.Sort(told)
	slices.Sort(there)
	if len(there) == 0 || !slices.Equal(told, there) {
		t.Errorf("the page names %v, the package has %v", told, there)
	}
}
