package spec

import (
	"context"
	"errors"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// Shipments have an address, which has a place, which has a point; and parcels.
type (
	shipment struct {
		cmdx.Base
		Address map[string]any `cmdx:"address"`
		Zip     string         `cmdx:"address.zip"`
		Lat     float64        `cmdx:"address.place.point.latitude"`
		Parcels []shippedBox   `cmdx:"parcels"`
		worked  *int
	}
	shippedBox struct {
		Weight int64  `cmdx:"weight"`
		Label  string `cmdx:"label"`
		Inside []shippedBox
	}
	// The same by tags alone.
	shipmentTagged struct {
		cmdx.Base
		Address shippedTo    `cmdx:"address,required"`
		Parcels []shippedTag `cmdx:"parcels"`
	}
	shippedTo struct {
		Street string     `cmdx:"street,required" validate:"min=2"`
		Zip    int        `cmdx:"zip,default=1000"`
		Place  *shippedAt `cmdx:"place"`
		Free   string
	}
	shippedAt struct {
		Country string `cmdx:"country,required" validate:"len=2"`
	}
	shippedTag struct {
		Weight int64        `cmdx:"weight,required" validate:"gt=0"`
		Inside []shippedTag `cmdx:"inside"`
	}
	shipmentMixed struct {
		cmdx.Base
		Address shippedTo `cmdx:"address"`
	}
)

func (*shipment) Configure(c *cmdx.Config) {
	c.Optional("address", inputs.Nested(
		inputs.Required("street", inputs.Coerce(inputs.String), inputs.Presence()),
		inputs.Required("zip", inputs.Coerce(inputs.String)),
		inputs.Optional("country", inputs.Default("fr"), inputs.Transform(strings.ToUpper), inputs.Coerce(inputs.String)),
		inputs.Optional("nation", inputs.FromInput("country")),
		inputs.Optional("place", inputs.Nested(
			inputs.Required("point", inputs.Nested(
				inputs.Required("lat", inputs.As("latitude"), inputs.Coerce(inputs.Float), inputs.Validate("gte=-90,lte=90")),
			)),
		)),
	))
	c.Optional("zip_again", inputs.FromInput("address.zip"))
	c.Optional("parcels", inputs.Each(
		inputs.Required("weight", inputs.Coerce(inputs.Integer), inputs.Validate("gt=0")),
		inputs.Optional("label", inputs.Coerce(inputs.String), inputs.Default("box")),
	))
}

func (t *shipment) Work(context.Context) error {
	if t.worked != nil {
		*t.worked++
	}
	return nil
}

func (*shipmentTagged) Work(context.Context) error { return nil }

func (*shipmentMixed) Configure(c *cmdx.Config) {
	c.Required("address", inputs.Nested(inputs.Optional("street"), inputs.Required("floor", inputs.Coerce(inputs.Integer))))
}

func (*shipmentMixed) Work(context.Context) error { return nil }

var _ = Describe("Nested inputs", func() {
	run := func(t cmdx.Task, args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, args)
	}
	shipped := func(args any) (*shipment, *cmdx.Result) {
		r := run(&shipment{}, args)
		return r.Task().(*shipment), r
	}
	place := func(lat any) map[string]any { return map[string]any{"point": map[string]any{"lat": lat}} }

	It("are all sound here", func() {
		Expect(cmdx.Validate(&shipment{}, &shipmentTagged{}, &shipmentMixed{})).To(Succeed())
	})

	Context("with a parent that is there", func() {
		It("are read from its map, three deep, and bound by their path", func() {
			s, r := shipped(cmdx.Args{"address": map[string]any{"street": "Main", "zip": 75001, "place": place("48.8")}})
			Expect(r).To(endSuccess())
			Expect(s.Zip).To(Equal("75001"))
			Expect(s.Lat).To(Equal(48.8))
			Expect(s.Input("address.place.point.latitude")).To(Equal(48.8))
			Expect(s.Input("address.place.point.lat")).To(Equal(48.8), "by the key, too")
		})

		It("leave their parent with what they became", func() {
			s, _ := shipped(cmdx.Args{"address": map[string]any{"street": "Main", "zip": 75001, "floor": 3, "place": place(1)}})
			Expect(s.Address).To(Equal(map[string]any{
				"street": "Main", "zip": "75001", "country": "FR", "nation": "FR", "floor": 3,
				"place": map[string]any{"point": map[string]any{"latitude": 1.0}},
			}))
			Expect(s.Input("address")).To(Equal(s.Address))
		})

		It("are read from a struct and from JSON text", func() {
			s, r := shipped(cmdx.Args{"address": struct {
				Street string `json:"street"`
				Zip    string `cmdx:"zip"`
			}{"Main", "1"}})
			Expect(r).To(endSuccess())
			Expect(s.Input("address.street")).To(Equal("Main"))
			s, r = shipped(cmdx.Args{"address": `{"street":"Main","zip":"017"}`})
			Expect(r).To(endSuccess())
			Expect(s.Zip).To(Equal("017"))
		})

		It("report all errors under their path, in the order of declaration", func() {
			worked := 0
			r := run(&shipment{worked: &worked}, cmdx.Args{
				"address": map[string]any{"street": " ", "place": place(91)},
				"parcels": []any{map[string]any{"weight": 1}, map[string]any{"label": "b"}, map[string]any{"weight": "x"}},
			})
			Expect(r).To(endFailed("address.street cannot be empty. address.zip is required. " +
				"address.place.point.latitude must be at most 90. parcels[1].weight is required. parcels[2].weight could not coerce into an integer"))
			Expect(r.Errors().ToMap()).To(HaveKeyWithValue("parcels[1].weight", []string{"is required"}))
			Expect(worked).To(Equal(0))
		})

		It("do not change what the caller passed", func() {
			given := cmdx.Args{"address": map[string]any{"street": "Main", "zip": 1}, "parcels": []any{map[string]any{"weight": "2"}}}
			_, r := shipped(given)
			Expect(r).To(endSuccess())
			Expect(given).To(Equal(cmdx.Args{"address": map[string]any{"street": "Main", "zip": 1}, "parcels": []any{map[string]any{"weight": "2"}}}))
		})
	})

	DescribeTable("are not resolved with a parent that is",
		func(args cmdx.Args, errors ...string) {
			_, r := shipped(args)
			Expect(append([]string{}, r.Errors().FullMessages()...)).To(Equal(append([]string{}, errors...)))
		},
		Entry("missing", cmdx.Args{}),
		Entry("nil", cmdx.Args{"address": nil, "parcels": nil}),
		Entry("a nil map", cmdx.Args{"address": map[string]any(nil)}),
		Entry("a text", cmdx.Args{"address": "Main Street 1"}, "address could not coerce into a hash"),
		Entry("a list", cmdx.Args{"address": []any{1}}, "address could not coerce into a hash"),
		Entry("a map with other keys", cmdx.Args{"address": map[int]any{1: 2}}, "address could not coerce into a hash"),
		Entry("wrong below", cmdx.Args{"address": map[string]any{"street": "a", "zip": "b", "place": 7}}, "address.place could not coerce into a hash"),
		Entry("a list of wrong elements", cmdx.Args{"parcels": []any{map[string]any{"weight": 1}, 7}}, "parcels[1] could not coerce into a hash"),
	)

	It("of a required parent that is nil are those of an empty hash", func() {
		Expect(run(&shipmentMixed{}, cmdx.Args{"address": nil})).To(endFailed("address.floor is required"))
		Expect(run(&shipmentMixed{}, nil)).To(endFailed("address is required"))
	})

	It("that others are taken from are taken as they became, and told once when they are wrong", func() {
		s, _ := shipped(cmdx.Args{"address": map[string]any{"street": "a", "zip": 7}})
		Expect(s.Input("zip_again")).To(Equal("7"))
		_, r := shipped(cmdx.Args{"address": map[string]any{"street": "a"}})
		Expect(r).To(endFailed("address.zip is required"))
	})

	Context("of every element", func() {
		It("make elements of the field's type", func() {
			s, r := shipped(cmdx.Args{"parcels": []map[string]any{{"weight": "5"}, {"weight": 6.0, "label": "c"}}})
			Expect(r).To(endSuccess())
			Expect(s.Parcels).To(Equal([]shippedBox{{Weight: 5, Label: "box"}, {Weight: 6, Label: "c"}}))
		})

		It("of one element alone are those of a list of it", func() {
			s, _ := shipped(cmdx.Args{"parcels": map[string]any{"weight": "5"}})
			Expect(s.Parcels).To(HaveLen(1))
		})
	})

	Context("declared by tags inside a struct", func() {
		It("are resolved, defaulted and bound", func() {
			r := run(&shipmentTagged{}, cmdx.Args{"address": map[string]any{"street": "Main", "place": map[string]any{"country": "fr"}, "Free": "yes"},
				"parcels": []any{map[string]any{"weight": "2", "inside": []any{map[string]any{"weight": 1}}}}})
			Expect(r).To(endSuccess())
			t := r.Task().(*shipmentTagged)
			Expect(t.Address).To(Equal(shippedTo{Street: "Main", Zip: 1000, Place: &shippedAt{"fr"}, Free: "yes"}))
			Expect(t.Parcels).To(Equal([]shippedTag{{Weight: 2, Inside: []shippedTag{{Weight: 1}}}}))
		})

		It("are held to their rules, under their path", func() {
			Expect(run(&shipmentTagged{}, cmdx.Args{"address": map[string]any{"street": "M", "zip": "x", "place": map[string]any{}}, "parcels": []any{map[string]any{"weight": 0}}})).
				To(endFailed("address.street length must be at least 2. address.zip could not coerce into an integer. address.place.country is required. parcels[0].weight must be greater than 0"))
			Expect(run(&shipmentTagged{}, nil)).To(endFailed("address is required"))
		})

		It("give way to what Configure declares of the same name", func() {
			r := run(&shipmentMixed{}, cmdx.Args{"address": map[string]any{"floor": "3"}})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*shipmentMixed).Address.Zip).To(Equal(1000))
			Expect(run(&shipmentMixed{}, cmdx.Args{"address": map[string]any{"street": "M"}})).To(endFailed("address.floor is required"))
		})

		It("are those of a preset in the template, too", func() {
			r := run(&shipmentMixed{Address: shippedTo{Street: "Preset"}}, cmdx.Args{"address": map[string]any{"floor": 1}})
			Expect(r.Task().(*shipmentMixed).Address.Street).To(BeEmpty(), "what the caller gives replaces a preset")
		})
	})

	DescribeTable("are refused",
		func(task cmdx.Task, says string) {
			var mistake *cmdx.DefinitionError
			Expect(errors.As(cmdx.Validate(task), &mistake)).To(BeTrue(), "nothing is wrong")
			Expect(mistake.Anchor).To(Or(Equal("an-input-that-cannot-be"), Equal("a-function-of-another-type")))
			Expect(mistake.Error()).To(ContainSubstring(says))
		},
		Entry("without a name", &declarer[refusedChildName]{}, `a child of the input "a" has no name`),
		Entry("twice", &declarer[refusedChildTwice]{}, `two children of the name "b"`),
		Entry("with one reading name", &declarer[refusedChildReading]{}, `both read as "a.b"`),
		Entry("in a text", &declarer[refusedChildOfText]{}, `has children, which cannot be read from a string`),
		Entry("in a field that cannot hold a hash", &declarer[refusedChildOfPort]{}, "cannot hold a hash"),
		Entry("with a gate of another type", &declarer[refusedChildGate]{}, "*spec.transfer"),
		Entry("taken from a sibling in an element", &declarer[refusedChildSource]{}, "lies in an element"),
		Entry("by a tag that leads to none", &refusedChildTag{}, `has no such child`),
	)
})

type (
	refusedChildName    struct{}
	refusedChildTwice   struct{}
	refusedChildReading struct{}
	refusedChildOfText  struct{}
	refusedChildOfPort  struct{}
	refusedChildGate    struct{}
	refusedChildSource  struct{}
	refusedChildTag     struct {
		doing
		Zap string `cmdx:"address.zap"`
	}
)

func (refusedChildName) say(c *cmdx.Config) {
	c.Optional("a", inputs.Nested(inputs.Optional(" ")))
}

func (refusedChildTwice) say(c *cmdx.Config) {
	c.Optional("a", inputs.Nested(inputs.Optional("b"), inputs.Required("b")))
}

func (refusedChildReading) say(c *cmdx.Config) {
	c.Optional("a", inputs.Nested(inputs.Optional("b"), inputs.Required("c", inputs.As("b"))))
}

func (refusedChildOfText) say(c *cmdx.Config) {
	c.Optional("a", inputs.Coerce(inputs.String), inputs.Nested(inputs.Optional("b")))
}

func (refusedChildOfPort) say(c *cmdx.Config) {
	c.Optional("port", inputs.Nested(inputs.Optional("b")))
}

func (refusedChildGate) say(c *cmdx.Config) {
	c.Optional("a", inputs.Nested(inputs.Required("b", inputs.If(cmdx.When((*transfer).large)))))
}

func (refusedChildSource) say(c *cmdx.Config) {
	c.Optional("a", inputs.Each(inputs.Required("b"), inputs.Optional("c", inputs.FromInput("b"))))
}

func (*refusedChildTag) Configure(c *cmdx.Config) {
	c.Optional("address", inputs.Nested(inputs.Optional("zip")))
}
