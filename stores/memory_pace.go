package stores

import (
	"math"
	"time"
)

// pace is a rate that keeps an interval between two calls: the instant from
// which on the next one may pass (GCRA without a burst). It has a fraction of
// the clock's unit, so that intervals which are no whole number of units add
// up to Per all the same, and several calls pass in one unit where the limit
// allows for it.
type pace struct {
	next time.Duration
	rest int64 // the fraction is rest/limit
	last Token // the call that passed last, and when
	at   time.Duration
}

// ask tells what keeps one more call from passing.
func (p *pace) ask(token Token, now time.Duration) obstacle {
	if now >= p.next || p.last == token {
		return obstacle{}
	}
	return obstacle{refused: true, left: roundedUp(p.next - now)}
}

// count moves the instant by an interval, unless the call has done so before.
// Of several rates of one key that count a call at once the longest interval
// remains.
func (p *pace) count(token Token, rule *RateRule, now time.Duration) (counted bool) {
	again := p.last == token
	if again && p.at != now {
		return false
	}
	next, rest := now, int64(0)
	if !again && p.next >= now {
		next, rest = p.next, min(p.rest, rule.Limit-1)
	}
	next, rest = plusInterval(next, rest, rule)
	if again && next <= p.next {
		return false
	}
	*p = pace{next: next, rest: rest, last: token, at: now}
	return true
}

// plusInterval adds Per/Limit in whole numbers.
func plusInterval(next time.Duration, rest int64, rule *RateRule) (time.Duration, int64) {
	whole, part := int64(rule.Per)/rule.Limit, int64(rule.Per)%rule.Limit
	if rest >= rule.Limit-part {
		rest -= rule.Limit - part
		whole++ // Per is at most the largest number, and then part is 0
	} else {
		rest += part
	}
	if whole > math.MaxInt64-int64(next) {
		return math.MaxInt64, 0
	}
	return next + time.Duration(whole), rest
}
