//go:build !unix

package redistest

import "errors"

var errCannotPause = errors.New("this system cannot stop a process and let it go on")

// pause is not possible here.
func (p *process) pause() error { return errCannotPause }

// resume is not possible here.
func (p *process) resume() error { return errCannotPause }
