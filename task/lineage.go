package task

import (
	"maps"
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
	// members are the types of the chain and its mixins.
	members map[reflect.Type]bool
	// functions are the Configure methods of everything embedded by value, the
	// type's own included, by their names as they stand in a stack.
	functions map[string]reflect.Type
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
	l := &lineage{
		typ: t, members: map[reflect.Type]bool{},
		functions: configureFunctions(t), ancestors: collectAncestors(t),
	}
	l.mistakes = embeddingMistakes(t)
	parent, ways := parentField(t)
	if len(ways) > 1 {
		l.mistakes = append(l.mistakes, mistakeTwoBases(t, ways))
	}
	if parent == nil {
		if len(l.mistakes) == 0 { // a way to be a task that nobody thought of
			l.mistakes = append(l.mistakes, mistakeNotAStruct(t.String()))
		}
		return l
	}
	l.base = parent.Offset
	if parent.Type != baseType {
		p := lineageOf(parent.Type)
		l.base += p.base
		l.settings = p.settings.inherited()
		maps.Copy(l.members, p.members)
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
	if l.members[t] {
		l.mistakes = append(l.mistakes, mistakeMixinTwice(l.typ, t))
		return
	}
	for field := range embeddedStructs(t) {
		l.addMixin(field.Type)
	}
	l.addOwn(t)
}

// addOwn applies the layer that t itself declares, if any.
func (l *lineage) addOwn(t reflect.Type) {
	how, method := ownConfigure(t)
	l.members[t] = true
	switch how {
	case configuresNot:
		return
	case configuresByValue:
		l.mistakes = append(l.mistakes, mistakeValueReceiver(t))
		return
	case configuresOtherwise:
		if leadsToBase(t) || mentionsConfig(method) {
			l.mistakes = append(l.mistakes, mistakeSignature(t, method.Type))
		}
		return
	}
	c := &Config{settings: l.settings, lineage: l, layer: t, function: configureFunction(method)}
	failure, site := configure(method, c)
	mistakes := c.close()
	if failure != nil {
		l.mistakes = append(l.mistakes, mistakeConfigureFailed(t, failure, site))
		return // nothing half built is kept
	}
	l.mistakes = append(l.mistakes, mistakes...)
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
// through what it embeds by value; what Go promotes or hides plays no part. A
// signature that comes near counts, so that it can be refused.
func declaresConfigure(t reflect.Type) bool {
	if meansToConfigure(t) {
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

// collectAncestors gives the offset of every struct embedded by value, t
// itself included; of one type embedded twice the outermost first one counts.
func collectAncestors(t reflect.Type) map[any]uintptr {
	type place struct {
		typ reflect.Type
		at  uintptr
	}
	ancestors := map[any]uintptr{}
	for level := []place{{t, 0}}; len(level) > 0; {
		var below []place
		for _, p := range level {
			if _, known := ancestors[p.typ]; !known {
				ancestors[p.typ] = p.at
			}
			for field := range embeddedStructs(p.typ) {
				below = append(below, place{field.Type, p.at + field.Offset})
			}
		}
		level = below
	}
	return ancestors
}

// configureFunctions finds the Configure methods of t and of all that it
// embeds by value.
func configureFunctions(t reflect.Type) map[string]reflect.Type {
	functions := map[string]reflect.Type{}
	if how, method := ownConfigure(t); how == configuresRight {
		functions[configureFunction(method)] = t
	}
	for field := range embeddedStructs(t) {
		maps.Copy(functions, configureFunctions(field.Type))
	}
	return functions
}

// embeddingMistakes finds what t, or a plain struct in it, embeds by pointer,
// as an interface or as another kind although it leads to Base or declares
// Configure. The parent finds its own.
func embeddingMistakes(t reflect.Type) []*DefinitionError {
	var mistakes []*DefinitionError
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.Anonymous {
			continue
		}
		switch field.Type.Kind() {
		case reflect.Struct:
			if !leadsToBase(field.Type) {
				mistakes = append(mistakes, embeddingMistakes(field.Type)...)
			}
		case reflect.Pointer:
			if hidesLayers(field.Type.Elem(), map[reflect.Type]bool{}) {
				mistakes = append(mistakes, mistakeEmbeddedPointer(t, field.Type))
			}
		case reflect.Interface:
			if interfaceConfigures(field.Type) || field.Type.Implements(taskType) {
				mistakes = append(mistakes, mistakeEmbeddedInterface(t, field.Type))
			}
		default:
			if meansToConfigure(field.Type) {
				mistakes = append(mistakes, mistakeEmbeddedOther(t, field.Type))
			}
		}
	}
	return mistakes
}

// hidesLayers tells whether t, or anything that it embeds in whatever way,
// is Base or declares Configure; seen ends cycles.
func hidesLayers(t reflect.Type, seen map[reflect.Type]bool) bool {
	switch {
	case t.Kind() == reflect.Pointer:
		return hidesLayers(t.Elem(), seen)
	case t.Kind() == reflect.Interface:
		return interfaceConfigures(t) || t.Implements(taskType)
	case t == baseType || meansToConfigure(t):
		return true
	case t.Kind() != reflect.Struct || seen[t]:
		return false
	}
	seen[t] = true
	for i := range t.NumField() {
		if field := t.Field(i); field.Anonymous && hidesLayers(field.Type, seen) {
			return true
		}
	}
	return false
}

// interfaceConfigures tells whether an interface has Configure(*Config).
func interfaceConfigures(t reflect.Type) bool {
	method, ok := t.MethodByName(configureName)
	return ok && method.Type.NumIn() == 1 && method.Type.In(0) == configType
}
