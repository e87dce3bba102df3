package messages

// Type is the text for the type of that name, such as "an integer"; a plain
// one when the library has no such type.
func Type(name, phrase string) *Text { return ofName("types.", name, phrase) }

// TypeName is [Type] without its article, for lists: "integer".
func TypeName(name string) *Text { return ofName("type_names.", name, name) }

func ofName(prefix, name, english string) *Text {
	if key := Key(prefix + name); Known(key) && English(key) == english {
		return Of(key)
	}
	return Plain(english)
}

// types are the words for what values are made into.
var types = []entry{
	{"types.string", "a string"},
	{"types.integer", "an integer"},
	{"types.float", "a float"},
	{"types.decimal", "a decimal"},
	{"types.boolean", "a boolean"},
	{"types.date", "a date"},
	{"types.date_time", "a date_time"},
	{"types.time", "a time"},
	{"types.duration", "a duration"},
	{"types.array", "an array"},
	{"types.hash", "a hash"},
	{"types.symbol", "a symbol"},
	{"types.rational", "a rational"},
	{"types.complex", "a complex"},
	{"types.number", "a number"},
	{"types.bytes", "bytes"},
	{"types.struct", "a struct"},
	{"types.function", "a function"},
	{"types.channel", "a channel"},
	{"types.interface", "an interface"},
	{"types.value", "a value of its type"},
	{"type_names.string", "string"},
	{"type_names.integer", "integer"},
	{"type_names.float", "float"},
	{"type_names.decimal", "decimal"},
	{"type_names.boolean", "boolean"},
	{"type_names.date", "date"},
	{"type_names.date_time", "date_time"},
	{"type_names.time", "time"},
	{"type_names.duration", "duration"},
	{"type_names.array", "array"},
	{"type_names.hash", "hash"},
	{"type_names.symbol", "symbol"},
	{"type_names.rational", "rational"},
	{"type_names.complex", "complex"},
}
