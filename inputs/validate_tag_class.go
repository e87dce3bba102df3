package inputs

import "reflect"

// class is what rules know of a type. Sets of classes are made with |.
type class uint16

const (
	classText class = 1 << iota
	classInteger
	classFloat
	classBoolean
	classCollection
	classDuration
	classTime
	classExact // numbers that Go has no kind for
	classOther
)

const (
	classKind    = classInteger | classFloat
	classNumber  = classKind | classExact
	classMeasure = classText | classNumber | classCollection
	classAny     = class(1<<16 - 1)
)

// classOf sees json.Number, which is text to Go, as a number: rules would
// measure its digits.
func classOf(t reflect.Type) class {
	t = behindPointerType(t)
	switch t {
	case durationType:
		return classDuration
	case timeType:
		return classTime
	}
	if !isNumber(t) && isAmount(t) {
		return classExact
	}
	return classOfKind(t.Kind())
}

func classOfKind(kind reflect.Kind) class {
	switch kind {
	case reflect.String:
		return classText
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return classInteger
	case reflect.Float32, reflect.Float64:
		return classFloat
	case reflect.Bool:
		return classBoolean
	case reflect.Slice, reflect.Map, reflect.Array:
		return classCollection
	}
	return classOther
}

func classOfValue(v any) class {
	value, ok := behindPointers(reflect.ValueOf(v))
	if !ok {
		return classOther
	}
	return classOf(value.Type())
}

// appliesTo tells which classes a rule of validator/v10 really looks at. For
// others it panics, or gives the same answer for every value. Rules that are
// not listed are about text.
func appliesTo(rule string) class {
	if c, ok := ruleClasses[rule]; ok {
		return c
	}
	return classText
}

var ruleClasses = map[string]class{
	"required":                classAny,
	"isdefault":               classAny,
	"len":                     classMeasure,
	"min":                     classMeasure | classDuration,
	"max":                     classMeasure | classDuration,
	"gt":                      classMeasure | classDuration | classTime,
	"gte":                     classMeasure | classDuration | classTime,
	"lt":                      classMeasure | classDuration | classTime,
	"lte":                     classMeasure | classDuration | classTime,
	"eq":                      classMeasure | classDuration | classBoolean,
	"ne":                      classMeasure | classDuration | classBoolean,
	"oneof":                   classText | classInteger | classExact,
	"noneof":                  classText | classInteger | classExact,
	"unique":                  classCollection,
	"number":                  classText | classKind,
	"numeric":                 classText | classKind,
	"boolean":                 classText | classBoolean,
	"latitude":                classText | classKind,
	"longitude":               classText | classKind,
	"luhn_checksum":           classText | classInteger,
	"port":                    classInteger,
	"iso3166_1_alpha_numeric": classText | classInteger,
	"iso4217_numeric":         classInteger,
}

// measures tells the rules that mean the size of a number and the length of
// anything else, so that they need to know which.
func measures(rule string) bool {
	classes := appliesTo(rule)
	return classes != classAny && classes&classMeasure == classMeasure
}

// looksElsewhere tells the rules that compare fields of a struct, or that only
// work inside one.
func looksElsewhere(rule string) bool {
	switch rule {
	case "eqcsfield", "necsfield", "gtcsfield", "gtecsfield", "ltcsfield", "ltecsfield",
		"postcode_iso3166_alpha2_field",
		"required_if", "required_unless", "required_with", "required_with_all", "required_without", "required_without_all",
		"excluded_if", "excluded_unless", "excluded_with", "excluded_with_all", "excluded_without", "excluded_without_all",
		"skip_unless", "validateFn", "structonly", "nostructlevel", "keys", "endkeys":
		return true
	}
	return false
}

// needsParameter tells the rules that hold for everything, or for nothing,
// without one.
func needsParameter(rule string) bool {
	switch rule {
	case "oneof", "oneofci", "noneof", "noneofci", "startswith", "endswith", "startsnotwith", "endsnotwith",
		"contains", "containsany", "containsrune", "excludes", "excludesall", "excludesrune", "datetime",
		"eq_ignore_case", "ne_ignore_case", "postcode_iso3166_alpha2":
		return true
	}
	return false
}
