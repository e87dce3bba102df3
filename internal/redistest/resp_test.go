package redistest

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// commandsOf reads a stream to its end and returns the names and all bytes
// that were carried.
func commandsOf(in io.Reader) (names []string, raw string, err error) {
	r := newRespReader(in)
	for {
		read, err := r.request()
		if err != nil {
			return names, raw, err
		}
		names = append(names, read.names...)
		raw += string(read.raw)
	}
}

func TestRequests(t *testing.T) {
	get := "*2\r\n$3\r\nget\r\n$1\r\nk\r\n"
	long := strings.Repeat("v", 200_000)
	for _, c := range []struct {
		name, in string
		names    []string
		lost     int // bytes of a command that was not whole
		err      error
	}{
		{"nothing", "", nil, 0, io.EOF},
		{"one command", get, []string{"GET"}, 0, io.EOF},
		{"a pipeline", get + "*1\r\n$4\r\nPing\r\n", []string{"GET", "PING"}, 0, io.EOF},
		{"a long argument", "*2\r\n$3\r\nSET\r\n$200000\r\n" + long + "\r\n", []string{"SET"}, 0, io.EOF},
		{"line ends in an argument", "*2\r\n$3\r\nGET\r\n$6\r\n\r\n*1\r\n\r\n", []string{"GET"}, 0, io.EOF},
		{"an empty name is answered", "*1\r\n$0\r\n\r\n", []string{""}, 0, io.EOF},
		{"plain lines", "ping\r\nGET  k\n", []string{"PING", "GET"}, 0, io.EOF},
		{"what nobody answers", "\r\n*0\r\n*-1\r\n", nil, 0, io.EOF},
		{"a command cut in its head", get + "*2", []string{"GET"}, 2, io.ErrUnexpectedEOF},
		{"a command cut between arguments", "*2\r\n$3\r\nGET\r\n", nil, 13, io.ErrUnexpectedEOF},
		{"a command cut in an argument", "*1\r\n$3\r\nGE", nil, 10, io.ErrUnexpectedEOF},
		{"a length that is none", "*x\r\n", nil, 4, errProtocol},
		{"a length too large", "*999999999999\r\n", nil, 15, errProtocol},
		{"a negative length", "*1\r\n$-1\r\n", nil, 9, errProtocol},
		{"a lying length", "*1\r\n$2\r\nGET\r\n", nil, 13, errProtocol},
		{"a number for an argument", get + "*1\r\n:1\r\n", []string{"GET"}, 8, errProtocol},
		{"a line without an end", strings.Repeat("x", maxLine+1), nil, maxLine + 1, errProtocol},
	} {
		names, raw, err := commandsOf(strings.NewReader(c.in))
		if !slices.Equal(names, c.names) || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v, want %q, %v", c.name, names, err, c.names, c.err)
		}
		if want := c.in[:len(c.in)-c.lost]; raw != want {
			t.Errorf("%s: carries %d bytes, want the first %d", c.name, len(raw), len(want))
		}
	}
}

func TestAPipelineIsOneRequest(t *testing.T) {
	one := "*1\r\n$4\r\nINCR\r\n"
	r := newRespReader(strings.NewReader(strings.Repeat(one, 3)))
	read, err := r.request()
	if err != nil || len(read.names) != 3 || read.outstanding != 3 {
		t.Errorf("got %v, %v, want one request of three commands", read, err)
	}
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, in string
		push     bool
		err      error
	}{
		{"status", "+OK\r\n", false, nil},
		{"error", "-ERR no\r\n", false, nil},
		{"number", ":-1\r\n", false, nil},
		{"text", "$4\r\na\r\nb\r\n", false, nil},
		{"empty text", "$0\r\n\r\n", false, nil},
		{"null text", "$-1\r\n", false, nil},
		{"array", "*2\r\n:1\r\n*1\r\n$1\r\na\r\n", false, nil},
		{"empty array", "*0\r\n", false, nil},
		{"null array", "*-1\r\n", false, nil},
		{"null", "_\r\n", false, nil},
		{"boolean", "#t\r\n", false, nil},
		{"double", ",1.5\r\n", false, nil},
		{"big number", "(12345678901234567890\r\n", false, nil},
		{"long error", "!5\r\nERR x\r\n", false, nil},
		{"verbatim", "=7\r\ntxt:abc\r\n", false, nil},
		{"map", "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n", false, nil},
		{"set", "~2\r\n:1\r\n:2\r\n", false, nil},
		{"attribute", "|1\r\n+ttl\r\n:1\r\n:7\r\n", false, nil},
		{"push", ">2\r\n+invalidate\r\n*1\r\n$1\r\nk\r\n", true, nil},
		{"deep", strings.Repeat("*1\r\n", 100_000) + ":1\r\n", false, nil},

		{"nothing", "", false, io.EOF},
		{"cut line", ":1", false, io.ErrUnexpectedEOF},
		{"cut array", "*2\r\n:1\r\n", false, io.ErrUnexpectedEOF},
		{"cut text", "$3\r\nab", false, io.ErrUnexpectedEOF},
		{"unknown sign", "?1\r\n", false, errProtocol},
		{"empty line", "\r\n", false, errProtocol},
		{"length that is none", "$a\r\n", false, errProtocol},
		{"negative length", "*-2\r\n", false, errProtocol},
		{"too many", strings.Repeat("%268435456\r\n", 3), false, errProtocol},
	} {
		r := newRespReader(strings.NewReader(c.in + "+next\r\n"))
		if c.err != nil {
			r = newRespReader(strings.NewReader(c.in))
		}
		raw, push, err := r.reply()
		if !errors.Is(err, c.err) || push != c.push {
			t.Errorf("%s: got push %t, %v, want %t, %v", c.name, push, err, c.push, c.err)
		}
		if c.err == nil && string(raw) != c.in {
			t.Errorf("%s: got %d bytes, want the %d of the answer and none of the next", c.name, len(raw), len(c.in))
		}
	}
}

func FuzzRequests(f *testing.F) {
	f.Add("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n")
	f.Add("PING\r\n\r\n*0\r\n")
	f.Add("*1\r\n$-1\r\n")
	f.Fuzz(func(t *testing.T, in string) {
		names, raw, err := commandsOf(strings.NewReader(in))
		if err == nil || !strings.HasPrefix(in, raw) {
			t.Fatalf("%v: what is carried is not what was sent", err)
		}
		// How the stream is cut into reads must not matter.
		slowly, slowRaw, slowErr := commandsOf(iotest.OneByteReader(strings.NewReader(in)))
		if !slices.Equal(names, slowly) || raw != slowRaw || errors.Is(err, errProtocol) != errors.Is(slowErr, errProtocol) {
			t.Fatalf("%q, %v at once, %q, %v byte by byte", names, err, slowly, slowErr)
		}
		again, _, _ := commandsOf(strings.NewReader(raw))
		if !slices.Equal(names, again) {
			t.Fatalf("%q the first time, %q again", names, again)
		}
	})
}

func FuzzReplies(f *testing.F) {
	f.Add("*2\r\n:1\r\n$-1\r\n>1\r\n+x\r\n")
	f.Add("%1\r\n+a\r\n|1\r\n+b\r\n#t\r\n,1\r\n")
	f.Fuzz(func(t *testing.T, in string) {
		r := newRespReader(strings.NewReader(in))
		raw := ""
		for {
			answer, _, err := r.reply()
			if err != nil {
				break
			}
			if len(answer) == 0 {
				t.Fatal("an answer of no bytes")
			}
			raw += string(answer)
		}
		if !strings.HasPrefix(in, raw) {
			t.Fatal("what is carried is not what was sent")
		}
	})
}
