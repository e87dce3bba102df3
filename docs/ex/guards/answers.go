package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cmdx-go/cmdx"
)

// region http

// statusOf tells an HTTP client what became of a run, and when to come back.
func statusOf(result *cmdx.Result) (status int, retryAfter time.Duration) {
	retryAfter, _ = result.Metadata()["retry_after"].(time.Duration)
	switch result.Metadata()["code"] {
	case cmdx.CodeRateLimited, cmdx.CodeConcurrencyLimited:
		return http.StatusTooManyRequests, retryAfter
	case cmdx.CodeLocked:
		return http.StatusConflict, retryAfter
	case cmdx.CodeCircuitOpen, cmdx.CodeStoreUnavailable:
		return http.StatusServiceUnavailable, retryAfter
	case cmdx.CodeDuplicate:
		if result.Metadata()["state"] == "processing" {
			return http.StatusConflict, 0 // the other run may still fail
		}
		return http.StatusOK, 0 // it has been done
	}
	if result.IsFailed() {
		return http.StatusInternalServerError, 0
	}
	return http.StatusOK, 0
}

// endregion

// region queue

// verdict is what a worker tells its queue about a job.
type verdict struct {
	done    bool          // acknowledge it
	again   time.Duration // or hand it out again after that time
	attempt bool          // and count this as one of its attempts
}

// verdictOf hands a job that a guard refused out again, without counting an
// attempt: its work has not been tried.
func verdictOf(result *cmdx.Result) verdict {
	again, known := result.Metadata()["retry_after"].(time.Duration)
	if !known {
		again = 10 * time.Second
	}
	switch result.Metadata()["code"] {
	case cmdx.CodeRateLimited, cmdx.CodeConcurrencyLimited, cmdx.CodeLocked,
		cmdx.CodeCircuitOpen, cmdx.CodeStoreUnavailable:
		return verdict{again: again}
	case cmdx.CodeDuplicate:
		if result.Metadata()["state"] == "processing" {
			return verdict{again: again} // never acknowledge what may still fail
		}
	}
	if result.IsFailed() {
		return verdict{again: again, attempt: true}
	}
	return verdict{done: true}
}

// endregion

// SendReport can be sent once per minute.
type SendReport struct{ cmdx.Base }

// Configure says so.
func (*SendReport) Configure(c *cmdx.Config) {
	c.RateLimit(nil, cmdx.Rate{Limit: 1, Per: time.Minute})
}

// Work sends.
func (*SendReport) Work(context.Context) error { return nil }

func forHTTP(ctx context.Context) {
	for range 2 {
		status, retryAfter := statusOf(cmdx.Execute(ctx, &SendReport{}, nil))
		fmt.Println(status, retryAfter.Round(time.Second))
	}
}

func forQueue(ctx context.Context) {
	for range 2 {
		v := verdictOf(cmdx.Execute(ctx, &SendReport{}, nil))
		fmt.Println(v.done, v.again.Round(time.Second), v.attempt)
	}
}
