package cmdxotel

import (
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/result"
)

// The attributes of spans; those of metrics are in meters.go.
const (
	keyTaskName   = attribute.Key("cmdx.task.name")
	keyTaskType   = attribute.Key("cmdx.task.type")
	keyTaskTags   = attribute.Key("cmdx.task.tags")
	keyTID        = attribute.Key("cmdx.tid")
	keyCID        = attribute.Key("cmdx.cid")
	keyXID        = attribute.Key("cmdx.xid")
	keyRoot       = attribute.Key("cmdx.root")
	keyStrict     = attribute.Key("cmdx.strict")
	keyStatus     = attribute.Key("cmdx.status")
	keyReason     = attribute.Key("cmdx.reason")
	keyCode       = attribute.Key("cmdx.code")
	keyRetries    = attribute.Key("cmdx.retries")
	keyDeprecated = attribute.Key("cmdx.deprecated")
	keyRolledBack = attribute.Key("cmdx.rolled_back")
	keyOrigin     = attribute.Key("cmdx.origin.tid")

	// These four are named by OpenTelemetry's semantic conventions.
	keyErrorType           = attribute.Key("error.type")
	keyExceptionType       = attribute.Key("exception.type")
	keyExceptionMessage    = attribute.Key("exception.message")
	keyExceptionStacktrace = attribute.Key("exception.stacktrace")
)

// tell adds an event of the execution to its span.
func (u *underway) tell(e cmdx.Event) {
	if e.Name == cmdx.EventTaskStarted || !u.span.IsRecording() {
		return // the span's own start
	}
	u.span.AddEvent(string(e.Name), trace.WithTimestamp(e.Time), trace.WithAttributes(payload(e.Payload)...))
}

// end writes what became of the execution and ends its span.
func (u *underway) end(e cmdx.Event, r *cmdx.Result) {
	defer u.span.End(trace.WithTimestamp(e.Time))
	if !u.span.IsRecording() {
		return
	}
	u.span.SetAttributes(attributesOf(e, r)...)
	switch {
	case r.IsFailed():
		u.failed(e, r)
	case r.Reason() != "":
		u.signal(e, r)
	}
}

func (u *underway) failed(e cmdx.Event, r *cmdx.Result) {
	u.span.SetStatus(codes.Error, r.Reason())
	u.span.SetAttributes(keyErrorType.String(errorType(r)))
	switch {
	case r.Origin() != nil: // what happened stands in the span where it did
	case r.Cause() != nil:
		u.exception(e, r)
	default:
		u.signal(e, r)
	}
}

// signal tells of an outcome that the task or a guard decided.
func (u *underway) signal(e cmdx.Event, r *cmdx.Result) {
	attributes := []attribute.KeyValue{keyStatus.String(string(r.Status())), keyReason.String(r.Reason())}
	if code, ok := codeOf(r); ok {
		attributes = append(attributes, keyCode.String(code))
	}
	u.span.AddEvent("signal", trace.WithTimestamp(e.Time), trace.WithAttributes(attributes...))
}

// exception records the cause as OpenTelemetry's RecordError does, without
// calling an Error method that may panic, and without the values of sensitive
// inputs.
func (u *underway) exception(e cmdx.Event, r *cmdx.Result) {
	shown, _ := r.ToMap()["cause"].(error)
	attributes := []attribute.KeyValue{
		keyExceptionType.String(result.TypeName(r.Cause())),
		keyExceptionMessage.String(result.Text(shown)),
	}
	if p, ok := panicIn(r.Cause()); ok {
		attributes = append(attributes, keyExceptionStacktrace.String(string(p.Stack)))
	}
	u.span.AddEvent("exception", trace.WithTimestamp(e.Time), trace.WithAttributes(attributes...))
}

func attributesOf(e cmdx.Event, r *cmdx.Result) []attribute.KeyValue {
	attributes := []attribute.KeyValue{
		keyTaskType.String(e.Type), keyCID.String(e.CID), keyRoot.Bool(e.Root), keyStrict.Bool(r.Strict()),
		keyStatus.String(string(r.Status())), keyRetries.Int(r.Retries()),
	}
	if e.XID != "" {
		attributes = append(attributes, keyXID.String(e.XID))
	}
	if tags := r.Tags(); len(tags) > 0 {
		attributes = append(attributes, keyTaskTags.StringSlice(slices.Clone(tags)))
	}
	if code, ok := codeOf(r); ok {
		attributes = append(attributes, keyCode.String(code))
	}
	if r.Deprecated() {
		attributes = append(attributes, keyDeprecated.Bool(true))
	}
	if r.RolledBack() {
		attributes = append(attributes, keyRolledBack.Bool(true))
	}
	if origin := r.Origin(); origin != nil {
		attributes = append(attributes, keyOrigin.String(origin.TID()))
	}
	return attributes
}

func codeOf(r *cmdx.Result) (code string, ok bool) {
	code, ok = r.Metadata()["code"].(string)
	return code, ok
}
