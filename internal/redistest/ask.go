package redistest

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// askBound is how long a server may take for one answer.
const askBound = 2 * time.Second

// errRefused wraps what a server answered instead of doing a command.
var errRefused = errors.New("the server refused")

// ask sends one command on a connection of its own and returns the text of
// its answer. It is plainer than a client on purpose: nothing is sent before,
// nothing twice.
func ask(addr, password string, words ...string) (string, error) {
	conn, err := net.DialTimeout("tcp", addr, askBound)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(askBound)); err != nil {
		return "", err
	}
	answers := newRespReader(conn)
	if password != "" {
		if _, err := exchange(conn, answers, "AUTH", password); err != nil {
			return "", err
		}
	}
	return exchange(conn, answers, words...)
}

func exchange(conn net.Conn, answers *respReader, words ...string) (string, error) {
	var command bytes.Buffer
	fmt.Fprintf(&command, "*%d\r\n", len(words))
	for _, word := range words {
		fmt.Fprintf(&command, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := conn.Write(command.Bytes()); err != nil {
		return "", err
	}
	raw, _, err := answers.reply()
	if err != nil {
		return "", err
	}
	head, rest, _ := strings.Cut(string(raw), "\r\n")
	switch head[0] {
	case '-':
		return "", fmt.Errorf("%w %s: %s", errRefused, words[0], head[1:])
	case '$':
		return strings.TrimSuffix(rest, "\r\n"), nil
	}
	return head[1:], nil
}
