package cmdxctx_test

import (
	"fmt"

	cmdxctx "github.com/cmdx-go/cmdx/context"
)

func ExampleContext() {
	c := cmdxctx.New(map[string]any{"payment_id": "pay_123"})
	c.Set("charge", "ch_1")

	charge, ok := c.Get("charge")
	fmt.Println(charge, ok)
	fmt.Println(c.Keys(), c.Has("refund"))
	// Output:
	// ch_1 true
	// [charge payment_id] false
}

func ExampleGet() {
	c := cmdxctx.New(map[string]any{"attempts": 3})

	attempts, ok := cmdxctx.Get[int](c, "attempts")
	fmt.Println(attempts, ok)

	text, ok := cmdxctx.Get[string](c, "attempts") // nothing is converted
	fmt.Printf("%q %t\n", text, ok)
	// Output:
	// 3 true
	// "" false
}

func ExampleContext_Decode() {
	var order struct {
		Number string
		Cents  int64 `cmdx:"amount_cents"`
	}
	c := cmdxctx.New(map[string]any{"Number": "o_1", "amount_cents": 9_900})
	err := c.Decode(&order)
	fmt.Println(order.Number, order.Cents, err)
	// Output: o_1 9900 <nil>
}

func ExampleContext_DeepMerge() {
	c := cmdxctx.New(map[string]any{"address": map[string]any{"city": "Turin", "zip": "10121"}})
	err := c.DeepMerge(map[string]any{"address": map[string]any{"zip": "10122"}})
	fmt.Println(c.ToMap(), err)
	// Output: map[address:map[city:Turin zip:10122]] <nil>
}

func ExampleContext_Clone() {
	c := cmdxctx.New(map[string]any{"tags": []string{"new"}})
	clone := c.Clone()
	tags, _ := cmdxctx.Get[[]string](clone, "tags")
	tags[0] = "changed"
	fmt.Println(c.ToMap(), clone.ToMap())
	// Output: map[tags:[new]] map[tags:[changed]]
}
