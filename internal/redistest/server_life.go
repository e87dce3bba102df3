package redistest

// Kill ends the server as a crash does and returns when it has gone. A server
// that has gone already stays so.
func (s *Server) Kill() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kill()
}

// kill is Kill for a caller that holds the lock.
func (s *Server) kill() {
	s.t.Helper()
	if s.proc == nil {
		return
	}
	if err := s.proc.kill(); err != nil {
		s.t.Errorf("redistest: %v", err)
	}
}

// Restart starts the server again, on the same port and with the same files,
// and returns when it answers; one that still runs is killed before.
func (s *Server) Restart() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kill()
	if err := s.run(); err != nil {
		s.t.Errorf("redistest: redis-server was not restarted: %v", err)
	}
}

// Pause stops the server: connections are taken and commands received by the
// system, none is executed until Resume. On Linux it stands still when Pause
// returns; on other systems it may answer once more.
func (s *Server) Pause() { s.t.Helper(); s.signalled((*process).pause, "paused") }

// Resume lets a paused server go on with what it has received meanwhile. One
// that is not paused just runs on.
func (s *Server) Resume() { s.t.Helper(); s.signalled((*process).resume, "resumed") }

func (s *Server) signalled(do func(*process) error, done string) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil || !s.proc.running() {
		s.t.Errorf("redistest: a server that does not run cannot be %s: Restart it first", done)
		return
	}
	if err := do(s.proc); err != nil {
		s.t.Errorf("redistest: the server was not %s: %v", done, err)
	}
}
