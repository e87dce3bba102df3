package run

import (
	"reflect"
	"runtime"
	"strings"
)

// DeclaredName names what an application declared, for messages: a function
// by its name with its package, such as "billing.(*ChargeCustomer).Notify", a
// value by its type, such as "billing.Transaction".
func DeclaredName(v any) string {
	if f, ok := v.(functional); ok && f.function() != nil {
		pc := *(*uintptr)(f.function())
		if function := runtime.FuncForPC(pc); function != nil {
			return shortFunction(function.Name())
		}
	}
	t := reflect.TypeOf(v)
	if t == nil {
		return "nil"
	}
	return strings.TrimPrefix(t.String(), "*")
}

// shortFunction drops the package's path but its last element, and what the
// compiler appends to wrappers.
func shortFunction(name string) string {
	bracket := strings.IndexByte(name, '[')
	if bracket < 0 {
		bracket = len(name)
	}
	if slash := strings.LastIndexByte(name[:bracket], '/'); slash >= 0 {
		name = name[slash+1:]
	}
	return strings.TrimSuffix(name, "-fm")
}
