package stores_test

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cmdx-go/cmdx/stores"
)

func ExampleStore() {
	ctx := context.Background()
	var store stores.Store = stores.NewMemory()

	stored, err := store.Set(ctx, "report:monday", "sent", stores.SetOptions{TTL: time.Hour, NX: true})
	fmt.Println(stored, err)
	stored, err = store.Set(ctx, "report:monday", "again", stores.SetOptions{TTL: time.Hour, NX: true})
	fmt.Println(stored, err)

	value, found, err := store.Get(ctx, "report:monday")
	fmt.Println(value, found, err)
	// Output:
	// true <nil>
	// false <nil>
	// sent true <nil>
}

// Two runs, told apart by their tokens, want the same claim.
func ExampleGuards() {
	ctx := context.Background()
	store := stores.NewMemory()
	first, second := stores.NewToken(), stores.NewToken()
	claim := []stores.Entry{{Kind: stores.KindClaim, Key: "cmdx:idem:Charge:pay_123", TTL: time.Minute}}

	answer, _ := store.Enter(ctx, first, claim, 0)
	fmt.Println("first:", answer.Verdict)
	answer, _ = store.Enter(ctx, second, claim, 0)
	fmt.Println("second:", answer.Verdict, answer.State)

	claim[0].Part, claim[0].Keep = stores.PartComplete, time.Hour
	left, _ := store.Leave(ctx, second, claim)
	fmt.Println("second leaves:", left[0].Outcome)
	left, _ = store.Leave(ctx, first, claim)
	fmt.Println("first leaves:", left[0].Outcome)

	answer, _ = store.Enter(ctx, second, claim, 0)
	fmt.Println("second:", answer.Verdict, answer.State)
	// Output:
	// first: entered
	// second: refused processing
	// second leaves: lost
	// first leaves: done
	// second: refused completed
}

func ExampleCompose() {
	fmt.Println(stores.Compose("cmdx:idem", "ChargeCustomer", "pay_123"))
	_, err := stores.Compose("cmdx:idem", "ChargeCustomer", "")
	fmt.Println(err != nil)
	// Output:
	// cmdx:idem:ChargeCustomer:pay_123 <nil>
	// true
}

func ExampleSegment() {
	for _, v := range []any{"pay_123", 9900, 9900.0, json.Number("9.9e3"), true, (*string)(nil)} {
		segment, err := stores.Segment(v)
		fmt.Printf("%q %v\n", segment, err)
	}
	_, err := stores.Segment(0.5)
	fmt.Println(err != nil)
	// Output:
	// "pay_123" <nil>
	// "9900" <nil>
	// "9900" <nil>
	// "9900" <nil>
	// "true" <nil>
	// "" <nil>
	// true
}
