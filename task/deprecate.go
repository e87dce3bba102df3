package task

import (
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/cmdx-go/cmdx/features/deprecation"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
	"github.com/cmdx-go/cmdx/telemetry"
)

// Deprecate declares that the type is on its way out: DeprecateLog and
// DeprecateWarn write a log line, DeprecateError refuses to run, a callback is
// called and may halt the run by what it returns. An action replaces the
// inherited one, nil keeps it, Disabled takes it away; options merge over the
// inherited ones.
func (c *Config) Deprecate(action run.Callback, options ...deprecation.Options) {
	site, ok := c.declaring("Deprecate")
	if !ok {
		return
	}
	if action != nil && run.Missing(action) {
		c.mistake(mistakeOption(c.layer, "Deprecate", site, run.Problem{
			Text: "there is no function to call", Fix: "Give it one of DeprecateLog, DeprecateWarn, DeprecateError, or a callback.",
		}))
		return
	}
	c.fits("Deprecate", site, action)
	for _, o := range options {
		c.gates("Deprecate", site, o.If, o.Unless)
	}
	c.deprecation = c.deprecation.With(action, options...)
	c.withSite("Deprecate", site)
}

// Deprecation gives the effective options, defaults filled in, also while the
// type is not deprecated.
func (s *settings) Deprecation() deprecation.Options { return s.deprecation.Options() }

// DeprecationAction gives the effective action; nil when the type is not
// deprecated.
func (s *settings) DeprecationAction() run.Callback { return s.deprecation.Action() }

// deprecate does what a deprecated type declares, then tells of it.
func (e *execution) deprecate(ctx context.Context) {
	action := e.definition.deprecation.Action()
	if action == nil {
		return
	}
	deprecated, err := e.deprecation(ctx, action)
	if deprecated {
		e.around().deprecated = true
		if e.Wants(telemetry.EventTaskDeprecated) {
			e.Emit(telemetry.EventTaskDeprecated, map[string]any{"action": actionName(action)})
		}
	}
	if err != nil && !e.halted {
		e.decide(result.Read(err, &e.Run).Outcome())
	}
}

func actionName(action run.Callback) string {
	if level, ok := action.(deprecation.Level); ok {
		return string(level)
	}
	return "callback"
}

// deprecation asks the gates and acts. Signals that a callback makes and does
// not return count for nothing.
func (e *execution) deprecation(ctx context.Context, action run.Callback) (deprecated bool, err error) {
	before, finished := e.signal.Load(), false
	defer func() {
		if !finished {
			err = result.Recovered(recover(), debug.Stack())
		}
		e.signal.Store(before)
	}()
	options := e.definition.deprecation.Options()
	deprecated = run.Allowed(ctx, e.Run.Task, options.If, options.Unless)
	if deprecated {
		err = e.actOn(ctx, action, options.Message)
	}
	finished = true
	return deprecated, err
}

func (e *execution) actOn(ctx context.Context, action run.Callback, message string) error {
	switch action {
	case deprecation.Log:
		e.logDeprecation(ctx, slog.LevelInfo, message)
	case deprecation.Warn:
		e.logDeprecation(ctx, slog.LevelWarn, message)
	case deprecation.Error:
		return &result.DeprecationError{Task: e.Type.Name, Message: message}
	default:
		return action.Do(ctx, e.Run.Task)
	}
	return nil
}

func (e *execution) logDeprecation(ctx context.Context, level slog.Level, message string) {
	logger := e.logger()
	if logger == nil {
		return
	}
	attrs := []any{"task", e.Type.Name, "tid", e.result.TID()}
	if message != "" {
		attrs = append(attrs, "message", message)
	}
	logger.Log(ctx, level, "cmdx: a deprecated task runs", attrs...)
}
