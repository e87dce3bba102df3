package redistest

import "fmt"

// reply reads one whole answer, of RESP2 or RESP3, and returns its bytes. A
// push is sent by the server unasked and answers no command.
func (r *respReader) reply() (raw []byte, push bool, err error) {
	begun := false
	// Counting what is missing needs no recursion: nesting costs nothing.
	for left := 1; left > 0; left-- {
		line, err := r.line()
		if err != nil {
			return nil, false, midway(err, begun)
		}
		if len(line) == 0 {
			return nil, false, fmt.Errorf("%w: an answer begins with an empty line", errProtocol)
		}
		if !begun {
			begun, push = true, line[0] == '>'
		}
		more, err := r.value(line)
		if err != nil {
			return nil, false, err
		}
		if left += more; left > maxMembers {
			return nil, false, fmt.Errorf("%w: an answer has more than %d members", errProtocol, maxMembers)
		}
	}
	return r.take(), push, nil
}

// value reads what belongs to the value that begins with line and returns the
// number of values it consists of.
func (r *respReader) value(line []byte) (more int, err error) {
	switch line[0] {
	case '+', '-', ':', '_', '#', ',', '(':
		return 0, nil
	case '$', '=', '!':
		length, err := number(line, maxBody)
		if err == nil && length >= 0 {
			_, err = r.body(length)
		}
		return 0, err
	case '*', '~', '>':
		count, err := number(line, maxMembers)
		return max(count, 0), err
	case '%':
		count, err := number(line, maxMembers)
		return 2 * max(count, 0), err
	case '|': // attributes come before the value they describe
		count, err := number(line, maxMembers)
		return 2*max(count, 0) + 1, err
	}
	return 0, fmt.Errorf("%w: an answer begins with an unknown sign", errProtocol)
}
