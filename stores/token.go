package stores

import (
	"crypto/rand"
	"encoding/hex"
)

// Token says who holds an entry. A run draws one at random, keeps it to
// itself and sends it with every call. The zero Token belongs to nobody.
type Token [16]byte

// NewToken draws a token from the system's random source.
func NewToken() Token {
	var t Token
	rand.Read(t[:]) // never fails: crypto/rand ends the program instead
	return t
}

// IsZero tells whether t belongs to nobody.
func (t Token) IsZero() bool { return t == Token{} }

// String returns the token as 32 hexadecimal digits, the form in which a
// server keeps it.
func (t Token) String() string { return hex.EncodeToString(t[:]) }
