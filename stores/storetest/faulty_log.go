package storetest

import "slices"

// Calls returns all calls so far in the order in which they began. The slice
// is the caller's.
func (f *Faulty) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// CallsOf returns the calls of one operation so far, in order.
func (f *Faulty) CallsOf(op Op) []Call {
	return slices.DeleteFunc(f.Calls(), func(c Call) bool { return c.Op != op })
}

// Trace returns the texts of all calls so far, see [Call.String].
func (f *Faulty) Trace() []string {
	calls := f.Calls()
	trace := make([]string, len(calls))
	for i, call := range calls {
		trace[i] = call.String()
	}
	return trace
}

// Forget empties the log. Planned faults stay planned.
func (f *Faulty) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = nil
}

// Watch lets every call to come be told to watch before it is done, from the
// goroutine that calls. Only the last watch counts; nil ends it.
func (f *Faulty) Watch(watch func(Call)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch = watch
}
