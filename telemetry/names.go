package telemetry

// The names of all events that exist, with when they come and what their
// payload holds.
const (
	// EventTaskStarted comes when an execution begins. No payload.
	EventTaskStarted EventName = "task_started"
	// EventTaskRetried comes before every further attempt, with "attempt"
	// (int, from 1) and "delay" (time.Duration waited before it).
	EventTaskRetried EventName = "task_retried"
	// EventTaskExecuted comes when the result stands, with "result"
	// (*result.Result).
	EventTaskExecuted EventName = "task_executed"

	// EventIdempotencyClaimed comes when a run has won its claim, before
	// Work, with "idempotency_key".
	EventIdempotencyClaimed EventName = "idempotency_claimed"
	// EventIdempotencyCompleted comes when the claim of a success reads
	// "completed", with "idempotency_key".
	EventIdempotencyCompleted EventName = "idempotency_completed"
	// EventIdempotencyDuplicate comes when the key was already held, before
	// the signal, with "code" ("duplicate"), "idempotency_key" and "state".
	EventIdempotencyDuplicate EventName = "idempotency_duplicate"
	// EventIdempotencyBlank comes when the key was blank, so that the run
	// went on without a claim or was refused (OnBlank). No payload but
	// "code" ("key_blank") when refused.
	EventIdempotencyBlank EventName = "idempotency_blank"
	// EventIdempotencyLost comes when a run finds that its claim has ended
	// or belongs to somebody else, with "idempotency_key".
	EventIdempotencyLost EventName = "idempotency_lost"
	// EventIdempotencyCompletionFailed comes when a success could not be
	// marked as completed, with "idempotency_key" and "error".
	EventIdempotencyCompletionFailed EventName = "idempotency_completion_failed"
	// EventIdempotencyStoreFailed comes when the store failed before Work,
	// with "code" ("store_unavailable"), "idempotency_key", "error" and
	// "policy" ("fail_open" or "fail_closed").
	EventIdempotencyStoreFailed EventName = "idempotency_store_failed"
	// EventIdempotencyReleaseFailed comes when a claim could not be given
	// back, so that it stays until its ttl ends, with "idempotency_key" and
	// "error".
	EventIdempotencyReleaseFailed EventName = "idempotency_release_failed"
)
