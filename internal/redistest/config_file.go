package redistest

import (
	"fmt"
	"strings"
)

// text renders the directives as redis.conf. A file takes any value,
// arguments of the program do not.
func (s *settings) text() string {
	var b strings.Builder
	for _, name := range s.names {
		fmt.Fprintf(&b, "%s %s\n", name, quoted(s.values[name]))
	}
	if s.monitored != "" {
		fmt.Fprintln(&b, s.monitored)
	}
	return b.String()
}

// quoted writes value in the double quotes of redis.conf.
func quoted(value string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(value) {
		switch c := value[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
