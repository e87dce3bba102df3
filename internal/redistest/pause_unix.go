//go:build unix && !linux

package redistest

import "syscall"

// pause asks the system to stop the process; it may do so a moment later.
func (p *process) pause() error { return p.signal(syscall.SIGSTOP) }

// resume lets a stopped process go on.
func (p *process) resume() error { return p.signal(syscall.SIGCONT) }
