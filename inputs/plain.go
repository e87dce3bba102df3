package inputs

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"math/big"
	"reflect"
	"time"

	"github.com/shopspring/decimal"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

var (
	durationType      = reflect.TypeFor[time.Duration]()
	jsonNumberType    = reflect.TypeFor[json.Number]()
	rawMessageType    = reflect.TypeFor[json.RawMessage]()
	timeType          = reflect.TypeFor[time.Time]()
	decimalType       = reflect.TypeFor[decimal.Decimal]()
	bigIntType        = reflect.TypeFor[big.Int]()
	bigRatType        = reflect.TypeFor[big.Rat]()
	bigFloatType      = reflect.TypeFor[big.Float]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// content tells what there is behind the pointers of a value.
type content int

const (
	broken  content = iota // no value: JSON that cannot be read, endless pointers
	nothing                // nil, a nil pointer, the null of JSON
	something
)

// plain follows pointers, reads raw JSON, opens what may be null and takes the
// first text of a form, so that a coercion sees the value that was meant. A nil slice or map is nothing that
// keeps its type.
func plain(v any) (reflect.Value, content) {
	if form, ok := v.(cmdxctx.Form); ok {
		if len(form) == 0 {
			return reflect.Value{}, nothing
		}
		return reflect.ValueOf(form[0]), something
	}
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		if value.IsValid() && !isNilValue(value) {
			return value, broken
		}
		return value, nothing
	}
	if value.Kind() == reflect.Struct {
		return opened(value)
	}
	if value.Type() != rawMessageType {
		return value, something
	}
	decoded, ok := fromJSON(value.Bytes())
	if !ok {
		return value, broken
	}
	return plain(decoded)
}

// opened returns what a value of a type such as sql.NullString holds.
func opened(value reflect.Value) (reflect.Value, content) {
	n, ok := nullOf(value.Type())
	switch {
	case !ok:
		return value, something
	case !value.FieldByIndex(n.valid.Index).Bool():
		return reflect.Value{}, nothing
	}
	return plain(value.FieldByIndex(n.value.Index).Interface())
}

// fromJSON reads one JSON value, numbers as json.Number.
func fromJSON(text []byte) (v any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&v) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return v, err == io.EOF
}

// textIn returns the text of strings of any type and of bytes; a json.Number
// is none.
func textIn(value reflect.Value) (string, bool) {
	switch value.Kind() {
	case reflect.String:
		return value.String(), value.Type() != jsonNumberType
	case reflect.Slice:
		if isBytes(value.Type()) {
			return string(value.Bytes()), true
		}
	}
	return "", false
}

// isBytes tells bytes from lists and from types such as net.IP, which only
// are made of bytes.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !t.Implements(textMarshalerType)
}
