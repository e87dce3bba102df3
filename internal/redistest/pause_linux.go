package redistest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// pauseBound is how long the system may take to stop a process.
const pauseBound = 10 * time.Second

// pause stops the process and returns when it stands still: the signal alone
// leaves it the time to answer one command more.
func (p *process) pause() error {
	if err := p.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	bound := time.NewTimer(pauseBound)
	defer bound.Stop()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		if stopped, err := p.stopped(); stopped || err != nil {
			return err
		}
		select {
		case <-p.exited:
			return fmt.Errorf("process %d has gone, it cannot be paused", p.pid)
		case <-bound.C:
			return fmt.Errorf("process %d has not stopped within %s", p.pid, pauseBound)
		case <-tick.C:
		}
	}
}

// resume lets a stopped process go on.
func (p *process) resume() error { return p.signal(syscall.SIGCONT) }

// stopped tells whether the main thread, which executes the commands, stands
// still.
func (p *process) stopped() (bool, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.pid))
	if err != nil {
		return false, err
	}
	// The state follows the name, which is in parentheses and may hold some.
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 || len(stat) < end+3 {
		return false, errors.New("/proc tells no state of the process")
	}
	return stat[end+2] == 'T', nil
}
