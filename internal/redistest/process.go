package redistest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// endBound is how long a killed process may take to go.
const endBound = 10 * time.Second

// process is a child of the test's process.
type process struct {
	pid    int
	handle *os.Process
	exited chan struct{} // closed when it has gone and been reaped
}

// launch starts cmd. The goroutine that does it keeps its thread until the
// child has gone: a child that dies with its parent dies with the very thread
// that started it.
func launch(cmd *exec.Cmd) (*process, error) {
	cmd.SysProcAttr = diesWithParent()
	started := make(chan error)
	exited := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended does not matter, it is killed mostly
			close(exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return &process{pid: cmd.Process.Pid, handle: cmd.Process, exited: exited}, nil
}

// running tells whether the process has not gone yet.
func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// kill ends the process, also a stopped one, and returns when it has gone. A
// process that had gone before is no error.
func (p *process) kill() error {
	if err := p.signal(os.Kill); err != nil {
		return err
	}
	select {
	case <-p.exited:
		return nil
	case <-time.After(endBound):
		return fmt.Errorf("process %d has not gone %s after it was killed", p.pid, endBound)
	}
}

// signal sends s; to a process that has gone, nothing.
func (p *process) signal(s os.Signal) error {
	if err := p.handle.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("process %d took no signal: %w", p.pid, err)
	}
	return nil
}
