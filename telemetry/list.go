package telemetry

// Names returns the names of all events that exist, in the order in which they
// are declared, in a slice of the caller's own.
func Names() []EventName {
	return []EventName{
		EventTaskStarted,
		EventTaskDeprecated,
		EventTaskRetried,
		EventTaskRolledBack,
		EventCallbackFailed,
		EventTaskExecuted,
		EventIdempotencyClaimed,
		EventIdempotencyCompleted,
		EventIdempotencyDuplicate,
		EventIdempotencyBlank,
		EventIdempotencyLost,
		EventIdempotencyCompletionFailed,
		EventIdempotencyTakenBack,
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
