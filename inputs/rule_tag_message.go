package inputs

import (
	"regexp"
	"strings"
)

// message is the sentence for a value of the class that breaks the rule. It
// holds what was declared, never the value.
func (t *tagTest) message(c class) string {
	if m, ok := t.measureMessage(c); ok {
		return m
	}
	if m, ok := sentences[t.name]; ok {
		return m
	}
	if m, ok := openings[t.name]; ok {
		return m + t.parameter
	}
	switch t.name {
	case "required":
		return requiredMessage(c)
	case "oneof", "oneofci":
		return "must be one of: " + listed(t.parameter)
	case "noneof", "noneofci":
		return "must not be one of: " + listed(t.parameter)
	}
	return "is invalid (" + t.name + ")"
}

// measureMessage speaks of the length of texts and collections, of the time
// against now, and of everything else as a number.
func (t *tagTest) measureMessage(c class) (string, bool) {
	words, ok := comparisons[t.name]
	if !ok {
		return "", false
	}
	if c == classTime {
		m, ok := timeMessages[t.name]
		return m, ok
	}
	isText := c == classText
	if (isText || c == classCollection) && !(isText && (t.name == "eq" || t.name == "ne")) {
		return "length " + words + t.parameter, true
	}
	return words + t.parameter, true
}

var comparisons = map[string]string{
	"gt":  "must be greater than ",
	"gte": "must be at least ",
	"min": "must be at least ",
	"lt":  "must be less than ",
	"lte": "must be at most ",
	"max": "must be at most ",
	"eq":  "must be ",
	"len": "must be ",
	"ne":  "must not be ",
}

var timeMessages = map[string]string{
	"gt":  "must be in the future",
	"gte": "must not be in the past",
	"lt":  "must be in the past",
	"lte": "must not be in the future",
}

func requiredMessage(c class) string {
	switch c {
	case classInteger, classFloat, classDuration:
		return "cannot be zero"
	case classBoolean:
		return "must be true"
	}
	return "cannot be empty"
}

// openings are completed by the parameter.
var openings = map[string]string{
	"eq_ignore_case": "must be ",
	"ne_ignore_case": "must not be ",
	"startswith":     "must start with ",
	"endswith":       "must end with ",
	"startsnotwith":  "must not start with ",
	"endsnotwith":    "must not end with ",
	"contains":       "must contain ",
	"containsrune":   "must contain ",
	"containsany":    "must contain at least one of ",
	"excludes":       "must not contain ",
	"excludesrune":   "must not contain ",
	"excludesall":    "must not contain any of ",
	"datetime":       "must be a date or time written as ",
}

var sentences = map[string]string{
	"isdefault":        "must be empty",
	"unique":           "must not contain anything twice",
	"alpha":            "must contain only letters from a to z",
	"alphaspace":       "must contain only letters from a to z and spaces",
	"alphanum":         "must contain only letters from a to z and digits",
	"alphanumspace":    "must contain only letters from a to z, digits and spaces",
	"alphaunicode":     "must contain only letters",
	"alphanumunicode":  "must contain only letters and digits",
	"ascii":            "must contain only ASCII characters",
	"printascii":       "must contain only printable ASCII characters",
	"lowercase":        "must be in lower case",
	"uppercase":        "must be in upper case",
	"boolean":          "must be a boolean",
	"numeric":          "must be numeric",
	"number":           "must contain only digits",
	"hexadecimal":      "must be hexadecimal",
	"base64":           "must be base64",
	"base64url":        "must be base64 for URLs",
	"json":             "must be JSON",
	"jwt":              "must be a JWT",
	"email":            "must be an email address",
	"url":              "must be a URL",
	"http_url":         "must be an HTTP URL",
	"https_url":        "must be an HTTPS URL",
	"uri":              "must be a URI",
	"uuid":             "must be a UUID",
	"uuid3":            "must be a UUID of version 3",
	"uuid4":            "must be a UUID of version 4",
	"uuid5":            "must be a UUID of version 5",
	"uuid7":            "must be a UUID of version 7",
	"ulid":             "must be a ULID",
	"ip":               "must be an IP address",
	"ipv4":             "must be an IPv4 address",
	"ipv6":             "must be an IPv6 address",
	"cidr":             "must be a range of IP addresses",
	"mac":              "must be a MAC address",
	"hostname":         "must be a host name",
	"hostname_rfc1123": "must be a host name",
	"fqdn":             "must be a full host name",
	"hostname_port":    "must be a host name with a port",
	"port":             "must be a port",
	"e164":             "must be a phone number such as +4930123456",
	"credit_card":      "must be a card number",
	"iso4217":          "must be a currency code",
	"iso3166_1_alpha2": "must be a country code of two letters",
	"iso3166_1_alpha3": "must be a country code of three letters",
	"country_code":     "must be a country code",
	"timezone":         "must be a time zone",
	"duration":         "must be a duration such as 1h30m",
	"latitude":         "must be a latitude",
	"longitude":        "must be a longitude",
	"semver":           "must be a version such as 1.2.3",
	"hexcolor":         "must be a colour such as #00ff00",
	"iscolor":          "must be a colour",
	"cron":             "must be a cron expression",
}

var listItem = regexp.MustCompile(`'[^']*'|\S+`)

// listed writes the items of a oneof, which may stand in quotes, for people.
func listed(parameter string) string {
	items := listItem.FindAllString(parameter, -1)
	for i, item := range items {
		items[i] = strings.ReplaceAll(item, "'", "")
	}
	return strings.Join(items, ", ")
}
