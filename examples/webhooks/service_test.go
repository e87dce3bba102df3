package main

import (
	"strconv"
	"testing"
)

func drawn(rate float64, seed uint64) (calls []bool, share float64) {
	fails := failing(rate, seed)
	for i := range 10_000 {
		fail := fails("delivery-"+strconv.Itoa(i/4), i%4+1)
		calls = append(calls, fail)
		if fail {
			share += 1.0 / 10_000
		}
	}
	return calls, share
}

func TestTheShareOfCallsThatFailIsTheOneAskedFor(t *testing.T) {
	for rate, tolerance := range map[float64]float64{0: 0, 0.2: 0.03, 0.5: 0.03, 1: 1e-6} {
		if _, share := drawn(rate, 7); share < rate-tolerance || share > rate+tolerance {
			t.Errorf("%v fail, not %v", share, rate)
		}
	}
}

func TestASeedTellsTheSameStoryAndAnotherOneAnother(t *testing.T) {
	differences := func(a, b []bool) (n int) {
		for i := range a {
			if a[i] != b[i] {
				n++
			}
		}
		return n
	}
	first, _ := drawn(0.5, 1)
	same, _ := drawn(0.5, 1)
	other, _ := drawn(0.5, 2)
	if n := differences(first, same); n > 0 {
		t.Errorf("%d calls differ under one seed", n)
	}
	if n := differences(first, other); n < 1000 {
		t.Errorf("only %d calls differ under another seed", n)
	}
}
