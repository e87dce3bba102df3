package main

import "context"

func Example_basicUsage() {
	basicUsage(context.Background())
	// Output:
	// success
	// success
	// rate limited: 2 per 1s have passed - again in 1s
	// success
	// rate limited: 3 per 1h0m0s have passed - again in 59m59s
}

func Example_smooth() {
	smooth(context.Background())
	// Output:
	// success <nil>
	// failed cmdx:rate:crm:all:smooth:1000
	// success <nil>
}
