package redistest

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// orphanVariable makes TestServerOfAKilledProcess the process that is killed.
const orphanVariable = "CMDX_REDISTEST_ORPHAN"

// TestServerOfAKilledProcess runs itself as a process that starts a server,
// tells its address and is killed: no clean-up runs there.
func TestServerOfAKilledProcess(t *testing.T) {
	Require(t)
	if os.Getenv(orphanVariable) == "1" {
		s := Start(t)
		_, _ = os.Stdout.WriteString("\nserver at " + s.Addr() + "\n")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		return
	}
	leavesNothing(t)
	for _, paused := range []bool{false, true} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestServerOfAKilledProcess$", "-test.count=1")
		// Its directory would be left behind: it has to be in ours.
		cmd.Env = append(os.Environ(), orphanVariable+"=1", "TMPDIR="+t.TempDir())
		stdin, err1 := cmd.StdinPipe()
		stdout, err2 := cmd.StdoutPipe()
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		server := dialed(t, stdout)
		p := processBehind(t, server)
		if paused {
			if err := p.pause(); err != nil {
				t.Fatal(err)
			}
		}

		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		// The end of the connection is the end of the server.
		if err := server.SetReadDeadline(time.Now().Add(receiveBound)); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Read(make([]byte, 1)); err == nil || os.IsTimeout(err) {
			t.Errorf("paused %t: the server outlives the test's process: %v", paused, err)
			_ = p.signal(os.Kill)
		}
		_ = server.Close()
		_ = stdin.Close()
		_ = cmd.Wait()
	}
}

// dialed reads the address of the server and connects to it.
func dialed(t *testing.T, from io.Reader) net.Conn {
	t.Helper()
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		if addr, ok := strings.CutPrefix(lines.Text(), "server at "); ok {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				t.Fatal(err)
			}
			return conn
		}
	}
	t.Fatalf("the process told no address: %v", lines.Err())
	return nil
}

// processBehind is the process of the server at the other end of a connection.
func processBehind(t *testing.T, server net.Conn) *process {
	t.Helper()
	info, err := exchange(server, newRespReader(server), "INFO", "server")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(infoField(info, "process_id"))
	if err != nil {
		t.Fatal(err)
	}
	handle, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	return &process{pid: pid, handle: handle, exited: make(chan struct{})}
}
