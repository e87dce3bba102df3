package task

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/result"
)

// Settings are what a task type says about its logging, its tags, its context
// and its correlation. A zero field inherits what a parent said; where nobody
// said it, the runtime's configuration holds.
type Settings struct {
	// Logger gets what the executions of the type log: their line, warnings,
	// and what Base.Logger writes. nil inherits; by default
	// Configuration.Logger.
	Logger *slog.Logger
	// Level is the level below which nothing of the type is logged. nil
	// inherits; by default the logger's handler decides alone.
	Level slog.Leveler
	// LogExclude names top-level keys of Result.ToMap that are kept out of the
	// line of an execution. It replaces what is inherited: a list without
	// "context" lets the context's data be logged. nil inherits, an empty list
	// that is not nil excludes nothing; by default "context".
	LogExclude []string
	// Tags replace the inherited ones; Config.Tags adds to them. nil inherits,
	// an empty list that is not nil takes them away; by default there are
	// none.
	Tags []string
	// StrictContext lets MustGet and In stop the run when the key is missing,
	// in contexts that executions of the type begin; one that is shared with
	// them keeps its own rule. Zero inherits; by default
	// Configuration.StrictContext.
	StrictContext run.Switch
	// CorrelationID gives the correlation id of chains whose root is of this
	// type. nil inherits; by default Configuration.CorrelationID.
	CorrelationID func(context.Context) string
}

// Setting names one field of [Settings].
type Setting string

// The settings.
const (
	SettingLogger        Setting = "logger"
	SettingLevel         Setting = "level"
	SettingLogExclude    Setting = "log_exclude"
	SettingTags          Setting = "tags"
	SettingStrictContext Setting = "strict_context"
	SettingCorrelationID Setting = "correlation_id"
)

// Merge lays child over s: what the child says wins, what it does not say is
// inherited. Neither value changes.
func (s Settings) Merge(child Settings) Settings {
	if child.Logger != nil {
		s.Logger = child.Logger
	}
	if child.Level != nil {
		s.Level = child.Level
	}
	if child.LogExclude != nil {
		s.LogExclude = slices.Clone(child.LogExclude)
	}
	if child.Tags != nil {
		s.Tags = withTags(nil, child.Tags)
	}
	if child.StrictContext != 0 {
		s.StrictContext = child.StrictContext
	}
	if child.CorrelationID != nil {
		s.CorrelationID = child.CorrelationID
	}
	return s
}

// Without takes one setting back to what nobody said, and tells whether there
// is one of that name.
func (s Settings) Without(name Setting) (Settings, bool) {
	switch name {
	case SettingLogger:
		s.Logger = nil
	case SettingLevel:
		s.Level = nil
	case SettingLogExclude:
		s.LogExclude = nil
	case SettingTags:
		s.Tags = nil
	case SettingStrictContext:
		s.StrictContext = 0
	case SettingCorrelationID:
		s.CorrelationID = nil
	default:
		return s, false
	}
	return s, true
}

// withTags adds tags to a copy of list, each once; the copy is never nil.
func withTags(list, tags []string) []string {
	merged := append([]string{}, list...)
	for _, tag := range tags {
		if !slices.Contains(merged, tag) {
			merged = append(merged, tag)
		}
	}
	return merged
}

// Settings says how executions of the type log, what tags they carry, whether
// their context is strict and how their chain is correlated. What is not said
// is inherited, field by field.
func (c *Config) Settings(s Settings) {
	site, ok := c.declaring("Settings")
	if !ok {
		return
	}
	if s.StrictContext != 0 && s.StrictContext != run.On && s.StrictContext != run.Off {
		c.mistake(mistakeOption(c.layer, "Settings", site, run.Problem{
			Text: "StrictContext is an unknown position", Fix: "Write On or Off.",
		}))
		return
	}
	for _, key := range s.LogExclude {
		if !result.IsKey(key) {
			c.mistake(mistakeOption(c.layer, "Settings", site, run.Problem{
				Text: fmt.Sprintf("LogExclude names %q, which no result has", key),
				Fix:  `Name keys of Result.ToMap, such as "context" or "metadata".`,
			}))
			return
		}
	}
	s.Logger = harmless(s.Logger)
	c.own = c.own.Merge(s)
}

// RemoveSettings takes inherited settings back to the runtime's.
func (c *Config) RemoveSettings(names ...Setting) {
	site, ok := c.declaring("RemoveSettings")
	if !ok {
		return
	}
	for _, name := range names {
		without, known := c.own.Without(name)
		if !known {
			c.mistake(mistakeOption(c.layer, "RemoveSettings", site, run.Problem{
				Text: "there is no such setting", Fix: "Use one of the Setting constants, such as SettingLogger.",
			}))
			continue
		}
		c.own = without
	}
}

// Tags adds tags, which results carry; each is kept once.
func (c *Config) Tags(tags ...string) {
	if _, ok := c.declaring("Tags"); !ok {
		return
	}
	c.own.Tags = withTags(c.own.Tags, tags)
}

// EffectiveSettings gives the settings as merged so far; a zero field stands
// for the runtime's. Slices are the caller's own.
func (s *settings) EffectiveSettings() Settings {
	own := s.own
	own.LogExclude, own.Tags = slices.Clone(own.LogExclude), slices.Clone(own.Tags)
	return own
}

// TagList gives the effective tags.
func (s *settings) TagList() []string { return slices.Clone(s.own.Tags) }

// strictContext tells whether a context that this execution begins is strict.
func (e *execution) strictContext() bool {
	switch e.definition.own.StrictContext {
	case run.On:
		return true
	case run.Off:
		return false
	}
	return e.runtime.strict
}

// correlation asks the root's type, else the runtime, for the correlation id.
func (e *execution) correlation(ctx context.Context) string {
	ask := e.definition.own.CorrelationID
	if ask == nil {
		ask = e.runtime.correlationID
	}
	if ask == nil {
		return ""
	}
	return e.askCorrelation(ctx, ask)
}
