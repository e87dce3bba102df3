package messages

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/gomega"
)

// register takes back what a test registers.
func register(t *testing.T, locale string, texts map[string]string) {
	t.Helper()
	if err := Register(locale, texts); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Forget(locale) })
}

func TestTextsAreEnglishUntilSomebodyRegisters(t *testing.T) {
	g := gomega.NewWithT(t)
	text := Of(KeyInclusionRange, Given("min", "1"), Given("max", "5"))
	g.Expect(text.English()).To(gomega.Equal("must be within 1 and 5"))
	g.Expect(text.In("es")).To(gomega.Equal("must be within 1 and 5"))
	g.Expect(text.For(WithLocale(context.Background(), "es"))).To(gomega.Equal("must be within 1 and 5"))
	g.Expect((*Text)(nil).In("es")).To(gomega.BeEmpty())
}

func TestALocaleIsLookedForInWhatItBelongsTo(t *testing.T) {
	g := gomega.NewWithT(t)
	register(t, "es", map[string]string{"inputs.required": "es obligatorio", "validations.presence": "no puede estar vacío"})
	register(t, "es_MX", map[string]string{"inputs.required": "es obligatorio, por favor"})
	register(t, "en", map[string]string{"validations.absence": "has to be empty"})
	for _, r := range []struct {
		locale string
		key    Key
		words  string
	}{
		{"es", KeyRequired, "es obligatorio"},
		{"es-MX", KeyRequired, "es obligatorio, por favor"},
		{"ES_mx.UTF-8", KeyRequired, "es obligatorio, por favor"},
		{"es-MX-x", KeyRequired, "es obligatorio, por favor"},
		{"es-AR", KeyRequired, "es obligatorio"},
		{"es-MX", KeyPresence, "no puede estar vacío"},
		{"es-MX", KeyAbsence, "has to be empty"},
		{"es-MX", KeyFormat, "is an invalid format"},
		{"", KeyAbsence, "has to be empty"},
		{"en-GB", KeyAbsence, "has to be empty"},
		{"de", KeyRequired, "is required"},
		{"esperanto", KeyRequired, "is required"},
		{"-", KeyRequired, "is required"},
	} {
		g.Expect(Of(r.key).In(r.locale)).To(gomega.Equal(r.words), "%s in %q", r.key, r.locale)
	}
}

func TestTextsInTextsAreTranslatedToo(t *testing.T) {
	g := gomega.NewWithT(t)
	register(t, "de", map[string]string{
		"words.or": "{one} oder {other}", "words.comma": "; ", "inputs.not_coerced": "{type} wird gebraucht", "types.integer": "eine ganze Zahl",
		"inputs.not_coerced_into_any": "nichts von: {types}", "type_names.integer": "Ganzzahl",
		"validations.element": "Element {index}: {message}", "validations.inclusion.list": "eins von: {list}",
	})
	integer := Of(KeyNotCoerced, Said("type", Type("integer", "an integer")))
	g.Expect(integer.English()).To(gomega.Equal("could not coerce into an integer"))
	g.Expect(integer.In("de")).To(gomega.Equal("eine ganze Zahl wird gebraucht"))
	g.Expect(Of(KeyNoneOfTypes, Said("types", TypeName("integer"), TypeName("money"))).In("de")).To(gomega.Equal("nichts von: Ganzzahl; money"))
	g.Expect(Or(Of(KeyPresence), integer, Plain("x")).In("de")).To(gomega.Equal("cannot be empty oder eine ganze Zahl wird gebraucht oder x"))
	g.Expect(Of(KeyElement, Given("index", "3"), Said("message", Of(KeyInclusionList, List("list", "a", "b")))).In("de")).To(gomega.Equal("Element 3: eins von: a; b"))
}

func TestATypeOfAnotherNameOrPhraseIsPlain(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(Type("money", "money").Key()).To(gomega.BeEmpty())
	g.Expect(Type("integer", "a whole number").English()).To(gomega.Equal("a whole number"))
	g.Expect(Type("integer", "a whole number").Key()).To(gomega.BeEmpty())
}

func TestWhatCannotBeRegistered(t *testing.T) {
	for _, r := range []struct{ locale, key, text, says string }{
		{"", "inputs.required", "x", "has no name"},
		{" _ ", "inputs.required", "x", "has no name"},
		{"es", "inputs.requierd", "x", "no such key"},
		{"es", "validations.inclusion.range", "entre {min} y {maximum}", "no placeholder {maximum}"},
		{"es", "inputs.required", "es {type}", "no placeholder {type}"},
		{"es", "inputs.required", "es {", "does not begin a placeholder"},
		{"es", "inputs.required", "es {}", "does not begin a placeholder"},
		{"es", "validations.numeric.min", "es { min }", "does not begin a placeholder"},
		{"es", "inputs.required", "es }", "closes nothing"},
		{"es", "validations.numeric.min", "al menos {{min}", "closes nothing"},
	} {
		g := gomega.NewWithT(t)
		err := Register(r.locale, map[string]string{r.key: r.text, "outputs.missing": "falta"})
		g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(r.says)), r.text)
		var typed *Error
		g.Expect(errors.As(err, &typed)).To(gomega.BeTrue())
		if strings.TrimSpace(strings.Trim(r.locale, "_ ")) != "" {
			g.Expect(err.Error()).To(gomega.ContainSubstring(r.key))
		}
		g.Expect(current.Load()).To(gomega.BeNil(), "nothing is registered when something is wrong")
	}
}

func TestEveryBrokenKeyIsNamed(t *testing.T) {
	g := gomega.NewWithT(t)
	err := Register("es", map[string]string{"a.b": "x", "c.d": "y"})
	g.Expect(err).To(gomega.MatchError(gomega.And(gomega.ContainSubstring(`"a.b"`), gomega.ContainSubstring(`"c.d"`))))
}

func TestBracesCanBeWritten(t *testing.T) {
	g := gomega.NewWithT(t)
	register(t, "es", map[string]string{"validations.numeric.min": "{{{min}}} o más {{}}", "inputs.required": "100 % {{"})
	g.Expect(Of("validations.numeric.min", Given("min", "{max}%d")).In("es")).To(gomega.Equal("{{max}%d} o más {}"))
	g.Expect(Of(KeyRequired).In("es")).To(gomega.Equal("100 % {"))
}

func TestAKeyOfTheApplicationIsLikeAnother(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(Define("validators.test", "must be a test")).To(gomega.Succeed())
	t.Cleanup(func() { defined.Delete(Key("validators.test")) })
	g.Expect(Define("validators.test", "again")).To(gomega.MatchError("the name is taken"))
	g.Expect(Define(KeyRequired, "again")).To(gomega.MatchError("the name is taken"))
	g.Expect(Define("validators.broken", "{")).NotTo(gomega.Succeed())
	register(t, "es", map[string]string{"validators.test": "debe ser una prueba"})
	g.Expect(Of("validators.test").In("es")).To(gomega.Equal("debe ser una prueba"))
	g.Expect(All()).To(gomega.HaveKeyWithValue("validators.test", "must be a test"))
}

func TestEveryBuiltInTextReadsBackAsItIs(t *testing.T) {
	g := gomega.NewWithT(t)
	all := All()
	g.Expect(len(all)).To(gomega.BeNumerically(">", 100))
	for key, text := range all {
		parsed, err := parse(text)
		g.Expect(err).NotTo(gomega.HaveOccurred())
		g.Expect(parsed.String()).To(gomega.Equal(text), key)
	}
}

func TestAnUnknownKeyIsAMistakeOfTheLibrary(t *testing.T) {
	g := gomega.NewWithT(t)
	g.Expect(func() { Of("no.such.key") }).To(gomega.PanicWith("messages: there is no key no.such.key"))
}

func TestEnglishCostsNothing(t *testing.T) {
	text := Of(KeyRequired)
	ctx := context.Background()
	if n := testing.AllocsPerRun(100, func() { _ = text.For(ctx) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRegisteringAndReadingAtOnce(t *testing.T) {
	g := gomega.NewWithT(t)
	t.Cleanup(func() { Forget("es"); Forget("de") })
	var readers sync.WaitGroup
	for _, locale := range []string{"es", "de"} {
		readers.Go(func() {
			for range 50 {
				_ = Register(locale, map[string]string{"inputs.required": locale})
			}
		})
		readers.Go(func() {
			for range 500 {
				if words := Of(KeyRequired).In(locale); words != locale && words != "is required" {
					t.Error(words)
				}
			}
		})
	}
	readers.Wait()
	g.Expect(Of(KeyRequired).In("de")).To(gomega.Equal("de"))
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "must be {min}", "{{", "}}", "{", "}", "{}", "{a}{b}", "{{{min}}}", "{a{b}}", "ä{ü}ö"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := parse(text)
		if err != nil {
			return
		}
		if again := parsed.String(); again != text {
			t.Errorf("%q reads back as %q", text, again)
		}
		text2 := &Text{key: KeyOr}
		for _, name := range parsed.placeholders() {
			text2.values = append(text2.values, Given(name, "{"+name+"}"))
		}
		if filled := parsed.fill(text2, nil, nil); strings.Count(text, "{{") == 0 && strings.Count(text, "}}") == 0 && filled != text {
			t.Errorf("%q filled with its own placeholders is %q", text, filled)
		}
	})
}
