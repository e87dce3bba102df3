package result

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

const module = "github.com/cmdx-go/cmdx/"

// Folders of the module whose error types the root package names too. Users
// know those of the others by their own package.
var renamed = []string{"context", "internal/run", "result", "task"}

// Describe is the reason of a raised error: "[TypeName] message".
func Describe(err error) string {
	return "[" + TypeName(err) + "] " + Text(err)
}

// TypeName is Go's name of err's type with its package, without the pointer's
// star. Types that the root package names too bear that name.
func TypeName(err error) string {
	t := reflect.TypeOf(err)
	if t == nil {
		return "nil"
	}
	named := t
	if t.Kind() == reflect.Pointer {
		named = t.Elem()
	}
	if inside, ok := strings.CutPrefix(named.PkgPath(), module); ok && token.IsExported(named.Name()) && slices.Contains(renamed, inside) {
		return "cmdx." + named.Name()
	}
	return strings.TrimPrefix(t.String(), "*")
}

// Text is err's message; an Error method that panics does no harm.
func Text(err error) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("its Error method panicked (%T)", p)
		}
	}()
	if err == nil {
		return ""
	}
	return err.Error()
}
