package telemetry

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Bus hands events to those who subscribed to their name. The zero Bus is
// ready to use, a nil *Bus has no subscribers and takes none. All methods may
// be called from any number of goroutines, subscribers included. A Bus must not
// be copied once it is in use.
type Bus struct {
	mu    sync.Mutex // held while the list is changed, never while user code runs
	lists atomic.Pointer[map[EventName]subscribers]
}

// subscribers of one name. It never changes: a change makes a new one.
type subscribers struct {
	funcs []func(Event)
	ids   []*subscription // one for each of funcs
}

// subscription tells two subscriptions of one function apart. It has a size,
// since pointers to what has none may be equal.
type subscription struct{ _ byte }

// Subscribe lets f be called with every event of that name that is published
// from now on, in the order of the subscriptions, on the publishing goroutine.
// The returned function, which is never nil, ends that; it may be called more
// than once, and from f. An event that is being published then still arrives.
// A nil f and an empty name subscribe nothing.
func (b *Bus) Subscribe(name EventName, f func(Event)) (unsubscribe func()) {
	if b == nil || f == nil || name == "" {
		return func() {}
	}
	id := &subscription{}
	b.change(name, func(s subscribers) subscribers {
		return subscribers{
			funcs: append(slices.Clip(s.funcs), f),
			ids:   append(slices.Clip(s.ids), id),
		}
	})
	return func() { b.unsubscribe(name, id) }
}

func (b *Bus) unsubscribe(name EventName, id *subscription) {
	b.change(name, func(s subscribers) subscribers {
		i := slices.Index(s.ids, id)
		if i < 0 {
			return s
		}
		return subscribers{
			funcs: slices.Delete(slices.Clone(s.funcs), i, i+1),
			ids:   slices.Delete(slices.Clone(s.ids), i, i+1),
		}
	})
}

// change replaces the subscribers of one name in a copy of the list.
func (b *Bus) change(name EventName, to func(subscribers) subscribers) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lists := map[EventName]subscribers{}
	if before := b.lists.Load(); before != nil {
		lists = maps.Clone(*before)
	}
	lists[name] = to(lists[name])
	if len(lists[name].funcs) == 0 {
		delete(lists, name)
	}
	if len(lists) == 0 {
		b.lists.Store(nil)
		return
	}
	b.lists.Store(&lists)
}

// Wants tells whether anybody subscribed to name, so that an event need not be
// built in vain. It takes no lock and allocates nothing.
func (b *Bus) Wants(name EventName) bool { return len(b.subscribed(name)) > 0 }

func (b *Bus) subscribed(name EventName) []func(Event) {
	if b == nil {
		return nil
	}
	lists := b.lists.Load()
	if lists == nil {
		return nil
	}
	return (*lists)[name].funcs
}

// Publish calls everybody who subscribed to the event's name and returns when
// all have returned, see [Deliver].
func (b *Bus) Publish(e Event, report func(error)) {
	if funcs := b.subscribed(e.Name); len(funcs) > 0 {
		Deliver(funcs, e, report)
	}
}
