package task

import (
	"maps"
	"slices"

	"github.com/cmdx-go/cmdx/features/breaker"
	"github.com/cmdx-go/cmdx/features/callbacks"
	"github.com/cmdx-go/cmdx/features/concurrency"
	"github.com/cmdx-go/cmdx/features/deprecation"
	"github.com/cmdx-go/cmdx/features/idempotency"
	"github.com/cmdx-go/cmdx/features/lock"
	"github.com/cmdx-go/cmdx/features/middleware"
	"github.com/cmdx-go/cmdx/features/ratelimit"
	"github.com/cmdx-go/cmdx/features/retry"
	"github.com/cmdx-go/cmdx/features/timeout"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/outputs"
	"github.com/cmdx-go/cmdx/telemetry"
)

// settings are what the layers so far declare. It is a value: a layer works
// on its own copy, and whatever is appended to is copied before.
type settings struct {
	name        string
	inputs      inputs.Set
	outputs     outputs.Set
	retry       retry.Policy
	rates       ratelimit.Settings
	breaker     breaker.Settings
	concurrency concurrency.Settings
	lock        lock.Settings
	idempotency idempotency.Settings
	own         Settings
	callbacks   callbacks.Set
	middlewares middleware.List
	deprecation deprecation.Settings
	timeout     timeout.Bounds
	subscribers map[telemetry.EventName][]func(telemetry.Event)
	// sites tell where a feature was declared last, for messages.
	sites map[string]string
}

// inherited is what a child starts with; a name is not inherited.
func (s settings) inherited() settings {
	s.name = ""
	return s
}

// withSite notes where a feature was declared.
func (s *settings) withSite(feature, site string) {
	sites := maps.Clone(s.sites)
	if sites == nil {
		sites = map[string]string{}
	}
	sites[feature] = site
	s.sites = sites
}

// withSubscriber adds one without touching the parent's lists.
func (s *settings) withSubscriber(name telemetry.EventName, f func(telemetry.Event)) {
	subscribers := maps.Clone(s.subscribers)
	if subscribers == nil {
		subscribers = map[telemetry.EventName][]func(telemetry.Event){}
	}
	subscribers[name] = append(slices.Clone(subscribers[name]), f)
	s.subscribers = subscribers
}

// Idempotency gives the effective options, defaults filled in, also while the
// feature is off.
func (s *settings) Idempotency() idempotency.Options { return s.idempotency.Options() }

// IdempotencyKey gives the effective key resolver; nil when idempotency is
// off.
func (s *settings) IdempotencyKey() run.KeyResolver { return s.idempotency.Resolver() }

// Retry gives the effective options, defaults filled in, also while retries
// are off.
func (s *settings) Retry() retry.Options { return s.retry.Options() }

// RetryMatchers gives the effective matchers; none when retries are off.
func (s *settings) RetryMatchers() []run.ErrorMatcher { return s.retry.Matchers() }
