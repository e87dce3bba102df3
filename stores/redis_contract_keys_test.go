package stores

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/cmdx-go/cmdx/internal/redistest"
)

// braceKeys are all short keys of what matters to a hash tag, and longer ones
// of the kinds that people have.
func braceKeys() []string {
	keys := []string{
		"cmdx:idem:Charge:pay_1", "cmdx:idem:Charge:{pay_1}", "cmdx:idem:Charge:pay}1", "cmdx:idem:Charge:{}", "cmdx:idem:Charge:}{x}",
		"a}b{c}", "{}{a}", "}}{{a}}", "äö{ü}", "\x00{\xff}", "{\n}", "}" + strings.Repeat("x", 10_000), strings.Repeat("{", 300) + "}",
	}
	shorter := []string{""}
	for range 6 {
		var longer []string
		for _, s := range shorter {
			for _, c := range []string{"{", "}", "a", ":"} {
				longer = append(longer, s+c)
			}
		}
		keys, shorter = append(keys, longer...), longer
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		key := "cmdx:"
		for range 1 + random.IntN(30) {
			key += string("{}{}ab:\x00é1"[random.IntN(11)])
		}
		keys = append(keys, key)
	}
	return keys
}

func TestTheKeysOfAClaimLieInOneSlot(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, redistest.Setting("cluster-enabled", "yes")).Client(nil)
	token := NewToken()
	forms := map[byte]int{}
	var all []string
	for _, key := range braceKeys() {
		owner, void := sideKeys(key, token)
		all = append(all, key, owner, void)
		forms[owner[len(ownerPrefix)]]++
	}
	for _, form := range "123" {
		if forms[byte(form)] < 100 {
			t.Errorf("%d keys have form %c: the keys do not try it", forms[byte(form)], form)
		}
	}
	slots := keySlots(t, server, all)
	for i := 0; i < len(all); i += 3 {
		if slots[i] != int64(slot(all[i])) || slots[i+1] != slots[i] || slots[i+2] != slots[i] {
			t.Errorf("key %.100q lies in slot %d, by our sum %d, its owner in %d, its mark in %d", all[i], slots[i], slot(all[i]), slots[i+1], slots[i+2])
		}
	}
}

// keySlots asks the server.
func keySlots(t *testing.T, server *redis.Client, keys []string) []int64 {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var slots []int64
	for len(keys) > 0 {
		n := min(len(keys), 2_000)
		answers, err := server.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, key := range keys[:n] {
				p.ClusterKeySlot(ctx, key)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("the server tells no slots: %v", err)
		}
		for _, answer := range answers {
			slots = append(slots, answer.(*redis.IntCmd).Val())
		}
		keys = keys[n:]
	}
	return slots
}

func TestNoTwoClaimsShareAKey(t *testing.T) {
	tokens := []Token{NewToken(), NewToken()}
	whose := map[string]string{}
	note := func(key, claim string) {
		if other, taken := whose[key]; taken && other != claim {
			t.Errorf("%.100q belongs to the claims %.100q and %.100q", key, other, claim)
		}
		whose[key] = claim
	}
	for _, claim := range braceKeys() {
		note(claim, claim)
		owner, first := sideKeys(claim, tokens[0])
		_, second := sideKeys(claim, tokens[1])
		note(owner, claim)
		note(first, claim)
		note(second, claim)
		if owner == claim || first == claim || owner == first || first == second {
			t.Errorf("two keys of the claim %.100q are one", claim)
		}
	}
}
