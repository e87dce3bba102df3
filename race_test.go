//go:build race

package cmdx_test

// raceEnabled tells that the race detector is on, which allocates on its own.
const raceEnabled = true
