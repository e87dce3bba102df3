package spec

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// undocumented lists the exported names without a comment. The comment above
// a group of constants or variables speaks for the whole group; a field may
// be told of by the comment above its neighbour, by its struct's comment when
// no field has one, and by its type when that bears its name.
func undocumented(p *doc.Package, set *token.FileSet) []string {
	var silent []string
	say := func(pos token.Pos, name string) {
		at := set.Position(pos)
		silent = append(silent, fmt.Sprintf("%s:%d: %s", strings.TrimPrefix(filepath.ToSlash(at.Filename), checkout+"/"), at.Line, name))
	}
	values := func(groups []*doc.Value) {
		for _, group := range groups {
			for _, spec := range group.Decl.Specs {
				v := spec.(*ast.ValueSpec)
				for _, name := range v.Names {
					if name.IsExported() && group.Doc == "" && v.Doc.Text() == "" && v.Comment.Text() == "" {
						say(name.Pos(), name.Name)
					}
				}
			}
		}
	}
	funcs := func(prefix string, list []*doc.Func) {
		for _, f := range list {
			if f.Doc == "" {
				say(f.Decl.Pos(), prefix+f.Name)
			}
		}
	}
	if p.Doc == "" {
		silent = append(silent, p.ImportPath+": the package")
	}
	values(p.Consts)
	values(p.Vars)
	funcs("", p.Funcs)
	for _, t := range p.Types {
		if t.Doc == "" {
			say(t.Decl.Pos(), t.Name)
		}
		values(t.Consts)
		values(t.Vars)
		funcs("", t.Funcs)
		funcs(t.Name+".", t.Methods)
		fields := members(t)
		if !slices.ContainsFunc(fields, commented) && !isInterface(t) {
			continue // the struct's own comment speaks for all of them
		}
		var above string
		for _, m := range fields {
			if commented(m) {
				above = m.Doc.Text()
				continue
			}
			for _, name := range m.Names {
				if name.IsExported() && !bearsName(m.Type, name.Name) && !names(above, name.Name) {
					say(name.Pos(), t.Name+"."+name.Name)
				}
			}
		}
	}
	return silent
}

// members are the exported fields of a struct and methods of an interface.
func members(t *doc.Type) []*ast.Field {
	var list []*ast.Field
	for _, spec := range t.Decl.Specs {
		switch of := spec.(*ast.TypeSpec).Type.(type) {
		case *ast.StructType:
			list = append(list, of.Fields.List...)
		case *ast.InterfaceType:
			list = append(list, of.Methods.List...)
		}
	}
	return slices.DeleteFunc(list, func(f *ast.Field) bool { return len(f.Names) == 0 || !f.Names[0].IsExported() })
}

func isInterface(t *doc.Type) bool {
	return slices.ContainsFunc(t.Decl.Specs, func(spec ast.Spec) bool {
		_, is := spec.(*ast.TypeSpec).Type.(*ast.InterfaceType)
		return is
	})
}

func commented(f *ast.Field) bool { return f.Doc.Text() != "" || f.Comment.Text() != "" }

// names tells whether a comment speaks of name.
func names(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), name)
}

// bearsName tells whether a type is called name, behind a pointer or not.
func bearsName(of ast.Expr, name string) bool {
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	if selected, is := of.(*ast.SelectorExpr); is {
		of = selected.Sel
	}
	ident, is := of.(*ast.Ident)
	return is && ident.Name == name
}
