package redistest

import (
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// behind starts a server and a proxy before it.
func behind(t *testing.T) (*Server, *Proxy) {
	t.Helper()
	leavesNothing(t)
	s := Start(t)
	return s, StartProxy(t, s.Addr())
}

// incr sends one INCR on its own goroutine.
func incr(t *testing.T, client *redis.Client, key string) <-chan error {
	done := make(chan error, 1)
	ctx := t.Context()
	go func() { done <- client.Incr(ctx, key).Err() }()
	return done
}

func wantNames(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func wantValue(t *testing.T, s *Server, key, want string) {
	t.Helper()
	if got := value(t, s, key); got != want {
		t.Errorf("the server holds %q under %s, want %q", got, key, want)
	}
}

// awaitValue returns when the server holds want under key.
func awaitValue(t *testing.T, s *Server, key, want string) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	bound := time.After(receiveBound)
	for value(t, s, key) != want {
		select {
		case <-bound:
			t.Fatalf("the server does not hold %q under %s after %s", want, key, receiveBound)
		case <-tick.C:
		}
	}
}

func TestProxyPasses(t *testing.T) {
	s, p := behind(t)
	long := strings.Repeat("v", 300_000)
	client := p.Client(nil)
	set(t, client, "k", long)
	if got, err := client.Get(t.Context(), "k").Result(); got != long || err != nil {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	wantValue(t, s, "k", long)
}

func TestProxyCounts(t *testing.T) {
	_, p := behind(t)
	client := p.Client(nil)
	ctx := t.Context()
	for range 2 {
		if err := client.Incr(ctx, "n").Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Ping(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	wantNames(t, p.Commands(), "INCR", "INCR")
	if !slices.Contains(p.AllCommands(), "HELLO") || !slices.Contains(p.AllCommands(), "PING") {
		t.Errorf("got %q, want the handshake too", p.AllCommands())
	}
	if got := p.RoundTrips(); got != 2 {
		t.Errorf("got %d round trips, want 2", got)
	}

	p.Forget()
	if _, err := client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Incr(ctx, "n")
		pipe.Get(ctx, "n")
		pipe.Del(ctx, "n")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	wantNames(t, p.Commands(), "INCR", "GET", "DEL")
	if got := p.RoundTrips(); got != 1 {
		t.Errorf("a pipeline takes %d round trips, want 1", got)
	}
}

func TestIsHandshake(t *testing.T) {
	for name, want := range map[string]bool{
		"HELLO": true, "CLIENT": true, "PING": true, "SELECT": true, "CLUSTER": true, "COMMAND": true,
		"AUTH": true, "READONLY": true, "EVALSHA": false, "GET": false, "": false,
	} {
		if got := IsHandshake(name); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

func TestDelay(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	const late = 80 * time.Millisecond
	p.Delay(late)
	begin := time.Now()
	done := incr(t, client, "n")
	if err := receive(t, done); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < late {
		t.Errorf("the answer came after %s, want %s at the least", took, late)
	}
	wantValue(t, s, "n", "1")

	p.Delay(time.Hour)
	p.Delay(-1) // as Pass
	if err := client.Incr(t.Context(), "n").Err(); err != nil {
		t.Error(err)
	}
}

func TestADelayedAnswerEndsWithTheProxy(t *testing.T) {
	s, p := behind(t)
	p.Delay(time.Hour)
	done := incr(t, p.Client(once()), "n")
	awaitValue(t, s, "n", "1")
	p.end()
	if receive(t, done) == nil {
		t.Error("the answer came before its time")
	}
}

func TestCutBefore(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	cut := p.CutBefore(2)
	for range 2 {
		if err := client.Incr(t.Context(), "n").Err(); !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the connection's end", err)
		}
		wantNames(t, receive(t, cut), "INCR")
		wantValue(t, s, "n", "")
	}
	if err := client.Incr(t.Context(), "n").Err(); err != nil {
		t.Errorf("the third request gave %v, want it to pass", err)
	}
	nothingIn(t, cut)
	wantNames(t, p.Commands(), "INCR", "INCR", "INCR")
}

func TestCutAfter(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	cut := p.CutAfter(2)
	for _, done := range []string{"1", "2"} {
		if err := client.Incr(t.Context(), "n").Err(); !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want the connection's end", err)
		}
		wantNames(t, receive(t, cut), "INCR")
		wantValue(t, s, "n", done)
	}
	if got, err := client.Incr(t.Context(), "n").Result(); got != 3 || err != nil {
		t.Errorf("the third request gave %d, %v, want 3", got, err)
	}
	nothingIn(t, cut)
}

func TestCutAfterTakesAWholePipeline(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	cut := p.CutAfter(1)
	ctx := t.Context()
	_, err := client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		pipe.Incr(ctx, "a")
		pipe.Incr(ctx, "b")
		return nil
	})
	if !errors.Is(err, io.EOF) {
		t.Errorf("got %v, want the connection's end", err)
	}
	wantNames(t, receive(t, cut), "MULTI", "INCR", "INCR", "EXEC")
	wantValue(t, s, "a", "1")
	wantValue(t, s, "b", "1")
}

func TestARetryingClientHidesOneCut(t *testing.T) {
	s, p := behind(t)
	p.CutAfter(1)
	if got, err := p.Client(nil).Incr(t.Context(), "n").Result(); got != 2 || err != nil {
		t.Errorf("got %d, %v, want the second sending's 2", got, err)
	}
	wantValue(t, s, "n", "2")
}

func TestStall(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	hold := p.Stall(1)
	done := incr(t, client, "n")
	wantNames(t, receive(t, hold.Held()), "INCR")
	wantValue(t, s, "n", "")
	nothingIn(t, done)

	// Another connection overtakes it.
	if err := p.Client(once()).Set(t.Context(), "n", 5, 0).Err(); err != nil {
		t.Error(err)
	}
	nothingIn(t, hold.Flowed())
	hold.Release()
	hold.Release()
	wantNames(t, receive(t, hold.Flowed()), "INCR")
	if err := receive(t, done); err != nil {
		t.Error(err)
	}
	wantValue(t, s, "n", "6")
}

func TestAStalledRequestOutlivesItsClient(t *testing.T) {
	s, p := behind(t)
	options := once()
	options.ReadTimeout = 50 * time.Millisecond
	client := p.Client(options)
	hold := p.Stall(1)
	var timeout net.Error
	if err := client.Incr(t.Context(), "n").Err(); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("got %v, want a time-out", err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	wantNames(t, receive(t, hold.Held()), "INCR")
	wantValue(t, s, "n", "")
	hold.Release()
	wantNames(t, receive(t, hold.Flowed()), "INCR")
	wantValue(t, s, "n", "1")
}

func TestPassLeavesWhatIsHeld(t *testing.T) {
	s, p := behind(t)
	hold := p.Stall(Every)
	first := incr(t, p.Client(once()), "a")
	second := incr(t, p.Client(once()), "b")
	receive(t, hold.Held())
	receive(t, hold.Held())
	p.Pass()
	if err := p.Client(once()).Incr(t.Context(), "c").Err(); err != nil {
		t.Errorf("after Pass: %v", err)
	}
	nothingIn(t, first)
	nothingIn(t, second)
	wantValue(t, s, "a", "")
	hold.Release()
	if err := errors.Join(receive(t, first), receive(t, second)); err != nil {
		t.Error(err)
	}
	wantValue(t, s, "a", "1")
	wantValue(t, s, "b", "1")
}

func TestReleaseEndsTheRule(t *testing.T) {
	_, p := behind(t)
	old := p.StallReplies(Every)
	hold := p.Stall(Every)
	old.Release() // is not in force any more
	client := p.Client(once())
	done := incr(t, client, "n")
	receive(t, hold.Held())
	hold.Release()
	if err := receive(t, done); err != nil {
		t.Error(err)
	}
	if err := client.Incr(t.Context(), "n").Err(); err != nil {
		t.Errorf("after the release: %v", err)
	}
	nothingIn(t, hold.Held())
}

func TestStallReplies(t *testing.T) {
	s, p := behind(t)
	hold := p.StallReplies(1)
	done := incr(t, p.Client(once()), "n")
	wantNames(t, receive(t, hold.Held()), "INCR")
	wantValue(t, s, "n", "1")
	nothingIn(t, done)
	nothingIn(t, hold.Flowed())
	hold.Release()
	wantNames(t, receive(t, hold.Flowed()), "INCR")
	if err := receive(t, done); err != nil {
		t.Error(err)
	}
}

func TestWhatIsHeldEndsWithTheProxy(t *testing.T) {
	for name, stall := range map[string]func(*Proxy, int) *Hold{"requests": (*Proxy).Stall, "answers": (*Proxy).StallReplies} {
		t.Run(name, func(t *testing.T) {
			_, p := behind(t)
			hold := stall(p, 1)
			done := incr(t, p.Client(once()), "n")
			receive(t, hold.Held())
			p.end()
			if receive(t, done) == nil {
				t.Error("an answer came that was held")
			}
			hold.Release()
			nothingIn(t, hold.Flowed())
		})
	}
}

func TestProxyBeforeAKilledServer(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	set(t, client, "k", "v")
	hold := p.StallReplies(1)
	done := incr(t, client, "n")
	receive(t, hold.Held())
	s.Kill()
	hold.Release() // it had answered before
	if err := receive(t, done); err != nil {
		t.Errorf("the answer given before the end was lost: %v", err)
	}
	if err := client.Incr(t.Context(), "n").Err(); err == nil {
		t.Error("a killed server has answered")
	}
	s.Restart()
	if err := p.Client(nil).Incr(t.Context(), "n").Err(); err != nil {
		t.Errorf("after the restart: %v", err)
	}
}

func TestARuleWithoutRequests(t *testing.T) {
	s := Start(t)
	for _, n := range []int{-1, 0, Every + 1} {
		w := watch(t, func(t testing.TB) {
			p := StartProxy(t, s.Addr())
			p.CutAfter(n)
			p.Stall(n).Release()
		})
		if len(w.failed) != 2 || !strings.Contains(w.failed[0], "1 to 4096") {
			t.Errorf("%d requests: got %q, want two failures that tell the range", n, w.failed)
		}
	}
}

func TestProxyTellsWhatIsNoRESP(t *testing.T) {
	s := Start(t)
	failed := make(chan string, 1)
	p := StartProxy(&announcing{TB: t, failed: failed}, s.Addr())
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("*1\r\n:1\r\n")); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, failed); !strings.Contains(got, "a client") {
		t.Errorf("got %q, want it to name the side", got)
	}
}

// announcing is a test that tells its failures on a channel.
type announcing struct {
	testing.TB
	failed chan<- string
}

func (a *announcing) Errorf(format string, args ...any) {
	w := &watched{TB: a.TB}
	w.Errorf(format, args...)
	a.failed <- w.failed[0]
}

func TestFlowedWithHalfClosedClient(t *testing.T) {
	_, p := behind(t)
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("INCR n\r\nINCR n\r\n")); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); string(got) != ":1\r\n:2\r\n" || err != nil {
		t.Errorf("got %q, %v, want both answers before the end", got, err)
	}
}

func TestCutAfterAwaitsTheLastAnswer(t *testing.T) {
	s, p := behind(t)
	cut := p.CutAfter(1)
	conn, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("INCR a\r\nBLPOP q 0\r\nINCR b\r\n")); err != nil {
		t.Fatal(err)
	}
	awaitValue(t, s, "a", "1")
	nothingIn(t, cut)
	if _, err := s.ask("LPUSH", "q", "v"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, receive(t, cut), "INCR", "BLPOP", "INCR")
	wantValue(t, s, "b", "1")
	if got, err := io.ReadAll(conn); len(got) > 0 || err != nil {
		t.Errorf("the client got %q, %v, want nothing but the end", got, err)
	}
}

func TestTheServerSeesAClientLeave(t *testing.T) {
	s, p := behind(t)
	client := p.Client(once())
	set(t, client, "k", "v")
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	bound := time.After(receiveBound)
	for {
		info, err := s.ask("INFO", "clients")
		if err != nil {
			t.Fatal(err)
		}
		if infoField(info, "connected_clients") == "1" { // who asks
			return
		}
		select {
		case <-bound:
			t.Fatal("the connection to the server stays open")
		case <-tick.C:
		}
	}
}
