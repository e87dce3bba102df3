package stores

import "fmt"

// check tells what keeps an entry from being entered or extended, whatever
// the store holds.
func (e *Entry) check() error {
	if e.Kind != KindClaim {
		return fmt.Errorf("%w (kind %d)", ErrUnknownKind, e.Kind)
	}
	return checkTTL(e.TTL)
}

// checkPart tells what keeps a part from being done, whatever the store
// holds.
func (e *Entry) checkPart(part Part) error {
	if e.Kind != KindClaim {
		return fmt.Errorf("%w (kind %d)", ErrUnknownKind, e.Kind)
	}
	switch part {
	case PartNone, PartRelease, PartTakeBack:
		return nil
	case PartComplete:
		return checkTTL(e.Keep)
	}
	return fmt.Errorf("%w (part %d)", ErrUnknownPart, part)
}
