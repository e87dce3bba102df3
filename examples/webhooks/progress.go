package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

const progressEvery = 100 * time.Millisecond

// isTerminal tells whether somebody may be watching.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// showProgress rewrites one line of w until stop is called, which removes it
// and returns when nothing more is written.
func showProgress(w io.Writer, tally *Tally, deliveries int) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		width := 0
		for {
			select {
			case <-ticker.C:
				line := fmt.Sprintf("%d of %d settled, %d handled, %d redelivered",
					tally.Settled.Load(), deliveries, tally.Handled.Load(), tally.Redelivered.Load())
				width = max(width, len(line))
				fmt.Fprintf(w, "\r%-*s", width, line)
			case <-end:
				if width > 0 {
					fmt.Fprintf(w, "\r%*s\r", width, "")
				}
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}
