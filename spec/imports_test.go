package spec

import (
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// What imports what. An arrow points from the importing layer to the
// imported one: a layer imports what stands left of it.
const importOrder = `stores, telemetry, context, internal ← result ← inputs, outputs ← features ← task ← cmdx ← cmdxtest`

// Within a layer a folder imports nothing but itself and what this says.
const alongside = `
	internal may import stores, telemetry, context
	context may import internal/halt, internal/safejson
	telemetry may import internal/halt, internal/safejson
`

// Programs stand outside of the order: they import what they like, and
// nothing imports them.
const programs = `spec, docs, examples`

// What production files leave to tests.
const testHelpers = `
	testing, testing/synctest, go.uber.org/goleak
	github.com/onsi/ginkgo/v2, github.com/onsi/gomega
	` + module + `/stores/storetest, ` + module + `/internal/redistest, ` + module + `/cmdxtest
`

// The folders that are made for tests, and what they may have of it.
const helpersOfTests = `
	stores/storetest may import testing, testing/synctest
	internal/redistest may import testing
`

var _ = Describe("Imports", func() {
	It("point one way in every production file", func() {
		var refused []string
		seen := map[string]bool{}
		for _, i := range productionImports() {
			seen[layerFolder(i.from)] = true
			if reason := refusal(i.from, i.to); reason != "" {
				refused = append(refused, fmt.Sprintf("%s imports %s: %s", i.at, i.to, reason))
			}
		}
		Expect(refused).To(BeEmpty())
		for _, folder := range []string{"cmdx", "task", "features", "result", "inputs", "internal", "context", "cmdxtest"} {
			Expect(seen).To(HaveKey(folder), "no file of it was read")
		}
	})

	DescribeTable("refuses",
		func(from, to, because string) {
			if strings.HasPrefix(to, "./") {
				to = module + to[1:]
			}
			Expect(refusal(from, to)).To(ContainSubstring(because))
		},
		Entry("a layer that looks up", "result", "./features/lock", "features stands above result"),
		Entry("a guard that imports the executor", "features/lock", "./task", "task stands above features"),
		Entry("a store that imports the bottom package", "stores", "./internal/run", "one layer"),
		Entry("a feature that imports another", "features/lock", "./features/retry", "no feature imports another"),
		Entry("neighbours", "outputs", "./inputs", "one layer"),
		Entry("more of internal than is allowed", "context", "./internal/run", "one layer"),
		Entry("a name that only begins alike", "context", "./internal/haltings", "one layer"),
		Entry("the root from below", "task", module, "cmdx stands above task"),
		Entry("a program", "task", "./examples/webhooks", "a program"),
		Entry("a folder without a place", "task", "./helpers", "has no place"),
		Entry("a folder without a place that imports", "helpers", "./task", "has no place"),
		Entry("the conformance suite in production", "stores", "./stores/storetest", "for tests"),
		Entry("test servers in production", "stores", "./internal/redistest", "for tests"),
		Entry("the matchers in production", "examples/webhooks", "./cmdxtest", "for tests"),
		Entry("the matchers from below", "cmdx", "./cmdxtest", "for tests"),
		Entry("gomega in the matchers", "cmdxtest", "github.com/onsi/gomega/types", "for tests"),
		Entry("testing in production", "task", "testing", "for tests"),
		Entry("a part of gomega", "features/lock", "github.com/onsi/gomega/types", "for tests"),
		Entry("ginkgo in the conformance suite", "stores/storetest", "github.com/onsi/ginkgo/v2", "for tests"),
		Entry("ginkgo in an example", "examples/webhooks", "github.com/onsi/ginkgo/v2", "for tests"),
	)

	DescribeTable("lets through",
		func(from, to string) {
			if strings.HasPrefix(to, "./") {
				to = module + to[1:]
			}
			Expect(refusal(from, to)).To(BeEmpty())
		},
		Entry("a layer that looks down", "task", "./features/retry"),
		Entry("the face", ".", "./result"),
		Entry("the helpers of tests and the face", "cmdxtest", module),
		Entry("specs and the helpers of tests", "spec", "./cmdxtest"),
		Entry("the bottom package", "internal/run", "./stores"),
		Entry("a bottom package and its neighbour", "internal/run", "./internal/halt"),
		Entry("context and what it may", "context", "./internal/safejson"),
		Entry("a folder and what lies in it", "stores/storetest", "./stores"),
		Entry("testing in the conformance suite", "stores/storetest", "testing"),
		Entry("an example and the face", "examples/webhooks", module),
		Entry("the standard library", "stores", "time"),
		Entry("another module", "inputs", "github.com/go-playground/validator/v10"),
	)
})

// refusal tells why a production file of the folder from may not import to;
// "" when it may.
func refusal(from, to string) string {
	if listed(testHelpers, to) && from != "spec" && !said(helpersOfTests, from, to) {
		return "it is for tests"
	}
	target, ours := folderOf(to)
	if !ours {
		return ""
	}
	importing, imported := layerFolder(from), layerFolder(target)
	switch {
	case listed(programs, importing):
		return ""
	case listed(programs, imported):
		return "it is a program"
	}
	above, below := layer(importing), layer(imported)
	switch {
	case above < 0:
		return importing + " has no place in the order"
	case below < 0:
		return imported + " has no place in the order"
	case below > above:
		return imported + " stands above " + importing
	case below < above || said(alongside, importing, target):
		return ""
	case importing != imported:
		return "they stand in one layer"
	case importing == "features" && from != target:
		return "no feature imports another"
	}
	return ""
}

// layerFolder is the folder that a line of the order names.
func layerFolder(folder string) string {
	if folder == "." {
		return "cmdx"
	}
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// layer counts from the lowest; -1 when the order does not name the folder.
func layer(folder string) int {
	return slices.IndexFunc(strings.Split(importOrder, "←"), func(names string) bool {
		return slices.Contains(words(names), folder)
	})
}

// said tells whether a line of text says that from may import to.
func said(text, from, to string) bool {
	for line := range strings.Lines(text) {
		who, what, _ := strings.Cut(line, " may import ")
		if strings.TrimSpace(who) == from && listed(what, to) {
			return true
		}
	}
	return false
}

// listed tells whether names, divided by commas, hold the path or a folder
// above it.
func listed(names, path string) bool {
	return slices.ContainsFunc(words(names), func(name string) bool {
		return path == name || strings.HasPrefix(path, name+"/")
	})
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\n", r) })
}

type importLine struct {
	at       string // file:line
	from, to string // a folder, an import path
}

func productionImports() []importLine {
	GinkgoHelper()
	folders, err := goFolders()
	Expect(err).NotTo(HaveOccurred())
	var lines []importLine
	for _, folder := range folders {
		files, err := productionFiles(filepath.Join(checkout, folder))
		Expect(err).NotTo(HaveOccurred())
		for _, name := range files {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, parser.ImportsOnly)
			Expect(err).NotTo(HaveOccurred())
			for _, spec := range file.Imports {
				to, err := strconv.Unquote(spec.Path.Value)
				Expect(err).NotTo(HaveOccurred())
				at := fmt.Sprintf("%s:%d", filepath.ToSlash(filepath.Join(folder, filepath.Base(name))), set.Position(spec.Pos()).Line)
				lines = append(lines, importLine{at, folder, to})
			}
		}
	}
	return lines
}
