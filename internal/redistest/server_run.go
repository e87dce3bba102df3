package redistest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// startBound is how long a server may take until it answers.
const startBound = 20 * time.Second

// shownLines is how much of a server's log a message shows.
const shownLines = 20

var (
	errPortTaken = errors.New("somebody else listens on the port")
	errTestOver  = errors.New("the test has ended")
)

// run starts the process and waits until it answers. The error wraps
// errPortTaken when another port may help. No process is left behind by a
// call that failed. The caller holds the lock, and no process runs.
func (s *Server) run() error {
	if s.over {
		return errTestOver
	}
	if err := os.WriteFile(s.configFile(), []byte(s.settings.text()), 0o600); err != nil {
		return err
	}
	log, err := os.Create(s.logFile())
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the child has its own handle
	cmd := exec.Command(s.binary, s.configFile())
	if s.settings.monitored != "" {
		cmd.Args = append(cmd.Args, "--sentinel")
	}
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	if s.proc, err = launch(cmd); err != nil {
		return err
	}
	s.password = s.settings.values["requirepass"]
	if err := s.awaitAnswer(); err != nil {
		return errors.Join(err, s.proc.kill())
	}
	return nil
}

// awaitAnswer waits until the process answers PING. The caller holds the lock.
func (s *Server) awaitAnswer() error {
	bound := time.NewTimer(startBound)
	defer bound.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if s.answers() {
			return nil
		}
		select {
		case <-s.proc.exited:
			return s.whyExited()
		case <-bound.C:
			return fmt.Errorf("it does not answer PING after %s", startBound)
		case <-tick.C:
		}
	}
}

// answers tells whether our process answers: on a port that another server
// was quicker to take, that one would.
func (s *Server) answers() bool {
	if pong, err := ask(s.Addr(), s.password, "PING"); err != nil || pong != "PONG" {
		return false
	}
	info, err := ask(s.Addr(), s.password, "INFO", "server")
	return err == nil && infoField(info, "process_id") == strconv.Itoa(s.proc.pid)
}

// whyExited reads off the log why the server has gone by itself.
func (s *Server) whyExited() error {
	log, err := os.ReadFile(s.logFile())
	if err != nil {
		return err
	}
	text := string(log)
	if strings.Contains(text, "Address already in use") || strings.Contains(text, "Failed listening") {
		return fmt.Errorf("%w %d", errPortTaken, s.port)
	}
	return fmt.Errorf("it has gone by itself; its last lines:\n%s", lastLines(text))
}

// infoField returns the value of a line "name:value" of INFO and CLUSTER INFO,
// "" when there is none.
func infoField(info, name string) string {
	for line := range strings.Lines(info) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && key == name {
			return value
		}
	}
	return ""
}

func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-shownLines):], "\n")
}
