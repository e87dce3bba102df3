package redistest

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// once is for clients that must send a command only once.
func once() *redis.Options {
	return &redis.Options{MaxRetries: -1, DialerRetries: 1, ReadTimeout: receiveBound}
}

func set(t *testing.T, client redis.Cmdable, key, value string) {
	t.Helper()
	if err := client.Set(t.Context(), key, value, 0).Err(); err != nil {
		t.Fatalf("%s was not set: %v", key, err)
	}
}

// value returns what the server holds under key, "" for nothing.
func value(t *testing.T, s *Server, key string) string {
	t.Helper()
	got, err := s.ask("GET", key)
	if err != nil {
		t.Fatalf("%s was not read: %v", key, err)
	}
	return got
}

func TestServerAnswers(t *testing.T) {
	leavesNothing(t)
	s := Start(t)
	set(t, s.Client(nil), "k", "v")
	if got := value(t, s, "k"); got != "v" {
		t.Errorf("got %q, want v", got)
	}
	if got, err := s.ask("INFO", "server"); err != nil || infoField(got, "process_id") == "" || s.Pid() == 0 {
		t.Errorf("got %q, %v, pid %d", got, err, s.Pid())
	}
	if !strings.HasPrefix(s.Addr(), "127.0.0.1:") {
		t.Errorf("it listens on %s, want the loopback", s.Addr())
	}
}

func TestServersAreApart(t *testing.T) {
	leavesNothing(t)
	a, b := Start(t), Start(t)
	set(t, a.Client(nil), "k", "v")
	if got := value(t, b, "k"); got != "" || a.Pid() == b.Pid() {
		t.Errorf("the other server holds %q, pids %d and %d", got, a.Pid(), b.Pid())
	}
}

func TestClientKeepsItsOptions(t *testing.T) {
	leavesNothing(t)
	s := Start(t)
	options := &redis.Options{Addr: "elsewhere:1", DB: 3, MaxRetries: -1}
	client := s.Client(options)
	set(t, client, "k", "v")
	if got := value(t, s, "k"); got != "" {
		t.Errorf("database 0 holds %q, want it in database 3", got)
	}
	if options.Addr != "elsewhere:1" {
		t.Error("the caller's options were changed")
	}
	if err := client.Close(); err != nil { // and once more at clean-up
		t.Error(err)
	}
}

func TestKillAndRestart(t *testing.T) {
	for _, c := range []struct {
		name    string
		options []Option
		want    string
	}{
		{"nothing is kept by default", nil, ""},
		{"append only", []Option{AppendOnly()}, "v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			leavesNothing(t)
			s := Start(t, c.options...)
			set(t, s.Client(nil), "k", "v")
			addr, pid := s.Addr(), s.Pid()

			s.Kill()
			if s.Pid() != 0 {
				t.Error("a killed server has a pid")
			}
			if conn, err := net.Dial("tcp", addr); err == nil {
				_ = conn.Close()
				t.Error("a killed server takes connections")
			}
			s.Kill() // changes nothing

			s.Restart()
			if s.Addr() != addr || s.Pid() == 0 || s.Pid() == pid {
				t.Errorf("it was %s, pid %d, and is %s, pid %d", addr, pid, s.Addr(), s.Pid())
			}
			if got := value(t, s, "k"); got != c.want {
				t.Errorf("got %q after the restart, want %q", got, c.want)
			}
		})
	}
}

func TestRestartOfARunningServer(t *testing.T) {
	leavesNothing(t)
	s := Start(t)
	pid := s.Pid()
	s.Restart()
	if s.Pid() == 0 || s.Pid() == pid {
		t.Errorf("the pid was %d and is %d", pid, s.Pid())
	}
}

func TestPauseAndResume(t *testing.T) {
	leavesNothing(t)
	s := Start(t)
	client := s.Client(once())
	set(t, client, "k", "v")
	s.Pause()

	answered := make(chan error, 1)
	ctx, cancel := context.WithTimeout(context.Background(), receiveBound)
	defer cancel()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatalf("a paused server takes no connection: %v", err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 8)); n > 0 || err == nil {
		t.Errorf("a paused server has answered %d bytes, %v", n, err)
	}

	go func() { answered <- client.Get(ctx, "k").Err() }()
	nothingIn(t, answered)
	s.Resume()
	if err := receive(t, answered); err != nil {
		t.Errorf("the resumed server gave %v", err)
	}
	s.Resume() // changes nothing
}

func TestAPausedServerIsKilled(t *testing.T) {
	leavesNothing(t)
	s := Start(t)
	s.Pause()
	s.Restart()
	if got := value(t, s, "k"); got != "" {
		t.Errorf("got %q", got)
	}
	s.Pause() // the clean-up ends it all the same
}

func TestConfig(t *testing.T) {
	leavesNothing(t)
	s := Start(t, Setting("maxmemory", "3mb"))
	limit := func() string {
		info, err := s.ask("INFO", "memory")
		if err != nil {
			t.Fatal(err)
		}
		return infoField(info, "maxmemory")
	}
	if got := limit(); got != "3145728" {
		t.Errorf("the setting gives %s", got)
	}
	s.Config("maxmemory", "4mb")
	if got := limit(); got != "4194304" {
		t.Errorf("Config gives %s", got)
	}
	s.Restart()
	if got := limit(); got != "3145728" {
		t.Errorf("after a restart it is %s, want the setting", got)
	}
}

func TestPassword(t *testing.T) {
	leavesNothing(t)
	s := Start(t, Setting("requirepass", "first one"))
	s.Config("requirepass", "second")
	if err := s.Client(once()).Get(t.Context(), "k").Err(); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
		t.Errorf("got %v without a password, want NOAUTH", err)
	}
	if got := value(t, s, "k"); got != "" {
		t.Errorf("got %q", got)
	}
	s.Restart()
	if got := value(t, s, "k"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestWhatCannotBeDoneFailsTheTest(t *testing.T) {
	leavesNothing(t)
	var s *Server
	for _, c := range []struct {
		name, says string
		do         func(testing.TB)
	}{
		{"an unknown directive", "no-such-directive", func(t testing.TB) { Start(t, Setting("no-such-directive", "1")) }},
		{"Config of an unknown directive", "was not set", func(testing.TB) { s.Config("no-such-directive", "1") }},
		{"Pause of a killed server", "Restart it first", func(testing.TB) { s.Kill(); s.Pause() }},
		{"Resume of a killed server", "Restart it first", func(testing.TB) { s.Kill(); s.Resume() }},
	} {
		w := watch(t, func(t testing.TB) {
			if s = Start(t); s != nil {
				c.do(t)
			}
		})
		if len(w.failed) != 1 || !strings.Contains(w.failed[0], c.says) {
			t.Errorf("%s: got %q, want one failure that says %q", c.name, w.failed, c.says)
		}
	}
}

func TestATakenPortIsNoFailure(t *testing.T) {
	leavesNothing(t)
	first := Start(t)
	asked := 0
	second := start(t, func(withBus bool) (int, error) {
		if asked++; asked <= 2 {
			return first.port, nil
		}
		return freePort(withBus)
	}, false, nil)
	if asked != 3 || second.Addr() == first.Addr() || second.Pid() == first.Pid() {
		t.Errorf("after %d ports: %s and %s", asked, first.Addr(), second.Addr())
	}
}

func TestATakenPortAtRestart(t *testing.T) {
	leavesNothing(t)
	w := watch(t, func(t testing.TB) {
		s := Start(t)
		s.Kill()
		listener, err := net.Listen("tcp", s.Addr())
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		defer func() { _ = listener.Close() }()
		s.Restart()
		if s.Pid() != 0 {
			t.Errorf("a server that could not be restarted has a pid")
		}
	})
	if len(w.failed) != 1 || !strings.Contains(w.failed[0], errPortTaken.Error()) {
		t.Errorf("got %q, want one failure that tells of the port", w.failed)
	}
}

func TestPortsLeaveRoomForTheBus(t *testing.T) {
	for range 20 {
		port, err := freePort(true)
		if err != nil || port < 1024 || port+busOffset > 32_767 {
			t.Errorf("got %d, %v", port, err)
		}
	}
}
