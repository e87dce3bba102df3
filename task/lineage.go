package task

import (
	"reflect"
	"sync"

	"github.com/cmdx-go/cmdx/internal/run"
)

var (
	baseType = reflect.TypeFor[Base]()
	taskType = reflect.TypeFor[run.Task]()
)

// lineage is a struct type with all its layers: its parents', its mixins' and
// its own, merged. It is built once per type and never changes.
type lineage struct {
	typ      reflect.Type
	settings settings
	// base is the offset of Base in the struct.
	base uintptr
	// members are the types of the chain and its mixins, with the name of
	// their own Configure as it stands in a stack; "" for none.
	members map[reflect.Type]string
	// ancestors holds the offset of every struct embedded by value, the type
	// itself included.
	ancestors map[any]uintptr
	mistakes  []*DefinitionError
}

var lineages sync.Map // reflect.Type → func() *lineage

// lineageOf returns the lineage of a struct type that leads to Base. Callers
// that come while it is being built wait for it.
func lineageOf(t reflect.Type) *lineage {
	once, ok := lineages.Load(t)
	if !ok {
		once, _ = lineages.LoadOrStore(t, sync.OnceValue(func() *lineage { return buildLineage(t) }))
	}
	return once.(func() *lineage)()
}

// buildLineage walks one level: the parent's layers come first, wherever its
// field stands, then mixins in field order, then the type's own.
func buildLineage(t reflect.Type) *lineage {
	l := &lineage{typ: t, members: map[reflect.Type]string{}, ancestors: map[any]uintptr{t: 0}}
	collectAncestors(t, 0, l.ancestors)
	l.mistakes = embeddingMistakes(t)
	parent, ways := parentField(t)
	if len(ways) > 1 {
		l.mistakes = append(l.mistakes, mistakeTwoBases(t, ways))
	}
	if parent == nil {
		return l
	}
	l.base = parent.Offset
	if parent.Type != baseType {
		p := lineageOf(parent.Type)
		l.base += p.base
		l.settings = p.settings.inherited()
		for m, function := range p.members {
			l.members[m] = function
		}
		l.mistakes = append(l.mistakes, p.mistakes...)
	}
	for field := range embeddedStructs(t) {
		if field.Index[0] != parent.Index[0] {
			l.addMixin(field.Type)
		}
	}
	l.addOwn(t)
	return l
}

// addMixin applies a mixin's layers: what it embeds first, then its own.
func (l *lineage) addMixin(t reflect.Type) {
	if t == baseType || leadsToBase(t) || !declaresConfigure(t) {
		return
	}
	if _, twice := l.members[t]; twice {
		l.mistakes = append(l.mistakes, mistakeMixinTwice(l.typ, t))
		return
	}
	for field := range embeddedStructs(t) {
		l.addMixin(field.Type)
	}
	l.mistakes = append(l.mistakes, embeddingMistakes(t)...)
	l.addOwn(t)
}

// addOwn applies the layer that t itself declares, if any.
func (l *lineage) addOwn(t reflect.Type) {
	how, method := ownConfigure(t)
	l.members[t] = ""
	switch how {
	case configuresNot:
		return
	case configuresByValue:
		l.mistakes = append(l.mistakes, mistakeValueReceiver(t))
		return
	case configuresOtherwise:
		if leadsToBase(t) {
			l.mistakes = append(l.mistakes, mistakeSignature(t, method.Type))
		}
		return
	}
	own := configureFunction(method)
	l.members[t] = own
	c := &Config{settings: l.settings, lineage: l, layer: t, function: own}
	failure, site := configure(method, c)
	c.closed = true
	if failure != nil {
		l.mistakes = append(l.mistakes, mistakeConfigureFailed(t, failure, site))
		return // nothing half built is kept
	}
	l.mistakes = append(l.mistakes, c.mistakes...)
	l.settings = c.settings
}

// parentField is the field through which t reaches Base by value, and all
// such ways.
func parentField(t reflect.Type) (parent *reflect.StructField, ways []string) {
	for field := range embeddedStructs(t) {
		if field.Type == baseType || leadsToBase(field.Type) {
			if parent == nil {
				parent = &field
			}
			ways = append(ways, field.Type.String())
		}
	}
	return parent, ways
}

// leadsToBase tells whether t reaches Base through structs embedded by value.
func leadsToBase(t reflect.Type) bool {
	if t == baseType {
		return true
	}
	for field := range embeddedStructs(t) {
		if leadsToBase(field.Type) {
			return true
		}
	}
	return false
}

// declaresConfigure tells whether t declares Configure(*Config) itself or
// through what it embeds by value; what Go promotes or hides plays no part.
func declaresConfigure(t reflect.Type) bool {
	how, method := ownConfigure(t)
	if how == configuresRight || how == configuresByValue && takesConfig(method) {
		return true
	}
	for field := range embeddedStructs(t) {
		if declaresConfigure(field.Type) {
			return true
		}
	}
	return false
}

// embeddedStructs yields the structs that t embeds by value, in field order.
func embeddedStructs(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			field := t.Field(i)
			if field.Anonymous && field.Type.Kind() == reflect.Struct && !yield(field) {
				return
			}
		}
	}
}

// collectAncestors notes the offset of every struct embedded by value; of one
// type embedded twice the outermost first one counts.
func collectAncestors(t reflect.Type, at uintptr, into map[any]uintptr) {
	for field := range embeddedStructs(t) {
		if _, known := into[field.Type]; !known {
			into[field.Type] = at + field.Offset
		}
	}
	for field := range embeddedStructs(t) {
		collectAncestors(field.Type, at+field.Offset, into)
	}
}

// embeddingMistakes finds what t embeds by pointer or interface although it
// leads to Base or declares Configure.
func embeddingMistakes(t reflect.Type) []*DefinitionError {
	var mistakes []*DefinitionError
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.Anonymous {
			continue
		}
		switch field.Type.Kind() {
		case reflect.Pointer:
			pointed := field.Type.Elem()
			if pointed.Kind() == reflect.Struct && pointed != t && (reaches(pointed, map[reflect.Type]bool{t: true}) || declaresConfigure(pointed)) {
				mistakes = append(mistakes, mistakeEmbeddedPointer(t, field.Type))
			}
		case reflect.Interface:
			_, configures := field.Type.MethodByName(configureName)
			if configures || field.Type.Implements(taskType) {
				mistakes = append(mistakes, mistakeEmbeddedInterface(t, field.Type))
			}
		}
	}
	return mistakes
}

// reaches is leadsToBase through pointers too; seen ends cycles.
func reaches(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == baseType {
		return true
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return false
	}
	seen[t] = true
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.Anonymous {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		if reaches(inner, seen) {
			return true
		}
	}
	return false
}
