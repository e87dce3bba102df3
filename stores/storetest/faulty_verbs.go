package storetest

import (
	"context"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

// Get is [stores.Store.Get] with the faults planned for [OpGet].
func (f *Faulty) Get(ctx context.Context, key string) (value string, found bool, err error) {
	err = f.perform(ctx, verbCall(ctx, OpGet, key), func() (err error) {
		value, found, err = f.inner.Get(ctx, key)
		return err
	})
	if err != nil {
		return "", false, err
	}
	return value, found, nil
}

// Set is [stores.Store.Set] with the faults planned for [OpSet].
func (f *Faulty) Set(ctx context.Context, key, value string, o stores.SetOptions) (stored bool, err error) {
	call := verbCall(ctx, OpSet, key)
	call.Value, call.Options = value, o
	err = f.perform(ctx, call, func() (err error) {
		stored, err = f.inner.Set(ctx, key, value, o)
		return err
	})
	return stored && err == nil, err
}

// Incr is [stores.Store.Incr] with the faults planned for [OpIncr].
func (f *Faulty) Incr(ctx context.Context, key string, ttl time.Duration) (sum int64, err error) {
	call := verbCall(ctx, OpIncr, key)
	call.Options.TTL = ttl
	err = f.perform(ctx, call, func() (err error) {
		sum, err = f.inner.Incr(ctx, key, ttl)
		return err
	})
	if err != nil {
		return 0, err
	}
	return sum, nil
}

// Delete is [stores.Store.Delete] with the faults planned for [OpDelete].
func (f *Faulty) Delete(ctx context.Context, key string) (deleted bool, err error) {
	err = f.perform(ctx, verbCall(ctx, OpDelete, key), func() (err error) {
		deleted, err = f.inner.Delete(ctx, key)
		return err
	})
	return deleted && err == nil, err
}
