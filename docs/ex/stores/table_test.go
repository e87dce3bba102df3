package main

import (
	"testing"
	"testing/synctest"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

// region suite
var tableSuite = storetest.Suite{
	New:  func(*testing.T) stores.Store { return &Table{} },
	Wrap: synctest.Test, // its clock is that of package time
	Without: []stores.Kind{ // it knows claims alone, and refuses these
		stores.KindLock, stores.KindPlace, stores.KindRate, stores.KindBreaker,
	},
}

func TestTableKeepsTheContract(t *testing.T) { storetest.Run(t, tableSuite) }

// endregion

// region suite-more
func TestTableIsLikeMemory(t *testing.T) {
	memory := storetest.Suite{New: func(*testing.T) stores.Store { return stores.NewMemory() }, Wrap: synctest.Test}
	storetest.Compare(t, tableSuite, memory, storetest.Comparison{})
}

func TestTableHasAHistory(t *testing.T) {
	storetest.CheckHistory(t, storetest.HistorySuite{Suite: tableSuite})
}

// endregion
