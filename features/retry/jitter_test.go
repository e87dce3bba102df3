package retry

import (
	"math"
	"testing"
	"time"
)

const (
	ms  = time.Millisecond
	top = time.Duration(math.MaxInt64)
)

func TestJittersThatDrawNothing(t *testing.T) {
	for _, row := range []struct {
		name    string
		jitter  Jitter
		attempt int
		delay   time.Duration
		want    time.Duration
	}{
		{"none 0", NoJitter, 0, 100 * ms, 100 * ms},
		{"none 9", NoJitter, 9, 100 * ms, 100 * ms},
		{"none negative", NoJitter, 0, -5, 0},
		{"exponential 0", Exponential, 0, 100 * ms, 100 * ms},
		{"exponential 1", Exponential, 1, 100 * ms, 200 * ms},
		{"exponential 2", Exponential, 2, 100 * ms, 400 * ms},
		{"exponential 10", Exponential, 10, ms, 1024 * ms},
		{"exponential 30", Exponential, 30, 1, 1 << 30},
		{"exponential 31 is capped", Exponential, 31, 1, 1 << 30},
		{"exponential, largest attempt", Exponential, math.MaxInt, 1, 1 << 30},
		{"exponential, negative attempt", Exponential, -1, 100 * ms, 100 * ms},
		{"exponential at the edge", Exponential, 30, 1<<33 - 1, (1<<33 - 1) << 30},
		{"exponential saturates", Exponential, 30, 1 << 33, top},
		{"exponential, largest delay", Exponential, 1, top, top},
		{"exponential, negative delay", Exponential, 1, -ms, 0},
		{"exponential, no delay", Exponential, 5, 0, 0},
		{"linear 0", Linear, 0, 100 * ms, 100 * ms},
		{"linear 1", Linear, 1, 100 * ms, 200 * ms},
		{"linear 2", Linear, 2, 100 * ms, 300 * ms},
		{"linear 99", Linear, 99, 100 * ms, 10 * time.Second},
		{"linear, largest attempt", Linear, math.MaxInt, 1, top},
		{"linear, negative attempt", Linear, math.MinInt, ms, ms},
		{"linear saturates", Linear, 1, top/2 + 1, top},
		{"linear, negative delay", Linear, 3, -ms, 0},
		{"fibonacci 0", Fibonacci, 0, 100 * ms, 100 * ms},
		{"fibonacci 1", Fibonacci, 1, 100 * ms, 100 * ms},
		{"fibonacci 2", Fibonacci, 2, 100 * ms, 200 * ms},
		{"fibonacci 3", Fibonacci, 3, 100 * ms, 300 * ms},
		{"fibonacci 4", Fibonacci, 4, 100 * ms, 500 * ms},
		{"fibonacci 5", Fibonacci, 5, 100 * ms, 800 * ms},
		{"fibonacci 9", Fibonacci, 9, ms, 55 * ms},
		// fib(91) and fib(92), the last that fit.
		{"fibonacci 90", Fibonacci, 90, 1, 4660046610375530309},
		{"fibonacci 91", Fibonacci, 91, 1, 7540113804746346429},
		{"fibonacci 92 saturates", Fibonacci, 92, 1, top},
		{"fibonacci, largest attempt", Fibonacci, math.MaxInt, ms, top},
		{"fibonacci, negative attempt", Fibonacci, -7, ms, ms},
		{"fibonacci, negative delay", Fibonacci, 3, -ms, 0},
		{"fibonacci, no delay", Fibonacci, 1000, 0, 0},
	} {
		if got := row.jitter(row.attempt, row.delay, 0); got != row.want {
			t.Errorf("%s: %d, want %d", row.name, got, row.want)
		}
	}
}

// draws is enough that a twentieth of the range at each end stays empty less
// than once in 10⁴⁴ times.
const draws = 2_000

func TestJittersThatDraw(t *testing.T) {
	for _, row := range []struct {
		name        string
		jitter      Jitter
		delay, prev time.Duration
		low, high   time.Duration
	}{
		{"half_random", HalfRandom, 100 * ms, 0, 50 * ms, 100 * ms},
		{"half_random, largest", HalfRandom, top, 0, top / 2, top},
		{"full_random", FullRandom, 100 * ms, 0, 0, 100 * ms},
		{"full_random, largest", FullRandom, top, 0, 0, top},
		{"bounded_random", BoundedRandom, 100 * ms, 0, 100 * ms, 200 * ms},
		{"bounded_random saturates", BoundedRandom, top / 4 * 3, 0, top / 4 * 3, top},
		{"decorrelated_jitter at first", DecorrelatedJitter, 100 * ms, 0, 100 * ms, 300 * ms},
		{"decorrelated_jitter later", DecorrelatedJitter, 100 * ms, 250 * ms, 100 * ms, 750 * ms},
		{"decorrelated_jitter saturates", DecorrelatedJitter, ms, top / 2, ms, top},
		{"decorrelated_jitter after a negative one", DecorrelatedJitter, 100 * ms, -5, 100 * ms, 300 * ms},
	} {
		t.Run(row.name, func(t *testing.T) {
			low, high := top, time.Duration(0)
			for attempt := range draws {
				d := row.jitter(attempt%40, row.delay, row.prev)
				if d < row.low || d > row.high {
					t.Fatalf("%v lies outside %v to %v", d, row.low, row.high)
				}
				low, high = min(low, d), max(high, d)
			}
			near := (row.high - row.low) / 20
			if low > row.low+near || high < row.high-near {
				t.Errorf("draws reach from %v to %v only, not near %v and %v", low, high, row.low, row.high)
			}
		})
	}
}

func TestJittersThatDrawFromOneValue(t *testing.T) {
	for _, row := range []struct {
		name        string
		jitter      Jitter
		delay, prev time.Duration
		want        time.Duration
	}{
		{"half_random of nothing", HalfRandom, 0, 0, 0},
		{"full_random of nothing", FullRandom, 0, 0, 0},
		{"bounded_random of nothing", BoundedRandom, 0, 0, 0},
		{"decorrelated_jitter of nothing", DecorrelatedJitter, 0, 0, 0},
		{"half_random, negative", HalfRandom, -ms, 0, 0},
		{"full_random, negative", FullRandom, -ms, 0, 0},
		{"bounded_random, negative", BoundedRandom, -ms, 0, 0},
		{"decorrelated_jitter, negative", DecorrelatedJitter, -ms, -ms, 0},
		{"bounded_random, largest", BoundedRandom, top, 0, top},
		{"decorrelated_jitter, a small prev", DecorrelatedJitter, 90, 30, 90},
	} {
		for range 20 {
			if got := row.jitter(3, row.delay, row.prev); got != row.want {
				t.Errorf("%s: %d, want %d", row.name, got, row.want)
			}
		}
	}
}

// Both ends of a small range are drawn: they are included.
func TestBothEndsAreDrawn(t *testing.T) {
	for _, row := range []struct {
		name   string
		jitter Jitter
		want   []time.Duration
	}{
		{"half_random", HalfRandom, []time.Duration{1, 2}},
		{"full_random", FullRandom, []time.Duration{0, 1, 2}},
		{"bounded_random", BoundedRandom, []time.Duration{2, 3, 4}},
		{"decorrelated_jitter", DecorrelatedJitter, []time.Duration{2, 3, 4, 5, 6}},
	} {
		seen := map[time.Duration]bool{}
		for range draws {
			seen[row.jitter(0, 2, 2)] = true
		}
		for _, d := range row.want {
			if !seen[d] {
				t.Errorf("%s never draws %d of %v", row.name, d, row.want)
			}
		}
		if len(seen) != len(row.want) {
			t.Errorf("%s draws %d values, want %v", row.name, len(seen), row.want)
		}
	}
}
