package task

import (
	"context"
	"log/slog"

	"github.com/cmdx-go/cmdx/result"
)

// logger is the type's, else the runtime's, held to the type's level; nil when
// neither is set.
func (e *execution) logger() *slog.Logger {
	own := &e.definition.own
	logger := own.Logger
	if logger == nil {
		logger = e.runtime.logger
	}
	if logger == nil || own.Level == nil {
		return logger
	}
	return harmless(slog.New(leveledHandler{logger.Handler(), own.Level}))
}

// leveledHandler drops what lies below a level. Nothing that its inner handler
// drops comes through.
type leveledHandler struct {
	slog.Handler
	level slog.Leveler
}

func (h leveledHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= h.level.Level() && h.Handler.Enabled(ctx, level)
}

func (h leveledHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveledHandler{h.Handler.WithAttrs(attrs), h.level}
}

func (h leveledHandler) WithGroup(name string) slog.Handler {
	return leveledHandler{h.Handler.WithGroup(name), h.level}
}

// line is the result as the execution's line shows it.
func (e *execution) line() any {
	if exclude := e.definition.own.LogExclude; exclude != nil {
		return &shortened{&e.result, exclude}
	}
	return &e.result
}

// shortened is a result without some keys of its ToMap. It builds nothing
// until a handler asks for it.
type shortened struct {
	*result.Result
	exclude []string
}

// LogValue is the result's.
func (s *shortened) LogValue() slog.Value { return s.LogValueWithout(s.exclude...) }

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
