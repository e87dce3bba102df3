package retry

import (
	"math"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	for _, row := range []struct {
		name      string
		options   Options
		attempt   int
		prev      time.Duration
		low, high time.Duration
	}{
		{"defaults", Options{}, 0, 0, 500 * ms, 500 * ms},
		{"defaults, later", Options{}, 7, 500 * ms, 500 * ms, 500 * ms},
		{"a delay", Options{Delay: 100 * ms}, 0, 0, 100 * ms, 100 * ms},
		{"no delay", Options{Delay: NoDelay, Jitter: Exponential}, 3, 0, 0, 0},
		{"no delay, drawn", Options{Delay: NoDelay, Jitter: BoundedRandom}, 0, 0, 0, 0},
		{"grows", Options{Delay: 100 * ms, Jitter: Exponential}, 3, 0, 800 * ms, 800 * ms},
		{"cut afterwards", Options{Delay: 100 * ms, MaxDelay: 250 * ms, Jitter: Exponential}, 3, 0, 250 * ms, 250 * ms},
		{"not cut", Options{Delay: 100 * ms, MaxDelay: NoMaxDelay, Jitter: Exponential}, 10, 0, 102400 * ms, 102400 * ms},
		{"cut before half_random", Options{Delay: time.Second, MaxDelay: 100 * ms, Jitter: HalfRandom}, 0, 0, 50 * ms, 100 * ms},
		{"cut before full_random", Options{Delay: time.Second, MaxDelay: 100 * ms, Jitter: FullRandom}, 0, 0, 0, 100 * ms},
		{"cut before and after bounded_random", Options{Delay: time.Second, MaxDelay: 100 * ms, Jitter: BoundedRandom}, 0, 0, 100 * ms, 100 * ms},
		{"cut after bounded_random", Options{Delay: 100 * ms, MaxDelay: 150 * ms, Jitter: BoundedRandom}, 0, 0, 100 * ms, 150 * ms},
		{"decorrelated_jitter at first", Options{Delay: 100 * ms, Jitter: DecorrelatedJitter}, 0, 0, 100 * ms, 300 * ms},
		{"decorrelated_jitter later", Options{Delay: 100 * ms, Jitter: DecorrelatedJitter}, 2, 200 * ms, 100 * ms, 600 * ms},
		{"decorrelated_jitter cut", Options{Delay: 100 * ms, MaxDelay: 400 * ms, Jitter: DecorrelatedJitter}, 2, 400 * ms, 100 * ms, 400 * ms},
		{"saturated", Options{Delay: top, Jitter: Exponential}, 30, 0, top, top},
		{"saturated, then cut", Options{Delay: top, MaxDelay: time.Hour, Jitter: Linear}, math.MaxInt, 0, time.Hour, time.Hour},
		{"a negative attempt", Options{Delay: 100 * ms, Jitter: Exponential}, -1, 0, 100 * ms, 100 * ms},
		{"a jitter below zero", Options{Jitter: jitterOf(-1)}, 0, 0, 0, 0},
		{"a jitter far below zero", Options{Jitter: jitterOf(math.MinInt64), MaxDelay: time.Second}, 0, 0, 0, 0},
		{"a jitter above the ceiling", Options{Jitter: jitterOf(top), MaxDelay: time.Second}, 0, 0, time.Second, time.Second},
		{"a jitter without a ceiling", Options{Jitter: jitterOf(top)}, 0, 0, top, top},
	} {
		t.Run(row.name, func(t *testing.T) {
			low, high := top, time.Duration(0)
			for range draws {
				d := row.options.Pause(row.attempt, row.prev)
				if d < row.low || d > row.high {
					t.Fatalf("%v lies outside %v to %v", d, row.low, row.high)
				}
				low, high = min(low, d), max(high, d)
			}
			near := (row.high - row.low) / 20
			if low > row.low+near || high < row.high-near {
				t.Errorf("pauses reach from %v to %v only", low, high)
			}
		})
	}
}

// A jitter of the application is asked once, with the attempt, the cut base
// and the previous pause, which at first is the base.
func TestWhatAJitterIsGiven(t *testing.T) {
	type call struct {
		attempt     int
		delay, prev time.Duration
	}
	var calls []call
	o := Options{Delay: time.Second, MaxDelay: 300 * ms, Jitter: func(attempt int, delay, prev time.Duration) time.Duration {
		calls = append(calls, call{attempt, delay, prev})
		return prev + 10*ms
	}}
	var pause time.Duration
	for attempt := range 3 {
		pause = o.Pause(attempt, pause)
	}
	o.Pause(3, -time.Hour)
	want := []call{{0, 300 * ms, 300 * ms}, {1, 300 * ms, 300 * ms}, {2, 300 * ms, 300 * ms}, {3, 300 * ms, 0}}
	if len(calls) != len(want) {
		t.Fatalf("asked %d times, want %d", len(calls), len(want))
	}
	for i := range want {
		if calls[i] != want[i] {
			t.Errorf("call %d: %+v, want %+v", i, calls[i], want[i])
		}
	}
}

func FuzzPause(f *testing.F) {
	f.Add(0, int64(500*ms), int64(0), int64(0), int64(0))
	f.Add(math.MaxInt, int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MinInt64), int64(-1))
	f.Add(math.MinInt, int64(-1), int64(-1), int64(math.MaxInt64), int64(1))
	f.Fuzz(func(t *testing.T, attempt int, delay, ceiling, prev, answer int64) {
		for name, jitter := range map[string]Jitter{
			"NoJitter": NoJitter, "Exponential": Exponential, "Linear": Linear, "Fibonacci": Fibonacci,
			"HalfRandom": HalfRandom, "FullRandom": FullRandom, "BoundedRandom": BoundedRandom,
			"DecorrelatedJitter": DecorrelatedJitter, "user": jitterOf(time.Duration(answer)),
		} {
			if raw := jitter(attempt, time.Duration(delay), time.Duration(prev)); name != "user" && raw < 0 {
				t.Errorf("%s itself gives %d", name, raw)
			}
			o := Options{Delay: time.Duration(delay), MaxDelay: time.Duration(ceiling), Jitter: jitter}
			d := o.Pause(attempt, time.Duration(prev))
			if d < 0 || ceiling > 0 && d > time.Duration(ceiling) {
				t.Errorf("%s gives %d under a ceiling of %d", name, d, ceiling)
			}
		}
	})
}
