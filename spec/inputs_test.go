package spec

import (
	"context"
	"encoding/json"
	"math"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// Deploys are given their inputs in every way.
type (
	deploy struct {
		cmdx.Base
		Environment string  `cmdx:"environment"`
		Port        uint16  `cmdx:"port"`
		Ratio       float32 `cmdx:"ratio"`
		Live        bool    `cmdx:"live"`
		Note        *string `cmdx:"note"`
		Untouched   string
		Worked      *int
	}
	deployQuietly struct{ deploy }
	deployTagged  struct {
		cmdx.Base
		Region string `cmdx:"region,required" validate:"min=2"`
		Amount int64  `cmdx:"amount_cents,required" validate:"gt=0"`
		Zone   string `cmdx:"zone"`
	}
	deployAny struct {
		cmdx.Base
		asked *[]string
	}
	deployDefaults struct {
		cmdx.Base
		Labels map[string]string `cmdx:"labels"`
		Count  int               `cmdx:"count"`
	}
	deployBooleans struct {
		cmdx.Base
		Flag bool `cmdx:"flag"`
	}
	deployNumbers struct {
		cmdx.Base
		Small int8    `cmdx:"small"`
		Whole int64   `cmdx:"whole"`
		Huge  uint64  `cmdx:"huge"`
		Real  float64 `cmdx:"real"`
	}
)

func (*deploy) Configure(c *cmdx.Config) {
	c.Required("environment", inputs.Coerce(inputs.String), inputs.Presence())
	c.Required("port", inputs.Coerce(inputs.Integer), inputs.Validate("gt=0"))
	c.Optional("ratio")
	c.Optional("live", inputs.Default("yes"))
	c.Optional("note")
}

func (t *deploy) Work(context.Context) error {
	if t.Worked != nil {
		*t.Worked++
	}
	return nil
}

func (*deployQuietly) Configure(c *cmdx.Config) {
	c.Optional("port", inputs.Default("8080"))
	c.Required("region")
}

func (*deployTagged) Work(context.Context) error { return nil }

func (*deployAny) Configure(c *cmdx.Config) {
	c.Required("target", inputs.Coerce(inputs.Integer, inputs.Boolean))
	c.Optional("anything")
}

func (*deployAny) Work(context.Context) error { return nil }

func (*deployDefaults) Configure(c *cmdx.Config) {
	c.Optional("labels", inputs.Default(map[string]string{"tier": "web"}))
	c.Optional("count", inputs.DefaultFunc(func() any { return "3" }), inputs.Validate("lte=2"))
}

func (t *deployDefaults) Work(context.Context) error { t.Labels["written"] = "yes"; return nil }
func (*deployBooleans) Configure(c *cmdx.Config)     { c.Required("flag") }
func (*deployBooleans) Work(context.Context) error   { return nil }
func (*deployNumbers) Work(context.Context) error    { return nil }

var _ = Describe("Inputs", func() {
	run := func(t cmdx.Task, args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), t, args)
	}
	deployed := func(args cmdx.Args) (*deploy, *cmdx.Result) {
		r := run(&deploy{}, args)
		return r.Task().(*deploy), r
	}

	It("are resolved, coerced and bound before Work", func() {
		d, r := deployed(cmdx.Args{"environment": "prod", "port": " 8_080 ", "ratio": "1.5", "live": 0, "note": "late"})
		Expect(r).To(endSuccess())
		Expect(d.Environment).To(Equal("prod"))
		Expect(d.Port).To(Equal(uint16(8080)))
		Expect(d.Ratio).To(Equal(float32(1.5)))
		Expect(d.Live).To(BeFalse())
		Expect(*d.Note).To(Equal("late"))
		Expect(d.Input("port")).To(BeEquivalentTo(8080))
	})

	It("come from a struct as from a map", func() {
		_, r := deployed(nil)
		Expect(r).To(endFailed())
		Expect(run(&deploy{}, struct {
			Environment string `cmdx:"environment"`
			Port        int    `json:"port"`
		}{"prod", 80})).To(endSuccess())
	})

	It("are checked together, in the order of their declaration, and Work is not run", func() {
		worked := 0
		r := run(&deploy{Worked: &worked}, cmdx.Args{"port": "eighty"})
		Expect(r).To(endFailed("environment is required. port could not coerce into an integer"))
		Expect(r.Errors().Keys()).To(Equal([]string{"environment", "port"}))
		Expect(r.Cause()).To(BeNil())
		Expect(worked).To(Equal(0))
	})

	DescribeTable("say what is wrong, without the value",
		func(args cmdx.Args, reason string) {
			base := cmdx.Args{"environment": "prod", "port": 80}
			for k, v := range args {
				base[k] = v
			}
			_, r := deployed(base)
			Expect(r).To(endFailed(reason))
		},
		Entry("a blank text", cmdx.Args{"environment": " \t"}, "environment cannot be empty"),
		Entry("a map as text", cmdx.Args{"environment": map[string]any{"a": 1}}, "environment could not coerce into a string"),
		Entry("nil as text", cmdx.Args{"environment": nil}, "environment could not coerce into a string"),
		Entry("nil as integer", cmdx.Args{"port": nil}, "port could not coerce into an integer"),
		Entry("a fraction", cmdx.Args{"port": 80.5}, "port could not coerce into an integer"),
		Entry("a fraction in text", cmdx.Args{"port": "80.5"}, "port could not coerce into an integer"),
		Entry("a boolean as integer", cmdx.Args{"port": true}, "port could not coerce into an integer"),
		Entry("more than the field holds", cmdx.Args{"port": 65536}, "port could not coerce into an integer"),
		Entry("less than the rule allows", cmdx.Args{"port": 0}, "port must be greater than 0"),
		Entry("not a number as float", cmdx.Args{"ratio": "NaN"}, "ratio could not coerce into a float"),
		Entry("an odd boolean", cmdx.Args{"live": "perhaps"}, "live could not coerce into a boolean"),
		Entry("an empty boolean", cmdx.Args{"live": ""}, "live could not coerce into a boolean"),
	)

	It("tried as one of several types name them all", func() {
		Expect(run(&deployAny{}, cmdx.Args{"target": "perhaps"})).To(endFailed("target could not coerce into one of: integer, boolean"))
		Expect(run(&deployAny{}, cmdx.Args{"target": "yes"}).Task().(*deployAny).Input("target")).To(BeTrue())
		Expect(run(&deployAny{}, cmdx.Args{"target": "12"}).Task().(*deployAny).Input("target")).To(BeEquivalentTo(12))
	})

	It("without coercion and field stay what the caller passed", func() {
		at := time.Now()
		r := run(&deployAny{}, cmdx.Args{"target": 1, "anything": at})
		Expect(r.Task().(*deployAny).Input("anything")).To(Equal(at))
	})

	Context("that are required", func() {
		It("need their key; nil is up to the coercion, which makes a boolean false", func() {
			Expect(run(&deployBooleans{}, nil)).To(endFailed("flag is required"))
			r := run(&deployBooleans{Flag: true}, cmdx.Args{"flag": nil})
			Expect(r).To(endSuccess())
			Expect(r.Task().(*deployBooleans).Flag).To(BeFalse())
		})

		It("are not saved by a preset in the template", func() {
			Expect(run(&deploy{Environment: "prod", Port: 80}, nil).Reason()).To(Equal("environment is required. port is required"))
		})
	})

	Context("that are optional", func() {
		It("leave their field alone when they are missing or nil, and are not checked", func() {
			for _, args := range []cmdx.Args{{}, {"note": nil, "ratio": nil}} {
				args["environment"], args["port"] = "prod", 80
				d, r := deployed(args)
				Expect(r).To(endSuccess())
				Expect(d.Note).To(BeNil())
				Expect(d.Ratio).To(BeZero())
			}
		})

		It("take their default, coerced like a caller's value", func() {
			d, _ := deployed(cmdx.Args{"environment": "prod", "port": 80})
			Expect(d.Live).To(BeTrue())
		})

		It("hold their default to the rules", func() {
			Expect(run(&deployDefaults{}, nil)).To(endFailed("count must be at most 2"))
			Expect(run(&deployDefaults{}, cmdx.Args{"count": 2})).To(endSuccess())
		})

		It("have a default of their own in every run", func() {
			rt := cmdx.New(cmdx.Configuration{})
			var running sync.WaitGroup
			for range 20 {
				running.Go(func() {
					defer GinkgoRecover()
					r := rt.Execute(context.Background(), &deployDefaults{}, cmdx.Args{"count": 1})
					Expect(r.Task().(*deployDefaults).Labels).To(Equal(map[string]string{"tier": "web", "written": "yes"}))
				})
			}
			running.Wait()
			Expect(run(&deployDefaults{}, cmdx.Args{"count": 1}).Task().(*deployDefaults).Input("labels")).NotTo(BeNil())
		})
	})

	Context("declared by tags alone", func() {
		It("are required and checked as the tags say, in the order of the fields", func() {
			Expect(run(&deployTagged{}, nil)).To(endFailed("region is required. amount_cents is required"))
			Expect(run(&deployTagged{}, cmdx.Args{"region": "e", "amount_cents": 0})).
				To(endFailed("region length must be at least 2. amount_cents must be greater than 0"))
			Expect(run(&deployTagged{}, cmdx.Args{"region": "eu", "amount_cents": "9_900"}).Task().(*deployTagged).Amount).To(Equal(int64(9900)))
		})

		It("count runes, not bytes", func() {
			Expect(run(&deployTagged{}, cmdx.Args{"region": "é", "amount_cents": 1})).To(endFailed("region length must be at least 2"))
		})
	})

	It("declared again by a child are replaced where they stand; new ones come last", func() {
		Expect(run(&deployQuietly{}, nil)).To(endFailed("environment is required. region is required"))
		r := run(&deployQuietly{}, cmdx.Args{"environment": "prod", "region": "eu"})
		Expect(r).To(endSuccess())
		Expect(r.Task().(*deployQuietly).Port).To(Equal(uint16(8080)))
		Expect(run(&deploy{}, cmdx.Args{"environment": "prod"})).To(endFailed("port is required"), "the parent stays as it was")
	})

	It("touch no field without a tag", func() {
		d, _ := deployed(cmdx.Args{"environment": "prod", "port": 80, "Untouched": "no", "untouched": "no"})
		Expect(d.Untouched).To(BeEmpty())
	})

	It("match their key exactly, never by folded case", func() {
		_, r := deployed(cmdx.Args{"Environment": "prod", "port": 80})
		Expect(r).To(endFailed("environment is required"))
	})

	DescribeTable("never change a number",
		func(name string, value any, field any) {
			r := run(&deployNumbers{}, cmdx.Args{name: value})
			if field == nil {
				Expect(r).To(endFailed())
				Expect(r.Errors().Keys()).To(Equal([]string{name}))
				return
			}
			Expect(r).To(endSuccess())
			t := r.Task().(*deployNumbers)
			Expect(map[string]any{"small": t.Small, "whole": t.Whole, "huge": t.Huge, "real": t.Real}).To(HaveKeyWithValue(name, field))
		},
		Entry("a width too small", "small", 128, nil),
		Entry("the last of a width", "small", "-128", int8(-128)),
		Entry("2^53+1 as json.Number", "whole", json.Number("9007199254740993"), int64(9007199254740993)),
		Entry("2^63", "whole", "9223372036854775808", nil),
		Entry("2^63 as a float", "whole", math.Pow(2, 63), nil),
		Entry("twenty digits", "huge", json.Number("12345678901234567890"), uint64(12345678901234567890)),
		Entry("a sign", "huge", -1, nil),
		Entry("leading zeros are decimal", "whole", "010", int64(10)),
		Entry("another base only on demand", "whole", "0x10", nil),
		Entry("rubbish behind", "whole", "12 kg", nil),
		Entry("two underscores", "whole", "1__0", nil),
		Entry("full-width digits", "whole", "１２", nil),
		Entry("an exponent in a float", "real", "1e3", 1000.0),
		Entry("infinity in text", "real", "Inf", nil),
		Entry("a hostile exponent", "whole", "1e999999999", nil),
	)

	DescribeTable("read booleans by their words",
		func(value any, want bool) {
			Expect(run(&deployBooleans{}, cmdx.Args{"flag": value}).Task().(*deployBooleans).Flag).To(Equal(want))
		},
		Entry(nil, "TRUE", true), Entry(nil, "t", true), Entry(nil, "Yes", true), Entry(nil, "y", true), Entry(nil, "on", true), Entry(nil, "1", true), Entry(nil, 1, true),
		Entry(nil, "false", false), Entry(nil, "F", false), Entry(nil, "no", false), Entry(nil, "n", false), Entry(nil, "OFF", false), Entry(nil, "0", false), Entry(nil, 0, false),
	)
})
