package redistest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Limits of what is read: more than any server sends or takes, little enough
// that a broken stream is noticed.
const (
	maxLine    = 1 << 20
	maxBody    = 512 << 20
	maxMembers = 1 << 28
	bufferSize = 64 << 10
)

// errProtocol says that a stream is not RESP.
var errProtocol = errors.New("the stream is not RESP")

// respReader cuts a stream into commands or answers and keeps the bytes they
// are made of.
type respReader struct {
	in  *bufio.Reader
	raw []byte // what was read since it was last taken
	err error  // found behind a whole request, told next
}

func newRespReader(in io.Reader) *respReader {
	return &respReader{in: bufio.NewReaderSize(in, bufferSize)}
}

// take returns the bytes read so far and starts anew.
func (r *respReader) take() []byte {
	raw := r.raw
	r.raw = nil
	return raw
}

// line reads up to the next line feed and returns the line without its end.
// The result is valid until the next read.
func (r *respReader) line() ([]byte, error) {
	begin := len(r.raw)
	for {
		part, err := r.in.ReadSlice('\n')
		r.raw = append(r.raw, part...)
		switch {
		case len(r.raw)-begin > maxLine:
			return nil, fmt.Errorf("%w: a line is longer than %d bytes", errProtocol, maxLine)
		case err == nil:
			line := bytes.TrimSuffix(r.raw[begin:], []byte("\n"))
			return bytes.TrimSuffix(line, []byte("\r")), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, midway(err, len(r.raw) > begin)
		}
	}
}

// body reads n bytes and the line end behind them. The result is valid until
// the next read.
func (r *respReader) body(n int) ([]byte, error) {
	begin := len(r.raw)
	// In pieces: a length that lies must not cost its memory.
	for left := n + 2; left > 0; {
		piece := min(left, bufferSize)
		at := len(r.raw)
		r.raw = append(r.raw, make([]byte, piece)...)
		got, err := io.ReadFull(r.in, r.raw[at:])
		if err != nil {
			r.raw = r.raw[:at+got]
			return nil, midway(err, true)
		}
		left -= piece
	}
	body := r.raw[begin : begin+n]
	if !bytes.Equal(r.raw[begin+n:], []byte("\r\n")) {
		return nil, fmt.Errorf("%w: a text does not end where its length says", errProtocol)
	}
	return body, nil
}

// midway makes an end inside a command or answer one that was not expected.
func midway(err error, begun bool) error {
	if begun && errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// number reads the number behind a line's first byte: a length or a count,
// −1 for the null of RESP2.
func number(line []byte, most int) (int, error) {
	n, err := strconv.Atoi(string(line[1:]))
	if err != nil || n < -1 || n > most {
		return 0, fmt.Errorf("%w: a length is no number between -1 and %d", errProtocol, most)
	}
	return n, nil
}
