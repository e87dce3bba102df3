package stores

import (
	"fmt"
	"slices"
	"strings"
)

// KeyPart names one of the three parts of a store key.
type KeyPart string

// The parts of a store key, in their order.
const (
	KeyNamespace KeyPart = "namespace"
	KeyTask      KeyPart = "task"
	KeySegment   KeyPart = "segment"
)

// KeyError says that a part of a store key is empty.
type KeyError struct {
	// Part is the first empty part.
	Part KeyPart
}

// Error names the empty part.
func (e *KeyError) Error() string {
	return fmt.Sprintf("stores: the %s of a store key is empty: a key is built of a namespace, a task and a segment, each of one character at least", e.Part)
}

// IsReserved tells whether a namespace begins as the keys do which [Redis]
// keeps beside those of guards; no guard may use such a one.
func IsReserved(namespace string) bool {
	beginning := namespace + ":"
	return slices.ContainsFunc(reservedPrefixes[:], func(prefix string) bool { return strings.HasPrefix(beginning, prefix) })
}

// Compose builds the key under which a store keeps what belongs to one
// segment of one task: the three parts joined by colons. No part is changed;
// any of them may hold colons itself, so two keys can be equal although their
// parts differ, and what declares keys must rule that out.
//
// The error is a [*KeyError] for an empty part. A blank segment means that a
// guard steps aside: ask for that before composing.
func Compose(namespace, task, segment string) (string, error) {
	switch "" {
	case namespace:
		return "", &KeyError{Part: KeyNamespace}
	case task:
		return "", &KeyError{Part: KeyTask}
	case segment:
		return "", &KeyError{Part: KeySegment}
	}
	return namespace + ":" + task + ":" + segment, nil
}
