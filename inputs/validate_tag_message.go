package inputs

import (
	"regexp"
	"strings"

	"github.com/cmdx-go/cmdx/internal/messages"
)

// message is the sentence for a value of the class that breaks the rule. It
// holds what was declared, never the value.
func (t *tagTest) message(c class) *messages.Text {
	said := t.words(c)
	if said == nil {
		return messages.Of("validations.tag", messages.Given("rule", t.name))
	}
	return said
}

// words are nil for a rule without a sentence of its own.
func (t *tagTest) words(c class) *messages.Text {
	rule := t.name
	switch {
	case rule == "required":
		rule += presenceOf(c)
	case measures(rule):
		rule = measureOf(c, rule)
	case comparesInputs(rule) && c == classTime && !strings.HasPrefix(rule, "eq") && !strings.HasPrefix(rule, "ne"):
		rule = "time." + rule
	}
	text, _ := messages.OfTag(rule,
		messages.Given("value", t.parameter), messages.Given("input", t.parameter), messages.List("list", tagItems(t.parameter)...))
	return text
}

// measureOf tells the length of texts and collections, and a time against now,
// from a number.
func measureOf(c class, rule string) string {
	switch {
	case c == classTime:
		return "time." + rule
	case c == classCollection, c == classText && rule != "eq" && rule != "ne":
		return "length." + rule
	}
	return rule
}

func presenceOf(c class) string {
	switch c {
	case classInteger, classFloat, classExact, classDuration:
		return ".number"
	case classBoolean:
		return ".boolean"
	}
	return ""
}

var listItem = regexp.MustCompile(`'[^']*'|\S+`)

// tagItems takes a parameter apart whose items may stand in quotes.
func tagItems(parameter string) []string {
	items := listItem.FindAllString(parameter, -1)
	for i, item := range items {
		items[i] = strings.ReplaceAll(item, "'", "")
	}
	return items
}
