package stores

import (
	"fmt"
	"time"
)

// check tells what keeps an entry from being entered or extended, whatever
// the store holds.
func (e *Entry) check() error {
	if err := e.checkRule(); err != nil {
		return err
	}
	return checkTTL(e.TTL)
}

// checkRule holds the rule of an entry to its bounds.
func (e *Entry) checkRule() error {
	switch e.Kind {
	case KindClaim, KindLock:
		return nil
	case KindPlace:
		return positive("Entry.Limit", e.Limit)
	case KindRate:
		return e.Rate.check()
	case KindBreaker:
		return e.Breaker.check()
	}
	return fmt.Errorf("%w (kind %d)", ErrUnknownKind, e.Kind)
}

func (r *RateRule) check() error {
	switch {
	case r == nil:
		return &RuleError{Field: "Entry.Rate", Problem: "is nil"}
	case r.Pace != PaceWindow && r.Pace != PaceSmooth:
		return &RuleError{Field: "RateRule.Pace", Problem: "is unknown"}
	case r.Per < time.Millisecond:
		return &RuleError{Field: "RateRule.Per", Problem: "is below a millisecond"}
	}
	return positive("RateRule.Limit", r.Limit)
}

func (r *BreakerRule) check() error {
	if r == nil {
		return &RuleError{Field: "Entry.Breaker", Problem: "is nil"}
	}
	if r.CoolOff < time.Millisecond {
		return &RuleError{Field: "BreakerRule.CoolOff", Problem: "is below a millisecond"}
	}
	if err := positive("BreakerRule.Probes", r.Probes); err != nil {
		return err
	}
	if r.FailureRate == 0 {
		return positive("BreakerRule.Threshold", r.Threshold)
	}
	switch {
	case !(r.FailureRate > 0 && r.FailureRate <= 1): // NaN too
		return &RuleError{Field: "BreakerRule.FailureRate", Problem: "is not above 0 and at most 1"}
	case r.Threshold != 0:
		return &RuleError{Field: "BreakerRule.Threshold", Problem: "is set beside FailureRate"}
	case r.Window < time.Millisecond:
		return &RuleError{Field: "BreakerRule.Window", Problem: "is below a millisecond"}
	}
	return positive("BreakerRule.MinCalls", r.MinCalls)
}

// checkBreaker tells what keeps a circuit from being looked at.
func (e *Entry) checkBreaker() error {
	if e.Kind != KindBreaker {
		return &RuleError{Field: "Entry.Kind", Problem: "is not KindBreaker"}
	}
	return e.Breaker.check()
}

func positive(field string, n int64) error {
	if n <= 0 {
		return &RuleError{Field: field, Problem: "is not positive"}
	}
	return nil
}

// checkPart tells what keeps a part from being done, whatever the store
// holds.
func (e *Entry) checkPart(part Part) error {
	if err := e.checkRule(); err != nil {
		return err
	}
	switch part {
	case PartNone, PartRelease, PartTakeBack:
		return nil
	case PartComplete:
		if e.Kind == KindClaim {
			return checkTTL(e.Keep)
		}
	case PartSuccess, PartFailure:
		if e.Kind == KindBreaker {
			return checkTTL(e.TTL)
		}
	}
	return fmt.Errorf("%w (part %d of kind %s)", ErrUnknownPart, part, e.Kind)
}
