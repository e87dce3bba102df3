package storetest

import (
	"strings"

	"github.com/cmdx-go/cmdx/stores"
)

// oddKeys are endings of keys that stores have been known to trip over. No
// two of them are equal.
var oddKeys = []string{
	"a", "A", "a ", " a", "a:b", ":a:", "::", "{a}", "{a", "a}", "{}", "{}{a}", "{{a}}", "}{", "a{b}c{d}", "{ }:{",
	"a\x00b", "a\r\nb", "\t", "\x1b[0m", "\x7f", "\u00a0", "\u200b", "ключ", "鍵", "é", "e\u0301", "🔑", "\xff\xfe",
	"*", "a*", "[a]", "?", "\\", "\"", "'", "%s", "$1", "a/b", "../a", "<nil>", "0", "-1", "owner", ":owner", "processing",
	strings.Repeat("k", 300), strings.Repeat("k", 10_000), strings.Repeat("{", 300), strings.Repeat("ü ", 5_000),
}

func keyCases() []Case {
	return []Case{
		{
			Name:        "keys/any text",
			Explanation: "A key is any text: braces, colons, blanks, control characters, any letters, any length up to 10 kB; keys that differ are different keys.",
			Check: func(e *Env) {
				for _, name := range oddKeys {
					e.wantSet(e.Key(name), "of "+name, stores.SetOptions{TTL: e.Units(100), NX: true}, true)
				}
				for _, name := range oddKeys {
					e.wantValue(e.Key(name), "of "+name)
					e.wantSet(e.Key(name), "2", stores.SetOptions{TTL: e.Units(100), XX: true}, true)
					e.wantIncr(e.Key(name), e.Units(100), 3)
					e.wantDelete(e.Key(name), true)
					e.wantAbsent(e.Key(name))
				}
			},
		},
		{
			Name:        "keys/any value",
			Explanation: "A value is any text and comes back byte by byte.",
			Check: func(e *Env) {
				for _, value := range oddKeys {
					e.set(e.Key("a"), value, 10)
					e.wantValue(e.Key("a"), value)
				}
			},
		},
		{
			Name:        "keys/claims under any text",
			Explanation: "A claim's key is any text, and claims of different keys have nothing to do with each other.",
			NeedsGuards: true,
			Check: func(e *Env) {
				tokens := make([]stores.Token, len(oddKeys))
				for i, name := range oddKeys {
					tokens[i] = stores.NewToken()
					e.wantEntered(tokens[i], e.claim(e.Key(name), 100))
				}
				for i, name := range oddKeys {
					claim := e.claim(e.Key(name), 100)
					e.wantRefused(stores.NewToken(), 0, stores.ValueProcessing, claim)
					e.wantExtend(tokens[i], do(stores.PartNone, claim), stores.OutcomeDone)
					if i%2 == 0 {
						e.wantHolder(tokens[i], claim)
						e.wantRefused(stores.NewToken(), 0, stores.ValueCompleted, claim)
						e.wantLeave(tokens[i], do(stores.PartTakeBack, claim), stores.OutcomeDone)
					} else {
						e.wantLeave(tokens[i], do(stores.PartRelease, claim), stores.OutcomeDone)
					}
					e.wantAbsent(claim.Key)
				}
			},
		},
	}
}
