package telemetry

// The names of all events that exist, with when they come and what their
// payload holds.
const (
	// EventTaskStarted comes when an execution begins. No payload.
	EventTaskStarted EventName = "task_started"
	// EventTaskDeprecated comes when a deprecated task runs, or is refused,
	// after what its type declares was done, with "action" ("log", "warn",
	// "error" or "callback").
	EventTaskDeprecated EventName = "task_deprecated"
	// EventTaskRetried comes before every further attempt, with "attempt"
	// (int, from 1) and "delay" (time.Duration waited before it).
	EventTaskRetried EventName = "task_retried"
	// EventTaskRolledBack comes when a run that began its work has failed,
	// before Rollback is called. No payload.
	EventTaskRolledBack EventName = "task_rolled_back"
	// EventCallbackFailed comes when a callback behind the outcome returned
	// an error or panicked, which changes nothing, with "kind", "callback"
	// (its name) and "error".
	EventCallbackFailed EventName = "callback_failed"
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
	// EventIdempotencyTakenBack comes when a completed claim was deleted
	// because the run was turned from a success into something else, with
	// "idempotency_key".
	EventIdempotencyTakenBack EventName = "idempotency_taken_back"
	// EventIdempotencyStoreFailed comes when the store failed before Work,
	// with "code" ("store_unavailable"), "idempotency_key", "error" and
	// "policy" ("fail_open" or "fail_closed").
	EventIdempotencyStoreFailed EventName = "idempotency_store_failed"
	// EventIdempotencyReleaseFailed comes when a claim could not be given
	// back, so that it stays until its ttl ends, with "idempotency_key" and
	// "error".
	EventIdempotencyReleaseFailed EventName = "idempotency_release_failed"

	// EventRateLimited comes when a limit refuses a run, with "code"
	// ("rate_limited"), "rate_key", "limit" (int), "per" (time.Duration) and
	// "retry_after" (time.Duration).
	EventRateLimited EventName = "rate_limited"
	// EventRateLimitStoreFailed comes when the store failed before Work, with
	// "code" ("store_unavailable"), "rate_key", "error" and "policy"
	// ("fail_open" or "fail_closed").
	EventRateLimitStoreFailed EventName = "rate_limit_store_failed"

	// EventCircuitOpened comes when a run's failure opens its circuit, with
	// "breaker_key".
	EventCircuitOpened EventName = "circuit_opened"
	// EventCircuitHalfOpened comes when a run finds the cool-off over and is
	// let through as a probe, with "breaker_key"; also when a guard further
	// in refuses that run.
	EventCircuitHalfOpened EventName = "circuit_half_opened"
	// EventCircuitClosed comes when a probe's success closes the circuit,
	// with "breaker_key".
	EventCircuitClosed EventName = "circuit_closed"
	// EventCircuitRejected comes when a circuit refuses a run, with "code"
	// ("circuit_open"), "breaker_key", "state" ("open" or "half_open") and,
	// where it is known, "retry_after" (time.Duration).
	EventCircuitRejected EventName = "circuit_rejected"
	// EventCircuitReportFailed comes when the store could not be told how a
	// call went, with "breaker_key" and "error".
	EventCircuitReportFailed EventName = "circuit_report_failed"
	// EventCircuitStoreFailed comes when the store failed before Work, with
	// "code" ("store_unavailable"), "breaker_key", "error" and "policy"
	// ("fail_open" or "fail_closed").
	EventCircuitStoreFailed EventName = "circuit_store_failed"

	// EventConcurrencyAcquired comes when a run has taken its place, before
	// Work, with "concurrency_key".
	EventConcurrencyAcquired EventName = "concurrency_acquired"
	// EventConcurrencyLimited comes when all places are taken, with "code"
	// ("concurrency_limited"), "concurrency_key", "limit" (int) and, where it
	// is known, "retry_after" (time.Duration).
	EventConcurrencyLimited EventName = "concurrency_limited"
	// EventConcurrencyReleased comes when a run has given its place back,
	// with "concurrency_key".
	EventConcurrencyReleased EventName = "concurrency_released"
	// EventConcurrencyLost comes when a run finds that its place has ended,
	// with "concurrency_key".
	EventConcurrencyLost EventName = "concurrency_lost"
	// EventConcurrencyReleaseFailed comes when a place could not be given
	// back, so that it stays until its ttl ends, with "concurrency_key" and
	// "error".
	EventConcurrencyReleaseFailed EventName = "concurrency_release_failed"
	// EventConcurrencyStoreFailed comes when the store failed before Work,
	// with "code" ("store_unavailable"), "concurrency_key", "error" and
	// "policy" ("fail_open" or "fail_closed").
	EventConcurrencyStoreFailed EventName = "concurrency_store_failed"

	// EventLockAcquired comes when a run has won its lock, before Work, with
	// "lock_key".
	EventLockAcquired EventName = "lock_acquired"
	// EventLockConflict comes when the lock was held, also after the wait for
	// it, with "code" ("locked"), "lock_key" and, where it is known,
	// "retry_after" (time.Duration).
	EventLockConflict EventName = "lock_conflict"
	// EventLockReleased comes when a run has given its lock back, with
	// "lock_key".
	EventLockReleased EventName = "lock_released"
	// EventLockLost comes when a run finds that its lock has ended or belongs
	// to somebody else, with "lock_key".
	EventLockLost EventName = "lock_lost"
	// EventLockReleaseFailed comes when a lock could not be given back, so
	// that it stays until its ttl ends, with "lock_key" and "error".
	EventLockReleaseFailed EventName = "lock_release_failed"
	// EventLockStoreFailed comes when the store failed before Work, with
	// "code" ("store_unavailable"), "lock_key", "error" and "policy"
	// ("fail_open" or "fail_closed").
	EventLockStoreFailed EventName = "lock_store_failed"
)
