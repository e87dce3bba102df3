package main

import "github.com/cmdx-go/cmdx"

func Example_main() {
	cmdx.Reset()
	main()
	// Output:
	// success
	// skipped: duplicate
}
