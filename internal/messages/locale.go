package messages

import (
	"context"
	"strings"
)

// source is the language that is built in; it ends every chain.
const source = "en"

// Language is the key under which a ctx holds its locale: a string that was
// chosen, or a [Fallback].
type Language struct{}

// WithLocale returns a ctx in which texts are in the words of the locale. A nil
// ctx is an empty one.
func WithLocale(ctx context.Context, locale string) context.Context {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithValue(ctx, Language{}, locale)
}

// Fallback is the locale of whoever carries a ctx in which nobody chose one.
type Fallback string

// Locale is that of ctx; "" when none was chosen.
func Locale(ctx context.Context) string {
	switch locale := ctx.Value(Language{}).(type) {
	case string:
		return locale
	case Fallback:
		return string(locale)
	}
	return ""
}

// chain is the locale and those that it belongs to: es-mx, es, en.
func chain(locale string) []string {
	var list []string
	for at := normal(locale); at != ""; at = at[:max(0, strings.LastIndexByte(at, '-'))] {
		if at != source {
			list = append(list, at)
		}
	}
	return append(list, source)
}

// normal writes es_MX.UTF-8 as es-mx.
func normal(locale string) string {
	if end := strings.IndexAny(locale, ".@"); end >= 0 {
		locale = locale[:end]
	}
	locale = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(locale), "_", "-"))
	return strings.Trim(locale, "-")
}
