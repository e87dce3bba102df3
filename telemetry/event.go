// Package telemetry carries the events of executions to whoever subscribed.
package telemetry

import "time"

// EventName names a kind of event.
type EventName string

// Event is something that happened to one execution. Events are built only
// when somebody subscribed to their name.
type Event struct {
	// Name is the kind of event.
	Name EventName
	// Task is the task's name, Type "Task" or "Workflow".
	Task, Type string
	// TID, CID and XID identify the execution, its chain and its correlation.
	TID, CID, XID string
	// Root tells whether the execution is the first of its chain.
	Root bool
	// Payload holds what the kind of event adds. Each subscriber gets a map
	// of its own; it is never nil.
	Payload map[string]any
	// Time is when it happened.
	Time time.Time
}
