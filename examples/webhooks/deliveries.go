package main

import (
	"bufio"
	"bytes"
	_ "embed" // the deliveries that come with the example
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

//go:embed data/deliveries.jsonl
var embedded []byte

const embeddedName = "data/deliveries.jsonl"

// Delivery is what the sender delivers, maybe more than once. Its tags are
// the names under which the task reads it.
type Delivery struct {
	ID    string          `cmdx:"delivery"`
	Event string          `cmdx:"event"`
	Body  json.RawMessage `cmdx:"body"`
}

// BadLine is a line that is no delivery.
type BadLine struct {
	File    string
	Line    int // from 1
	Problem string
}

// String is the line that the example prints. It does not show what the line
// holds, which is somebody's data.
func (b BadLine) String() string { return fmt.Sprintf("%s:%d: %s, skipped", b.File, b.Line, b.Problem) }

// load reads the named file, or the embedded one when there is no name.
func load(name string) ([]Delivery, []BadLine, error) {
	if name == "" {
		return read(bytes.NewReader(embedded), embeddedName)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot read the deliveries: %w", err)
	}
	defer file.Close()
	return read(file, name)
}

// read takes one delivery a line, of any length, the last one with or without
// a line end. Lines that are no delivery are returned beside the others.
func read(r io.Reader, name string) ([]Delivery, []BadLine, error) {
	var deliveries []Delivery
	var bad []BadLine
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, nil, fmt.Errorf("cannot read the deliveries after line %d: %w", number-1, err)
		}
		if len(line) > 0 {
			delivery, problem := parse(line)
			if problem == "" {
				deliveries = append(deliveries, delivery)
			} else {
				bad = append(bad, BadLine{File: name, Line: number, Problem: problem})
			}
		}
		if err != nil {
			return deliveries, bad, nil
		}
	}
}

// parse asks for the exact names: two spellings of the id's name would make
// two keys of one delivery, or one of two.
func parse(line []byte) (d Delivery, problem string) {
	var fields map[string]json.RawMessage
	if !utf8.Valid(line) || json.Unmarshal(line, &fields) != nil {
		return d, "not a JSON object"
	}
	if id, there := fields["delivery"]; there && json.Unmarshal(id, &d.ID) != nil {
		return d, "the delivery id is not a string"
	}
	if d.ID == "" {
		return d, "no delivery id"
	}
	// Whatever the event is, the delivery is handled.
	_ = json.Unmarshal(fields["event"], &d.Event)
	d.Body = fields["body"]
	return d, ""
}
