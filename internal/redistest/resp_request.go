package redistest

import (
	"bytes"
	"fmt"
	"strings"
)

// request is what a client sent in one write: one command or a pipeline.
type request struct {
	raw   []byte
	names []string // of the commands that get an answer, in capitals

	rule        *rule // what happens to it; nil when it passes
	outstanding int   // answers still missing
	answer      []byte
}

// request reads the next command and all that follow it without a pause.
// Commands that the client had sent whole before it left are returned before
// the error that tells so.
func (r *respReader) request() (*request, error) {
	if r.err != nil {
		return nil, r.err
	}
	read := &request{}
	for whole := 0; whole == 0 || r.in.Buffered() > 0; whole = len(r.raw) {
		name, answered, err := r.command()
		if err != nil && whole == 0 {
			return nil, err
		}
		if err != nil {
			r.err = err
			r.raw = r.raw[:whole]
			break
		}
		if answered {
			read.names = append(read.names, name)
		}
	}
	read.raw = r.take()
	read.outstanding = len(read.names)
	return read, nil
}

// command reads one command, in RESP or as a plain line, and tells its name
// and whether a server answers it: it passes over empty ones in silence.
func (r *respReader) command() (name string, answered bool, err error) {
	line, err := r.line()
	if err != nil {
		return "", false, err
	}
	if len(line) == 0 || line[0] != '*' {
		words := bytes.Fields(line)
		if len(words) == 0 {
			return "", false, nil
		}
		return strings.ToUpper(string(words[0])), true, nil
	}
	count, err := number(line, maxMembers)
	if err != nil {
		return "", false, err
	}
	for i := range count {
		word, err := r.word()
		if err != nil {
			return "", false, err
		}
		if i == 0 {
			name = strings.ToUpper(string(word))
		}
	}
	return name, count > 0, nil
}

// word reads one argument of a command.
func (r *respReader) word() ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return nil, midway(err, true)
	}
	if len(line) == 0 || line[0] != '$' {
		return nil, fmt.Errorf("%w: a command holds something that is no text", errProtocol)
	}
	length, err := number(line, maxBody)
	if err != nil {
		return nil, err
	}
	if length < 0 {
		return nil, fmt.Errorf("%w: a command holds a null", errProtocol)
	}
	return r.body(length)
}
