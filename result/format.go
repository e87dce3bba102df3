package result

import (
	"fmt"
	"maps"
	"strings"

	"github.com/cmdx-go/cmdx/internal/safejson"
)

// ToMap tells the result as data. Other executions stand in it as their task
// and tid; the duration is a time.Duration. Values of sensitive inputs, and
// copies of them, are redacted.
func (r *Result) ToMap() map[string]any {
	m := map[string]any{
		"xid": r.XID(), "cid": r.CID(), "index": r.Index(), "root": r.IsRoot(),
		"type": r.Type(), "task": r.TaskName(), "tid": r.TID(),
		"context": r.Context().ToShow(),
		"state":   string(r.State()), "status": string(r.outcome.Status), "reason": r.outcome.Reason,
		"metadata": r.shownMetadata(), "strict": r.strict, "deprecated": r.deprecated,
		"retried": r.retries > 0, "retries": r.Retries(),
		"duration": r.duration, "tags": r.Tags(),
	}
	if r.IsFailed() {
		m["cause"] = r.shownCause()
		m["origin"] = r.outcome.Origin.reference()
		m["threw_failure"] = r.ThrewFailure().reference()
		m["caused_failure"] = r.CausedFailure().reference()
		m["rolled_back"] = r.rolledBack
	}
	return m
}

// shownMetadata is the metadata without copies of sensitive values.
func (r *Result) shownMetadata() Metadata {
	shown, ok := r.Context().Show(map[string]any(r.outcome.Metadata)).(map[string]any)
	if !ok || r.outcome.Metadata == nil {
		return Metadata{}
	}
	return maps.Clone(shown)
}

// shownCause is the cause, or an error of its text without sensitive values
// when it holds any.
func (r *Result) shownCause() error {
	cause := r.outcome.Cause
	if cause == nil || !r.Context().Conceals(Text(cause)) {
		return cause
	}
	return &redactedError{text: r.Context().Scrub(Text(cause)), err: cause}
}

// redactedError stands for an error whose text must not be shown.
type redactedError struct {
	text string
	err  error
}

// Error is the text without what must not be shown.
func (e *redactedError) Error() string { return e.text }

// Unwrap gives the error itself.
func (e *redactedError) Unwrap() error { return e.err }

func (r *Result) reference() any {
	if r == nil {
		return nil
	}
	return map[string]any{"task": r.TaskName(), "tid": r.TID()}
}

// JSONValue is what stands for the result in JSON: ToMap with the cause as its
// text. An encoder that asks for it can end cycles through results.
func (r *Result) JSONValue() any {
	m := r.ToMap()
	if r.outcome.Cause != nil {
		m["cause"] = Text(r.shownCause())
	}
	return m
}

// JSONReference is what stands for the result in the texts of others.
func (r *Result) JSONReference() any { return r.reference() }

// MarshalJSON encodes ToMap, the cause as its text. It never fails: what JSON
// cannot hold is written as its text.
func (r *Result) MarshalJSON() ([]byte, error) { return safejson.Marshal(r), nil }

// String tells the result in one line, without the context's data.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s state=%s tid=%s", r.TaskName(), r.outcome.Status, r.State(), r.TID())
	if r.outcome.Reason != "" {
		fmt.Fprintf(&b, " reason=%q", r.outcome.Reason)
	}
	if len(r.outcome.Metadata) > 0 {
		fmt.Fprintf(&b, " metadata=%s", safejson.Brief(r.shownMetadata()))
	}
	if r.retries > 0 {
		fmt.Fprintf(&b, " retries=%d", r.retries)
	}
	if r.outcome.Origin != nil {
		fmt.Fprintf(&b, " origin=%s", r.outcome.Origin.TaskName())
	}
	fmt.Fprintf(&b, " duration=%s", r.duration)
	return b.String()
}
