package main

import (
	"os"
	"strings"
	"testing"
)

// page is docs/stores.md, whose tables about Redis are tried on a server.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../stores.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// table returns the head and the rows of the table under a comment.
func table(t *testing.T, marker string) (head []string, rows [][]string) {
	t.Helper()
	_, after, found := strings.Cut(page(t), "<!-- "+marker+" -->\n")
	if !found {
		t.Fatalf("the page has no table %q", marker)
	}
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			break
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case strings.Trim(cells[0], "-") == "":
		case head == nil:
			head = cells
		default:
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("the table %q is empty", marker)
	}
	return head, rows
}

func uncoded(cell string) string { return strings.Trim(cell, "`") }
