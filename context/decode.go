package cmdxctx

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/mitchellh/mapstructure"
)

// Decode fills target, a pointer to a struct or to a map with string keys, from
// the data.
//
// A field takes the value under the name in its cmdx tag, else in its json tag,
// else under its own name, letter for letter; "-" leaves it alone. The fields of
// embedded structs count as the struct's own. Maps decode into structs at every
// depth, and slices and maps into those of other element types. A value of the
// field's own type arrives as it is; text decodes into types that read it
// (encoding.TextUnmarshaler). Numbers change their type only when they stay the
// same number: anything else is an error. Maps and slices are copies of the
// target's own; elements behind pointers may be copies too.
//
// What the target held before is replaced: a field whose key is missing becomes
// zero. Every failure is a [*DecodeError], and leaves the target as it was.
func (c *Context) Decode(target any) (err error) {
	into := reflect.ValueOf(target)
	if into.Kind() != reflect.Pointer || into.IsNil() || (into.Elem().Kind() != reflect.Struct && !stringKeyed(into.Type().Elem())) {
		return &DecodeError{Want: typeName(target), Problem: "the target must be a pointer, not nil, to a struct or to a map with string keys"}
	}
	into = into.Elem()
	d := &decoding{}
	defer d.mend(&err, into.Type())
	if into.Kind() == reflect.Struct {
		if !d.fields(c.data(), into) {
			return d.err
		}
		return nil
	}
	fresh := reflect.New(into.Type()).Elem()
	if !d.value(c.data(), fresh) {
		return d.err
	}
	into.Set(fresh)
	return nil
}

func typeName(v any) string {
	if v == nil {
		return "nil"
	}
	return reflect.TypeOf(v).String()
}

// DecodeWith fills target, a settable struct, from values as [Context.Decode]
// does, but asks step first about every value for a place of type t: what it
// makes is stored when done is true, and decoded on otherwise. Where ok is
// false the value is refused. It is what package inputs binds structs with.
func DecodeWith(values map[string]any, target reflect.Value, step func(v any, t reflect.Type) (made any, done, ok bool)) (failed *DecodeError) {
	d := &decoding{step: step}
	var err error
	defer func() { failed = d.err }()
	defer d.mend(&err, target.Type())
	d.fields(values, target)
	return d.err
}

// ShowsFields tells whether the struct type t has fields that anybody may
// read, itself or through what it embeds: time.Time and big.Int have none.
func ShowsFields(t reflect.Type) bool { return shows(t, nil) }

// decoding is one call of Decode. The decoder below walks pointers, slices and
// maps; what must be exact, and every struct, is done in its hook.
type decoding struct {
	path []string     // names of the fields under way
	err  *DecodeError // the first failure; nothing goes on behind it
	step func(v any, t reflect.Type) (made any, done, ok bool)
}

// deepest is how many structs may lie in each other before the data is taken
// for cyclic.
const deepest = 500

// fail keeps the first failure.
func (d *decoding) fail(want, got reflect.Type, problem string) error {
	if d.err == nil {
		d.err = &DecodeError{Path: strings.ReplaceAll(strings.Join(d.path, "."), ".[", "["), Want: want.String(), Problem: problem}
		if got != nil {
			d.err.Got = got.String()
		}
	}
	return d.err
}

// mend turns a panic, which odd types can lead the decoder to, into an error.
func (d *decoding) mend(err *error, want reflect.Type) {
	if recover() != nil {
		*err = d.fail(want, nil, "the types do not go together")
	}
}

// fields fills the struct at once when every value could be decoded, and not
// at all otherwise.
func (d *decoding) fields(values map[string]any, to reflect.Value) bool {
	known := fieldsOf(to.Type())
	if known.twice != "" {
		d.fail(to.Type(), nil, fmt.Sprintf("two of its fields are called %q; give one another name by a cmdx tag", known.twice))
		return false
	}
	if len(d.path) >= deepest {
		d.path = d.path[:1]
		d.fail(to.Type(), nil, "the data lies in itself or is nested too deeply")
		return false
	}
	decoded := make([]reflect.Value, len(known.list))
	for i, f := range known.list {
		value, ok := values[f.key]
		if !ok {
			continue
		}
		d.path = append(d.path, f.key)
		if !f.reachable(to) {
			d.fail(f.typ, nil, "the field lies behind a nil pointer to an unexported struct; embed the struct by value")
			return false
		}
		decoded[i] = reflect.New(f.typ).Elem()
		if !d.value(value, decoded[i]) {
			return false
		}
		d.path = d.path[:len(d.path)-1]
	}
	for i, f := range known.list {
		if decoded[i].IsValid() {
			f.write(to).Set(decoded[i])
		} else if missing := f.read(to); missing.IsValid() {
			missing.SetZero()
		}
	}
	return true
}

// value decodes one value into to, which is zero and can be set.
func (d *decoding) value(value any, to reflect.Value) bool {
	if value == nil {
		return true
	}
	if d.step != nil {
		made, done, ok := d.step(value, to.Type())
		switch {
		case !ok:
			d.fail(to.Type(), reflect.TypeOf(value), "the value is of another kind")
			return false
		case done:
			to.Set(reflect.ValueOf(made))
			return true
		}
		if value = made; value == nil {
			return true
		}
	}
	from := reflect.ValueOf(value)
	if from.Type().AssignableTo(to.Type()) {
		to.Set(cloneOf(from))
		return true
	}
	if endless(to.Type()) {
		d.fail(to.Type(), from.Type(), "a type that holds itself without a struct cannot be decoded into")
		return false
	}
	decoder, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		DecodeHook: d.hook,
		ZeroFields: true,
		MatchName:  func(key, name string) bool { return key == name },
		Result:     to.Addr().Interface(),
	})
	if err == nil {
		err = decoder.Decode(value)
	}
	if err != nil { // its text holds the value
		d.fail(to.Type(), from.Type(), "the value is of another kind")
	}
	return d.err == nil
}

// endless tells whether t leads to itself through pointers, slices and maps
// alone, so that cyclic data could keep the decoder busy for ever.
func endless(t reflect.Type) bool {
	for seen := map[reflect.Type]bool{}; !seen[t]; t = t.Elem() {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			seen[t] = true
		default:
			return false
		}
	}
	return true
}
