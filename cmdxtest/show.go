package cmdxtest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/internal/safejson"
	"github.com/cmdx-go/cmdx/result"
)

// mostOfChain is how many executions of a chain are shown.
const mostOfChain = 50

// Show tells everything about a result in several lines for people, as the
// failure texts of the matchers do. It holds the context's values. It does no
// harm whatever the result holds.
func Show(r *cmdx.Result) string {
	if r == nil {
		return "a nil *cmdx.Result"
	}
	s, data := &sheet{}, r.ToMap() // which leaves out what must not be shown
	fmt.Fprintf(&s.text, "%s %s, %s, after %s", name(r), r.Status(), r.State(), r.Duration())
	if reason := r.Reason(); reason != "" {
		s.line("reason", strconv.Quote(reason))
	}
	if cause := r.Cause(); cause != nil {
		s.line("cause", r.Context().Scrub(result.Describe(cause)))
	}
	if m, _ := r.ToMap()["metadata"].(cmdx.Metadata); len(m) > 0 {
		s.line("metadata", string(safejson.Brief(m)))
	}
	for _, message := range r.Errors().FullMessages() {
		s.line("error", message)
	}
	if origin := r.Origin(); origin != nil {
		s.line("echo of", name(origin)+" "+origin.TID())
	}
	for _, err := range r.CallbackErrors() {
		s.line("callback", r.Context().Scrub(result.Describe(err)))
	}
	s.line("retries", strconv.Itoa(r.Retries()))
	s.flags(r)
	s.line("context", string(safejson.Brief(data["context"])))
	s.chain(r)
	s.line("tid", r.TID())
	s.line("cid", r.CID())
	if xid := r.XID(); xid != "" {
		s.line("xid", xid)
	}
	return s.text.String()
}

// describe is the cause's type and text, without what must not be shown.
func describe(r *cmdx.Result, data map[string]any) string {
	if r.Cause() == nil {
		return "none"
	}
	shown, _ := data["cause"].(error)
	return "[" + result.TypeName(r.Cause()) + "] " + result.Text(shown)
}

// name never leaves a place empty.
func name(r *cmdx.Result) string {
	if r == nil || r.TaskName() == "" {
		return "(no task)"
	}
	return r.TaskName()
}

// sheet is a text of labelled lines.
type sheet struct{ text strings.Builder }

func (s *sheet) line(label, value string) {
	fmt.Fprintf(&s.text, "\n  %-9s %s", label, strings.ReplaceAll(value, "\n", "\n            "))
}

func (s *sheet) flags(r *cmdx.Result) {
	var flags []string
	for _, f := range []struct {
		set  bool
		name string
	}{{r.Strict(), "strict"}, {r.Deprecated(), "deprecated"}, {r.RolledBack(), "rolled back"}} {
		if f.set {
			flags = append(flags, f.name)
		}
	}
	if len(flags) > 0 {
		s.line("flags", strings.Join(flags, ", "))
	}
	if tags := r.Tags(); len(tags) > 0 {
		s.line("tags", strings.Join(tags, ", "))
	}
}

func (s *sheet) chain(r *cmdx.Result) {
	results := r.Chain().Results()
	for i, at := range results {
		if i == mostOfChain {
			s.line("chain", fmt.Sprintf("… and %d more", len(results)-i))
			return
		}
		text := fmt.Sprintf("%d %s %s", i, name(at), at.Status())
		if at == r {
			text += " (this one)"
		}
		s.line("chain", text)
	}
}

// shown is a value as JSON, whatever it is made of.
func shown(v any) string {
	switch v := v.(type) {
	case Matcher:
		return "what fits"
	case string:
		return strconv.Quote(v)
	case error:
		return result.Describe(v)
	}
	return string(safejson.Brief(v))
}

// shownBeside is shown with the type where that makes the difference.
func shownBeside(v, wanted any) string {
	text := shown(v)
	if text == shown(wanted) || reflect.TypeOf(v) != reflect.TypeOf(wanted) {
		return fmt.Sprintf("%s of type %T, not %T", text, v, wanted)
	}
	return text
}
