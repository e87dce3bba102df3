package cmdxctx

import (
	"fmt"
	"strconv"
)

// UnknownKeyError says that a strict [Context] was asked for a key that it
// does not have.
type UnknownKeyError struct {
	// Key is the key that is missing.
	Key string
}

// Error names the key and what to do.
func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("context: there is no key %q: set it before it is read, or read it with Get", e.Key)
}

// DecodeError says why a value could not be decoded. Its text names types and
// fields, never a value.
type DecodeError struct {
	// Path leads to the value by the names of its fields, such as
	// "order.total"; it is empty for the target itself.
	Path string
	// Want is the Go type that was to be filled, Got that of the value.
	Want, Got string
	// Problem says what is wrong and what to do.
	Problem string
}

// Error tells the path, both types and the problem.
func (e *DecodeError) Error() string {
	text := "context: cannot decode"
	if e.Path != "" {
		text += " " + strconv.Quote(e.Path)
	}
	if e.Got != "" {
		text += " from " + e.Got
	}
	return text + " into " + e.Want + ": " + e.Problem
}

// ArgsError says that something cannot be the arguments of a task. Its text
// names types and fields, never a value.
type ArgsError struct {
	// Type is the Go type of what was passed.
	Type string
	// Problem says what is wrong with it; it is empty when no value of the
	// type can be passed.
	Problem string
}

// Error names the type and what may be passed.
func (e *ArgsError) Error() string {
	problem := e.Problem
	if problem == "" {
		problem = "it is no arguments"
	}
	return fmt.Sprintf("context: cannot take arguments from %s: %s; pass nil, a map with string keys, a struct or a pointer to one, or a *Context", e.Type, problem)
}
