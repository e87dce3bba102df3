package spec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/outputs"
	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// wrongWork is the parent of types that are declared wrongly. None of their
// Works may ever run.
type wrongWork struct{ cmdx.Base }

var wrongWorks atomic.Int64

func (*wrongWork) Work(context.Context) error { wrongWorks.Add(1); return nil }

// What is embedded wrongly.
type (
	wrongParent      struct{ wrongWork }
	wrongMixin       struct{}
	wrongValueMixin  struct{}
	wrongMixinErr    struct{}
	wrongHolder      struct{ *wrongParent }
	wrongFarHolder   struct{ *wrongMixinHolder }
	wrongMixinHolder struct{ *wrongMixin }
	wrongTaskHolder  struct{ cmdx.Task }
	wrongConfigurer  interface{ Configure(*cmdx.Config) }
	wrongList        []string

	wrongPointer      struct{ *wrongParent }
	wrongBasePointer  struct{ *cmdx.Base }
	wrongMixinPointer struct {
		wrongWork
		*wrongMixin
	}
	wrongItself struct {
		wrongWork
		*wrongItself
	}
	wrongPointerBelow  struct{ wrongHolder }
	wrongPointerBeside struct {
		wrongWork
		wrongHolderBeside
	}
	wrongHolderBeside struct {
		note string
		*wrongMixin
	}
	wrongPointersTwice struct {
		wrongWork
		*wrongFarHolder
	}
	wrongInterface      struct{ cmdx.Task }
	wrongInterfaceBelow struct{ wrongTaskHolder }
	wrongInterfaceMixin struct {
		wrongWork
		wrongConfigurer
	}
	wrongSlice struct {
		wrongWork
		wrongList
	}
	wrongTwoBases struct {
		cmdx.Base
		wrongWork
	}
	wrongMixinOnce struct {
		wrongWork
		wrongMixin
	}
	wrongMixinTwice struct {
		wrongMixinOnce
		wrongMixin
	}
)

func (*wrongParent) Configure(c *cmdx.Config)       { c.Tags("parent") }
func (*wrongMixin) Configure(c *cmdx.Config)        { c.Tags("mixin") }
func (*wrongList) Configure(c *cmdx.Config)         { c.Tags("list") }
func (wrongValueMixin) Configure(c *cmdx.Config)    { c.Tags("mixin") }
func (*wrongMixinErr) Configure(*cmdx.Config) error { return nil }
func (wrongBasePointer) Work(context.Context) error { wrongWorks.Add(1); return nil }
func (*wrongTwoBases) Work(context.Context) error   { wrongWorks.Add(1); return nil }

// Wrong Configures.
type (
	wrongValue        struct{ wrongWork }
	wrongValueInMixin struct {
		wrongWork
		wrongValueMixin
	}
	wrongSignature        struct{ wrongWork }
	wrongVariadic         struct{ wrongWork }
	wrongSignatureInMixin struct {
		wrongWork
		wrongMixinErr
	}
	wrongPanics         struct{ wrongWork }
	wrongPanicsError    struct{ wrongWork }
	wrongPanicsNil      struct{ wrongWork }
	wrongPanicsOddly    struct{ wrongWork }
	wrongHalf           struct{ wrongWork }
	wrongExits          struct{ wrongWork }
	wrongExecutesItself struct{ wrongWork }
	wrongExecutes       struct{ wrongWork }
	wrongExecutesDeep   struct{ wrongWork }
	wrongBangs          struct{ wrongWork }
	wrongAsks           struct{ wrongWork }
	wrongValidates      struct{ wrongWork }
	wrongReads          struct {
		wrongWork
		name string
	}
	wrongCallsThrough struct{ wrongParent }
	wrongCallsParent  struct{ wrongParent }
	wrongCallsMixin   struct {
		wrongWork
		wrongMixin
	}
	wrongCaller        struct{}
	wrongCalledByMixin struct {
		wrongWork
		wrongCaller
	}
	wrongGeneric[T any] struct{}
	wrongCallsItsLike   struct {
		wrongWork
		wrongGeneric[int]
		wrongGenericBelow
	}
	wrongGenericBelow struct{ wrongGeneric[string] }
	wrongStray        struct{ wrongWork }
	wrongKept         struct{ wrongWork }
	wrongPanicky      struct{ wrongPanics }
)

var errWrong = errors.New("no such table")

type wrongOddity struct{}

func (wrongOddity) String() string { panic("even this") }

func (wrongValue) Configure(c *cmdx.Config)          { c.Tags("value") }
func (*wrongSignature) Configure(*cmdx.Config) error { return nil }
func (*wrongVariadic) Configure(...*cmdx.Config)     {}
func (*wrongPanics) Configure(c *cmdx.Config) {
	c.IdempotentBy(cmdx.PerTask)
	panic("the table is missing") // here: wrongPanics
}
func (*wrongHalf) Configure(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour})
	panic("before the resolver")
}
func (*wrongPanicsError) Configure(*cmdx.Config) {
	panic(errWrong) // here: wrongPanicsError
}
func (*wrongPanicsNil) Configure(*cmdx.Config) {
	panic(nil) // here: wrongPanicsNil
}
func (*wrongPanicsOddly) Configure(*cmdx.Config) {
	panic(wrongOddity{}) // here: wrongPanicsOddly
}
func (*wrongExits) Configure(*cmdx.Config) { runtime.Goexit() }
func (*wrongExecutesItself) Configure(*cmdx.Config) {
	cmdx.Execute(context.Background(), &wrongExecutesItself{}, nil)
}
func (*wrongExecutes) Configure(*cmdx.Config) {
	cmdx.Execute(context.Background(), &wrongWork{}, nil)
}
func (*wrongExecutesDeep) Configure(*cmdx.Config) { wrongDown(200) }
func (*wrongBangs) Configure(*cmdx.Config) {
	_, _ = cmdx.New(cmdx.Configuration{}).ExecuteBang(context.Background(), &wrongBangs{}, nil)
}
func (*wrongAsks) Configure(*cmdx.Config)      { _, _ = cmdx.DefinitionOf(&wrongAsks{}) }
func (*wrongValidates) Configure(*cmdx.Config) { _ = cmdx.Validate(&wrongValidates{}) }
func (t *wrongReads) Configure(c *cmdx.Config) {
	c.Name(t.name) // here: wrongReads
}
func (t *wrongCallsThrough) Configure(c *cmdx.Config) {
	t.wrongParent.Configure(c) // here: wrongCallsThrough
}
func (*wrongCallsParent) Configure(c *cmdx.Config) { (*wrongParent)(nil).Configure(c) }
func (*wrongCallsMixin) Configure(c *cmdx.Config)  { (*wrongMixin)(nil).Configure(c) }
func (*wrongCaller) Configure(c *cmdx.Config)      { (*wrongCalledByMixin)(nil).Configure(c) }
func (*wrongCalledByMixin) Configure(c *cmdx.Config) {
	c.Tags("twice") // here: wrongCalledByMixin
}
func (*wrongGeneric[T]) Configure(c *cmdx.Config) {
	var t T
	if _, first := any(t).(int); first {
		(*wrongGeneric[string])(nil).Configure(c)
	}
	c.Tags("generic") // here: wrongCallsItsLike
}
func (*wrongStray) Configure(c *cmdx.Config) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.IdempotentBy(cmdx.PerTask) // here: wrongStray
	}()
	<-done
}

var wrongKeptConfig atomic.Pointer[cmdx.Config]

func (*wrongKept) Configure(c *cmdx.Config) { wrongKeptConfig.Store(c) }

func wrongDown(n int) {
	if n == 0 {
		cmdx.Execute(context.Background(), &wrongExecutesDeep{}, nil)
		return
	}
	wrongDown(n - 1)
}

// Wrong declarations.
type wrongSays[S interface{ say(*cmdx.Config) }] struct {
	wrongWork
	Amount int64 `cmdx:"amount"`
}

func (*wrongSays[S]) Configure(c *cmdx.Config) {
	var s S
	s.say(c)
}

type (
	wrongKeyFunc       struct{}
	wrongHashedFunc    struct{}
	wrongWhen          struct{}
	wrongWhenError     struct{}
	wrongOutputGate    struct{}
	wrongName          struct{}
	wrongTTL           struct{}
	wrongPolicy        struct{}
	wrongLiteral       struct{}
	wrongFromContext   struct{}
	wrongHashed        struct{}
	wrongNilKey        struct{}
	wrongNilGate       struct{}
	wrongLimit         struct{}
	wrongInputName     struct{}
	wrongOutputName    struct{}
	wrongEvent         struct{}
	wrongErrorGate     struct{}
	wrongOutputErrGate struct{}
	wrongNoKey         struct{}
	wrongNoMatcher     struct{}
	wrongInput         struct{}
	wrongDefault       struct{}
	wrongBadTag        struct{}
)

type wrongStranger struct{ cmdx.Base }

func (*wrongStranger) key() string                { return "" }
func (*wrongStranger) live() bool                 { return true }
func (*wrongStranger) again(error, int) bool      { return true }
func (*wrongStranger) Work(context.Context) error { return nil }

type wrongText struct{}

func (wrongText) MarshalText() ([]byte, error) { panic("no text") }

func (wrongKeyFunc) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc((*wrongStranger).key)) // here: KeyFunc
}
func (wrongHashedFunc) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Hashed(cmdx.KeyFunc((*wrongStranger).key))) // here: Hashed KeyFunc
}
func (wrongWhen) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.PerTask, cmdx.Idempotency{Unless: cmdx.When((*wrongStranger).live)}) // here: When
}
func (wrongWhenError) say(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{If: cmdx.WhenError((*wrongStranger).again)}) // here: WhenError
}
func (wrongOutputGate) say(c *cmdx.Config) {
	c.Output("receipt", outputs.If(cmdx.When((*wrongStranger).live))) // here: Output gate
}
func (wrongName) say(c *cmdx.Config) {
	c.Name(" \t") // here: Name
}
func (wrongTTL) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.PerTask, cmdx.Idempotency{TTL: 999 * time.Microsecond}) // here: TTL
}
func (wrongPolicy) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.PerTask, cmdx.Idempotency{OnDuplicate: cmdx.PolicyStepAside}) // here: OnDuplicate
}
func (wrongLiteral) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("")) // here: Literal
}
func (wrongFromContext) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.FromContext("")) // here: FromContext
}
func (wrongHashed) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Hashed(nil)) // here: Hashed
}
func (wrongNilGate) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.Literal("x"), cmdx.Idempotency{If: cmdx.When[wrongWork](nil)}) // here: nil When
}
func (wrongNilKey) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.KeyFunc[wrongWork](nil)) // here: nil KeyFunc
}
func (wrongLimit) say(c *cmdx.Config) {
	c.RetryOn(cmdx.AnyError, cmdx.Retry{Limit: -2}) // here: Limit
}
func (wrongInputName) say(c *cmdx.Config) {
	c.Required("") // here: Required
}
func (wrongOutputName) say(c *cmdx.Config) {
	c.Output("") // here: Output
}
func (wrongEvent) say(c *cmdx.Config) {
	c.Subscribe("task_stared", func(cmdx.Event) {}) // here: Subscribe
}
func (wrongErrorGate) say(c *cmdx.Config) {
	c.IdempotentBy(cmdx.PerTask, cmdx.Idempotency{If: cmdx.WhenError(func(*wrongWork, error, int) bool { return true })}) // here: If
}
func (wrongOutputErrGate) say(c *cmdx.Config) {
	c.Output("receipt", outputs.Unless(cmdx.WhenError(func(*wrongWork, error, int) bool { return true }))) // here: Output's Unless
}
func (wrongNoKey) say(c *cmdx.Config) {
	c.IdempotentBy(nil, cmdx.Idempotency{TTL: time.Hour}) // here: no resolver
}
func (wrongNoMatcher) say(c *cmdx.Config) {
	c.RetryOn(nil, cmdx.Retry{Limit: 2}) // here: no matcher
}
func (wrongInput) say(c *cmdx.Config) {
	c.Required("amount", inputs.Coerce(inputs.String)) // here: coercion
}
func (wrongDefault) say(c *cmdx.Config) {
	c.Optional("note", inputs.Coerce(inputs.String), inputs.Default(wrongText{})) // here: default
}
func (wrongBadTag) say(c *cmdx.Config) {
	c.Required("amount", inputs.Validate("gtt=0")) // here: rule
}

// Locks.
type (
	wrongLocker struct{ held bool }
	wrongMutex  struct {
		wrongWork
		mu sync.Mutex
	}
	wrongAtomic struct {
		wrongWork
		calls atomic.Int64
	}
	wrongOwnLock struct {
		wrongWork
		door wrongLocker
	}
	wrongArrayLock struct {
		wrongWork
		doors [2]struct{ once sync.Once }
	}
	wrongParentLock struct{ wrongMutex }
	wrongNamedLock  struct {
		wrongWork
		renamed wrongRenamed
	}
	wrongRenamed sync.RWMutex
	rightLocks   struct {
		wrongWork
		mu    *sync.Mutex
		calls *atomic.Int64
		doors []sync.Mutex
		byKey map[string]sync.WaitGroup
		any   sync.Locker
		sync.Locker
	}
)

func (*wrongLocker) Lock()   {}
func (*wrongLocker) Unlock() {}

// wrongLine is the line of this file that is marked with the name.
func wrongLine(name string) string {
	GinkgoHelper()
	source, err := os.ReadFile("definition_errors_test.go")
	Expect(err).NotTo(HaveOccurred())
	for i, line := range strings.Split(string(source), "\n") {
		if strings.HasSuffix(line, "// here: "+name) {
			return fmt.Sprintf("definition_errors_test.go:%d", i+1)
		}
	}
	Fail("no line is marked with " + name)
	return ""
}

// wrongAnchors are the headings of the page, as links name them.
func wrongAnchors() []string {
	GinkgoHelper()
	page, err := os.ReadFile("../docs/definition-errors.md")
	Expect(err).NotTo(HaveOccurred())
	var anchors []string
	for line := range strings.Lines(string(page)) {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			anchors = append(anchors, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(heading)), " ", "-"))
		}
	}
	return anchors
}

// wrongMistake is the one definition error of a task.
func wrongMistake(task cmdx.Task) *cmdx.DefinitionError {
	GinkgoHelper()
	_, err := cmdx.DefinitionOf(task)
	var mistake *cmdx.DefinitionError
	Expect(errors.As(err, &mistake)).To(BeTrue(), "%v", err)
	return mistake
}

var _ = Describe("Definition errors", func() {
	const anywhere = ""

	DescribeTable("name the type, the place, the reason, what to write, and a page that exists; nothing runs",
		func(task cmdx.Task, typeName, anchor, place, problem, fix string) {
			mistake := wrongMistake(task)
			Expect(mistake.Task).To(HavePrefix(typeName))
			Expect(mistake.Anchor).To(Equal(anchor))
			Expect(wrongAnchors()).To(ContainElement(anchor))
			Expect(mistake.Problem).To(ContainSubstring(problem))
			Expect(mistake.Fix).To(ContainSubstring(fix))
			if place == anywhere {
				Expect(mistake.Where).To(BeEmpty())
			} else {
				Expect(filepath.Base(mistake.Where)).To(Equal(wrongLine(place)))
				Expect(mistake.Error()).To(ContainSubstring(mistake.Where))
			}
			Expect(mistake.Error()).To(And(
				ContainSubstring(mistake.Task), ContainSubstring(mistake.Problem),
				ContainSubstring(mistake.Fix), ContainSubstring("docs/definition-errors.md#"+anchor)))

			store := storetest.NewFaulty(stores.NewMemory())
			rt := cmdx.New(cmdx.Configuration{Store: store})
			for range 3 {
				result, err := rt.ExecuteBang(context.Background(), task, cmdx.Args{"amount": 1})
				Expect(result.IsFailed()).To(BeTrue())
				Expect(result.Cause()).To(BeIdenticalTo(mistake))
				Expect(err).To(MatchError(mistake))
				Expect(result.String()).NotTo(BeEmpty())
				Expect(result.MarshalJSON()).NotTo(BeEmpty())
			}
			Expect(store.Calls()).To(BeEmpty())
			Expect(wrongWorks.Load()).To(BeZero())
			Expect(cmdx.Validate(task)).To(MatchError(mistake))
		},
		Entry("a parent by pointer", &wrongPointer{}, "spec.wrongPointer", "embedding-by-pointer", anywhere, "*spec.wrongParent", "Embed spec.wrongParent by value"),
		Entry("Base by pointer", &wrongBasePointer{}, "spec.wrongBasePointer", "embedding-by-pointer", anywhere, "*task.Base", "by value"),
		Entry("a mixin by pointer", &wrongMixinPointer{}, "spec.wrongMixinPointer", "embedding-by-pointer", anywhere, "*spec.wrongMixin", "by value"),
		Entry("itself by pointer", &wrongItself{}, "spec.wrongItself", "embedding-by-pointer", anywhere, "*spec.wrongItself", "by value"),
		Entry("a parent by pointer in a plain struct", &wrongPointerBelow{}, "spec.wrongHolder", "embedding-by-pointer", anywhere, "*spec.wrongParent", "by value"),
		Entry("a mixin by pointer in a plain struct", &wrongPointerBeside{}, "spec.wrongHolderBeside", "embedding-by-pointer", anywhere, "*spec.wrongMixin", "by value"),
		Entry("a mixin behind two pointers", &wrongPointersTwice{}, "spec.wrongPointersTwice", "embedding-by-pointer", anywhere, "*spec.wrongFarHolder", "by value"),
		Entry("a task interface", &wrongInterface{}, "spec.wrongInterface", "embedding-an-interface", anywhere, "run.Task", "named field"),
		Entry("a task interface in a plain struct", &wrongInterfaceBelow{}, "spec.wrongTaskHolder", "embedding-an-interface", anywhere, "run.Task", "named field"),
		Entry("an interface with Configure", &wrongInterfaceMixin{}, "spec.wrongInterfaceMixin", "embedding-an-interface", anywhere, "spec.wrongConfigurer", "named field"),
		Entry("a named slice with Configure", &wrongSlice{}, "spec.wrongSlice", "embedding-what-is-no-struct", anywhere, "spec.wrongList", "struct"),
		Entry("two ways to Base", &wrongTwoBases{}, "spec.wrongTwoBases", "two-ways-to-base", anywhere, "task.Base and spec.wrongWork", "mixins"),
		Entry("a mixin twice", &wrongMixinTwice{}, "spec.wrongMixinTwice", "a-mixin-twice", anywhere, "spec.wrongMixin", "Remove one"),

		Entry("a value receiver", &wrongValue{}, "spec.wrongValue", "configure-with-a-value-receiver", anywhere, "value receiver", "func (*wrongValue) Configure(c *cmdx.Config)"),
		Entry("a value receiver of a mixin", &wrongValueInMixin{}, "spec.wrongValueMixin", "configure-with-a-value-receiver", anywhere, "value receiver", "func (*wrongValueMixin) Configure(c *cmdx.Config)"),
		Entry("another signature", &wrongSignature{}, "spec.wrongSignature", "another-signature", anywhere, "never be called", "func (*wrongSignature) Configure(c *cmdx.Config)"),
		Entry("a variadic signature", &wrongVariadic{}, "spec.wrongVariadic", "another-signature", anywhere, "never be called", "func (*wrongVariadic) Configure(c *cmdx.Config)"),
		Entry("another signature of a mixin", &wrongSignatureInMixin{}, "spec.wrongMixinErr", "another-signature", anywhere, "never be called", "func (*wrongMixinErr) Configure(c *cmdx.Config)"),

		Entry("a panic", &wrongPanics{}, "spec.wrongPanics", "configure-panics", "wrongPanics", "the table is missing", "Mend what panics"),
		Entry("a panic of a parent", &wrongPanicky{}, "spec.wrongPanics", "configure-panics", "wrongPanics", "the table is missing", "Mend what panics"),
		Entry("a panic with an error", &wrongPanicsError{}, "spec.wrongPanicsError", "configure-panics", "wrongPanicsError", "no such table", "Mend what panics"),
		Entry("panic(nil)", &wrongPanicsNil{}, "spec.wrongPanicsNil", "configure-panics", "wrongPanicsNil", "panic called with nil argument", "Mend what panics"),
		Entry("a panic with what cannot be printed", &wrongPanicsOddly{}, "spec.wrongPanicsOddly", "configure-panics", "wrongPanicsOddly", "panicked", "Mend what panics"),
		Entry("Goexit", &wrongExits{}, "spec.wrongExits", "configure-exits", anywhere, "runtime.Goexit", "FailNow"),
		Entry("reading the receiver", &wrongReads{}, "spec.wrongReads", "configure-reads-its-receiver", "wrongReads", "nil receiver", "cmdx.KeyFunc((*T).Key)"),
		Entry("calling the parent's Configure through the receiver", &wrongCallsThrough{}, "spec.wrongCallsThrough", "configure-reads-its-receiver", "wrongCallsThrough", "calls its parent's Configure", "called by the framework"),
		Entry("a coercion that the field cannot hold", &wrongSays[wrongInput]{}, "spec.wrongSays", "an-input-that-cannot-be", "coercion", "amount", "the field"),
		Entry("a default whose coercion panics", &wrongSays[wrongDefault]{}, "spec.wrongSays", "an-input-that-cannot-be", "default", "default", "default"),
		Entry("a rule that does not exist", &wrongSays[wrongBadTag]{}, "spec.wrongSays", "an-input-that-cannot-be", "rule", "amount", ""),

		Entry("a key function of another type", &wrongSays[wrongKeyFunc]{}, "spec.wrongSays", "a-function-of-another-type", "KeyFunc", "IdempotentBy was given a function of *spec.wrongStranger", "method expression"),
		Entry("a hashed key function of another type", &wrongSays[wrongHashedFunc]{}, "spec.wrongSays", "a-function-of-another-type", "Hashed KeyFunc", "*spec.wrongStranger", "method expression"),
		Entry("a gate of another type", &wrongSays[wrongWhen]{}, "spec.wrongSays", "a-function-of-another-type", "When", "*spec.wrongStranger", "method expression"),
		Entry("an error gate of another type", &wrongSays[wrongWhenError]{}, "spec.wrongSays", "a-function-of-another-type", "WhenError", "RetryOn was given a function of *spec.wrongStranger", "method expression"),
		Entry("an output's gate of another type", &wrongSays[wrongOutputGate]{}, "spec.wrongSays", "a-function-of-another-type", "Output gate", "Output was given a function of *spec.wrongStranger", "method expression"),
		Entry("a blank name", &wrongSays[wrongName]{}, "spec.wrongSays", "a-blank-name", "Name", "blank", "c.Name("),
		Entry("a TTL below a millisecond", &wrongSays[wrongTTL]{}, "spec.wrongSays", "a-wrong-option", "TTL", "TTL is 999µs", "one millisecond"),
		Entry("a policy that does not fit", &wrongSays[wrongPolicy]{}, "spec.wrongSays", "a-wrong-option", "OnDuplicate", "OnDuplicate is PolicyStepAside", "PolicySkip or PolicyFail"),
		Entry("a blank literal", &wrongSays[wrongLiteral]{}, "spec.wrongSays", "a-wrong-option", "Literal", `Literal("")`, "Write the segment"),
		Entry("FromContext without a name", &wrongSays[wrongFromContext]{}, "spec.wrongSays", "a-wrong-option", "FromContext", `FromContext("")`, "Name the input"),
		Entry("Hashed without a resolver", &wrongSays[wrongHashed]{}, "spec.wrongSays", "a-wrong-option", "Hashed", "Hashed has no resolver", "Give it one"),
		Entry("a nil gate function", &wrongSays[wrongNilGate]{}, "spec.wrongSays", "a-wrong-option", "nil When", "the gate's function is nil", "method expression"),
		Entry("a nil key function", &wrongSays[wrongNilKey]{}, "spec.wrongSays", "a-wrong-option", "nil KeyFunc", "the key function is nil", "method expression"),
		Entry("a negative limit", &wrongSays[wrongLimit]{}, "spec.wrongSays", "a-wrong-option", "Limit", "Limit is -2", "NoRetries"),
		Entry("an input without a name", &wrongSays[wrongInputName]{}, "spec.wrongSays", "a-wrong-option", "Required", "no name", "c.Required("),
		Entry("an output without a name", &wrongSays[wrongOutputName]{}, "spec.wrongSays", "a-wrong-option", "Output", "no name", "c.Output("),
		Entry("an event that does not exist", &wrongSays[wrongEvent]{}, "spec.wrongSays", "a-wrong-option", "Subscribe", "no such event", "Event constants"),
		Entry("an error gate for a claim", &wrongSays[wrongErrorGate]{}, "spec.wrongSays", "whenerror-elsewhere", "If", "IdempotentBy was given a WhenError gate", "cmdx.When"),
		Entry("an error gate for an output", &wrongSays[wrongOutputErrGate]{}, "spec.wrongSays", "whenerror-elsewhere", "Output's Unless", "Output was given a WhenError gate", "cmdx.When"),
		Entry("options without a resolver", &wrongSays[wrongNoKey]{}, "spec.wrongSays", "options-without-a-resolver", "no resolver", "IdempotentBy has options", "cmdx.FromContext"),
		Entry("options without a matcher", &wrongSays[wrongNoMatcher]{}, "spec.wrongSays", "options-without-a-resolver", "no matcher", "RetryOn has options", "cmdx.ErrorType"),

		Entry("a declaration from another goroutine", &wrongStray{}, "spec.wrongStray", "declaring-from-another-goroutine", "wrongStray", "another goroutine call IdempotentBy", "Configure itself"),
		Entry("a mixin that calls the Configure of what embeds it", &wrongCalledByMixin{}, "spec.wrongCaller", "calling-another-configure", "wrongCalledByMixin", "spec.wrongCalledByMixin", "Remove the call"),
		Entry("a generic mixin that calls its like", &wrongCallsItsLike{}, "spec.wrongGeneric[int]", "calling-another-configure", "wrongCallsItsLike", "spec.wrongGeneric[", "Remove the call"),

		Entry("a mutex", &wrongMutex{}, "spec.wrongMutex", "a-lock-by-value", anywhere, "mu (sync.Mutex)", "by pointer"),
		Entry("an atomic", &wrongAtomic{}, "spec.wrongAtomic", "a-lock-by-value", anywhere, "calls (atomic.Int64)", "by pointer"),
		Entry("a Locker of one's own", &wrongOwnLock{}, "spec.wrongOwnLock", "a-lock-by-value", anywhere, "door (spec.wrongLocker)", "by pointer"),
		Entry("a lock in an array", &wrongArrayLock{}, "spec.wrongArrayLock", "a-lock-by-value", anywhere, "doors (once (sync.Once))", "by pointer"),
		Entry("a lock of a parent", &wrongParentLock{}, "spec.wrongParentLock", "a-lock-by-value", anywhere, "wrongMutex (mu (sync.Mutex))", "by pointer"),
		Entry("a lock by another name", &wrongNamedLock{}, "spec.wrongNamedLock", "a-lock-by-value", anywhere, "renamed (", "by pointer"),
	)

	DescribeTable("tell of a Configure that runs tasks", func(task cmdx.Task, what string) {
		mistake := wrongMistake(task)
		Expect(mistake.Anchor).To(Equal("configure-runs-tasks"))
		Expect(mistake.Problem).To(ContainSubstring("its Configure called " + what))
		Expect(filepath.Base(mistake.Where)).To(MatchRegexp(`^\w+\.go:\d+$`))
		result := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), task, nil)
		Expect(result.Cause()).To(BeIdenticalTo(mistake))
	},
		Entry("its own", &wrongExecutesItself{}, "Execute"),
		Entry("another one", &wrongExecutes{}, "Execute"),
		Entry("deep in a call", &wrongExecutesDeep{}, "Execute"),
		Entry("by ExecuteBang", &wrongBangs{}, "Execute"),
		Entry("by DefinitionOf", &wrongAsks{}, "DefinitionOf"),
		Entry("by Validate", &wrongValidates{}, "Validate"),
	)

	DescribeTable("tell of a Configure that calls another by hand", func(task cmdx.Task, other string) {
		mistake := wrongMistake(task)
		Expect(mistake.Anchor).To(Equal("calling-another-configure"))
		Expect(mistake.Problem).To(ContainSubstring("calls that of " + other))
		Expect(filepath.Base(mistake.Where)).To(MatchRegexp(`^definition_errors_test\.go:\d+$`))
	},
		Entry("its parent's", &wrongCallsParent{}, "spec.wrongParent"),
		Entry("its mixin's", &wrongCallsMixin{}, "spec.wrongMixin"),
	)

	Describe("What is no task value", func() {
		DescribeTable("fails with the same words each time", func(task cmdx.Task, name string) {
			store := storetest.NewFaulty(stores.NewMemory())
			rt := cmdx.New(cmdx.Configuration{Store: store})
			var mistake *cmdx.DefinitionError
			Expect(errors.As(cmdx.Validate(task), &mistake)).To(BeTrue())
			Expect(mistake.Task).To(Equal(name))
			Expect(mistake.Anchor).To(Equal("a-nil-task"))
			Expect(wrongAnchors()).To(ContainElement("a-nil-task"))
			for range 3 {
				result := rt.Execute(context.Background(), task, nil)
				Expect(result.IsFailed()).To(BeTrue())
				Expect(result.Cause()).To(Equal(error(mistake)))
				Expect(result.String()).NotTo(BeEmpty())
				Expect(result.MarshalJSON()).NotTo(BeEmpty())
			}
			_, err := cmdx.DefinitionOf(task)
			Expect(err).To(Equal(error(mistake)))
			Expect(store.Calls()).To(BeEmpty())
		},
			Entry("nil", nil, "nil"),
			Entry("a nil pointer", (*wrongWork)(nil), "(*spec.wrongWork)(nil)"),
			Entry("a nil pointer of a type that is declared wrongly", (*wrongPanics)(nil), "(*spec.wrongPanics)(nil)"),
		)
	})

	It("do not speak of locks that are held by pointer", func() {
		Expect(cmdx.Validate(&rightLocks{})).To(Succeed())
	})

	It("are all found at once, over several tasks", func() {
		err := cmdx.Validate(&wrongMutex{}, nil, &wrongWork{}, &wrongSays[wrongTTL]{}, &wrongMutex{}, &wrongExits{})
		joined, ok := err.(interface{ Unwrap() []error })
		Expect(ok).To(BeTrue(), "%v", err)
		var anchors []string
		for _, one := range joined.Unwrap() {
			anchors = append(anchors, one.(*cmdx.DefinitionError).Anchor)
		}
		Expect(anchors).To(ConsistOf("a-nil-task", "a-lock-by-value", "a-wrong-option", "configure-exits"))
	})

	It("are none for sound tasks and for no tasks", func() {
		Expect(cmdx.Validate(&wrongWork{})).To(Succeed())
		Expect(cmdx.Validate()).To(Succeed())
	})

	It("reach the error that a Configure panicked with", func() {
		Expect(wrongMistake(&wrongPanicsError{})).To(MatchError(errWrong))
	})

	It("keep nothing of what a failing Configure had declared", func() {
		definition, err := cmdx.DefinitionOf(&wrongHalf{})
		Expect(definition).To(BeNil())
		Expect(err).To(BeAssignableToTypeOf(&cmdx.DefinitionError{}), "there is one error only: %v", err)
		Expect(err.(*cmdx.DefinitionError).Anchor).To(Equal("configure-panics"))
	})

	It("do not come of a Config that is used when its Configure has long returned", func() {
		before, err := cmdx.DefinitionOf(&wrongKept{})
		Expect(err).NotTo(HaveOccurred())
		kept := wrongKeptConfig.Load()
		var callers sync.WaitGroup
		for range 10 {
			callers.Go(func() {
				kept.Name("late")
				kept.Tags("late")
				kept.IdempotentBy(cmdx.PerTask)
			})
		}
		callers.Wait()
		after, err := cmdx.DefinitionOf(&wrongKept{})
		Expect(err).NotTo(HaveOccurred())
		Expect(after).To(BeIdenticalTo(before))
		Expect(after.Name()).To(Equal("wrongKept"))
		Expect(after.TagList()).To(BeEmpty())
		Expect(after.IdempotencyKey()).To(BeNil())
	})

	It("do not come of a Configure that a test calls with a Config of its own", func() {
		Expect(func() { (*wrongParent)(nil).Configure(&cmdx.Config{}) }).NotTo(Panic())
	})
})
