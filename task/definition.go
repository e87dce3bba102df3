package task

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/internal/run"
)

// Definition is what a task type declares, with everything that it inherits.
// It is built once per type, never changes, and may be read from many
// goroutines.
type Definition struct {
	settings
	info         *run.Type
	structType   reflect.Type
	base         uintptr
	plan         *inputs.Plan
	retryOptions retry.Options
	steps        []step
	names        []string
	mistakes     []*DefinitionError
	clash        *clash
	rollsBack    bool
}

// Name is the task's name in keys, results and texts.
func (d *Definition) Name() string { return d.info.Name }

// Steps names what an execution runs, in order; what the type does not
// declare is absent.
func (d *Definition) Steps() []string { return append([]string(nil), d.names...) }

var definitions sync.Map // reflect.Type of the struct → func() *Definition

// definitionOf returns the definition of a task's struct type, usable or not.
func definitionOf(t reflect.Type) *Definition {
	if once, ok := definitions.Load(t); ok {
		return once.(func() *Definition)()
	}
	once, _ := definitions.LoadOrStore(t, sync.OnceValue(func() *Definition { return define(t) }))
	return once.(func() *Definition)()
}

// define makes a definition of a type's layers: what can only be known of the
// whole is checked here.
func define(t reflect.Type) *Definition {
	l := lineageOf(t)
	d := &Definition{settings: l.settings, structType: t, base: l.base}
	d.mistakes = append(d.mistakes, l.mistakes...)
	name := d.settings.name
	if name == "" {
		name = defaultName(t)
	}
	d.info = &run.Type{Name: name, Kind: "Task", Tags: d.own.Tags, Ancestors: l.ancestors}
	if path := lockByValue(t); path != "" {
		d.mistakes = append(d.mistakes, mistakeLock(t, path))
	}
	d.planInputs(t)
	d.checkGuards(t)
	d.checkSensitive(t)
	d.readRollback(t)
	if d.deprecation.Incomplete() {
		d.mistakes = append(d.mistakes, mistakeNoResolver(t, "Deprecate", d.sites["Deprecate"]))
	}
	if d.retry.Incomplete() {
		d.mistakes = append(d.mistakes, mistakeNoResolver(t, "RetryOn", d.sites["RetryOn"]))
	}
	if len(d.mistakes) > 0 {
		return d
	}
	d.retryOptions = d.retry.Options()
	if !d.retry.Active() {
		d.retryOptions = retry.Options{Limit: retry.NoRetries}
	}
	d.clash = registerKeys(d)
	steps := pipeline(d)
	for _, s := range steps {
		d.names = append(d.names, s.name)
	}
	d.steps = entering(steps)
	return d
}

func (d *Definition) planInputs(t reflect.Type) {
	var plan *inputs.Plan
	var problems []inputs.Problem
	// Defaults are tried, which calls methods of the application's types.
	if failure, _ := shielded(func() { plan, problems = inputs.Compile(t, d.inputs) }); failure != nil {
		problems = append(problems, inputs.Problem{
			Text: "the default of an input, or its coercion, cannot be tried: it panics, exits or runs tasks",
			Fix:  "Use a default that its coercion takes, or inputs.DefaultFunc.",
		})
	}
	for _, p := range problems {
		d.mistakes = append(d.mistakes, mistakeInput(t, d.sites["input "+p.Input], p))
	}
	if plan == nil {
		return
	}
	d.plan = plan
	d.info.Inputs = plan.Names()
}

// problem is the definition error with which runs of the type fail; nil for
// none.
func (d *Definition) problem() *DefinitionError {
	if len(d.mistakes) > 0 {
		return d.mistakes[0]
	}
	if d.clash != nil {
		return d.clash.mistake(d)
	}
	return nil
}

// DefinitionOf returns the effective definition of a task's type, inherited
// settings included. Its error is every [*DefinitionError] of the type,
// joined.
func DefinitionOf(t run.Task) (*Definition, error) {
	refuseInsideConfigure("DefinitionOf")
	structType, err := structOf(t)
	if err != nil {
		return nil, err
	}
	d := definitionOf(structType)
	if err := joinMistakes(d.allMistakes()); err != nil {
		return nil, err
	}
	return d, nil
}

// structOf is the struct type of a task value; its error is a definition
// error for what is no usable task value.
func structOf(t run.Task) (reflect.Type, error) {
	if t == nil {
		return nil, mistakeNilTask("nil")
	}
	v := reflect.ValueOf(t)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, mistakeNilTask(fmt.Sprintf("(%T)(nil)", t))
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil, mistakeNotAStruct(fmt.Sprintf("%T", t))
	}
	return v.Type(), nil
}
