package storetest

import "github.com/cmdx-go/cmdx/stores"

// lostHoldCases are of locks and places that a run has lost without knowing.
func lostHoldCases() []Case {
	var cases []Case
	for _, hold := range []struct {
		kind  stores.Kind
		entry func(e *Env, name string) stores.Entry
	}{
		{stores.KindLock, func(e *Env, name string) stores.Entry { return e.lock(e.Key(name), 4) }},
		{stores.KindPlace, func(e *Env, name string) stores.Entry { return e.place(e.Key(name), 4, 1) }},
	} {
		cases = append(cases, kinds([]stores.Kind{hold.kind}, []Case{{
			Name:        hold.kind.String() + "/lost",
			Explanation: "When the key was deleted, overwritten or has ended, with or without another run behind it, whatever the run tries by its token answers lost, re-creates nothing and touches nobody else's.",
			Check:       func(e *Env) { checkLostHolds(e, hold.entry) },
		}})...)
	}
	return cases
}

// checkLostHolds tries everything on a key of its own for each way to lose it.
func checkLostHolds(e *Env, entry func(e *Env, name string) stores.Entry) {
	token := stores.NewToken()
	type lost struct {
		entry stores.Entry
		how   string
		try   func(stores.Entry)
	}
	leave := func(part stores.Part) func(stores.Entry) {
		return func(held stores.Entry) { e.wantLeave(token, do(part, held), stores.OutcomeLost) }
	}
	tries := map[string]func(stores.Entry){
		"release": leave(stores.PartRelease), "part": leave(stores.PartTakeBack),
		"extend":    func(held stores.Entry) { e.wantExtend(token, []stores.Entry{held}, stores.OutcomeLost) },
		"take back": func(held stores.Entry) { e.takeBack(token, held) },
	}
	var all []lost
	for _, how := range []string{"expired", "expired and taken", "deleted", "deleted and taken", "overwritten"} {
		for what, try := range tries {
			held := entry(e, how+" "+what)
			e.wantEntered(token, held)
			all = append(all, lost{held, how, try})
		}
	}
	// The first two end by themselves; the others live on until they are lost.
	for _, l := range all {
		if l.how != "expired" && l.how != "expired and taken" {
			longer := l.entry
			longer.TTL = e.Units(100)
			e.wantExtend(token, []stores.Entry{longer}, stores.OutcomeDone)
		}
	}
	e.Advance(5)
	for _, l := range all {
		switch l.how {
		case "deleted", "deleted and taken":
			e.wantDelete(l.entry.Key, true)
		case "overwritten":
			e.set(l.entry.Key, "theirs", 20)
		}
		other := stores.NewToken()
		taken := l.how == "expired and taken" || l.how == "deleted and taken"
		if taken {
			e.wantEntered(other, l.entry)
		}
		l.try(l.entry)
		switch {
		case taken:
			e.wantRefused(token, 0, "", l.entry)
			e.wantExtend(other, []stores.Entry{l.entry}, stores.OutcomeDone)
		case l.how == "overwritten":
			e.wantValue(l.entry.Key, "theirs")
		default:
			e.wantFree(l.entry.Key)
		}
	}
}
