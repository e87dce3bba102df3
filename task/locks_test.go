package task

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
)

type (
	lockOwn      struct{}
	lockHalf     struct{}
	lockEmbedded struct{ sync.Locker }
	lockInner    struct{ mu sync.Mutex }
	lockNamed    sync.Mutex
	lockTask     struct {
		Base
		note string
	}
)

func (*lockOwn) Lock()   {}
func (*lockOwn) Unlock() {}
func (*lockHalf) Lock()  {}

func TestLockByValueNamesTheWay(t *testing.T) {
	for _, row := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[struct{ m sync.Mutex }](), "m (sync.Mutex)"},
		{reflect.TypeFor[struct{ m sync.RWMutex }](), "m (sync.RWMutex)"},
		{reflect.TypeFor[struct{ m sync.Once }](), "m (sync.Once)"},
		{reflect.TypeFor[struct{ m sync.WaitGroup }](), "m (sync.WaitGroup)"},
		{reflect.TypeFor[struct{ m sync.Map }](), "m (sync.Map)"},
		{reflect.TypeFor[struct{ m sync.Pool }](), "m (sync.Pool)"},
		{reflect.TypeFor[struct{ m sync.Cond }](), "m (sync.Cond)"},
		{reflect.TypeFor[struct{ m atomic.Int64 }](), "m (atomic.Int64)"},
		{reflect.TypeFor[struct{ m atomic.Value }](), "m (atomic.Value)"},
		{reflect.TypeFor[struct{ m lockOwn }](), "m (task.lockOwn)"},
		{reflect.TypeFor[struct{ m [2][1]lockOwn }](), "m (task.lockOwn)"},
		{reflect.TypeFor[struct{ inner lockInner }](), "inner (mu (sync.Mutex))"},
		{reflect.TypeFor[struct{ lockInner }](), "lockInner (mu (sync.Mutex))"},
		{reflect.TypeFor[lockTask](), ""},
		{reflect.TypeFor[struct{ m *sync.Mutex }](), ""},
		{reflect.TypeFor[struct{ m []sync.Mutex }](), ""},
		{reflect.TypeFor[struct{ m map[string]sync.Mutex }](), ""},
		{reflect.TypeFor[struct{ m func(sync.Mutex) }](), ""},
		{reflect.TypeFor[struct{ m chan sync.Mutex }](), ""},
		{reflect.TypeFor[struct{ m sync.Locker }](), ""},
		{reflect.TypeFor[lockEmbedded](), ""},
		{reflect.TypeFor[struct{ m lockHalf }](), ""},
	} {
		if got := lockByValue(row.typ); got != row.want {
			t.Errorf("in %s the lock is %q, want %q", row.typ, got, row.want)
		}
	}
	if lockByValue(reflect.TypeFor[struct{ m lockNamed }]()) == "" {
		t.Error("a mutex by another name is not found")
	}
}
