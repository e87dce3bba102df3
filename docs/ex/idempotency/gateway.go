package main

import (
	"context"
	"errors"
	"fmt"
)

// Gateway is the payment provider's client.
type Gateway interface {
	Charge(ctx context.Context, idempotencyKey string, amountCents int64) (id string, err error)
}

var errConnectionReset = errors.New("connection reset by peer")

// provider is a payment provider that knows idempotency keys of its own and
// can lose replies.
type provider struct {
	charges map[string]string
	lose    int // replies to come
}

func (p *provider) Charge(_ context.Context, idempotencyKey string, _ int64) (string, error) {
	id, known := p.charges[idempotencyKey]
	if !known {
		if p.charges == nil {
			p.charges = map[string]string{}
		}
		id = fmt.Sprintf("ch_%d", len(p.charges)+1)
		p.charges[idempotencyKey] = id
	}
	if p.lose > 0 {
		p.lose--
		return "", errConnectionReset
	}
	return id, nil
}
