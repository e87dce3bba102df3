package inputs

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// sort is what kind of thing a declared value is, and with what it can be
// compared.
type sort uint8

const (
	sortNumber sort = iota + 1
	sortDuration
	sortTime
	sortText
	sortBoolean
	sortOther // equal or not
)

// sortOf is the sort of a type's values.
func sortOf(t reflect.Type) sort {
	switch t = behindPointerType(t); {
	case t == durationType:
		return sortDuration
	case t == timeType:
		return sortTime
	case isAmount(t):
		return sortNumber
	case t.Kind() == reflect.String:
		return sortText
	case t.Kind() == reflect.Bool:
		return sortBoolean
	}
	return sortOther
}

// declared is a value of a declaration made ready to be compared with values
// of inputs.
type declared struct {
	sort     sort
	value    any
	words    string // in messages
	amount   amount
	duration time.Duration
	time     time.Time
	text     string
	boolean  bool
}

// comparing reads a value; ok is false for nil and for NaN.
func comparing(v any) (d declared, ok bool) {
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return d, false
	}
	d = declared{value: v, sort: sortOf(reflect.TypeOf(v))}
	switch d.sort {
	case sortNumber:
		d.amount, ok = amountOf(v)
	case sortDuration:
		d.duration = time.Duration(value.Int())
	case sortTime:
		d.time = value.Interface().(time.Time)
	case sortText:
		d.text = value.String()
	case sortBoolean:
		d.boolean = value.Bool()
	}
	return d, ok
}

// declareValue reads a declared value, which stands in messages; the error says
// what is wrong with it.
func declareValue(v any) (declared, error) {
	d, ok := comparing(v)
	switch {
	case !ok && isNil(v):
		return d, errors.New("nil is no value to compare with")
	case !ok:
		return d, fmt.Errorf("a value of type %T is not a number", v)
	}
	switch d.sort {
	case sortDuration:
		d.words = d.duration.String()
	case sortTime:
		d.words = d.time.Format(time.RFC3339Nano)
	case sortText:
		d.words = d.text
	default:
		if d.words, ok = plainText(reflect.ValueOf(v)); !ok {
			return d, fmt.Errorf("a value of type %T has no text for the message", v)
		}
	}
	return d, nil
}

// order compares v with the declared value; ok is false when they are not of
// one sort, or of one without an order.
func (d *declared) order(v any) (order int, ok bool) {
	switch d.sort {
	case sortNumber:
		a, ok := amountOf(v)
		if !ok {
			return 0, false
		}
		return a.compare(d.amount), true
	case sortText:
		text, ok := textOf(v)
		return cmp.Compare(text, d.text), ok && sortOf(reflect.TypeOf(v)) == sortText
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return 0, false
	}
	switch {
	case d.sort == sortDuration && value.Type() == durationType:
		return cmp.Compare(time.Duration(value.Int()), d.duration), true
	case d.sort == sortTime && value.Type() == timeType:
		return value.Interface().(time.Time).Compare(d.time), true
	}
	return 0, false
}

// equals never panics: what Go cannot compare is compared part by part.
func (d *declared) equals(v any) bool {
	switch d.sort {
	case sortBoolean:
		value, ok := behindPointers(reflect.ValueOf(v))
		return ok && value.Kind() == reflect.Bool && value.Bool() == d.boolean
	case sortOther:
		return reflect.DeepEqual(v, d.value)
	}
	order, ok := d.order(v)
	return ok && order == 0
}

// suits tells whether values of type t can be compared with it.
func (d *declared) suits(t reflect.Type) bool {
	if d.sort == sortOther {
		return reflect.TypeOf(d.value).AssignableTo(t)
	}
	return sortOf(t) == d.sort
}

// dataOf is a declared value as data fit for JSON: numbers that JSON can lose
// and everything else as their text.
func dataOf(v any) any {
	switch v := v.(type) {
	case bool, string, int, int8, int16, int32, int64, uint8, uint16, uint32:
		return v
	}
	d, err := declareValue(v)
	if err != nil {
		return nil
	}
	if f, ok := v.(float64); ok && d.amount.infinite == 0 {
		return f
	}
	return d.words
}
