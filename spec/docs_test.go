package spec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/features/idempotency"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/stores/storetest"
	"github.com/cmdx-go/cmdx/telemetry"
)

// docsPostEntry declares something for every step that there is.
type docsPostEntry struct {
	cmdx.Base
	EntryID string `cmdx:"entry_id,required"`
}

func (*docsPostEntry) Configure(c *cmdx.Config) {
	c.Name("spec.docs.PostEntry")
	c.IdempotentBy(cmdx.FromContext("entry_id"))
	c.RetryOn(cmdx.AnyError)
	c.Output("balance")
}

func (*docsPostEntry) Work(context.Context) error { return nil }

// docsCharge does in Work what a spec wants.
type docsCharge struct {
	cmdx.Base
	During func(ctx context.Context, key string) error
	After  error // what an around callback returns behind a success
}

func (t *docsCharge) fail(ctx context.Context, next cmdx.Next) error {
	return cmp.Or(next(ctx), t.After)
}

func (*docsCharge) Configure(c *cmdx.Config) {
	c.Name("spec.docs.Charge")
	c.IdempotentBy(cmdx.FromContext("payment_id"), cmdx.Idempotency{OnBlank: cmdx.PolicyFail})
	c.AroundExecution(cmdx.Around((*docsCharge).fail))
}

func (t *docsCharge) Work(ctx context.Context) error {
	return t.During(ctx, "cmdx:idem:spec.docs.Charge:pay_123")
}

var _ = Describe("The documentation", func() {
	pages := docsPages()

	Describe("Samples", func() {
		for _, page := range pages {
			It("shows only Go that a program holds, in "+page.path, func() {
				for _, block := range page.blocks {
					if block.lang == "go" {
						ref, ok := docsMarked(block.marker, "sample")
						Expect(ok).To(BeTrue(), "%s:%d has Go without a sample", page.path, block.line)
						Expect(block.body).To(Equal(docsRegion(ref)), "%s:%d differs from %s", page.path, block.line, ref)
					}
				}
			})

			It("shows only output that an Example prints, in "+page.path, func() {
				for _, block := range page.blocks {
					if ref, ok := docsMarked(block.marker, "output"); ok {
						Expect(block.body).To(Equal(docsOutput(ref)), "%s:%d differs from %s", page.path, block.line, ref)
					}
				}
			})

			if page.path != "README.md" && !strings.HasPrefix(page.path, "docs/") {
				continue
			}
			It("shows nothing that is not checked, in "+page.path, func() {
				for _, block := range page.blocks {
					switch block.lang {
					case "go", "gomod", "sh":
					case "mermaid":
						Expect(block.marker).To(Equal(lifeDrawing), "%s:%d is drawn and not checked", page.path, block.line)
					case "text":
						_, output := docsMarked(block.marker, "output")
						Expect(output || block.marker == docsPipeline).To(BeTrue(), "%s:%d is text that nobody checks", page.path, block.line)
					default:
						Fail(fmt.Sprintf("%s:%d is a block of the kind %q", page.path, block.line, block.lang))
					}
				}
			})
		}

		It("shows every region and every Example of the programs", func() {
			var shown []string
			for _, page := range pages {
				for _, block := range page.blocks {
					for _, kind := range []string{"sample", "output"} {
						if ref, ok := docsMarked(block.marker, kind); ok {
							shown = append(shown, ref)
						}
					}
				}
			}
			there := docsParts()
			Expect(there).NotTo(BeEmpty())
			for _, ref := range there {
				Expect(slices.Contains(shown, ref)).To(BeTrue(), "no page shows %s", ref)
			}
		})
	})

	Describe("Links", func() {
		for _, page := range pages {
			It("lead somewhere, in "+page.path, func() {
				for _, link := range page.links {
					Expect(docsDeadLink(page, link)).To(BeEmpty(), "in %s", page.path)
				}
			})
		}

		It("lead from the index to every page", func() {
			index := docsPageAt(pages, "docs/README.md")
			for _, page := range pages {
				if page.path == index.path || !strings.HasPrefix(page.path, "docs/") {
					continue
				}
				Expect(index.links).To(ContainElement(strings.TrimPrefix(page.path, "docs/")))
			}
		})
	})

	Describe("Names", func() {
		for _, page := range pages {
			It("are exported by the packages that they are said to be in, in "+page.path, func() {
				for _, mention := range docsMention.FindAllStringSubmatch(page.prose, -1) {
					Expect(docsExported(mention[1])).To(HaveKey(mention[2]), "%s mentions %s", page.path, mention[0])
				}
			})
		}

		It("of what tasks have from Base are all that the comment of Base lists", func() {
			listed := regexp.MustCompile(`execution: ([^.]+)\.`).FindStringSubmatch(docsComment("cmdx.go", "Base"))
			Expect(listed).To(HaveLen(2))
			want := regexp.MustCompile(`[A-Z]\w*`).FindAllString(listed[1], -1)

			Expect(docsMethods(reflect.TypeFor[cmdx.Base]())).To(ConsistOf(want))
		})
	})

	Describe("Option tables", func() {
		defaults := map[string]map[string]string{
			"idempotency": {
				"TTL":           docsSeconds(idempotency.DefaultTTL.Seconds()),
				"ProcessingTTL": "as `TTL`",
				"Renew":         "`Off`",
				"Namespace":     "`" + strconv.Quote(idempotency.DefaultNamespace) + "`",
				"OnDuplicate":   "`" + idempotency.DefaultOnDuplicate.String() + "`",
				"OnProcessing":  "as `OnDuplicate`",
				"OnBlank":       "`" + idempotency.DefaultOnBlank.String() + "`",
				"Settle":        "`" + idempotency.DefaultSettle.String() + "`",
				"If":            "`Always`", "Unless": "`Never`",
				"OnStoreError": "`FailClosed`",
			},
			"retry": {
				"Limit":    strconv.Itoa(retry.DefaultLimit),
				"Delay":    fmt.Sprintf("%d ms", retry.DefaultDelay.Milliseconds()),
				"MaxDelay": "`NoMaxDelay`", "Jitter": "`NoJitter`",
				"If": "`Always`", "Unless": "`Never`",
			},
		}
		options := map[string]reflect.Type{
			"idempotency": reflect.TypeFor[idempotency.Options](),
			"retry":       reflect.TypeFor[retry.Options](),
		}
		for feature, page := range map[string]string{"idempotency": "docs/idempotency.md", "retry": "docs/getting-started.md"} {
			It("name every option of "+feature+" in order, with its default", func() {
				rows := docsPageAt(pages, page).tables["<!-- options: "+feature+" -->"]
				var names []string
				for _, row := range rows {
					name := strings.Trim(row[0], "`")
					names = append(names, name)
					Expect(row[1]).To(Equal(defaults[feature][name]), "the default of %s", name)
				}
				var fields []string
				for i := range options[feature].NumField() {
					fields = append(fields, options[feature].Field(i).Name)
				}
				Expect(names).To(Equal(fields))
			})
		}

		It("tell the defaults that are in force without a constant", func() {
			o := idempotency.Options{TTL: 7, OnDuplicate: cmdx.PolicyFail}.WithDefaults()
			Expect(o.ProcessingTTL).To(Equal(o.TTL))
			Expect(o.OnProcessing).To(Equal(o.OnDuplicate))
			Expect(o.Renew).To(Equal(cmdx.Off))
			Expect(o.OnStoreError).To(Equal(cmdx.FailClosed))
			Expect(o.If).To(Equal(cmdx.Gate(cmdx.Always)))
			Expect(o.Unless).To(Equal(cmdx.Gate(cmdx.Never)))

			r := retry.Options{}.WithDefaults()
			Expect(r.MaxDelay).To(Equal(retry.NoMaxDelay))
			Expect(reflect.ValueOf(r.Jitter).Pointer()).To(Equal(reflect.ValueOf(retry.NoJitter).Pointer()))
			Expect(r.If).To(Equal(cmdx.Gate(cmdx.Always)))
			Expect(r.Unless).To(Equal(cmdx.Gate(cmdx.Never)))
		})
	})

	Describe("Event tables", func() {
		rows := docsPageAt(pages, "docs/idempotency.md").tables["<!-- events: idempotency -->"]

		It("name every event of idempotency", func() {
			var names, listed []string
			for _, name := range telemetry.Names() {
				if strings.HasPrefix(string(name), "idempotency_") {
					names = append(names, string(name))
				}
			}
			for _, row := range rows {
				listed = append(listed, strings.Trim(row[0], "`"))
			}
			Expect(listed).To(ConsistOf(names))
		})

		It("tell what each payload holds", bubble(), func() {
			payloads := docsPayloads()
			Expect(payloads).To(HaveLen(len(rows)))
			for _, row := range rows {
				name := strings.Trim(row[0], "`")
				keys := regexp.MustCompile("[a-z_]+").FindAllString(row[2], -1)
				Expect(payloads[name]).To(ConsistOf(keys), "the payload of %s", name)
			}
		})
	})

	Describe("The table of all events", func() {
		rows := docsPageAt(pages, "docs/telemetry.md").tables["<!-- events: all -->"]

		It("names every event in its order", func() {
			var names, listed []string
			for _, name := range telemetry.Names() {
				names = append(names, string(name))
			}
			for _, row := range rows {
				listed = append(listed, strings.Trim(row[0], "`"))
			}
			Expect(listed).To(Equal(names))
		})

		It("tells the payload that the code says", func() {
			said := docsSaidPayloads()
			for _, row := range rows {
				keys := regexp.MustCompile("[a-z_]+").FindAllString(row[2], -1)
				Expect(said[strings.Trim(row[0], "`")]).To(ConsistOf(keys), "the payload of %s", row[0])
			}
		})

		It("tells the payload that events of idempotency have", bubble(), func() {
			happened, said := docsPayloads(), docsSaidPayloads()
			Expect(happened).NotTo(BeEmpty())
			for name, keys := range happened {
				Expect(said[name]).To(ConsistOf(keys), "the payload of %s", name)
			}
		})
	})

	Describe("The pipeline's line", func() {
		line := docsArrowLine(docsComment("task/pipeline.go", "pipeline"))

		It("is the same in the code and on every page that shows it", func() {
			Expect(line).NotTo(BeEmpty())
			Expect(docsArrowLine(docsComment("doc.go", ""))).To(Equal(line))
			shown := 0
			for _, page := range pages {
				for _, block := range page.blocks {
					if block.marker == docsPipeline {
						shown++
						Expect(block.body).To(Equal(line), "%s:%d", page.path, block.line)
					}
				}
			}
			Expect(shown).To(BeNumerically(">=", 2))
		})

		It("has the order of what a task runs", func() {
			definition, err := cmdx.DefinitionOf(&docsPostEntry{})
			Expect(err).NotTo(HaveOccurred())
			steps := definition.Steps()
			declared := slices.DeleteFunc(strings.Split(line, " → "), func(step string) bool {
				return !slices.Contains(steps, step)
			})
			Expect(declared).To(Equal(steps))
			Expect(steps).To(HaveLen(5))
		})
	})

	Describe("Definition errors", func() {
		It("have a heading for every anchor, and an anchor for every heading", func() {
			page := docsPageAt(pages, "docs/definition-errors.md")
			Expect(page.anchors[1:]).To(ConsistOf(docsMistakeAnchors()))
		})
	})

	Describe("The README", func() {
		page := docsPageAt(pages, "README.md")
		mod := docsRead("go.mod")

		It("names the module and its Go", func() {
			module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(mod)[1]
			version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(mod)[1]
			Expect(page.prose).To(ContainSubstring("with Go " + version))
			for _, block := range page.blocks {
				if block.lang == "gomod" {
					Expect(block.body).To(Equal("require " + module + " v0.0.0\n\nreplace " + module + " => ../cmdx"))
				}
			}
		})

		It("gives two commands, of which one runs a program that is there", func() {
			var commands []string
			for _, block := range page.blocks {
				if block.lang == "sh" {
					for line := range strings.Lines(block.body) {
						command, _, _ := strings.Cut(line, "#")
						commands = append(commands, strings.TrimSpace(command))
					}
				}
			}
			Expect(commands).To(Equal([]string{"go run ./examples/webhooks", "go test ./..."}))
			Expect(docsRead("examples/webhooks/main.go")).To(ContainSubstring("\npackage main\n"))
		})
	})

	Describe("The changelog", func() {
		It("begins with what is not released", func() {
			Expect(docsPageAt(pages, "CHANGELOG.md").headings[1]).To(Equal("[Unreleased]"))
		})
	})

	Describe("Decisions", func() {
		It("are numbered without a gap, in their names and titles", func() {
			n := 0
			for _, page := range pages {
				if name, ok := strings.CutPrefix(page.path, "docs/decisions/"); ok {
					n++
					Expect(name).To(HavePrefix(fmt.Sprintf("%03d-", n)))
					Expect(page.headings[0]).To(HavePrefix(fmt.Sprintf("%03d ", n)))
				}
			}
			Expect(n).To(BeNumerically(">", 0))
		})
	})
})

// docsRoot is the module's root as specs see it.
const docsRoot = ".."

const docsPipeline = "<!-- pipeline -->"

// docsPage is a Markdown file, as far as these specs ask.
type docsPage struct {
	path     string // from the root
	prose    string // what stands outside of blocks
	blocks   []docsBlock
	headings []string
	anchors  []string
	links    []string
	tables   map[string][][]string // rows without the head, by the comment above
}

// docsBlock is a fenced block with the comment above it.
type docsBlock struct {
	lang, marker, body string
	line               int
}

var (
	docsLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docsCode    = regexp.MustCompile("`[^`]*`")
	docsMention = regexp.MustCompile(`\b(cmdx|stores|inputs|outputs)\.([A-Z]\w*)`)
)

func docsRead(file string) string {
	text, err := os.ReadFile(filepath.Join(docsRoot, file))
	if err != nil {
		return ""
	}
	return string(text)
}

// docsPages reads all Markdown files of the module, in the order of their
// paths.
func docsPages() []*docsPage {
	var pages []*docsPage
	err := filepath.WalkDir(docsRoot, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && len(name) > 2 && strings.HasPrefix(name, ".") {
			return fs.SkipDir
		}
		if !entry.IsDir() && strings.HasSuffix(name, ".md") {
			from, err := filepath.Rel(docsRoot, file)
			if err != nil {
				return err
			}
			pages = append(pages, docsParse(filepath.ToSlash(from)))
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return pages
}

func docsPageAt(pages []*docsPage, at string) *docsPage {
	for _, page := range pages {
		if page.path == at {
			return page
		}
	}
	panic("there is no page " + at)
}

func docsParse(file string) *docsPage {
	page := &docsPage{path: file, tables: map[string][][]string{}}
	var prose strings.Builder
	var block *docsBlock
	var body []string
	marker, table := "", ""
	for i, line := range strings.Split(docsRead(file), "\n") {
		fence, fenced := strings.CutPrefix(line, "```")
		switch {
		case block != nil && fenced:
			block.body = strings.Join(body, "\n")
			page.blocks = append(page.blocks, *block)
			block, body, marker = nil, nil, ""
		case block != nil:
			body = append(body, line)
		case fenced:
			block = &docsBlock{lang: fence, marker: marker, line: i + 1}
		case strings.HasPrefix(line, "<!--"):
			marker, table = line, line
		case strings.HasPrefix(line, "|"):
			page.tables[table] = append(page.tables[table], docsCells(line))
			fmt.Fprintln(&prose, line)
		default:
			if table != "" && strings.TrimSpace(line) != "" {
				table = ""
			}
			marker = ""
			page.heading(line)
			fmt.Fprintln(&prose, line)
		}
	}
	page.prose = prose.String()
	for _, link := range docsLink.FindAllStringSubmatch(docsCode.ReplaceAllString(page.prose, ""), -1) {
		page.links = append(page.links, link[1])
	}
	for marker, rows := range page.tables {
		page.tables[marker] = slices.DeleteFunc(rows, func(row []string) bool {
			return row[0] == "Option" || row[0] == "Event" || strings.Trim(row[0], "-") == ""
		})
	}
	return page
}

func docsCells(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// heading notes a line that is one, with the anchor that it makes.
func (p *docsPage) heading(line string) {
	hashes, text, ok := strings.Cut(line, " ")
	if !ok || strings.Trim(hashes, "#") != "" || hashes == "" {
		return
	}
	p.headings = append(p.headings, text)
	anchor := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	for n, first := 1, anchor; slices.Contains(p.anchors, anchor); n++ {
		anchor = fmt.Sprintf("%s-%d", first, n)
	}
	p.anchors = append(p.anchors, anchor)
}

// docsDeadLink says what is wrong with a link; "" for nothing. The world
// outside is not asked.
func docsDeadLink(from *docsPage, link string) string {
	if strings.HasPrefix(link, "https://") {
		return ""
	}
	file, anchor, anchored := strings.Cut(link, "#")
	target := from.path
	if file != "" {
		target = path.Join(path.Dir(from.path), file)
	}
	if _, err := os.Stat(filepath.Join(docsRoot, target)); err != nil {
		return link + " leads to no file"
	}
	if anchored && !slices.Contains(docsParse(target).anchors, anchor) {
		return link + " leads to no heading"
	}
	return ""
}

// docsMarked reads a comment such as <!-- sample: file#region -->.
func docsMarked(marker, kind string) (ref string, ok bool) {
	ref, ok = strings.CutPrefix(marker, "<!-- "+kind+": ")
	return strings.TrimSuffix(ref, " -->"), ok
}

// docsRegion cuts a region out of a program and takes its indentation off.
func docsRegion(ref string) string {
	file, name, _ := strings.Cut(ref, "#")
	_, after, found := strings.Cut(docsRead(file), "// region "+name+"\n")
	if !found {
		return "there is no region " + ref
	}
	var lines []string
	indent := -1
	for line := range strings.Lines(after) {
		line = strings.TrimRight(line, "\n")
		if strings.TrimSpace(line) == "// endregion" {
			break
		}
		if strings.TrimSpace(line) != "" {
			tabs := len(line) - len(strings.TrimLeft(line, "\t"))
			if indent < 0 || tabs < indent {
				indent = tabs
			}
		}
		lines = append(lines, line)
	}
	for i, line := range lines {
		lines[i] = line[min(max(indent, 0), len(line)):]
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// docsOutput is what an Example says it prints; running it holds it to that.
func docsOutput(ref string) string {
	file, name, _ := strings.Cut(ref, "#")
	_, after, found := strings.Cut(docsRead(file), "\nfunc "+name+"() {\n")
	function, _, _ := strings.Cut(after, "\n}\n")
	_, output, said := strings.Cut(function, "// Output:")
	if !found || !said {
		return "there is no output of " + ref
	}
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// docsParts are the references of all regions and Examples in docs/ex.
func docsParts() []string {
	var refs []string
	files, _ := filepath.Glob(filepath.Join(docsRoot, "docs/ex/*/*.go"))
	for _, file := range files {
		from, _ := filepath.Rel(docsRoot, file)
		from = filepath.ToSlash(from)
		for _, m := range regexp.MustCompile(`(?m)// region (\S+)$|^func (Example\w+)\(`).FindAllStringSubmatch(docsRead(from), -1) {
			refs = append(refs, from+"#"+m[1]+m[2])
		}
	}
	return refs
}

var docsExports = map[string]map[string]bool{}

// docsExported are the exported names of a package by its short name.
func docsExported(pkg string) map[string]bool {
	if names, known := docsExports[pkg]; known {
		return names
	}
	dir := pkg
	if pkg == "cmdx" {
		dir = "."
	}
	names := map[string]bool{}
	for _, file := range docsFiles(dir) {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range s.Names {
							names[name.Name] = true
						}
					}
				}
			}
		}
	}
	docsExports[pkg] = names
	return names
}

// docsFiles parses the production files of a folder.
func docsFiles(dir string) []*ast.File {
	var files []*ast.File
	names, _ := filepath.Glob(filepath.Join(docsRoot, dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		files = append(files, file)
	}
	return files
}

// docsComment is the comment of a function or type of a file, or of the
// package for "".
func docsComment(file, name string) string {
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(docsRoot, file), nil, parser.ParseComments)
	if err != nil {
		panic(err)
	}
	if name == "" {
		return parsed.Doc.Text()
	}
	for _, decl := range parsed.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == name {
				return d.Doc.Text()
			}
		case *ast.GenDecl:
			if t, ok := d.Specs[0].(*ast.TypeSpec); ok && t.Name.Name == name {
				return strings.ReplaceAll(d.Doc.Text(), "\n", " ")
			}
		}
	}
	return ""
}

func docsArrowLine(comment string) string {
	for line := range strings.Lines(comment) {
		if strings.Contains(line, " → ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func docsMethods(t reflect.Type) []string {
	var names []string
	for i := range t.NumMethod() {
		names = append(names, t.Method(i).Name)
	}
	return names
}

func docsSeconds(s float64) string { return fmt.Sprintf("%g s", s) }

// docsMistakeAnchors are the anchors that the code gives to definition
// errors, each once.
func docsMistakeAnchors() []string {
	var anchors []string
	keep := func(value ast.Expr) {
		literal, ok := value.(*ast.BasicLit)
		if !ok {
			return
		}
		anchor, err := strconv.Unquote(literal.Value)
		if err == nil && !slices.Contains(anchors, anchor) {
			anchors = append(anchors, anchor)
		}
	}
	for _, file := range docsFiles("task") {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Anchor" {
					keep(n.Value)
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					if field, ok := left.(*ast.SelectorExpr); ok && field.Sel.Name == "Anchor" && i < len(n.Rhs) {
						keep(n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return anchors
}

// docsSaidPayloads are the payload's keys that the comments of the events name:
// what stands in quotes behind "with", but for values in parentheses.
func docsSaidPayloads() map[string][]string {
	payloads := map[string][]string{}
	event := regexp.MustCompile(`((?:\t// .*\n)+)\tEvent\w+ EventName = "(\w+)"`)
	for _, m := range event.FindAllStringSubmatch(docsRead("telemetry/names.go"), -1) {
		comment := strings.ReplaceAll(strings.ReplaceAll(m[1], "\t// ", ""), "\n", " ")
		comment = regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(comment, "")
		_, payload, found := strings.Cut(comment, `, with "`)
		if found {
			payload = `"` + payload
		} else {
			_, payload, _ = strings.Cut(comment, "No payload")
		}
		payloads[m[2]] = []string{}
		for _, key := range regexp.MustCompile(`"([a-z_]+)"`).FindAllStringSubmatch(payload, -1) {
			payloads[m[2]] = append(payloads[m[2]], key[1])
		}
	}
	return payloads
}

// docsPayloads lets every event of idempotency happen and tells the keys of
// its payload.
func docsPayloads() map[string][]string {
	payloads := map[string][]string{}
	var after error
	run := func(payment any, plan func(*storetest.Faulty), during func(*storetest.Faulty, context.Context, string) error) {
		store := storetest.NewFaulty(nil)
		runtime := cmdx.New(cmdx.Configuration{Store: store})
		for _, name := range telemetry.Names() {
			if !strings.HasPrefix(string(name), "idempotency_") {
				continue
			}
			runtime.Telemetry().Subscribe(name, func(e cmdx.Event) {
				var keys []string
				for key := range e.Payload {
					keys = append(keys, key)
				}
				payloads[string(e.Name)] = keys
			})
		}
		plan(store)
		task := &docsCharge{After: after, During: func(ctx context.Context, key string) error { return during(store, ctx, key) }}
		for range 2 {
			runtime.Execute(context.Background(), task, cmdx.Args{"payment_id": payment})
		}
	}
	nothing := func(*storetest.Faulty) {}
	succeed := func(*storetest.Faulty, context.Context, string) error { return nil }
	after = errors.New("not committed")
	run("pay_123", nothing, succeed)
	after = nil
	run("pay_123", nothing, succeed)
	run("", nothing, succeed)
	run("pay_123", nothing, func(f *storetest.Faulty, ctx context.Context, key string) error {
		_, err := f.Delete(ctx, key)
		return err
	})
	run("pay_123", func(f *storetest.Faulty) { f.Fail(storetest.OpEnter, storetest.Always, nil) }, succeed)
	run("pay_123", func(f *storetest.Faulty) { f.Fail(storetest.OpLeave, storetest.Always, nil) }, succeed)
	run("pay_123", func(f *storetest.Faulty) { f.Fail(storetest.OpLeave, storetest.Always, nil) },
		func(*storetest.Faulty, context.Context, string) error { return errors.New("declined") })
	return payloads
}
