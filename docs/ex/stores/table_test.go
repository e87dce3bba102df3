package main

import (
	"testing"
	"testing/synctest"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// region suite
func TestTableKeepsTheContract(t *testing.T) {
	storetest.Run(t, storetest.Suite{
		New:  func(*testing.T) stores.Store { return &Table{} },
		Wrap: synctest.Test, // its clock is that of package time
		Without: []stores.Kind{ // it knows claims alone, and refuses these
			stores.KindLock, stores.KindPlace, stores.KindRate, stores.KindBreaker,
		},
	})
}

// endregion

// region suite-more
func TestTableIsLikeMemory(t *testing.T) {
	table := storetest.Suite{New: func(*testing.T) stores.Store { return &Table{} }, Wrap: synctest.Test}
	memory := storetest.Suite{New: func(*testing.T) stores.Store { return stores.NewMemory() }, Wrap: synctest.Test}
	storetest.Compare(t, table, memory, storetest.Comparison{})
}

func TestTableHasAHistory(t *testing.T) {
	suite := storetest.Suite{New: func(*testing.T) stores.Store { return &Table{} }, Wrap: synctest.Test}
	storetest.CheckHistory(t, storetest.HistorySuite{Suite: suite})
}

// endregion
