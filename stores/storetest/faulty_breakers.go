package storetest

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx/stores"
)

// InspectBreaker is [stores.Breakers.InspectBreaker] with the faults planned
// for [OpInspect]. Its error wraps [stores.ErrUnsupported] when the store inside
// does not know breakers.
func (f *Faulty) InspectBreaker(ctx context.Context, e stores.Entry) (report stores.BreakerReport, err error) {
	err = f.performOnBreakers(ctx, OpInspect, e, func(inner stores.Breakers) (err error) {
		report, err = inner.InspectBreaker(ctx, e)
		return err
	})
	if err != nil {
		return stores.BreakerReport{}, err
	}
	return report, nil
}

// ResetBreaker is [stores.Breakers.ResetBreaker] with the faults planned for
// [OpReset]. Its error wraps [stores.ErrUnsupported] when the store inside does
// not know breakers.
func (f *Faulty) ResetBreaker(ctx context.Context, e stores.Entry) (closed bool, err error) {
	err = f.performOnBreakers(ctx, OpReset, e, func(inner stores.Breakers) (err error) {
		closed, err = inner.ResetBreaker(ctx, e)
		return err
	})
	return closed && err == nil, err
}

func (f *Faulty) performOnBreakers(ctx context.Context, op Op, e stores.Entry, do func(stores.Breakers) error) error {
	inner, ok := f.inner.(stores.Breakers)
	if !ok {
		return fmt.Errorf("%w: %T does not implement stores.Breakers", stores.ErrUnsupported, f.inner)
	}
	call := entriesCall(ctx, op, stores.Token{}, []stores.Entry{e})
	return f.perform(ctx, call, func() error { return do(inner) })
}
