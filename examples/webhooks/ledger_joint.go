package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Joint is a ledger's file that several processes write at once: one line
// for each handled delivery, its id as a JSON string. Nobody changes a line
// that is there.
type Joint struct{ file *os.File }

// OpenJoint opens the file, or makes it. One that holds anything but ids is
// refused, so that no other file is spoilt by mistake.
func OpenJoint(name string) (*Joint, error) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot open the ledger: %w", err)
	}
	j := &Joint{file}
	if _, err := j.times(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return j, nil
}

// Close closes the file.
func (j *Joint) Close() error { return j.file.Close() }

// record adds a line in a single write to the file's end, so that it never
// mixes with that of another process.
func (j *Joint) record(delivery string) error {
	line, err := json.Marshal(delivery)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("cannot write into the ledger: %w", err)
	}
	return nil
}

// times counts how often each delivery was handled, by all processes. A line
// that another one is still writing has no end yet and does not count.
func (j *Joint) times() (map[string]int, error) {
	text, err := os.ReadFile(j.file.Name())
	if err != nil {
		return nil, fmt.Errorf("cannot read the ledger: %w", err)
	}
	times := map[string]int{}
	for number := 1; ; number++ {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			return times, nil
		}
		var delivery string
		if json.Unmarshal(line, &delivery) != nil || delivery == "" {
			return nil, fmt.Errorf("%s:%d: not an id: the file is no ledger", j.file.Name(), number)
		}
		times[delivery]++
		text = rest
	}
}

// openLedger opens the joint ledger of that name; without a name this process
// is alone with its own.
func openLedger(name string) (ledger *Ledger, closeIt func(), err error) {
	if name == "" {
		return &Ledger{}, func() {}, nil
	}
	joint, err := OpenJoint(name)
	if err != nil {
		return nil, nil, err
	}
	return &Ledger{Joint: joint}, func() { _ = joint.Close() }, nil
}
