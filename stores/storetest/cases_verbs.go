package storetest

import "github.com/cmdx-go/cmdx/stores"

func verbCases() []Case {
	return []Case{
		{
			Name:        "verbs/get",
			Explanation: "Get returns the value under the key; found is false when there is none. An empty value is a value.",
			Check: func(e *Env) {
				e.wantAbsent(e.Key("a"))
				e.set(e.Key("a"), "one", 10)
				e.set(e.Key("b"), "", 10)
				e.wantValue(e.Key("a"), "one")
				e.wantValue(e.Key("b"), "")
				e.wantAbsent(e.Key("c"))
			},
		},
		{
			Name:        "verbs/set",
			Explanation: "Set writes the value under the key, whether the key is there or not.",
			Check: func(e *Env) {
				e.set(e.Key("a"), "one", 10)
				e.set(e.Key("a"), "two", 10)
				e.wantValue(e.Key("a"), "two")
			},
		},
		{
			Name:        "verbs/set NX",
			Explanation: "NX writes only when the key is absent; nothing is changed otherwise.",
			Check: func(e *Env) {
				e.wantSet(e.Key("a"), "one", stores.SetOptions{TTL: e.Units(2), NX: true}, true)
				e.wantSet(e.Key("a"), "two", stores.SetOptions{TTL: e.Units(100), NX: true}, false)
				e.wantValue(e.Key("a"), "one")
				e.Advance(3)
				e.wantAbsent(e.Key("a")) // the refused call's lifetime did not count
			},
		},
		{
			Name:        "verbs/set XX",
			Explanation: "XX writes only when the key is present; nothing is changed otherwise.",
			Check: func(e *Env) {
				e.wantSet(e.Key("a"), "one", stores.SetOptions{TTL: e.Units(10), XX: true}, false)
				e.wantAbsent(e.Key("a"))
				e.set(e.Key("a"), "one", 10)
				e.wantSet(e.Key("a"), "two", stores.SetOptions{TTL: e.Units(2), XX: true}, true)
				e.wantValue(e.Key("a"), "two")
				e.Advance(3)
				e.wantAbsent(e.Key("a")) // its own lifetime counts
			},
		},
		{
			Name:        "verbs/set NX and XX",
			Explanation: "NX and XX together never write.",
			Check: func(e *Env) {
				e.wantSet(e.Key("a"), "one", stores.SetOptions{TTL: e.Units(10), NX: true, XX: true}, false)
				e.wantAbsent(e.Key("a"))
				e.set(e.Key("a"), "one", 10)
				e.wantSet(e.Key("a"), "two", stores.SetOptions{TTL: e.Units(10), NX: true, XX: true}, false)
				e.wantValue(e.Key("a"), "one")
			},
		},
		{
			Name:        "verbs/delete",
			Explanation: "Delete removes the key; deleted is false when there was none.",
			Check: func(e *Env) {
				e.wantDelete(e.Key("a"), false)
				e.set(e.Key("a"), "one", 10)
				e.set(e.Key("b"), "two", 10)
				e.wantDelete(e.Key("a"), true)
				e.wantAbsent(e.Key("a"))
				e.wantValue(e.Key("b"), "two")
				e.wantDelete(e.Key("a"), false)
				e.wantSet(e.Key("a"), "three", stores.SetOptions{TTL: e.Units(10), NX: true}, true)
			},
		},
		{
			Name:        "verbs/sent again",
			Explanation: "A call that returned an error may or may not have been executed: sending Set without a condition or Delete once more does no harm.",
			Check: func(e *Env) {
				for range 3 {
					e.set(e.Key("a"), "one", 10)
				}
				e.wantValue(e.Key("a"), "one")
				e.wantDelete(e.Key("a"), true)
				e.wantDelete(e.Key("a"), false)
				e.wantAbsent(e.Key("a"))
			},
		},
	}
}
