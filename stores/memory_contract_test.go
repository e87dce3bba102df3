package stores_test

import (
	"testing"
	"testing/synctest"

	"github.com/cmdx-go/cmdx/stores"
	"github.com/cmdx-go/cmdx/stores/storetest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	storetest.Run(t, storetest.Suite{
		New:  func(*testing.T) stores.Store { return stores.NewMemory() },
		Wrap: synctest.Test,
	})
}

func TestAStoreWithoutGuardsKeepsTheContractOfTheVerbs(t *testing.T) {
	storetest.Run(t, storetest.Suite{
		New:  func(*testing.T) stores.Store { return storetest.Plain(stores.NewMemory()) },
		Wrap: synctest.Test,
	})
}
