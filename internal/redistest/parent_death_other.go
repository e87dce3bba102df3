//go:build !linux

package redistest

import "syscall"

// diesWithParent changes nothing: this system cannot tie a child to its
// parent. A server still ends at the test's clean-up.
func diesWithParent() *syscall.SysProcAttr { return nil }
