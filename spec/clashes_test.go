package spec

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

type clashWork struct{ cmdx.Base }

func (*clashWork) Work(context.Context) error { return nil }

// Pairs of types; the first of each is defined first at run time.
type (
	clashSame1 struct{ clashWork }
	clashSame2 struct{ clashWork }

	clashShort1 struct{ clashWork }
	clashLong2  struct{ clashWork }
	clashLong1  struct{ clashWork }
	clashShort2 struct{ clashWork }

	clashNamespace1 struct{ clashWork }
	clashNamespace2 struct{ clashWork }

	clashOuter1 struct{ clashWork }
	clashOuter2 struct{ clashWork }
	clashOuter3 struct{ clashWork }

	clashValidated1 struct{ clashWork }
	clashValidated2 struct{ clashWork }

	clashLogged1 struct{ clashWork }
	clashLogged2 struct{ clashWork }

	clashApart1    struct{ clashWork }
	clashApart2    struct{ clashWork }
	clashLetters1  struct{ clashWork }
	clashLetters2  struct{ clashWork }
	clashUnkeyed1  struct{ clashWork }
	clashUnkeyed2  struct{ clashWork }
	clashUnkeyed3  struct{ clashWork }
	clashResolved1 struct{ clashKeyedParent }
	clashResolved2 struct{ clashKeyedParent }

	clashKeyedParent struct{ clashWork }
	clashOff         struct{ clashKeyedParent }
)

func clashNamed(c *cmdx.Config, name string, options ...cmdx.Idempotency) {
	c.Name(name)
	c.IdempotentBy(cmdx.FromContext("id"), options...)
}

func (*clashSame1) Configure(c *cmdx.Config)  { clashNamed(c, "clash.Same") }
func (*clashSame2) Configure(c *cmdx.Config)  { clashNamed(c, "clash.Same") }
func (*clashShort1) Configure(c *cmdx.Config) { clashNamed(c, "clash::Short") }
func (*clashLong2) Configure(c *cmdx.Config)  { clashNamed(c, "clash::Short:Import") }
func (*clashLong1) Configure(c *cmdx.Config)  { clashNamed(c, "clash::Long:Import") }
func (*clashShort2) Configure(c *cmdx.Config) { clashNamed(c, "clash::Long") }
func (*clashNamespace1) Configure(c *cmdx.Config) {
	clashNamed(c, "b:c", cmdx.Idempotency{Namespace: "clash:ns"})
}
func (*clashNamespace2) Configure(c *cmdx.Config) {
	clashNamed(c, "c", cmdx.Idempotency{Namespace: "clash:ns:b"})
}
func (*clashOuter1) Configure(c *cmdx.Config)     { clashNamed(c, "clash.Outer:a") }
func (*clashOuter2) Configure(c *cmdx.Config)     { clashNamed(c, "clash.Outer:b") }
func (*clashOuter3) Configure(c *cmdx.Config)     { clashNamed(c, "clash.Outer") }
func (*clashValidated1) Configure(c *cmdx.Config) { clashNamed(c, "clash.Validated") }
func (*clashValidated2) Configure(c *cmdx.Config) { clashNamed(c, "clash.Validated") }
func (*clashLogged1) Configure(c *cmdx.Config)    { clashNamed(c, "clash.Logged") }
func (*clashLogged2) Configure(c *cmdx.Config)    { clashNamed(c, "clash.Logged") }
func (*clashApart1) Configure(c *cmdx.Config)     { clashNamed(c, "clash.Apart") }
func (*clashApart2) Configure(c *cmdx.Config) {
	clashNamed(c, "clash.Apart", cmdx.Idempotency{Namespace: "clash:apart"})
}
func (*clashLetters1) Configure(c *cmdx.Config)    { clashNamed(c, "clash.Letters") }
func (*clashLetters2) Configure(c *cmdx.Config)    { clashNamed(c, "clash.LettersToo") }
func (*clashUnkeyed1) Configure(c *cmdx.Config)    { c.Name("clash.Unkeyed") }
func (*clashUnkeyed2) Configure(c *cmdx.Config)    { c.Name("clash.Unkeyed") }
func (*clashUnkeyed3) Configure(c *cmdx.Config)    { clashNamed(c, "clash.Unkeyed") }
func (*clashKeyedParent) Configure(c *cmdx.Config) { clashNamed(c, "clash.Parent") }
func (*clashResolved2) Configure(c *cmdx.Config)   { c.Name("clash.Resolved") }
func (*clashOff) Configure(c *cmdx.Config) {
	c.Name("clash.Parent")
	c.IdempotentBy(cmdx.Disabled)
}

// Generic types, whose names are asked for.
type (
	clashImport[T any]  struct{ clashWork }
	clashPair[A, B any] struct{ clashWork }
	clashUser           struct{ name string }
	clashBox[T any]     struct{ item T }
)

func (*clashImport[T]) Configure(c *cmdx.Config)  { c.IdempotentBy(cmdx.FromContext("id")) }
func (*clashPair[A, B]) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }

func clashLocalUser() cmdx.Task {
	type clashLocal struct{ n int }
	return &clashImport[clashLocal]{}
}

func clashMistakes(err error) []*cmdx.DefinitionError {
	GinkgoHelper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	Expect(ok).To(BeTrue(), "%v", err)
	var mistakes []*cmdx.DefinitionError
	for _, one := range joined.Unwrap() {
		mistakes = append(mistakes, one.(*cmdx.DefinitionError))
	}
	return mistakes
}

func clashTypes(err error) []string {
	GinkgoHelper()
	var types []string
	for _, m := range clashMistakes(err) {
		Expect(m.Anchor).To(Equal("clashing-keys"))
		types = append(types, m.Task)
	}
	return types
}

var _ = Describe("Clashing keys", func() {
	execute := func(task cmdx.Task) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), task, cmdx.Args{"id": 1})
	}

	DescribeTable("of two types", func(first, second cmdx.Task, name1, name2 string) {
		By("failing the type that is defined later, always, while the other works")
		for range 3 {
			Expect(execute(first).IsSuccess()).To(BeTrue())
			later := execute(second)
			Expect(later.IsFailed()).To(BeTrue())
			var mistake *cmdx.DefinitionError
			Expect(errors.As(later.Cause(), &mistake)).To(BeTrue(), "%v", later.Cause())
			Expect(mistake.Anchor).To(Equal("clashing-keys"))
			Expect(mistake.Task).To(Equal("spec." + name2))
			Expect(mistake.Problem).To(ContainSubstring("spec." + name1))
			Expect(mistake.Where).To(ContainSubstring("clashes_test.go:"))
			Expect(mistake.Fix).To(ContainSubstring("c.Name"))
		}
		By("being reported for both, whichever is asked first")
		Expect(clashTypes(cmdx.Validate(first, second))).To(Equal([]string{"spec." + name1, "spec." + name2}))
		Expect(clashTypes(cmdx.Validate(second, first))).To(Equal([]string{"spec." + name2, "spec." + name1}))
	},
		Entry("with one name", &clashSame1{}, &clashSame2{}, "clashSame1", "clashSame2"),
		Entry("with a longer name later", &clashShort1{}, &clashLong2{}, "clashShort1", "clashLong2"),
		Entry("with a shorter name later", &clashLong1{}, &clashShort2{}, "clashLong1", "clashShort2"),
		Entry("with name and namespace cut differently", &clashNamespace1{}, &clashNamespace2{}, "clashNamespace1", "clashNamespace2"),
	)

	It("of types that have never run are reported for both", func() {
		Expect(clashTypes(cmdx.Validate(&clashValidated2{}, &clashValidated1{}))).To(ConsistOf("spec.clashValidated1", "spec.clashValidated2"))
	})

	It("with several types are reported for all of them", func() {
		Expect(clashTypes(cmdx.Validate(&clashOuter1{}, &clashOuter2{}, &clashOuter3{}))).To(Equal(
			[]string{"spec.clashOuter1", "spec.clashOuter2", "spec.clashOuter3", "spec.clashOuter3"}))
	})

	It("give the same definition error each time", func() {
		execute(&clashSame1{})
		one, two := execute(&clashSame2{}), execute(&clashSame2{})
		Expect(one.Cause()).To(BeIdenticalTo(two.Cause()))
	})

	It("are logged once", func() {
		var out bytes.Buffer
		runtime := cmdx.New(cmdx.Configuration{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		other := cmdx.New(cmdx.Configuration{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		for range 3 {
			runtime.Execute(context.Background(), &clashLogged1{}, cmdx.Args{"id": 1})
			runtime.Execute(context.Background(), &clashLogged2{}, cmdx.Args{"id": 1})
			other.Execute(context.Background(), &clashLogged2{}, cmdx.Args{"id": 1})
		}
		lines := strings.Count(out.String(), "would share store keys")
		if clashLoggedBefore {
			Expect(lines).To(BeZero())
		} else {
			Expect(lines).To(Equal(1))
		}
		clashLoggedBefore = true
	})

	Describe("There are none", func() {
		It("between namespaces", func() {
			Expect(cmdx.Validate(&clashApart1{}, &clashApart2{})).To(Succeed())
		})

		It("between names of which one begins with the other without a colon", func() {
			Expect(cmdx.Validate(&clashLetters1{}, &clashLetters2{})).To(Succeed())
		})

		It("between types without keyed guards, nor with a single one that has them", func() {
			Expect(cmdx.Validate(&clashUnkeyed1{}, &clashUnkeyed2{}, &clashUnkeyed3{})).To(Succeed())
		})

		It("with a type that turned the guard off", func() {
			Expect(cmdx.Validate(&clashKeyedParent{}, &clashOff{})).To(Succeed())
		})

		It("between children, whose names are their own", func() {
			Expect(cmdx.Validate(&clashKeyedParent{}, &clashResolved1{}, &clashResolved2{})).To(Succeed())
			Expect(execute(&clashResolved2{}).TaskName()).To(Equal("clash.Resolved"))
		})
	})

	Describe("Default names", func() {
		DescribeTable("are short, readable and distinct", func(task cmdx.Task, want string) {
			definition, err := cmdx.DefinitionOf(task)
			Expect(err).NotTo(HaveOccurred())
			Expect(definition.Name()).To(Equal(want))
			Expect(strings.ContainsAny(definition.Name(), ":{} \t")).To(BeFalse())
		},
			Entry("of a plain type", &clashWork{}, "clashWork"),
			Entry("of a generic type", &clashImport[clashUser]{}, "clashImport[clashUser]"),
			Entry("of a generic type with a pointer", &clashImport[*clashUser]{}, "clashImport[*clashUser]"),
			Entry("of a generic type with a generic argument", &clashImport[clashBox[clashUser]]{}, "clashImport[clashBox[clashUser]]"),
			Entry("of a generic type with an argument of a longer path", &clashImport[slog.Record]{}, "clashImport[Record]"),
			Entry("of two arguments", &clashPair[int, map[string]clashUser]{}, "clashPair[int,map[string]clashUser]"),
			Entry("of the two the other way round", &clashPair[map[string]clashUser, int]{}, "clashPair[map[string]clashUser,int]"),
			Entry("of a local argument", clashLocalUser(), "clashImport[clashLocal]"),
			Entry("of an anonymous struct", &struct{ clashWork }{}, "anonymous"),
		)

		It("let generic types with keys live side by side", func() {
			Expect(cmdx.Validate(&clashImport[int8]{}, &clashImport[*int8]{}, &clashImport[[]int8]{},
				&clashImport[[2]int8]{}, &clashImport[chan int8]{}, &clashImport[func(int8)]{}, &clashImport[func(...int8)]{},
				&clashImport[struct{ A int8 }]{}, &clashImport[struct{ B int8 }]{}, &clashImport[any]{})).To(Succeed())
		})
	})
})

// clashLoggedBefore is set when the specs have run before in this process.
var clashLoggedBefore bool
