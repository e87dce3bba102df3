package messages

// Keys of the validations' texts.
const (
	KeyPresence       Key = "validations.presence"
	KeyAbsence        Key = "validations.absence"
	KeyFormat         Key = "validations.format"
	KeyInclusionList  Key = "validations.inclusion.list"
	KeyInclusionRange Key = "validations.inclusion.range"
	KeyExclusionList  Key = "validations.exclusion.list"
	KeyExclusionRange Key = "validations.exclusion.range"
	KeyInvalid        Key = "validations.invalid"
	KeyElement        Key = "validations.element"
	KeyAnElement      Key = "validations.an_element"
)

// validations are the texts of the validators that have a name of their own.
// Those of length and numeric end as the rules are called.
var validations = []entry{
	{KeyPresence, "cannot be empty"},
	{KeyAbsence, "must be empty"},
	{KeyFormat, "is an invalid format"},
	{KeyInclusionList, "must be one of: {list}"},
	{KeyInclusionRange, "must be within {min} and {max}"},
	{KeyExclusionList, "must not be one of: {list}"},
	{KeyExclusionRange, "must not be within {min} and {max}"},
	{"validations.length.within", "length must be within {min} and {max}"},
	{"validations.length.not_within", "length must not be within {min} and {max}"},
	{"validations.length.min", "length must be at least {min}"},
	{"validations.length.max", "length must be at most {max}"},
	{"validations.length.gt", "length must be greater than {gt}"},
	{"validations.length.lt", "length must be less than {lt}"},
	{"validations.length.is", "length must be {is}"},
	{"validations.length.is_not", "length must not be {is_not}"},
	{"validations.length.missing", "must have a length"},
	{"validations.numeric.within", "must be within {min} and {max}"},
	{"validations.numeric.not_within", "must not be within {min} and {max}"},
	{"validations.numeric.min", "must be at least {min}"},
	{"validations.numeric.max", "must be at most {max}"},
	{"validations.numeric.gt", "must be greater than {gt}"},
	{"validations.numeric.lt", "must be less than {lt}"},
	{"validations.numeric.is", "must be {is}"},
	{"validations.numeric.is_not", "must not be {is_not}"},
	{"validations.numeric.missing", "must be numeric"},
	{KeyInvalid, "is invalid"},
	{KeyElement, "element {index} {message}"},
	{KeyAnElement, "an element {message}"},
}
