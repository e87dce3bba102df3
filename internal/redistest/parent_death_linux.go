package redistest

import "syscall"

// diesWithParent makes a child that the system kills when the thread that
// started it ends, hence also when the test's process is killed itself.
func diesWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
