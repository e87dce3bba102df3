package task

import (
	"slices"
	"strings"
	"sync"

	"github.com/cmdx-go/cmdx/internal/run"
)

// The keys of two guards must never meet. Since any part of a key may hold a
// colon, they could as soon as the beginning of one ("namespace:name:") is a
// beginning of the other's.

// owner is a guard of a type that has taken a beginning for its keys.
type owner struct {
	definition *Definition
	feature    string
	prefix     string
	// scoped says that the beginning is a Scope's, which other types may
	// take too as long as they say the same: shared.
	scoped bool
	shared any
}

// clash is what a definition that came later is refused for. Both sides have
// one error each, the same each time.
//
// A Scope is not asked whether it meets other beginnings: whoever writes one
// means to share it. All who share it must mean the same.
type clash struct {
	later        *Definition
	mine, theirs *DefinitionError
	logged       sync.Once
}

func newClash(mine, theirs owner) *clash {
	mistake := mistakeClash
	if mine.scoped {
		mistake = mistakeScope
	}
	return &clash{later: mine.definition, mine: mistake(mine, theirs), theirs: mistake(theirs, mine)}
}

func (c *clash) mistake(of *Definition) *DefinitionError {
	if of == c.later {
		return c.mine
	}
	return c.theirs
}

var keyOwners = struct {
	sync.Mutex
	prefixes map[string]owner   // by their whole beginning
	within   map[string][]owner // by every shorter beginning that ends in a colon
	scopes   map[string]owner   // by their whole beginning
	clashes  map[*Definition][]*clash
}{prefixes: map[string]owner{}, within: map[string][]owner{}, scopes: map[string]owner{}, clashes: map[*Definition][]*clash{}}

// registerKeys takes the key beginnings of a definition. Clashes with types
// that were there before are the later type's; the first is returned.
func registerKeys(d *Definition) *clash {
	owners := d.keyOwners()
	if len(owners) == 0 {
		return nil
	}
	keyOwners.Lock()
	defer keyOwners.Unlock()
	for _, mine := range owners {
		for _, theirs := range otherOwners(mine) {
			c := newClash(mine, theirs)
			keyOwners.clashes[d] = append(keyOwners.clashes[d], c)
			keyOwners.clashes[theirs.definition] = append(keyOwners.clashes[theirs.definition], c)
		}
	}
	if clashes := keyOwners.clashes[d]; len(clashes) > 0 {
		return clashes[0]
	}
	for _, mine := range owners {
		if mine.scoped {
			if _, known := keyOwners.scopes[mine.prefix]; !known {
				keyOwners.scopes[mine.prefix] = mine
			}
			continue
		}
		keyOwners.prefixes[mine.prefix] = mine
		for _, shorter := range beginnings(mine.prefix) {
			keyOwners.within[shorter] = append(keyOwners.within[shorter], mine)
		}
	}
	return nil
}

// otherOwners are all whose keys must not meet mine.
func otherOwners(mine owner) []owner {
	if mine.scoped {
		if theirs, ok := keyOwners.scopes[mine.prefix]; ok && mine.differs(theirs) {
			return []owner{theirs}
		}
		return nil
	}
	var owners []owner
	for _, beginning := range append(beginnings(mine.prefix), mine.prefix) {
		if o, ok := keyOwners.prefixes[beginning]; ok {
			owners = append(owners, o)
		}
	}
	return append(owners, keyOwners.within[mine.prefix]...)
}

// differs tells whether two uses of one scope do not mean the same.
func (o owner) differs(other owner) bool {
	return o.feature != other.feature || o.shared != other.shared
}

// beginnings are the proper beginnings of prefix that end in a colon.
func beginnings(prefix string) []string {
	var all []string
	for i := strings.IndexByte(prefix, ':'); i >= 0 && i+1 < len(prefix); {
		all = append(all, prefix[:i+1])
		next := strings.IndexByte(prefix[i+1:], ':')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return all
}

// clashesOf are the clashes of a definition with types defined before or
// after it.
func clashesOf(d *Definition) []*DefinitionError {
	keyOwners.Lock()
	defer keyOwners.Unlock()
	var mistakes []*DefinitionError
	for _, c := range keyOwners.clashes[d] {
		mistakes = append(mistakes, c.mistake(d))
	}
	return mistakes
}

// allMistakes are those of the type itself and its clashes.
func (d *Definition) allMistakes() []*DefinitionError {
	return append(append([]*DefinitionError(nil), d.mistakes...), clashesOf(d)...)
}

// keyOwners are the beginnings of all store keys of the type, each once.
func (d *Definition) keyOwners() []owner {
	var owners []owner
	add := func(feature, namespace, scope string, key run.KeyResolver, shared any) {
		mine := owner{definition: d, feature: feature, prefix: namespace + ":" + d.info.Name + ":"}
		if scope != "" {
			mine.prefix, mine.scoped, mine.shared = namespace+":"+scope+":", true, shared
		}
		if key != nil && !slices.Contains(owners, mine) {
			owners = append(owners, mine)
		}
	}
	for _, o := range d.Rates() {
		add("RateLimit", o.Namespace, o.Scope, d.RateKey(), d.rates.Options().Shared(o.Namespace, o.Scope))
	}
	b, l, n := d.Breaker(), d.Lock(), d.Concurrency()
	add("CircuitBreaker", b.Namespace, b.Scope, d.BreakerKey(), b.Shared())
	add("LimitConcurrency", n.Namespace, n.Scope, d.ConcurrencyKey(), n.Shared())
	add("LockWith", l.Namespace, l.Scope, d.LockKey(), l.Shared())
	add("IdempotentBy", d.Idempotency().Namespace, "", d.IdempotencyKey(), nil)
	return owners
}

// ownClashes are those between two guards of the type itself.
func (d *Definition) ownClashes() []*DefinitionError {
	var mistakes []*DefinitionError
	owners := d.keyOwners()
	for i, mine := range owners {
		for _, theirs := range owners[:i] {
			switch {
			case mine.scoped != theirs.scoped:
			case mine.scoped && mine.prefix == theirs.prefix:
				mistakes = append(mistakes, mistakeScope(mine, theirs))
			case !mine.scoped && (strings.HasPrefix(mine.prefix, theirs.prefix) || strings.HasPrefix(theirs.prefix, mine.prefix)):
				mistakes = append(mistakes, mistakeClash(mine, theirs))
			}
		}
	}
	return mistakes
}
