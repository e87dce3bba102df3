package task

import (
	"strings"
	"sync"
)

// The keys of two guards must never meet. Since any part of a key may hold a
// colon, they could as soon as the beginning of one ("namespace:name:") is a
// beginning of the other's.

// owner is a guard of a type that has taken a beginning for its keys.
type owner struct {
	definition *Definition
	feature    string
	prefix     string
}

// clash is what a definition that came later is refused for. Both sides have
// one error each, the same each time.
type clash struct {
	later        *Definition
	mine, theirs *DefinitionError
	logged       sync.Once
}

func newClash(mine, theirs owner) *clash {
	return &clash{later: mine.definition, mine: mistakeClash(mine, theirs), theirs: mistakeClash(theirs, mine)}
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
	clashes  map[*Definition][]*clash
}{prefixes: map[string]owner{}, within: map[string][]owner{}, clashes: map[*Definition][]*clash{}}

// registerKeys takes the key beginnings of a definition. Clashes with types
// that were there before are the later type's; the first is returned.
func registerKeys(d *Definition) *clash {
	prefixes := d.keyPrefixes()
	if len(prefixes) == 0 {
		return nil
	}
	keyOwners.Lock()
	defer keyOwners.Unlock()
	for feature, prefix := range prefixes {
		mine := owner{d, feature, prefix}
		for _, theirs := range otherOwners(prefix) {
			c := newClash(mine, theirs)
			keyOwners.clashes[d] = append(keyOwners.clashes[d], c)
			keyOwners.clashes[theirs.definition] = append(keyOwners.clashes[theirs.definition], c)
		}
	}
	if clashes := keyOwners.clashes[d]; len(clashes) > 0 {
		return clashes[0]
	}
	for feature, prefix := range prefixes {
		mine := owner{d, feature, prefix}
		keyOwners.prefixes[prefix] = mine
		for _, shorter := range beginnings(prefix) {
			keyOwners.within[shorter] = append(keyOwners.within[shorter], mine)
		}
	}
	return nil
}

// otherOwners are all whose keys could meet those that begin with prefix.
func otherOwners(prefix string) []owner {
	var owners []owner
	for _, beginning := range append(beginnings(prefix), prefix) {
		if o, ok := keyOwners.prefixes[beginning]; ok {
			owners = append(owners, o)
		}
	}
	return append(owners, keyOwners.within[prefix]...)
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
