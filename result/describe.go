package result

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

const module = "github.com/cmdx-go/cmdx/"

// Folders of the module that hold programs and specs rather than the library.
var applications = []string{"examples", "docs", "spec", "benchmarks"}

// Describe is the reason of a raised error: "[TypeName] message".
func Describe(err error) string {
	return "[" + typeName(err) + "] " + Text(err)
}

// typeName is Go's name of err's type with its package, without the pointer's
// star. Types of this module bear the name under which users know them.
func typeName(err error) string {
	t := reflect.TypeOf(err)
	if t == nil {
		return "nil"
	}
	named := t
	if t.Kind() == reflect.Pointer {
		named = t.Elem()
	}
	if inside, ok := strings.CutPrefix(named.PkgPath(), module); ok && named.Name() != "" && !isApplication(inside) {
		return "cmdx." + named.Name()
	}
	return strings.TrimPrefix(t.String(), "*")
}

func isApplication(path string) bool {
	folder, _, _ := strings.Cut(path, "/")
	return slices.Contains(applications, folder)
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
