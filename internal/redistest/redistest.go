// Package redistest is what specs of Redis code stand on: real servers and
// clusters that a test may kill, pause and restart, and a proxy that loses,
// delays and holds back what goes over the wire.
//
// Everything a test starts ends at its clean-up. Nothing here may be used
// inside a testing/synctest bubble: a server lives in real time.
//
// No production file imports this package.
package redistest

import (
	"os"
	"os/exec"
	"testing"
)

// RequireVariable is the environment variable that, set to "1", makes a
// missing redis-server a failure. Set it where the suites must not be left
// out.
const RequireVariable = "CMDX_REQUIRE_REDIS"

// Require returns the path of redis-server, looked for in PATH. Where there
// is none the test is skipped, or fails when [RequireVariable] says so. Call
// it from the test's goroutine.
func Require(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	switch {
	case err == nil:
		return path
	case os.Getenv(RequireVariable) == "1":
		t.Fatalf("redistest: %s=1, but there is no redis-server in PATH: install it (7.0 or later)", RequireVariable)
	default:
		t.Skipf("redistest: no redis-server in PATH: install it to run this test (%s=1 makes this a failure)", RequireVariable)
	}
	return ""
}
