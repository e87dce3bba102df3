package storetest

import "github.com/cmdx-go/cmdx/stores"

// plain embeds the interface of the four verbs, so that nothing else of the
// store inside shows.
type plain struct{ stores.Store }

// Plain returns a store with the four verbs of inner and nothing else: what a
// store looks like that knows nothing of [stores.Guards]. Nil stands for a new
// [stores.Memory].
func Plain(inner stores.Store) stores.Store {
	if inner == nil {
		inner = stores.NewMemory()
	}
	return plain{inner}
}
