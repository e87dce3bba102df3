package inputs

import (
	"strings"
	"time"
)

// parseTime reads "2006-01-02", with a clock behind "T" or a blank, with a
// zone behind that. time.Parse takes more than these: hours of one digit,
// commas, zones of the machine that it runs on.
func parseTime(text string) (time.Time, bool) {
	p := timeParser{rest: text, ok: true}
	year, month, date := p.digits(4), p.after('-', 2), p.after('-', 2)
	var hour, minute, second, nanos int
	zone := time.UTC
	if p.ok && p.rest != "" {
		p.one("T ")
		hour, minute, second, nanos = p.digits(2), p.after(':', 2), p.after(':', 2), p.fraction()
		zone = p.zone()
	}
	if !p.ok || p.rest != "" || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	t := time.Date(year, time.Month(month), date, hour, minute, second, nanos, zone)
	// A day that does not exist has become another one.
	return t, month >= 1 && month <= 12 && t.Day() == date
}

type timeParser struct {
	rest string
	ok   bool
}

// one cuts one of the characters.
func (p *timeParser) one(of string) byte {
	if !p.ok || p.rest == "" || strings.IndexByte(of, p.rest[0]) < 0 {
		p.ok = false
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c
}

func (p *timeParser) digits(count int) (n int) {
	for range count {
		n = n*10 + int(p.one("0123456789")) - '0'
	}
	return n
}

func (p *timeParser) after(separator byte, count int) int {
	p.one(string(separator))
	return p.digits(count)
}

// fraction reads nanoseconds; zeros may follow.
func (p *timeParser) fraction() int {
	if !p.ok || !strings.HasPrefix(p.rest, ".") {
		return 0
	}
	end := digitsEnd(p.rest, 1)
	digits := strings.TrimRight(p.rest[1:end], "0")
	if end == 1 || len(digits) > 9 {
		p.ok = false
		return 0
	}
	p.rest = p.rest[end:]
	digits += strings.Repeat("0", 9-len(digits))
	return (&timeParser{rest: digits, ok: true}).digits(9)
}

// zone reads "Z", "+01:00" and, as databases and logs write them, " UTC",
// " +0100", "+01"; nothing is UTC.
func (p *timeParser) zone() *time.Location {
	if !p.ok {
		return nil
	}
	switch p.rest = strings.TrimPrefix(p.rest, " "); p.rest {
	case "", "Z", "UTC":
		p.rest = ""
		return time.UTC
	}
	negative := p.one("+-") == '-'
	hours := p.digits(2)
	minutes := 0
	if p.rest != "" {
		p.rest = strings.TrimPrefix(p.rest, ":")
		minutes = p.digits(2)
	}
	if hours > 23 || minutes > 59 {
		p.ok = false
	}
	offset := (hours*60 + minutes) * 60
	if offset == 0 {
		return time.UTC
	}
	if negative {
		offset = -offset
	}
	return time.FixedZone("", offset)
}

// parseLayouts takes the first layout that the text follows.
func parseLayouts(text string, layouts []string) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil && knowsItsZone(t) {
			return t, true
		}
	}
	return time.Time{}, false
}

// knowsItsZone is false for a zone that was only named: package time gives a
// name that it does not know the offset zero.
func knowsItsZone(t time.Time) bool {
	name, offset := t.Zone()
	switch {
	case t.Location() == time.UTC, offset != 0, name == "", name == "UTC", name == "GMT":
		return true
	}
	return false
}

// isLayout tells whether a layout asks for any part of a time.
func isLayout(layout string) bool {
	one := time.Date(2001, 9, 8, 19, 48, 57, 123456789, time.FixedZone("XYZ", 3600))
	return one.Format(layout) != layout
}
