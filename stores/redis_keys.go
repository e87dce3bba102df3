package stores

import "strings"

// Beside an entry's own key lie others, in the same cluster slot whatever
// braces the key holds: the token of a claim's owner; the outcomes and probes
// of a circuit; and for a short time the mark that a run was given up before
// its Enter arrived.
//
//	the entry's key          cmdx:idem:ChargeCustomer:pay_123
//	a claim's owner          cmdx-owner:2:{cmdx:idem:ChargeCustomer:pay_123}
//	the mark of a token      cmdx-void:2:<token>:{cmdx:idem:ChargeCustomer:pay_123}
//
// Each of the three forms has a prefix of its own, so that no two keys ever
// meet; no namespace may begin with them.
const (
	ownerPrefix   = "cmdx-owner:"
	voidPrefix    = "cmdx-void:"
	failedPrefix  = "cmdx-failed:"
	toldPrefix    = "cmdx-told:"
	probingPrefix = "cmdx-probing:"
)

// reservedPrefixes are all of them.
var reservedPrefixes = [...]string{ownerPrefix, voidPrefix, failedPrefix, toldPrefix, probingPrefix}

// sideKeys are the keys beside a claim's.
func sideKeys(key string, token Token) (owner, void string) {
	form, wrapped := wrap(key)
	return ownerPrefix + form + wrapped, voidPrefix + form + token.String() + ":" + wrapped
}

// appendKeys appends all keys of an entry, in the order of its kind's rules.
func appendKeys(keys []string, e *Entry, token string) []string {
	form, wrapped := wrap(e.Key)
	keys = append(keys, e.Key)
	switch e.Kind {
	case KindClaim:
		keys = append(keys, ownerPrefix+form+wrapped)
	case KindBreaker:
		keys = append(keys, failedPrefix+form+wrapped, toldPrefix+form+wrapped, probingPrefix+form+wrapped)
	}
	return append(keys, voidPrefix+form+token+":"+wrapped)
}

// wrap makes the end of a side key that lies in key's slot.
func wrap(key string) (form, wrapped string) {
	switch {
	case hasHashTag(key): // the same tag is the first one there too
		return "1:", key
	case !strings.Contains(key, "}"): // the whole key becomes the tag
		return "2:", "{" + key + "}"
	default: // a key with a } cannot be a tag: another tag of its slot
		return "3:", "{" + slotTag(slot(key)) + "}" + key
	}
}

// hashTag is the part of a key between its first { and the first } after it.
func hashTag(key string) (tag string, ok bool) {
	open := strings.IndexByte(key, '{')
	if open < 0 {
		return "", false
	}
	length := strings.IndexByte(key[open+1:], '}')
	if length <= 0 {
		return "", false
	}
	return key[open+1 : open+1+length], true
}

func hasHashTag(key string) bool {
	_, ok := hashTag(key)
	return ok
}
