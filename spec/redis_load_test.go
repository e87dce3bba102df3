//go:build linux

package spec

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
)

// audited is one Work as it wrote itself down, in microseconds of the server's
// clock: what it was let in by was taken between asked and began.
type audited struct {
	guard, key          string
	asked, began, ended int64 // ended is 0 for one that never did
}

// auditedWorks reads what processes under load wrote into a plain list.
func auditedWorks(client *redis.Client) []audited {
	GinkgoHelper()
	lines, err := client.LRange(context.Background(), "audit", 0, -1).Result()
	Expect(err).NotTo(HaveOccurred())
	works := map[uint64]*audited{}
	for _, line := range lines {
		var id uint64
		w := &audited{}
		if strings.HasPrefix(line, "begin") {
			_, err = fmt.Sscan(strings.TrimPrefix(line, "begin"), &w.guard, &w.key, &id, &w.asked, &w.began)
			works[id] = w
		} else {
			var at int64
			_, err = fmt.Sscan(strings.TrimPrefix(line, "end"), &id, &at)
			works[id].ended = at
		}
		Expect(err).NotTo(HaveOccurred())
	}
	var all []audited
	for _, w := range works {
		all = append(all, *w)
	}
	slices.SortFunc(all, func(a, b audited) int { return cmp.Compare(a.asked, b.asked) })
	return all
}

// auditedOf are the works under one key of a guard.
func auditedOf(works []audited, guard, key string) []audited {
	return slices.DeleteFunc(slices.Clone(works), func(w audited) bool { return w.guard != guard || w.key != key })
}

// heldAtOnce is how many works held something at the same time at the most. A
// work surely held it from the instant it wrote down in the beginning to that
// of its end, but no longer than what it had taken lives.
func heldAtOnce(works []audited, lease time.Duration) int {
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, w := range works {
		until := w.asked + lease.Microseconds()
		if w.ended != 0 {
			until = min(until, w.ended)
		}
		if w.began < until {
			edges = append(edges, edge{w.began, 1}, edge{until, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.step, b.step)) })
	now, most := 0, 0
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}

// mostIn is how many works were surely let in within one window at the most,
// wherever it begins.
func mostIn(works []audited, window time.Duration) int {
	most := 0
	for _, first := range works {
		in := 0
		for _, w := range works {
			if w.asked >= first.asked && w.began < first.asked+window.Microseconds() {
				in++
			}
		}
		most = max(most, in)
	}
	return most
}

var _ = Describe("The count of works", func() {
	ms := func(n int64) int64 { return n * 1000 }
	It("sees two at once, and not those whose lease is over", func() {
		works := []audited{{asked: 1, began: ms(10), ended: ms(30)}, {asked: 1, began: ms(20), ended: ms(40)}}
		Expect(heldAtOnce(works, time.Minute)).To(Equal(2))
		Expect(heldAtOnce(works, 15*time.Millisecond)).To(Equal(1))
		works[0].ended = 0 // killed
		Expect(heldAtOnce(works, time.Minute)).To(Equal(2))
		works[1].began = ms(30)
		works[0].ended = ms(30)
		Expect(heldAtOnce(works, time.Minute)).To(Equal(1))
	})
	It("sees those that surely lie in one window", func() {
		works := []audited{{asked: ms(1), began: ms(2)}, {asked: ms(50), began: ms(51)}, {asked: ms(90), began: ms(101)}}
		Expect(mostIn(works, 100*time.Millisecond)).To(Equal(2))
		Expect(mostIn(works, 101*time.Millisecond)).To(Equal(3))
	})
})

var _ = Describe("Four processes under load on one Redis", Label("slow"), func() {
	const (
		lease  = 2 * time.Second
		per    = 500 * time.Millisecond
		cool   = 300 * time.Millisecond
		places = 2
		limit  = 5
		probes = 2
	)

	It("hold what guards promise while one is killed and one stands still", func() {
		server := redistest.Start(GinkgoTB())
		other := server.Client(nil)
		now := func() int64 {
			t, err := other.Time(context.Background()).Result()
			Expect(err).NotTo(HaveOccurred())
			return t.UnixMicro()
		}
		var workers []*worker
		for range 4 {
			workers = append(workers, startWorker(server, "-load", "-lease", lease.String(), "-per", per.String(), "-cool", cool.String(),
				"-places", fmt.Sprint(places), "-limit", fmt.Sprint(limit), "-probes", fmt.Sprint(probes)))
		}
		began := now()
		after := func(d time.Duration) {
			GinkgoHelper()
			Eventually(now).WithTimeout(d + redisBound).WithPolling(10 * time.Millisecond).Should(BeNumerically(">=", began+d.Microseconds()))
		}
		// From here on the circuits only let probes pass: nothing ever succeeds.
		opened := map[string]int64{}
		for _, key := range []string{"key0", "key1"} {
			Eventually(func() int64 {
				return other.Exists(context.Background(), "cmdx:breaker:failingWork:"+key).Val()
			}).WithTimeout(redisBound).WithPolling(time.Millisecond).Should(BeEquivalentTo(1))
			opened[key] = now()
		}
		after(2 * time.Second)
		workers[0].kill()
		after(4 * time.Second)
		workers[1].stop()
		after(4*time.Second + lease + lease/2)
		workers[1].wake()
		after(10 * time.Second)
		for _, w := range workers[1:] {
			Expect(w.input.Close()).To(Succeed())
		}
		for _, w := range workers[1:] {
			Eventually(w.ended).WithTimeout(redisBound).Should(BeClosed())
		}

		works := auditedWorks(other)
		for _, key := range []string{"key0", "key1"} {
			locked, placed, rated := auditedOf(works, "lock", key), auditedOf(works, "place", key), auditedOf(works, "rate", key)
			probed := slices.DeleteFunc(auditedOf(works, "breaker", key), func(w audited) bool { return w.asked < opened[key] })
			Expect(heldAtOnce(locked, lease)).To(Equal(1))
			Expect(heldAtOnce(placed, lease)).To(Equal(places))
			Expect(mostIn(rated, per)).To(BeNumerically("<=", limit))
			Expect(heldAtOnce(probed, cool)).To(BeNumerically("<=", probes))
			// It went on all the time, after the kill and during the standstill too.
			for name, all := range map[string][]audited{"locked": locked, "placed": placed, "rated": rated, "probed": probed} {
				for second := int64(4); second < 10; second += 3 {
					from := began + second*1_000_000
					Expect(slices.ContainsFunc(all, func(w audited) bool {
						return w.began >= from && w.began < from+3_000_000
					})).To(BeTrue(), "%s from second %d", name, second)
				}
			}
			Expect(len(rated)).To(BeNumerically(">", 5*limit))
			Expect(len(probed)).To(BeNumerically(">", 2*probes))
		}
		// A worker that is gone has left nothing for good.
		redisEveryKeyEnds(redisWithout(other, "audit"))
	})
})

// redisWithout deletes a key and returns the client.
func redisWithout(client *redis.Client, key string) *redis.Client {
	GinkgoHelper()
	Expect(client.Del(context.Background(), key).Err()).To(Succeed())
	return client
}
