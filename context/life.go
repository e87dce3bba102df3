package cmdxctx

import (
	"log/slog"
	"sync/atomic"
)

// Life is how long the contexts of one root run can be written to. The zero
// Life is under way; a nil *Life never ends. All methods may be called from any
// number of goroutines. A Life must not be copied once it is in use.
type Life struct {
	logger atomic.Pointer[slog.Logger]
	state  atomic.Uint32
}

const (
	lifeEnded  = 1 << iota // the root run is over
	lifeWarned             // the one warning was logged
)

// End ends the life for good.
func (l *Life) End() {
	if l != nil {
		l.state.Or(lifeEnded)
	}
}

// Ended tells whether End was called.
func (l *Life) Ended() bool { return l != nil && l.state.Load()&lifeEnded != 0 }

// SetLogger sets where the warning about a late write goes; nil, the default,
// keeps it silent.
func (l *Life) SetLogger(logger *slog.Logger) {
	if l != nil {
		l.logger.Store(logger)
	}
}

// Logger returns what SetLogger set last; nil when it never did.
func (l *Life) Logger() *slog.Logger {
	if l == nil {
		return nil
	}
	return l.logger.Load()
}

// refuses tells whether a write comes too late, and warns about the first one.
func (l *Life) refuses(method, key string) bool {
	if !l.Ended() {
		return false
	}
	if logger := l.logger.Load(); logger != nil && l.state.Or(lifeWarned)&lifeWarned == 0 {
		warn(logger, method, key)
	}
	return true
}

func warn(logger *slog.Logger, method, key string) {
	// The writer is a goroutine that outlived its run: a panic of the handler
	// would end the process.
	defer func() { _ = recover() }()
	attrs := []any{slog.String("method", method)}
	if key != "" {
		attrs = append(attrs, slog.String("key", key))
	}
	logger.Warn("cmdx: a write to a context was ignored because its root run has ended; wait for the writer before the run returns, or write to a Clone", attrs...)
}
