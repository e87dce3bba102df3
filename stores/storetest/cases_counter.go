package storetest

import "github.com/cmdx-go/cmdx/stores"

// noNumbers are values that no store may take for a number, although one
// language or another would.
var noNumbers = []string{
	"", " ", "one", "1.5", "1e3", " 1", "1 ", "+1", "01", "-0", "0x10", "1_000", "٣",
	"9223372036854775808", "-9223372036854775809", stores.ValueProcessing,
}

func counterCases() []Case {
	return []Case{
		{
			Name:        "incr/adds one",
			Explanation: "Incr adds one to the number under the key and returns the sum; an absent key begins at 1. The number is a value like any other.",
			Check: func(e *Env) {
				for sum := int64(1); sum <= 12; sum++ {
					e.wantIncr(e.Key("a"), e.Units(10), sum)
				}
				e.wantValue(e.Key("a"), "12")
				e.set(e.Key("set"), "41", 10)
				e.wantIncr(e.Key("set"), e.Units(10), 42)
				e.set(e.Key("negative"), "-1", 10)
				e.wantIncr(e.Key("negative"), e.Units(10), 0)
				e.wantIncr(e.Key("negative"), e.Units(10), 1)
				e.wantDelete(e.Key("a"), true)
				e.wantIncr(e.Key("a"), e.Units(10), 1)
			},
		},
		{
			Name:        "incr/ttl counts from the first",
			Explanation: "The first Incr creates the key with its ttl; later ones leave its end where it is.",
			Check: func(e *Env) {
				e.wantIncr(e.Key("short"), e.Units(2), 1)
				e.wantIncr(e.Key("long"), e.Units(10), 1)
				e.Advance(1)
				e.wantIncr(e.Key("short"), e.Units(10), 2)
				e.wantIncr(e.Key("long"), e.Units(1), 2)
				e.Advance(2)
				e.wantAbsent(e.Key("short"))
				e.wantIncr(e.Key("short"), e.Units(10), 1)
				e.wantIncr(e.Key("long"), e.Units(10), 3)
			},
		},
		{
			Name:        "incr/no number",
			Explanation: "A value that is no number in plain digits gives a *NumberError and stays as it was.",
			Check: func(e *Env) {
				for _, value := range noNumbers {
					e.set(e.Key("a"), value, 10)
					sum, err := e.Store.Incr(e.ctx, e.Key("a"), e.Units(10))
					e.wantNumberError("Incr of "+value, err, false)
					if sum != 0 {
						e.Failf("Incr of %q: got %d", value, sum)
					}
					e.wantValue(e.Key("a"), value)
				}
			},
		},
		{
			Name:        "incr/overflow",
			Explanation: "The largest int64 gives a *NumberError and stays as it was; it never turns negative.",
			Check: func(e *Env) {
				e.set(e.Key("a"), "9223372036854775806", 10)
				e.wantIncr(e.Key("a"), e.Units(10), 9223372036854775807)
				_, err := e.Store.Incr(e.ctx, e.Key("a"), e.Units(10))
				e.wantNumberError("Incr", err, true)
				e.wantValue(e.Key("a"), "9223372036854775807")
			},
		},
	}
}
