package task

import (
	"context"
	"log/slog"
)

// harmless returns a logger whose handler's panics reach nobody: a log line
// that cannot be written must not change what an execution becomes. nil stays
// nil.
func harmless(logger *slog.Logger) *slog.Logger {
	if logger == nil {
		return nil
	}
	if _, already := logger.Handler().(harmlessHandler); already {
		return logger
	}
	return slog.New(harmlessHandler{logger.Handler()})
}

type harmlessHandler struct{ inner slog.Handler }

func (h harmlessHandler) Enabled(ctx context.Context, level slog.Level) (enabled bool) {
	defer func() { _ = recover() }()
	return h.inner.Enabled(ctx, level)
}

func (h harmlessHandler) Handle(ctx context.Context, r slog.Record) error {
	defer func() { _ = recover() }()
	return h.inner.Handle(ctx, r)
}

func (h harmlessHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(inner slog.Handler) slog.Handler { return inner.WithAttrs(attrs) })
}

func (h harmlessHandler) WithGroup(name string) slog.Handler {
	return h.with(func(inner slog.Handler) slog.Handler { return inner.WithGroup(name) })
}

func (h harmlessHandler) with(derive func(slog.Handler) slog.Handler) (derived slog.Handler) {
	derived = h
	defer func() { _ = recover() }()
	return harmlessHandler{derive(h.inner)}
}
