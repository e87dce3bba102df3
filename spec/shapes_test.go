package spec

import (
	"context"
	"log"
	"reflect"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/spec/shapes"
	"github.com/cmdx-go/cmdx/spec/shapes/far"
)

// Parents.
type (
	shapeParent         struct{ cmdx.Base }
	ShapeExported       struct{ cmdx.Base }
	shapeOnlyEmbedded   struct{ cmdx.Base }
	shapeMiddle         struct{ shapeParent }
	shapeSilentMiddle   struct{ shapeParent }
	shapeAlias          = shapeParent
	shapeGeneric[T any] struct {
		cmdx.Base
		item T
	}
	shapeIntAlias       = shapeGeneric[int]
	shapePair[A, B any] struct {
		shapeGeneric[map[string]A]
		second B
	}
	shapeOuterGeneric[T any] struct{ shapeGeneric[T] }
	shapeRenamedFrom         struct{ shapeParent }
	shapeRenamed             shapeRenamedFrom
	shapeLiteral             = struct{ shapeParent }
	shapeArgument            struct{ n int }
)

func (*shapeParent) Configure(c *cmdx.Config)          { shapes.Layer(c, "parent") }
func (*shapeParent) Work(context.Context) error        { return nil }
func (*ShapeExported) Configure(c *cmdx.Config)        { shapes.Layer(c, "Exported") }
func (*ShapeExported) Work(context.Context) error      { return nil }
func (*shapeOnlyEmbedded) Configure(c *cmdx.Config)    { shapes.Layer(c, "only embedded") }
func (*shapeMiddle) Configure(c *cmdx.Config)          { shapes.Layer(c, "middle") }
func (*shapeGeneric[T]) Configure(c *cmdx.Config)      { shapes.Layer(c, "generic") }
func (*shapeGeneric[T]) Work(context.Context) error    { return nil }
func (*shapePair[A, B]) Configure(c *cmdx.Config)      { shapes.Layer(c, "pair") }
func (*shapeOuterGeneric[T]) Configure(c *cmdx.Config) { shapes.Layer(c, "outer generic") }
func (*shapeRenamedFrom) Configure(c *cmdx.Config)     { shapes.Layer(c, "renamed from") }

// Mixins, and what is none.
type (
	shapeMixinA       struct{ a int64 }
	shapeMixinB       struct{ b int64 }
	shapeMixinOver    struct{ shapeMixinA }
	shapeMixinOverTwo struct {
		shapeMixinB
		note string
		shapeMixinA
	}
	shapeMixinThree          struct{ shapeMixinOver }
	shapeMixinGeneric[T any] struct{ item T }
	shapeWrapping            struct{ shapeMixinA }
	shapePlain               struct{ Note string }
	shapeDialer              struct{ address string }
	shapeFieldConfigure      struct{ Configure string }
	shapeGateway             interface{ Charge(int64) error }
	shapeKnob                interface{ Configure(string) }
)

func (*shapeMixinA) Configure(c *cmdx.Config)       { shapes.Layer(c, "mixin A") }
func (*shapeMixinB) Configure(c *cmdx.Config)       { shapes.Layer(c, "mixin B") }
func (*shapeMixinOver) Configure(c *cmdx.Config)    { shapes.Layer(c, "mixin over A") }
func (*shapeMixinOverTwo) Configure(c *cmdx.Config) { shapes.Layer(c, "mixin over two") }
func (*shapeMixinThree) Configure(c *cmdx.Config)   { shapes.Layer(c, "mixin three") }
func (*shapeMixinGeneric[T]) Configure(c *cmdx.Config) {
	shapes.Layer(c, "mixin of "+reflect.TypeFor[T]().String())
}
func (d *shapeDialer) Configure(address string) { d.address = address }

// Tasks without a parent.
type (
	shapeNothing  struct{ cmdx.Base }
	shapeOwn      struct{ cmdx.Base }
	shapeBaseLast struct {
		Amount int64
		Note   string
		cmdx.Base
	}
	shapeByValue     struct{ cmdx.Base }
	shapeBesidePlain struct {
		shapePlain
		cmdx.Base
	}
	shapeBesideGateway struct {
		cmdx.Base
		shapeGateway
		*log.Logger
	}
	shapeBesideKnob struct {
		cmdx.Base
		shapeKnob
	}
)

func (*shapeNothing) Work(context.Context) error       { return nil }
func (*shapeOwn) Configure(c *cmdx.Config)             { shapes.Layer(c, "own") }
func (*shapeOwn) Work(context.Context) error           { return nil }
func (*shapeBaseLast) Configure(c *cmdx.Config)        { shapes.Layer(c, "own") }
func (*shapeBaseLast) Work(context.Context) error      { return nil }
func (*shapeByValue) Configure(c *cmdx.Config)         { shapes.Layer(c, "own") }
func (shapeByValue) Work(context.Context) error        { return nil }
func (*shapeBesidePlain) Configure(c *cmdx.Config)     { shapes.Layer(c, "own") }
func (*shapeBesidePlain) Work(context.Context) error   { return nil }
func (*shapeBesideGateway) Configure(c *cmdx.Config)   { shapes.Layer(c, "own") }
func (*shapeBesideGateway) Work(context.Context) error { return nil }
func (*shapeBesideKnob) Work(context.Context) error    { return nil }

// Tasks with a parent.
type (
	shapePromoted      struct{ shapeParent }
	shapeOver          struct{ shapeParent }
	shapeOverExported  struct{ ShapeExported }
	shapeThreeDeep     struct{ shapeMiddle }
	shapeThreePromoted struct{ shapeMiddle }
	shapeOverSilent    struct{ shapeSilentMiddle }
	shapeOnlyChild     struct{ shapeOnlyEmbedded }
	shapeOverAlias     struct{ shapeAlias }
	shapeOverLocalArg  struct{ shapeGeneric[shapeArgument] }
	shapeOverFarArg    struct{ shapeGeneric[far.Arg] }
	shapeOverTimeArg   struct{ shapeGeneric[*time.Location] }
	shapeOverIntAlias  struct{ shapeIntAlias }
	shapeOverOuter     struct{ shapeOuterGeneric[[]far.Arg] }
	shapeOverRenamed   struct{ shapeRenamed }
	shapeOverLiteral   struct{ shapeLiteral }
	shapeParentLast    struct {
		Amount int64
		shapeMixinA
		shapeParent
		shapeMixinB
	}
	shapeHiddenByField struct {
		shapeParent
		Configure string
	}
	shapeHiddenByPlain struct {
		shapeParent
		shapeFieldConfigure
	}
	shapeBesideDialer struct {
		shapeParent
		shapeDialer
	}
)

func (*shapeOver) Configure(c *cmdx.Config)         { shapes.Layer(c, "own") }
func (*shapeOverExported) Configure(c *cmdx.Config) { shapes.Layer(c, "own") }
func (*shapeThreeDeep) Configure(c *cmdx.Config)    { shapes.Layer(c, "own") }
func (*shapeOverSilent) Configure(c *cmdx.Config)   { shapes.Layer(c, "own") }
func (*shapeOnlyChild) Work(context.Context) error  { return nil }
func (*shapeOverAlias) Configure(c *cmdx.Config)    { shapes.Layer(c, "own") }
func (*shapeOverFarArg) Configure(c *cmdx.Config)   { shapes.Layer(c, "own") }
func (*shapeOverIntAlias) Configure(c *cmdx.Config) { shapes.Layer(c, "own") }
func (*shapeOverOuter) Configure(c *cmdx.Config)    { shapes.Layer(c, "own") }
func (*shapeParentLast) Configure(c *cmdx.Config)   { shapes.Layer(c, "own") }

// Tasks with mixins.
type (
	shapeOneMixin struct {
		shapeParent
		shapeMixinA
	}
	shapeAmbiguous struct {
		cmdx.Base
		shapeMixinB
		shapeMixinA
	}
	shapeMixinInMixin struct {
		shapeMixinOver
		cmdx.Base
	}
	shapeMixinTwoInOne struct {
		shapeParent
		shapeMixinOverTwo
	}
	shapeMixinThreeDeep struct {
		shapeParent
		shapeMixinThree
	}
	shapeWrapped struct {
		cmdx.Base
		shapeWrapping
	}
	shapeTwoArguments struct {
		cmdx.Base
		shapeMixinGeneric[int]
		shapeMixinGenericOther
	}
	shapeMixinGenericOther struct{ shapeMixinGeneric[far.Arg] }
	shapeMixinAbove        struct{ shapeOneMixin }
	shapeMixinBelow        struct {
		shapeOneMixin
		shapeMixinB
	}
	shapeMixinHidden struct {
		shapeMixinA
		shapeParent
		Configure func()
	}
)

func (*shapeOneMixin) Configure(c *cmdx.Config)       { shapes.Layer(c, "one mixin") }
func (*shapeAmbiguous) Work(context.Context) error    { return nil }
func (*shapeMixinInMixin) Configure(c *cmdx.Config)   { shapes.Layer(c, "own") }
func (*shapeMixinInMixin) Work(context.Context) error { return nil }
func (*shapeWrapped) Work(context.Context) error      { return nil }
func (*shapeTwoArguments) Work(context.Context) error { return nil }
func (*shapeMixinBelow) Configure(c *cmdx.Config)     { shapes.Layer(c, "own") }

// Tasks with parents and mixins of another package.
type (
	shapeFar        struct{ far.Parent }
	shapeFarExposed struct{ far.Exposed }
	shapeFarSilent  struct{ far.Silent }
	shapeFarShadow  struct{ far.Shadow }
	shapeFarGeneric struct{ far.Generic[shapeArgument] }
	shapeFarMixins  struct {
		far.Mixin
		far.Parent
		far.Wrapping
	}
)

func (*shapeFar) Configure(c *cmdx.Config)        { shapes.Layer(c, "own") }
func (*shapeFarExposed) Configure(c *cmdx.Config) { shapes.Layer(c, "own") }
func (*shapeFarGeneric) Configure(c *cmdx.Config) { shapes.Layer(c, "own") }
func (*shapeFarMixins) Configure(c *cmdx.Config)  { shapes.Layer(c, "own") }

// Tasks whose key is a function of what they embed.
type (
	shapeKeyed struct {
		cmdx.Base
		Account string
	}
	shapeKeyedLast struct {
		Amount int64
		shapeKeyed
	}
	shapeKeyedFar struct {
		Amount int64
		far.Exposed
	}
	shapeStamp      struct{ Stamp string }
	shapeDeeper     struct{ shapeStamp }
	shapeDeepest    struct{ shapeDeeper }
	shapeShallow    struct{ shapeStamp }
	shapeKeyedTwice struct {
		cmdx.Base
		shapeDeepest
		shapeShallow
	}
)

func (t *shapeKeyed) account() string { return t.Account }
func (*shapeKeyed) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*shapeKeyed).account))
}
func (*shapeKeyed) Work(context.Context) error { return nil }

func (*shapeKeyedFar) Configure(c *cmdx.Config) { c.IdempotentBy(far.ByAccount) }

func (s *shapeStamp) stamp() string { return s.Stamp }
func (*shapeKeyedTwice) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*shapeStamp).stamp))
}
func (*shapeKeyedTwice) Work(context.Context) error { return nil }

func shapeLocal() cmdx.Task {
	type shapeLocalTask struct {
		note string
		shapeParent
		shapeMixinA
	}
	return &shapeLocalTask{}
}

func shapeLocalArgument() cmdx.Task {
	type argument struct{ far.Arg }
	type shapeLocalGeneric struct{ shapeGeneric[argument] }
	return &shapeLocalGeneric{}
}

func shapeLocalOf[T any]() cmdx.Task {
	type shapeLocalOfTask struct{ shapeOuterGeneric[T] }
	return &shapeLocalOfTask{}
}

func shapeAnonymous() cmdx.Task {
	return &struct {
		shapeMixinB
		shapeMiddle
	}{}
}

var _ = Describe("Shapes of task types", func() {
	layers := func(names ...string) []string { return names }

	DescribeTable("have their layers in order, and execute", func(task cmdx.Task, want []string) {
		runtime := cmdx.New(cmdx.Configuration{})

		definition, err := cmdx.DefinitionOf(task)
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.Split(definition.Idempotency().Namespace, "/")).To(Equal(append([]string{"cmdx:idem"}, want...)))

		first := runtime.Execute(context.Background(), task, nil)
		Expect(first.IsSuccess()).To(BeTrue(), "%v", first)
		Expect(append([]string{}, first.Tags()...)).To(Equal(append([]string{}, want...)))

		second := runtime.Execute(context.Background(), task, nil)
		if len(want) == 0 {
			Expect(second.IsSuccess()).To(BeTrue(), "%v", second)
			return
		}
		Expect(second.IsSkipped()).To(BeTrue(), "%v", second)
		Expect(second.Metadata()).To(HaveKeyWithValue("idempotency_key",
			"cmdx:idem/"+strings.Join(want, "/")+":"+definition.Name()+":all"))
	},
		Entry("Base and nothing else", &shapeNothing{}, layers()),
		Entry("a layer of its own", &shapeOwn{}, layers("own")),
		Entry("Base behind other fields", &shapeBaseLast{}, layers("own")),
		Entry("a value template with a value receiver Work", shapeByValue{}, layers("own")),
		Entry("a pointer template with a value receiver Work", &shapeByValue{}, layers("own")),
		Entry("a plain struct embedded before Base", &shapeBesidePlain{}, layers("own")),
		Entry("an embedded interface and an embedded pointer without layers", &shapeBesideGateway{}, layers("own")),
		Entry("an embedded interface with a Configure of another kind", &shapeBesideKnob{}, layers()),

		Entry("a promoted Configure", &shapePromoted{}, layers("parent")),
		Entry("a Configure over an unexported parent's", &shapeOver{}, layers("parent", "own")),
		Entry("a Configure over an exported parent's", &shapeOverExported{}, layers("Exported", "own")),
		Entry("three layers", &shapeThreeDeep{}, layers("parent", "middle", "own")),
		Entry("three deep with nothing of its own", &shapeThreePromoted{}, layers("parent", "middle")),
		Entry("three deep with a silent middle", &shapeOverSilent{}, layers("parent", "own")),
		Entry("a parent that is only ever embedded", &shapeOnlyChild{}, layers("only embedded")),
		Entry("the alias of a parent", &shapeOverAlias{}, layers("parent", "own")),
		Entry("a named type over another struct, whose Configure does not come along", &shapeOverRenamed{}, layers("parent")),
		Entry("the alias of a struct literal", &shapeOverLiteral{}, layers("parent")),
		Entry("a parent between mixins, behind a field", &shapeParentLast{}, layers("parent", "mixin A", "mixin B", "own")),
		Entry("a Configure hidden by a field", &shapeHiddenByField{}, layers("parent")),
		Entry("a Configure hidden by an embedded struct's field", &shapeHiddenByPlain{}, layers("parent")),
		Entry("a Configure beside one of another kind", &shapeBesideDialer{}, layers("parent")),

		Entry("a generic task", &shapeGeneric[string]{}, layers("generic")),
		Entry("a generic task with an argument of another package", &shapeGeneric[map[string]far.Arg]{}, layers("generic")),
		Entry("a generic task over a generic parent", &shapeOuterGeneric[shapeArgument]{}, layers("generic", "outer generic")),
		Entry("a generic task with two arguments", &shapePair[far.Arg, chan int]{}, layers("generic", "pair")),
		Entry("a generic parent with a local argument", &shapeOverLocalArg{}, layers("generic")),
		Entry("a generic parent with an imported argument", &shapeOverFarArg{}, layers("generic", "own")),
		Entry("a generic parent with an argument of the standard library", &shapeOverTimeArg{}, layers("generic")),
		Entry("the alias of a generic parent", &shapeOverIntAlias{}, layers("generic", "own")),
		Entry("three layers of generic parents", &shapeOverOuter{}, layers("generic", "outer generic", "own")),

		Entry("a mixin", &shapeOneMixin{}, layers("parent", "mixin A", "one mixin")),
		Entry("an ambiguous Configure of two mixins", &shapeAmbiguous{}, layers("mixin B", "mixin A")),
		Entry("a mixin in a mixin", &shapeMixinInMixin{}, layers("mixin A", "mixin over A", "own")),
		Entry("two mixins in a mixin", &shapeMixinTwoInOne{}, layers("parent", "mixin B", "mixin A", "mixin over two")),
		Entry("a mixin three deep", &shapeMixinThreeDeep{}, layers("parent", "mixin A", "mixin over A", "mixin three")),
		Entry("a mixin in a plain struct", &shapeWrapped{}, layers("mixin A")),
		Entry("a generic mixin with two arguments", &shapeTwoArguments{}, layers("mixin of int", "mixin of far.Arg")),
		Entry("a parent's mixin", &shapeMixinAbove{}, layers("parent", "mixin A", "one mixin")),
		Entry("a mixin of the parent and another of the child", &shapeMixinBelow{}, layers("parent", "mixin A", "one mixin", "mixin B", "own")),
		Entry("a mixin's Configure hidden by a field", &shapeMixinHidden{}, layers("parent", "mixin A")),

		Entry("a parent of another package", &shapeFar{}, layers("far.Parent", "own")),
		Entry("an unexported parent of another package, two deep", &shapeFarExposed{}, layers("far.hidden", "far.Exposed", "own")),
		Entry("an unexported parent of another package, promoted", &shapeFarSilent{}, layers("far.hidden")),
		Entry("an unexported parent of another package by its alias", &shapeFarShadow{}, layers("far.hidden")),
		Entry("a generic parent of another package", &shapeFarGeneric{}, layers("far.Generic", "own")),
		Entry("mixins of another package", &shapeFarMixins{}, layers("far.Parent", "far.Mixin", "far.secret", "own")),

		Entry("a local type", shapeLocal(), layers("parent", "mixin A")),
		Entry("a local type as argument", shapeLocalArgument(), layers("generic")),
		Entry("a local type in a generic function", shapeLocalOf[far.Arg](), layers("generic", "outer generic")),
		Entry("an anonymous struct", shapeAnonymous(), layers("parent", "middle", "mixin B")),
	)

	Describe("Functions of ancestors", func() {
		key := func(task cmdx.Task) any {
			runtime := cmdx.New(cmdx.Configuration{})
			runtime.Execute(context.Background(), task, nil)
			duplicate := runtime.Execute(context.Background(), task, nil)
			Expect(duplicate.IsSkipped()).To(BeTrue(), "%v", duplicate)
			return duplicate.Metadata()["idempotency_key"]
		}

		It("work on a parent that does not stand first", func() {
			Expect(key(&shapeKeyedLast{Amount: 7, shapeKeyed: shapeKeyed{Account: "acct_1"}})).To(HaveSuffix(":acct_1"))
		})

		It("work on an unexported parent of another package", func() {
			task := &shapeKeyedFar{}
			task.Account = "acct_2"
			Expect(key(task)).To(HaveSuffix(":acct_2"))
		})

		It("reach the outermost of two embedded structs of one type", func() {
			task := &shapeKeyedTwice{}
			task.shapeDeepest.Stamp = "deep"
			task.shapeShallow.Stamp = "shallow"
			Expect(key(task)).To(HaveSuffix(":shallow"))
		})
	})
})
