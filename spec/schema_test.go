package spec

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/google/uuid"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
	"github.com/cmdx-go/cmdx/outputs"
)

// Orders are placed with all kinds of inputs.
type (
	orderTask struct {
		cmdx.Base
		Channel string `cmdx:"channel,required,description='Where it came from'" validate:"oneof=web shop"`
	}
	placeOrder struct {
		orderTask
		ID      uuid.UUID         `cmdx:"id"`
		Back    *url.URL          `cmdx:"back"`
		Rating  int8              `cmdx:"rating"`
		Pages   uint              `cmdx:"pages"`
		Marks   []int64           `cmdx:"marks"`
		Labels  map[string]string `cmdx:"labels"`
		Contact string            `cmdx:"contact" validate:"omitempty,email,min=5"`
	}
)

func (*placeOrder) Configure(c *cmdx.Config) {
	c.Required("id", inputs.Description("Whose it is."))
	c.Required("amount", inputs.Coerce(inputs.Decimal))
	c.Required("quantity", inputs.Coerce(inputs.Integer), inputs.Validate("gt=0,lte=100"))
	c.Required("reason", inputs.Coerce(inputs.String), inputs.If(cmdx.Never), inputs.Presence(), inputs.Validate("max=80"))
	c.Optional("currency", inputs.As("money"), inputs.Coerce(inputs.String), inputs.Default("eur"), inputs.Validate("len=3,alpha"))
	c.Optional("on", inputs.Coerce(inputs.Date))
	c.Optional("at", inputs.Coerce(inputs.DateTime))
	c.Optional("gift", inputs.Coerce(inputs.Boolean))
	c.Optional("either", inputs.Coerce(inputs.Integer, inputs.Boolean))
	c.Optional("card", inputs.Sensitive(), inputs.Coerce(inputs.String), inputs.Default("canary"))
	c.Optional("shouted", inputs.Coerce(inputs.String), inputs.Transform(func(s string) string { return s + "!" }), inputs.Validate("min=9"))
	c.Optional("twin", inputs.FromInput("quantity"))
	c.Optional("tenant", inputs.FromFunc(func(*orderTask) any { return "t" }))
	c.Required("rating")
	c.Optional("pages")
	c.Optional("marks", inputs.Validate("min=1,max=3,unique,dive,gt=0"))
	c.Optional("labels")
	c.Optional("back")
	c.Required("address", inputs.Nested(
		inputs.Required("street", inputs.Coerce(inputs.String)),
		inputs.Optional("place", inputs.Nested(inputs.Required("lat", inputs.Coerce(inputs.Float), inputs.Validate("gte=-90,lte=90")))),
	))
	c.Required("lines", inputs.Each(inputs.Required("sku", inputs.Coerce(inputs.String)), inputs.Optional("n", inputs.Coerce(inputs.Integer))))

	c.Output("receipt", outputs.Description("What was paid."))
	c.Output("currency", outputs.Default("eur"))
	c.Output("tracking", outputs.If(cmdx.Never), outputs.DefaultFrom(func(*orderTask) any { return 1 }))
}

func (*placeOrder) Work(context.Context) error { return nil }

// asJSON is data as JSON tells it again.
func asJSON(v any) any {
	GinkgoHelper()
	data, err := json.Marshal(v)
	Expect(err).NotTo(HaveOccurred())
	var told any
	Expect(json.Unmarshal(data, &told)).To(Succeed())
	return told
}

func fromJSON(text string) any {
	GinkgoHelper()
	var told any
	Expect(json.Unmarshal([]byte(text), &told)).To(Succeed(), text)
	return told
}

var _ = Describe("Schemas", func() {
	It("are made of sound tasks here", func() {
		Expect(cmdx.Validate(&placeOrder{})).To(Succeed())
	})

	Describe("of inputs", func() {
		field := func(name string) any {
			GinkgoHelper()
			for _, f := range inputs.Schema(&placeOrder{}) {
				if f.Name == name {
					return asJSON(f)
				}
			}
			Fail("no input " + name)
			return nil
		}

		It("list them in the order in which they resolve", func() {
			var names []string
			for _, f := range inputs.Schema(&placeOrder{}) {
				names = append(names, f.Name)
			}
			Expect(names).To(Equal([]string{
				"channel", "contact", "id", "amount", "quantity", "reason", "currency", "on", "at", "gift", "either", "card",
				"shouted", "twin", "tenant", "rating", "pages", "marks", "labels", "back", "address", "lines",
			}))
		})

		DescribeTable("are data fit for JSON",
			func(name, want string) { Expect(field(name)).To(Equal(fromJSON(want))) },
			Entry("of a tag", "channel", `{"name":"channel","required":true,"description":"Where it came from","coercions":["string"],
				"validations":[{"rule":"tag","options":{"tag":"oneof=web shop"}}]}`),
			Entry("of a coercion that the field asks for", "id", `{"name":"id","required":true,"description":"Whose it is.","coercions":["uuid"]}`),
			Entry("of a gate", "reason", `{"name":"reason","required":true,"conditional":true,"coercions":["string"],
				"validations":[{"rule":"presence"},{"rule":"tag","options":{"tag":"max=80"}}]}`),
			Entry("of another name, with a default", "currency", `{"name":"currency","read_as":"money","required":false,"coercions":["string"],"default":"eur",
				"validations":[{"rule":"tag","options":{"tag":"len=3,alpha"}}]}`),
			Entry("of several coercions", "either", `{"name":"either","required":false,"coercions":["integer","boolean"]}`),
			Entry("of a sensitive one, without its default", "card", `{"name":"card","required":false,"coercions":["string"],"sensitive":true}`),
			Entry("of another input", "twin", `{"name":"twin","required":false,"source":"quantity"}`),
			Entry("of a method", "tenant", `{"name":"tenant","required":false,"source":"method"}`),
			Entry("of nested ones", "address", `{"name":"address","required":true,"coercions":["hash"],"children":[
				{"name":"street","required":true,"coercions":["string"]},
				{"name":"place","required":false,"coercions":["hash"],"children":[
					{"name":"lat","required":true,"coercions":["float"],"validations":[{"rule":"tag","options":{"tag":"gte=-90,lte=90"}}]}]}]}`),
			Entry("of elements", "lines", `{"name":"lines","required":true,"coercions":["array"],"each":true,"children":[
				{"name":"sku","required":true,"coercions":["string"]},{"name":"n","required":false,"coercions":["integer"]}]}`),
		)

		It("are none for tasks without inputs and for those that are declared wrongly", func() {
			Expect(inputs.Schema(&doing{})).To(BeNil())
			Expect(inputs.Schema(&declarer[refusedSelf]{})).To(BeNil())
			Expect(inputs.Schema(nil)).To(BeNil())
		})
	})

	Describe("of outputs", func() {
		It("list them in order, as data fit for JSON", func() {
			Expect(asJSON(outputs.Schema(&placeOrder{}))).To(Equal(fromJSON(`[
				{"name":"receipt","description":"What was paid."},
				{"name":"currency","has_default":true,"default":"eur"},
				{"name":"tracking","conditional":true,"has_default":true}]`)))
			Expect(outputs.Schema(&doing{})).To(BeNil())
		})
	})

	Describe("of JSON", func() {
		properties := func() map[string]any {
			GinkgoHelper()
			schema, err := inputs.JSONSchema(&placeOrder{})
			Expect(err).NotTo(HaveOccurred())
			return asJSON(schema).(map[string]any)["properties"].(map[string]any)
		}

		It("are of draft 2020-12 and say what callers must pass", func() {
			schema, err := inputs.JSONSchema(&placeOrder{})
			Expect(err).NotTo(HaveOccurred())
			Expect(schema["$schema"]).To(Equal("https://json-schema.org/draft/2020-12/schema"))
			Expect(schema["type"]).To(Equal("object"))
			Expect(schema["required"]).To(Equal([]string{"channel", "id", "amount", "quantity", "rating", "address", "lines"}))
		})

		It("leave out what callers do not pass", func() {
			Expect(properties()).NotTo(Or(HaveKey("twin"), HaveKey("tenant"), HaveKey("money")))
			Expect(properties()).To(HaveKey("currency"))
		})

		DescribeTable("describe",
			func(name, want string) { Expect(properties()[name]).To(Equal(fromJSON(want))) },
			Entry("an enumeration", "channel", `{"type":"string","enum":["web","shop"],"description":"Where it came from"}`),
			Entry("a uuid", "id", `{"type":"string","format":"uuid","description":"Whose it is."}`),
			Entry("a decimal", "amount", `{"type":["string","number"]}`),
			Entry("bounds of a number", "quantity", `{"type":"integer","exclusiveMinimum":0,"maximum":100}`),
			Entry("what is required in some runs", "reason", `{"type":["string","null"],"minLength":1,"maxLength":80,"pattern":"\\S"}`),
			Entry("a length and a default", "currency", `{"type":["string","null"],"minLength":3,"maxLength":3,"pattern":"^[a-zA-Z]+$","default":"eur"}`),
			Entry("a date", "on", `{"type":["string","null"],"format":"date"}`),
			Entry("a date with time", "at", `{"type":["string","null"],"format":"date-time"}`),
			Entry("a boolean", "gift", `{"type":["boolean","null"]}`),
			Entry("several types", "either", `{"anyOf":[{"anyOf":[{"type":"integer"},{"type":"boolean"}]},{"type":"null"}]}`),
			Entry("a sensitive one", "card", `{"type":["string","null"],"writeOnly":true}`),
			Entry("what is transformed before its rules", "shouted", `{"type":["string","null"]}`),
			Entry("what the field holds", "rating", `{"type":"integer","minimum":-128,"maximum":127}`),
			Entry("what an unsigned field holds", "pages", `{"type":["integer","null"],"minimum":0}`),
			Entry("a list and its elements", "marks", `{"type":["array","null"],"items":{"type":"integer","exclusiveMinimum":0},"minItems":1,"maxItems":3,"uniqueItems":true}`),
			Entry("a map and its values", "labels", `{"type":["object","null"],"additionalProperties":{"type":"string"}}`),
			Entry("a url", "back", `{"type":["string","null"],"format":"uri"}`),
			Entry("a format that the zero value need not have", "contact", `{"type":["string","null"],"format":"email"}`),
			Entry("nested inputs", "address", `{"type":"object","required":["street"],"properties":{"street":{"type":"string"},
				"place":{"type":["object","null"],"required":["lat"],"properties":{"lat":{"type":"number","minimum":-90,"maximum":90}}}}}`),
			Entry("inputs of elements", "lines", `{"type":"array","items":{"type":"object","required":["sku"],"properties":{"sku":{"type":"string"},"n":{"type":["integer","null"]}}}}`),
		)

		It("are none for a task that is declared wrongly", func() {
			_, err := inputs.JSONSchema(&declarer[refusedSelf]{})
			var none *inputs.SchemaError
			Expect(errors.As(err, &none)).To(BeTrue())
			Expect(err).To(MatchError(ContainSubstring("cmdx.Validate")))
		})

		It("of a task without inputs take any object", func() {
			Expect(inputs.JSONSchema(&doing{})).To(Equal(map[string]any{
				"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "spec.doing", "type": "object", "properties": map[string]any{},
			}))
		})
	})
})
