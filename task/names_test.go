package task

import (
	"reflect"
	"strings"
	"testing"
)

type nameOf[T any] struct{}

type namePair[A, B any] struct{}

type nameUser struct{}

func TestDefaultNameIsShortAndReadable(t *testing.T) {
	type local struct{}
	names := map[string]string{}
	for _, row := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[nameUser](), "nameUser"},
		{reflect.TypeFor[local](), "local"},
		{reflect.TypeFor[struct{ A int }](), "anonymous"},
		{reflect.TypeFor[nameOf[int]](), "nameOf[int]"},
		{reflect.TypeFor[nameOf[nameUser]](), "nameOf[nameUser]"},
		{reflect.TypeFor[nameOf[*nameUser]](), "nameOf[*nameUser]"},
		{reflect.TypeFor[nameOf[local]](), "nameOf[local]"},
		{reflect.TypeFor[nameOf[reflect.Value]](), "nameOf[Value]"},
		{reflect.TypeFor[nameOf[nameOf[nameUser]]](), "nameOf[nameOf[nameUser]]"},
		{reflect.TypeFor[nameOf[[]nameUser]](), "nameOf[[]nameUser]"},
		{reflect.TypeFor[nameOf[[3]nameUser]](), "nameOf[[3]nameUser]"},
		{reflect.TypeFor[nameOf[map[string]nameUser]](), "nameOf[map[string]nameUser]"},
		{reflect.TypeFor[nameOf[func(int, ...nameUser) error]](), "nameOf[func(int,...nameUser)error]"},
		{reflect.TypeFor[nameOf[func(int, nameUser) error]](), "nameOf[func(int,nameUser)error]"},
		{reflect.TypeFor[namePair[nameUser, int]](), "namePair[nameUser,int]"},
		{reflect.TypeFor[namePair[int, nameUser]](), "namePair[int,nameUser]"},
	} {
		got := defaultName(row.typ)
		if got != row.want {
			t.Errorf("the default name of %s is %q, want %q", row.typ, got, row.want)
		}
		if strings.ContainsAny(got, ":{} \t\n") {
			t.Errorf("the default name %q of %s holds what a key should not", got, row.typ)
		}
		if other, twice := names[got]; twice {
			t.Errorf("%s and %s have one name, %q", row.typ, other, got)
		}
		names[got] = row.typ.String()
	}
}
