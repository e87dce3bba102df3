package redistest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Server is a redis-server of its own, on 127.0.0.1, with its files in a
// directory that goes with the test. Its methods may be called from any
// goroutine as long as the test runs; what they cannot do marks the test as
// failed and does not end it.
type Server struct {
	t        testing.TB
	binary   string
	dir      string
	port     int
	settings settings

	mu       sync.Mutex
	proc     *process // nil when the server was never started
	password string
	over     bool // the test has ended
}

// Start starts a server and returns when it answers. It keeps nothing on disk
// unless [AppendOnly] is given, and ends at the test's clean-up; on Linux it
// also ends with the test's process, however that ends.
//
// Where there is no redis-server the test is treated as by [Require]. A
// server that cannot be started fails the test at once: call Start from the
// test's goroutine.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	return start(t, freePort, false, options)
}

// start starts a server on a port that ports returns, and asks for another
// one when somebody was quicker to take it.
func start(t testing.TB, ports func(withBus bool) (int, error), cluster bool, options []Option) *Server {
	t.Helper()
	s := &Server{t: t, binary: Require(t), dir: t.TempDir()}
	t.Cleanup(s.end)
	for range portTries {
		port, err := ports(cluster)
		if err != nil {
			t.Fatalf("redistest: redis-server was not started: %v", err)
		}
		s.port = port
		s.configure(cluster, options)
		err = s.firstRun()
		if err == nil {
			return s
		}
		if !errors.Is(err, errPortTaken) {
			t.Fatalf("redistest: redis-server was not started: %v", err)
		}
	}
	t.Fatalf("redistest: redis-server was not started: each of %d ports was taken", portTries)
	return nil
}

func (s *Server) firstRun() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run()
}

// configure fills in the directives; options come last, so that they count.
func (s *Server) configure(cluster bool, options []Option) {
	s.settings = settings{}
	s.settings.set("bind", host)
	s.settings.set("port", fmt.Sprint(s.port))
	s.settings.set("dir", s.dir)
	s.settings.set("save", "")
	s.settings.set("appendonly", "no")
	if cluster {
		s.settings.set("cluster-enabled", "yes")
		s.settings.set("cluster-config-file", "nodes.conf")
		s.settings.set("cluster-announce-ip", host)
		s.settings.set("cluster-node-timeout", "5000")
	}
	for _, option := range options {
		option(&s.settings)
	}
}

// Addr is the server's address, host and port. It stays over restarts.
func (s *Server) Addr() string { return address(s.port) }

// Pid is the id of the server's process, 0 when none runs.
func (s *Server) Pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil || !s.proc.running() {
		return 0
	}
	return s.proc.pid
}

// Client returns a client of the server that is closed at the test's
// clean-up; closing it earlier is fine. The options are copied, their address
// is replaced; nil means go-redis's defaults. A client that could not dial as
// often as its pool is large leaves one goroutine of go-redis behind, for a
// second at the longest.
func (s *Server) Client(options *redis.Options) *redis.Client {
	return newClient(s.t, s.Addr(), options)
}

// Config sets a directive of the running server, as CONFIG SET does. It is
// gone after a restart: what has to stay is a [Setting].
func (s *Server) Config(name, value string) {
	s.t.Helper()
	if _, err := s.ask("CONFIG", "SET", name, value); err != nil {
		s.t.Errorf("redistest: %s was not set: %v", name, err)
		return
	}
	if strings.EqualFold(name, "requirepass") {
		s.mu.Lock()
		s.password = value
		s.mu.Unlock()
	}
}

// ask sends one command to the server itself.
func (s *Server) ask(words ...string) (string, error) {
	s.mu.Lock()
	password := s.password
	s.mu.Unlock()
	return ask(s.Addr(), password, words...)
}

func (s *Server) logFile() string    { return filepath.Join(s.dir, "redis.log") }
func (s *Server) configFile() string { return filepath.Join(s.dir, "redis.conf") }

// end kills the server at the test's clean-up and shows its log when the test
// has failed.
func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.kill()
	if s.t.Failed() {
		if log, err := os.ReadFile(s.logFile()); err == nil {
			s.t.Logf("redistest: the last lines of the server at %s:\n%s", s.Addr(), lastLines(string(log)))
		}
	}
}
