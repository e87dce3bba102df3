package inputs

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
)

type base struct {
	Account string `cmdx:"account_id,required" validate:"uuid"`
}

type Parent struct {
	base
	Amount int64 `cmdx:"amount" validate:"gt=0"`
}

type child struct {
	Name string `cmdx:"name"`
	Parent
	Note    string
	private int
	Skipped string `cmdx:"-"`
}

func namesOf(p *Plan) []string {
	names := make([]string, p.Len())
	for name, i := range p.Names() {
		names[i] = name
	}
	return names
}

func TestTagsDeclareBeforeConfigure(t *testing.T) {
	g := gomega.NewWithT(t)
	plan, problems := Compile(typeOf[child](), Set{}.With(Optional("x")).With(Required("amount")))
	g.Expect(problems).To(gomega.BeEmpty())
	g.Expect(namesOf(plan)).To(gomega.Equal([]string{"name", "account_id", "x", "amount"}))
	again, problems := Compile(typeOf[*child](), Set{})
	g.Expect(problems).To(gomega.BeEmpty())
	g.Expect(namesOf(again)).To(gomega.Equal([]string{"name", "account_id", "amount"}))
}

func TestTagsBindThroughEmbeddedStructs(t *testing.T) {
	g := gomega.NewWithT(t)
	const id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	task, values, messages := resolved(t, child{Note: "kept", private: 1, Skipped: "kept"},
		source{"account_id": id, "amount": "12", "name": 5, "Note": "x", "-": "x"})
	g.Expect(messages).To(gomega.BeEmpty())
	g.Expect(task).To(gomega.Equal(child{Name: "5", Parent: Parent{base: base{Account: id}, Amount: 12}, Note: "kept", private: 1, Skipped: "kept"}))
	g.Expect(values).To(gomega.HaveLen(3))

	_, _, messages = resolved(t, child{}, source{"account_id": "7", "amount": 0})
	g.Expect(messages).To(gomega.Equal([]string{"account_id must be a UUID", "amount must be greater than 0"}))
	_, _, messages = resolved(t, child{}, source{})
	g.Expect(messages).To(gomega.Equal([]string{"account_id is required"}))
}

func TestADeclarationReplacesWhatItsTagSays(t *testing.T) {
	g := gomega.NewWithT(t)
	task, values, messages := resolved(t, child{}, source{"account_id": 7, "amount": "0"}, Optional("account_id"), Optional("amount"))
	g.Expect(messages).To(gomega.BeEmpty())
	g.Expect(task.Account).To(gomega.Equal("7"))
	g.Expect(values["account_id"]).To(gomega.Equal("7"))
	g.Expect(values["amount"]).To(gomega.Equal(int64(0)))
}

func TestAChildsFieldLeavesTheParentsDeclaration(t *testing.T) {
	g := gomega.NewWithT(t)
	parents := Set{}.With(Required("id"))
	type parent struct{}
	type child struct {
		ID int `cmdx:"id"`
	}
	plan, _ := Compile(typeOf[child](), parents)
	g.Expect(plan.inputs[0].coercions).To(gomega.HaveLen(1))
	plan, _ = Compile(typeOf[parent](), parents)
	g.Expect(plan.inputs[0].coercions).To(gomega.BeEmpty())
	g.Expect(parents.All()[0].coercions).To(gomega.BeEmpty())
}

func TestSetNeverChanges(t *testing.T) {
	g := gomega.NewWithT(t)
	names := func(s Set) (list []string) {
		for _, d := range s.All() {
			list = append(list, d.Name())
		}
		return list
	}
	parent := Set{}.With(Required("a")).With(Required("b"))
	left, right := parent.With(Required("l")), parent.With(Required("r"))
	replaced := parent.With(Optional("a"))
	g.Expect(names(parent)).To(gomega.Equal([]string{"a", "b"}))
	g.Expect(names(left)).To(gomega.Equal([]string{"a", "b", "l"}))
	g.Expect(names(right)).To(gomega.Equal([]string{"a", "b", "r"}))
	g.Expect(names(replaced)).To(gomega.Equal([]string{"a", "b"}))
	g.Expect(replaced.All()[0].IsRequired()).To(gomega.BeFalse())
	g.Expect(parent.All()[0].IsRequired()).To(gomega.BeTrue())
	parent.All()[0] = Optional("z")
	g.Expect(names(parent)).To(gomega.Equal([]string{"a", "b"}))
	g.Expect(Set{}.Len()).To(gomega.Equal(0))
}

type selfReferring struct {
	*selfReferring
	ID string `cmdx:"id"`
}

type pointed struct{ *Parent }

type harmless struct {
	*time.Location
	*strings.Builder
	error
}

func TestProblems(t *testing.T) {
	for _, r := range []struct {
		name string
		typ  reflect.Type
		set  []Declaration
		want string
	}{
		{"no name", typeOf[none](), []Declaration{Required("")}, "an input has no name"},
		{"blank name", typeOf[none](), []Declaration{Required(" ")}, "an input has no name"},
		{"zero declaration", typeOf[none](), []Declaration{{}}, "an input has no name"},
		{"nil coercion", typeOf[none](), []Declaration{Required("x", Coerce(nil))}, `the input "x": a coercion is nil`},
		{"unexported field", typeOf[struct {
			id string `cmdx:"id"`
		}](), nil, "the field id has a cmdx tag but is not exported"},
		{"no name in the tag", typeOf[struct {
			ID string `cmdx:",required"`
		}](), nil, "the cmdx tag of field ID names no input"},
		{"blank after the comma", typeOf[struct {
			ID string `cmdx:"id, required"`
		}](), nil, `the cmdx tag of field ID has the unknown option " required"`},
		{"unknown option", typeOf[struct {
			ID string `cmdx:"id,omitempty"`
		}](), nil, `the cmdx tag of field ID has the unknown option "omitempty"`},
		{"nothing after the comma", typeOf[struct {
			ID string `cmdx:"id,"`
		}](), nil, `the cmdx tag of field ID has the unknown option ""`},
		{"blank in the name", typeOf[struct {
			ID string `cmdx:" id"`
		}](), nil, `the cmdx tag of field ID has blanks around the input's name " id"`},
		{"tag without quotes", reflect.StructOf([]reflect.StructField{{Name: "ID", Type: typeOf[string](), Tag: `cmdx:id`}}), nil, "the tag of field ID cannot be read"},
		{"two fields", typeOf[struct {
			Parent
			Sum int `cmdx:"amount"`
		}](), nil, `the fields Parent.Amount and Sum are both bound to the input "amount"`},
		{"embedded by pointer", typeOf[pointed](), nil, "pointed.Parent is embedded by pointer and has fields with cmdx tags, which cannot be bound"},
		{"self-referring", typeOf[selfReferring](), nil, "selfReferring.selfReferring is embedded by pointer and has fields with cmdx tags, which cannot be bound"},
		{"field cannot hold the coercion", typeOf[child](), []Declaration{Required("amount", Coerce(String))}, `the input "amount" is coerced into a string, which its field child.Parent.Amount of type int64 cannot hold`},
		{"one of two coercions", typeOf[child](), []Declaration{Required("amount", Coerce(Integer, Float))}, `the input "amount" is coerced into a float, which its field child.Parent.Amount of type int64 cannot hold`},
		{"integer in a float field", typeOf[struct {
			F float64 `cmdx:"f"`
		}](), []Declaration{Required("f", Coerce(Integer))}, `the input "f" is coerced into an integer, which its field F of type float64 cannot hold`},
		{"string in json.Number", typeOf[struct {
			N json.Number `cmdx:"n"`
		}](), []Declaration{Required("n", Coerce(String))}, `the input "n" is coerced into a string, which its field N of type json.Number cannot hold`},
		{"interface that is not any", typeOf[struct {
			E error `cmdx:"e"`
		}](), []Declaration{Required("e", Coerce(Integer))}, `the input "e" is coerced into an integer, which its field E of type error cannot hold`},
		{"default", typeOf[none](), []Declaration{Optional("x", Coerce(Integer), Default("secret"))}, `the default of input "x" could not coerce into an integer`},
		{"default beyond the field", typeOf[struct {
			N int8 `cmdx:"n"`
		}](), []Declaration{Optional("n", Default(300))}, `the default of input "n" could not coerce into an integer`},
		{"rule", typeOf[struct {
			N int8 `cmdx:"n" validate:"email"`
		}](), nil, `the input "n": the rule "email" cannot check a value of type int64`},
	} {
		t.Run(r.name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			var s Set
			for _, d := range r.set {
				s = s.With(d)
			}
			_, problems := Compile(r.typ, s)
			g.Expect(problems).To(gomega.HaveLen(1))
			g.Expect(problems[0].Text).To(gomega.Equal(r.want))
			g.Expect(problems[0].Fix).NotTo(gomega.BeEmpty())
		})
	}
}

func TestWhatIsNoProblem(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, typ := range []reflect.Type{typeOf[harmless](), typeOf[kinds](), typeOf[int](), nil} {
		_, problems := Compile(typ, Set{})
		g.Expect(problems).To(gomega.BeEmpty())
	}
	_, problems := Compile(typeOf[struct {
		V any   `cmdx:"v"`
		P *int8 `cmdx:"p"`
	}](), Set{}.With(Required("v", Coerce(Integer, Float, String, Boolean), nil)).With(Required("p", Coerce(Integer))))
	g.Expect(problems).To(gomega.BeEmpty())
}

func TestAllProblemsAtOnce(t *testing.T) {
	type task struct {
		id string `cmdx:"id"`
		N  int    `cmdx:"n" validate:"gt=x,email"`
	}
	_, problems := Compile(typeOf[task](), Set{}.With(Required("")))
	gomega.NewWithT(t).Expect(problems).To(gomega.HaveLen(4))
	_ = task{id: ""}
}

func TestNamesAreTheCallersOwn(t *testing.T) {
	plan, _ := Compile(typeOf[none](), Set{}.With(Required("x")))
	plan.Names()["y"] = 5
	gomega.NewWithT(t).Expect(plan.Names()).To(gomega.Equal(map[string]int{"x": 0}))
}
