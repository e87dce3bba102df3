package task

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// One function per mistake. Each tells what was declared and where, why it
// cannot be, and what to write instead.

func mistakeNilTask(what string) *DefinitionError {
	return &DefinitionError{
		Task: what, Anchor: "a-nil-task",
		Problem: "there is no task value to copy",
		Fix:     "Pass a value, such as &ChargeCustomer{Gateway: gw}.",
	}
}

func mistakeNotAStruct(what string) *DefinitionError {
	return &DefinitionError{
		Task: what, Anchor: "not-a-struct",
		Problem: "a task is a struct that embeds cmdx.Base, or a pointer to one",
		Fix:     "Embed cmdx.Base by value in a struct and pass a pointer to it.",
	}
}

func mistakeEmbeddedPointer(t, field reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "embedding-by-pointer",
		Problem: fmt.Sprintf("it embeds %s by pointer, which copies would share and which may be nil", field),
		Fix:     fmt.Sprintf("Embed %s by value.", field.Elem()),
	}
}

func mistakeEmbeddedInterface(t, field reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "embedding-an-interface",
		Problem: fmt.Sprintf("it embeds the interface %s, behind which no layers can be seen", field),
		Fix:     "Embed the parent's struct by value, or hold the interface in a named field.",
	}
}

func mistakeEmbeddedOther(t, field reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "embedding-what-is-no-struct",
		Problem: fmt.Sprintf("it embeds %s, whose Configure would never be called, since only structs are mixins", field),
		Fix:     fmt.Sprintf("Make %s a struct, or hold it in a named field.", field),
	}
}

func mistakeTwoBases(t reflect.Type, ways []string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "two-ways-to-base",
		Problem: "it reaches cmdx.Base in more than one way: through " + strings.Join(ways, " and "),
		Fix:     "Keep one parent. Let the others be mixins: structs that declare Configure and do not embed cmdx.Base.",
	}
}

func mistakeMixinTwice(t, mixin reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "a-mixin-twice",
		Problem: fmt.Sprintf("the mixin %s stands twice in its chain", mixin),
		Fix:     "Remove one of the two; what a parent embeds is inherited.",
	}
}

func mistakeValueReceiver(t reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "configure-with-a-value-receiver",
		Problem: "its Configure has a value receiver, so it cannot run on a nil one",
		Fix:     fmt.Sprintf("Write func (*%s) Configure(c *cmdx.Config).", t.Name()),
	}
}

func mistakeSignature(t reflect.Type, method reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "another-signature",
		Problem: fmt.Sprintf("its Configure is %s, so it would never be called", method),
		Fix:     fmt.Sprintf("Write func (*%s) Configure(c *cmdx.Config).", t.Name()),
	}
}

// mistakeConfigureFailed is for a Configure that panicked or left.
func mistakeConfigureFailed(t reflect.Type, failure any, site string) *DefinitionError {
	m := &DefinitionError{Task: t.String(), Where: site}
	switch f := failure.(type) {
	case exited:
		m.Anchor, m.Problem = "configure-exits", "its Configure left by runtime.Goexit"
		m.Fix = "Let Configure only declare; do not call FailNow, Fatal or Goexit in it."
	case unfit:
		m.Anchor, m.Problem = "configure-runs-tasks", "its Configure called "+f.what+" while definitions were being built"
		m.Fix = "Let Configure only declare. What is needed per execution comes through resolvers, gates and callbacks."
	case error:
		m.Err = f
		if isNilDereference(f) {
			m.Anchor, m.Problem = "configure-reads-its-receiver", "its Configure reads its receiver, or calls its parent's Configure through it: it runs on a nil receiver, once per type"
			m.Fix = "Take what an execution needs from the task that resolvers, gates and callbacks are given: cmdx.KeyFunc((*T).Key). A parent's Configure is called by the framework."
			break
		}
		m.Anchor, m.Problem, m.Fix = "configure-panics", "its Configure panicked: "+result.Text(f), "Mend what panics; Configure runs once per type, on a nil receiver."
	default:
		m.Anchor, m.Problem, m.Fix = "configure-panics", fmt.Sprintf("its Configure panicked: %v", failure), "Mend what panics; Configure runs once per type, on a nil receiver."
	}
	return m
}

func isNilDereference(err error) bool {
	_, isRuntime := err.(interface{ RuntimeError() })
	return isRuntime && strings.Contains(err.Error(), "nil pointer dereference")
}

func mistakeCallsConfigure(t, other reflect.Type, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "calling-another-configure",
		Problem: fmt.Sprintf("its Configure calls that of %s, whose layer would then count twice", other),
		Fix:     "Remove the call: the layers of parents and mixins are laid before its own.",
	}
}

func mistakeStray(t reflect.Type, what, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "declaring-from-another-goroutine",
		Problem: "its Configure lets another goroutine call " + what + ", which may come too late",
		Fix:     "Declare in Configure itself and in functions that it calls.",
	}
}

func mistakeForeignFunction(t reflect.Type, what, site string, function reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "a-function-of-another-type",
		Problem: fmt.Sprintf("%s was given a function of *%s, which %s neither is nor embeds by value", what, function, t),
		Fix:     "Give it a method expression of the type itself or of a struct that it embeds.",
	}
}

func mistakeBlankName(t reflect.Type, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "a-blank-name",
		Problem: "its name is blank",
		Fix:     `Name it, such as c.Name("billing.ChargeCustomer"), or leave the call out.`,
	}
}

func mistakeOption(t reflect.Type, what, site string, p run.Problem) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "a-wrong-option",
		Problem: what + ": " + p.Text, Fix: p.Fix,
	}
}

func mistakeErrorGate(t reflect.Type, what, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "whenerror-elsewhere",
		Problem: what + " was given a WhenError gate, but there is no error to ask about",
		Fix:     "Use cmdx.When here; WhenError belongs to the If and Unless of RetryOn.",
	}
}

func mistakeNoResolver(t reflect.Type, what, site string) *DefinitionError {
	m := &DefinitionError{
		Task: t.String(), Where: site, Anchor: "options-without-a-resolver",
		Problem: what + " has options, but neither the type nor a parent says what they apply to",
		Fix:     `Give it a key resolver, such as cmdx.FromContext("payment_id"), or cmdx.Disabled.`,
	}
	if what == "Deprecate" {
		m.Fix = "Give it an action, such as cmdx.DeprecateWarn, or cmdx.Disabled."
	}
	if what == "RetryOn" {
		m.Fix = "Give it a matcher, such as cmdx.ErrorType[*net.OpError](), or cmdx.Disabled."
	}
	return m
}

func mistakeSensitiveKey(t reflect.Type, what, name, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "a-sensitive-key",
		Problem: fmt.Sprintf("%s takes the sensitive input %q for its key, which stores, logs and events would show", what, name),
		Fix:     fmt.Sprintf("Hash it: cmdx.Hashed(cmdx.FromContext(%q)).", name),
	}
}

func mistakeRollback(t, method reflect.Type) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "another-rollback",
		Problem: fmt.Sprintf("its Rollback is %s, so it would never be called", method),
		Fix:     fmt.Sprintf("Write func (t *%s) Rollback(ctx context.Context) error, or give the method another name.", t.Name()),
	}
}

func mistakeNotThere(t reflect.Type, what, kind, name, site string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Where: site, Anchor: "removing-what-is-not-there",
		Problem: fmt.Sprintf("%s: there is no %s %q to remove", what, kind, name),
		Fix:     fmt.Sprintf("Name an %s that the type inherits, or leave the call out.", kind),
	}
}

func mistakeLock(t reflect.Type, path string) *DefinitionError {
	return &DefinitionError{
		Task: t.String(), Anchor: "a-lock-by-value",
		Problem: "it holds a lock or atomic by value, " + path + ", which every execution would copy",
		Fix:     "Hold it by pointer, so that all executions of a template share it.",
	}
}

func mistakeInput(t reflect.Type, site string, p inputs.Problem) *DefinitionError {
	return &DefinitionError{Task: t.String(), Where: site, Anchor: "an-input-that-cannot-be", Problem: p.Text, Fix: p.Fix}
}

func mistakeClash(mine, theirs owner) *DefinitionError {
	return &DefinitionError{
		Task: mine.definition.structType.String(), Where: mine.definition.sites[mine.feature], Anchor: "clashing-keys",
		Problem: fmt.Sprintf("its %s keys begin with %q and those of %s (%s) with %q, so two runs could share a key",
			mine.feature, mine.prefix, theirs.definition.structType, theirs.feature, theirs.prefix),
		Fix: "Give one of the two another name (c.Name) or namespace.",
	}
}

func mistakeScope(mine, theirs owner) *DefinitionError {
	problem := fmt.Sprintf("its %s keys begin with %q by a Scope, under which %s keeps its %s",
		mine.feature, mine.prefix, theirs.definition.structType, theirs.feature)
	if mine.feature == theirs.feature {
		problem = fmt.Sprintf("its %s keys begin with %q by a Scope, for which %s has other options: one of the two would be wrong about what they share",
			mine.feature, mine.prefix, theirs.definition.structType)
	}
	return &DefinitionError{
		Task: mine.definition.structType.String(), Where: mine.definition.sites[mine.feature], Anchor: "a-scope-with-other-options",
		Problem: problem,
		Fix:     "Declare the guard once in a parent or mixin of all types that share it, or give one of them another Scope or Namespace.",
	}
}
