package storetest

import (
	"context"

	"github.com/cmdx-go/cmdx/stores"
)

// Enter is [stores.Guards.Enter] with the faults planned for [OpEnter].
func (f *Faulty) Enter(ctx context.Context, token stores.Token, entries []stores.Entry, from int) (got stores.Entered, err error) {
	call := entriesCall(ctx, OpEnter, token, entries)
	call.From = from
	err = f.perform(ctx, call, func() (err error) {
		got, err = f.enter(ctx, token, entries, from)
		return err
	})
	if err != nil {
		return stores.Entered{}, err
	}
	return got, nil
}

// Extend is [stores.Guards.Extend] with the faults planned for [OpExtend].
func (f *Faulty) Extend(ctx context.Context, token stores.Token, entries []stores.Entry) (answers []stores.Answer, err error) {
	err = f.perform(ctx, entriesCall(ctx, OpExtend, token, entries), func() (err error) {
		answers, err = f.extend(ctx, token, entries)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// Leave is [stores.Guards.Leave] with the faults planned for [OpLeave].
func (f *Faulty) Leave(ctx context.Context, token stores.Token, entries []stores.Entry) (answers []stores.Answer, err error) {
	err = f.perform(ctx, entriesCall(ctx, OpLeave, token, entries), func() (err error) {
		answers, err = f.leave(ctx, token, entries)
		return err
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// TakeBack is [stores.Guards.TakeBack], or nothing when a failure is planned
// for [OpTakeBack].
func (f *Faulty) TakeBack(token stores.Token, entries []stores.Entry) {
	ended, end := context.WithCancel(context.Background())
	end() // what hangs must not hold the caller: TakeBack returns at once
	call := entriesCall(context.Background(), OpTakeBack, token, entries)
	_ = f.perform(ended, call, func() error {
		f.inner.TakeBack(token, entries)
		return nil
	})
}
