package telemetry

import (
	"fmt"
	"maps"
	"runtime/debug"
)

// SubscriberError says that a subscriber panicked. The other subscribers were
// called all the same.
type SubscriberError struct {
	// Event is the name of the event that was being delivered.
	Event EventName
	// Value is what the subscriber panicked with, Stack where.
	Value any
	Stack []byte
}

// Error names the event and the type of the panic's value, not the value.
func (e *SubscriberError) Error() string {
	return fmt.Sprintf("telemetry: a subscriber to %q panicked with a %T: the stack in this error shows where to mend it", e.Event, e.Value)
}

// Unwrap returns the panic's value when that is an error, else nil.
func (e *SubscriberError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Deliver calls the subscribers in order, each with a copy of the payload of
// its own, which is never nil. A subscriber that panics is handed to report as
// a [*SubscriberError], and one that leaves by runtime.Goexit ends the
// goroutine once all have been called. Nil subscribers are passed over; a nil
// report drops the errors, a report that panics does no harm.
func Deliver(subscribers []func(Event), e Event, report func(error)) {
	next := 0
	defer func() {
		// Some are left only when one of them ended the goroutine.
		if next < len(subscribers) {
			Deliver(subscribers[next:], e, report)
		}
	}()
	for next < len(subscribers) {
		f := subscribers[next]
		next++
		if f != nil {
			call(f, e, report)
		}
	}
}

func call(f func(Event), e Event, report func(error)) {
	defer func() {
		if value := recover(); value != nil && report != nil {
			tell(report, &SubscriberError{Event: e.Name, Value: value, Stack: debug.Stack()})
		}
	}()
	e.Payload = maps.Clone(e.Payload)
	if e.Payload == nil {
		e.Payload = map[string]any{}
	}
	f(e)
}

func tell(report func(error), err error) {
	defer func() { _ = recover() }()
	report(err)
}
