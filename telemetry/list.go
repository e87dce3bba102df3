package telemetry

// Names returns the names of all events that exist, in the order in which they
// are declared, in a slice of the caller's own.
func Names() []EventName {
	return []EventName{
		EventTaskStarted,
		EventTaskRetried,
		EventTaskExecuted,
		EventIdempotencyClaimed,
		EventIdempotencyCompleted,
		EventIdempotencyDuplicate,
		EventIdempotencyBlank,
		EventIdempotencyLost,
		EventIdempotencyCompletionFailed,
		EventIdempotencyStoreFailed,
		EventIdempotencyReleaseFailed,
		EventRateLimited,
		EventRateLimitStoreFailed,
		EventCircuitOpened,
		EventCircuitHalfOpened,
		EventCircuitClosed,
		EventCircuitRejected,
		EventCircuitReportFailed,
		EventCircuitStoreFailed,
		EventConcurrencyAcquired,
		EventConcurrencyLimited,
		EventConcurrencyReleased,
		EventConcurrencyLost,
		EventConcurrencyReleaseFailed,
		EventConcurrencyStoreFailed,
		EventLockAcquired,
		EventLockConflict,
		EventLockReleased,
		EventLockLost,
		EventLockReleaseFailed,
		EventLockStoreFailed,
	}
}
