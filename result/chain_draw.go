package result

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// ToMermaid draws the finished executions as a Mermaid flowchart: a node for
// each with its task's name and status, a line from the root to every nested
// one in order of completion, and a dotted line from a failure to the result
// that it echoes. A chain does not know which nested execution started which.
// Names may be anything; reasons, metadata and data are not in it.
func (c *Chain) ToMermaid() string {
	results := c.Results()
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i, r := range results {
		fmt.Fprintf(&b, "    n%d[\"%s\"]:::%s\n", i, mermaidText(r.drawnName()+" "+string(r.Status())), r.Status())
	}
	if len(results) > 0 && results[0].IsRoot() {
		for i := 1; i < len(results); i++ {
			fmt.Fprintf(&b, "    n0 --> n%d\n", i)
		}
	}
	for i, r := range results {
		if at := slices.Index(results, r.Origin()); at >= 0 && r.Origin() != nil {
			fmt.Fprintf(&b, "    n%d -.->|echoes| n%d\n", i, at)
		}
	}
	b.WriteString("    classDef success fill:#d7f5dd\n    classDef skipped fill:#f5f0d7\n    classDef failed fill:#f8d7da\n")
	return b.String()
}

// mermaidText writes everything that Mermaid might read as more than a letter
// as its number.
func mermaidText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == ' ', r == '.', r == '_':
			b.WriteRune(r)
		case unicode.IsControl(r):
			b.WriteRune(' ')
		default:
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}

// timelineWidth is how many characters the whole time takes.
const timelineWidth = 40

// Timeline draws the finished executions as bars, a line each in order of their
// start: when each began after the first one, how long it took and its status.
// Names may be anything; reasons, metadata and data are not in it. It is "" for
// a chain in which nothing has finished.
func (c *Chain) Timeline() string {
	results := c.Results()
	if len(results) == 0 {
		return ""
	}
	slices.SortStableFunc(results, func(a, b *Result) int { return a.start.Compare(b.start) })
	first, whole, widest := results[0].start, time.Duration(1), 0
	for _, r := range results {
		whole = max(whole, r.start.Sub(first)+r.duration)
		widest = max(widest, len([]rune(r.drawnName())))
	}
	var b strings.Builder
	for _, r := range results {
		began := r.start.Sub(first)
		from := scaled(began, whole, timelineWidth-1)
		until := max(scaled(began+r.duration, whole, timelineWidth), from+1)
		fmt.Fprintf(&b, "%-*s |%s%s%s| +%s %s %s\n", widest, r.drawnName(),
			strings.Repeat(" ", from), strings.Repeat("=", until-from), strings.Repeat(" ", timelineWidth-until),
			began, r.duration, r.Status())
	}
	return b.String()
}

func scaled(part, whole time.Duration, width int) int {
	return int(float64(part) / float64(whole) * float64(width))
}

// drawnName is the task's name on one line.
func (r *Result) drawnName() string {
	name := strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, r.TaskName())
	if strings.TrimSpace(name) == "" {
		return "(no name)"
	}
	return name
}
