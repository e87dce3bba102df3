package spec

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

type namedComment struct{ name, text string }

// comments lists every comment that go doc shows of a package.
func comments(p *doc.Package) []namedComment {
	list := []namedComment{{"the package", p.Doc}}
	values := func(groups []*doc.Value) {
		for _, group := range groups {
			list = append(list, namedComment{group.Names[0], group.Doc})
			for _, spec := range group.Decl.Specs {
				v := spec.(*ast.ValueSpec)
				list = append(list, namedComment{v.Names[0].Name, v.Doc.Text()}, namedComment{v.Names[0].Name, v.Comment.Text()})
			}
		}
	}
	funcs := func(of []*doc.Func) {
		for _, f := range of {
			list = append(list, namedComment{f.Name, f.Doc})
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, t := range p.Types {
		list = append(list, namedComment{t.Name, t.Doc})
		values(t.Consts)
		values(t.Vars)
		funcs(t.Funcs)
		funcs(t.Methods)
		for _, m := range members(t) {
			list = append(list, namedComment{t.Name + "." + m.Names[0].Name, m.Doc.Text()})
		}
	}
	return list
}

// looksLikeLink finds what was meant as a link to a Go name and stayed text.
var looksLikeLink = regexp.MustCompile(`(?:^|[^\w"\]])\[(\*?(?:\w+\.)*[A-Z]\w*)\]`)

// deadLinks lists the links of a comment in p that lead nowhere.
func deadLinks(p *doc.Package, text string) []string {
	var dead []string
	texts := func(list []comment.Text) {
		var plain strings.Builder
		for _, t := range list {
			switch t := t.(type) {
			case comment.Plain:
				plain.WriteString(string(t))
			case comment.Italic:
				plain.WriteString(string(t))
			case *comment.Link:
				plain.WriteString(" ")
			case *comment.DocLink:
				plain.WriteString(" ")
				if t.ImportPath != "" && !exists(t) {
					shown := new(comment.Printer).Text(&comment.Doc{Content: []comment.Block{&comment.Paragraph{Text: t.Text}}})
					dead = append(dead, strings.TrimSpace(string(shown)))
				}
			}
		}
		for _, found := range looksLikeLink.FindAllStringSubmatch(plain.String(), -1) {
			dead = append(dead, found[1])
		}
	}
	var blocks func([]comment.Block)
	blocks = func(list []comment.Block) {
		for _, b := range list {
			switch b := b.(type) {
			case *comment.Paragraph:
				texts(b.Text)
			case *comment.Heading:
				texts(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(p.Parser().Parse(text).Content)
	return dead
}

// symbols holds what LookupSym knows of the packages that were linked to.
var symbols = map[string]func(recv, name string) bool{}

// exists tells whether the name of a link to another package is there. Other
// modules' packages are believed.
func exists(link *comment.DocLink) bool {
	GinkgoHelper()
	if link.Name == "" {
		return true
	}
	lookup, known := symbols[link.ImportPath]
	if !known {
		lookup = func(string, string) bool { return true }
		var folder string
		if ours, is := folderOf(link.ImportPath); is {
			folder = filepath.Join(checkout, ours)
		} else if first, _, _ := strings.Cut(link.ImportPath, "/"); !strings.Contains(first, ".") {
			folder = filepath.Join(goroot(), "src", link.ImportPath)
		}
		if folder != "" {
			documented, _, err := documentation(folder, link.ImportPath)
			Expect(err).NotTo(HaveOccurred())
			Expect(documented).NotTo(BeNil(), link.ImportPath)
			lookup = documented.Parser().LookupSym
		}
		symbols[link.ImportPath] = lookup
	}
	return lookup(link.Recv, link.Name)
}

// goroot asks the go command: a test that was built with -trimpath does not
// know.
var goroot = sync.OnceValue(func() string {
	GinkgoHelper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	Expect(err).NotTo(HaveOccurred())
	return strings.TrimSpace(string(out))
})
