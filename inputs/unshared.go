package inputs

import (
	"reflect"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

// unshared returns v, or a deep copy when v is a map or a slice.
func unshared(v any) any {
	switch v.(type) {
	case nil, string, bool, int, int64, float64:
		return v
	}
	if kind := reflect.TypeOf(v).Kind(); kind != reflect.Map && kind != reflect.Slice {
		return v
	}
	const key = "value"
	copied, _ := cmdxctx.New(map[string]any{key: v}).Clone().Get(key)
	return copied
}
