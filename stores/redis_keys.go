package stores

import "strings"

// Beside a claim's key lie two more, in the same cluster slot whatever braces
// the key holds: its owner's token, and for a short time the mark that a run
// was given up before its claim arrived.
//
//	the claim's key          cmdx:idem:ChargeCustomer:pay_123
//	the owner's key          cmdx-owner:2:{cmdx:idem:ChargeCustomer:pay_123}
//	the mark of a token      cmdx-void:2:<token>:{cmdx:idem:ChargeCustomer:pay_123}
//
// Each of the three forms has a prefix of its own, so that no two keys ever
// meet; no namespace may begin with them.
const (
	ownerPrefix = "cmdx-owner:"
	voidPrefix  = "cmdx-void:"
)

// sideKeys are the keys beside a claim's.
func sideKeys(key string, token Token) (owner, void string) {
	form, wrapped := wrap(key)
	return ownerPrefix + form + wrapped, voidPrefix + form + token.String() + ":" + wrapped
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
