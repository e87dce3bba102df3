package spec

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/shopspring/decimal"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

type (
	// ordering is the ancestor, hidden from other packages.
	ordering struct {
		cmdx.Base
		Tenant string `cmdx:"tenant"`
	}
	stop struct {
		City  string          `json:"city"`
		Zip   int             `cmdx:"zip"`
		Since time.Time       `json:"since"`
		Price decimal.Decimal `json:"price"`
		Tags  []string        `json:"tags"`
		Next  *stop           `json:"next"`
		Note  sql.NullString  `json:"note"`
		Page  *url.URL        `json:"page"`
	}
	// order has a field of every kind that is bound.
	order struct {
		ordering
		Small    int8                      `cmdx:"small"`
		Huge     uint64                    `cmdx:"huge"`
		Unit     currency                  `cmdx:"unit"`
		Amount   decimal.Decimal           `cmdx:"amount"`
		Fee      *decimal.Decimal          `cmdx:"fee"`
		At       time.Time                 `cmdx:"at"`
		Until    *time.Time                `cmdx:"until"`
		Patience time.Duration             `cmdx:"patience"`
		Big      *big.Int                  `cmdx:"big"`
		BigValue big.Int                   `cmdx:"big_value"`
		Ratio    *big.Rat                  `cmdx:"ratio"`
		Wave     complex64                 `cmdx:"wave"`
		IDs      []int64                   `cmdx:"ids"`
		Units    []currency                `cmdx:"units"`
		Moments  []time.Time               `cmdx:"moments"`
		Optional []*int                    `cmdx:"optional"`
		Matrix   [][]int8                  `cmdx:"matrix"`
		Pair     [2]int                    `cmdx:"pair"`
		Labels   map[string]int            `cmdx:"labels"`
		Lists    map[currency][]int        `cmdx:"lists"`
		Stops    []stop                    `cmdx:"stops"`
		First    stop                      `cmdx:"first"`
		Last     *stop                     `cmdx:"last"`
		ByName   map[string]stop           `cmdx:"by_name"`
		Note     sql.NullString            `cmdx:"note"`
		Count    sql.NullInt16             `cmdx:"count"`
		Paid     sql.NullTime              `cmdx:"paid"`
		Rebate   sql.Null[decimal.Decimal] `cmdx:"rebate"`
		Parent   uuid.NullUUID             `cmdx:"parent"`
		Pointed  *sql.NullInt64            `cmdx:"pointed"`
		ID       uuid.UUID                 `cmdx:"id"`
		Host     netip.Addr                `cmdx:"host"`
		Hosts    []netip.Addr              `cmdx:"hosts"`
		Page     url.URL                   `cmdx:"page"`
		Link     *url.URL                  `cmdx:"link"`
		Level    slog.Level                `cmdx:"level"`
		Raw      json.RawMessage           `cmdx:"raw"`
		Blob     []byte                    `cmdx:"blob"`
		Any      any                       `cmdx:"any"`
	}
	// rough is a declared decimal in a field that holds none.
	rough struct {
		cmdx.Base
		Price float64 `cmdx:"price"`
	}
)

func (*order) Work(context.Context) error { return nil }
func (*rough) Work(context.Context) error { return nil }
func (*rough) Configure(c *cmdx.Config)   { c.Required("price", inputs.Coerce(inputs.Decimal)) }

var _ = Describe("Bound fields", func() {
	run := func(args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &order{}, args)
	}
	bound := func(name string, value any) *order {
		GinkgoHelper()
		r := run(cmdx.Args{name: value})
		Expect(r).To(endSuccess())
		return r.Task().(*order)
	}
	ten := decimal.RequireFromString("10.50")
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	id, page := uuid.New(), &url.URL{Scheme: "https", Host: "example.org", Path: "/a"}
	one := 1
	home := stop{City: "Bonn", Zip: 53111, Since: noon, Price: ten, Tags: []string{"a"}}

	DescribeTable("take what their type holds",
		func(name string, value any, read func(*order) any, want any) {
			Expect(read(bound(name, value))).To(Equal(want))
		},
		Entry("int8", "small", "-128", func(o *order) any { return o.Small }, int8(-128)),
		Entry("uint64", "huge", json.Number("18446744073709551615"), func(o *order) any { return o.Huge }, uint64(math.MaxUint64)),
		Entry("a named text", "unit", "EUR", func(o *order) any { return o.Unit }, currency("EUR")),
		Entry("a decimal", "amount", "10.50", func(o *order) any { return o.Amount }, ten),
		Entry("a pointer to one", "fee", "10.50", func(o *order) any { return o.Fee }, &ten),
		Entry("a time", "at", "2026-03-04 12:00:00", func(o *order) any { return o.At }, noon),
		Entry("a time as Unix seconds", "at", noon.Unix(), func(o *order) any { return o.At }, noon),
		Entry("a pointer to a time", "until", noon, func(o *order) any { return o.Until }, &noon),
		Entry("a duration", "patience", "1m", func(o *order) any { return o.Patience }, time.Minute),
		Entry("a big.Int", "big", strings.Repeat("9", 40), func(o *order) any { return o.Big.String() }, strings.Repeat("9", 40)),
		Entry("a big.Int as json.Number", "big", json.Number("1e30"), func(o *order) any { return o.Big.String() }, "1"+strings.Repeat("0", 30)),
		Entry("a big.Int by value", "big_value", "-7", func(o *order) any { return o.BigValue.String() }, "-7"),
		Entry("a big.Rat", "ratio", "1/3", func(o *order) any { return o.Ratio.String() }, "1/3"),
		Entry("a complex64", "wave", "1+2i", func(o *order) any { return o.Wave }, complex64(1+2i)),
		Entry("a slice of ints", "ids", []any{"1", 2, json.Number("9007199254740993")}, func(o *order) any { return o.IDs }, []int64{1, 2, 9007199254740993}),
		Entry("a slice of ints from JSON text", "ids", "[1, 2]", func(o *order) any { return o.IDs }, []int64{1, 2}),
		Entry("a slice of one", "ids", 7, func(o *order) any { return o.IDs }, []int64{7}),
		Entry("a slice of a named type", "units", []string{"EUR"}, func(o *order) any { return o.Units }, []currency{"EUR"}),
		Entry("a slice of times", "moments", []string{"2026-03-04T12:00:00Z"}, func(o *order) any { return o.Moments }, []time.Time{noon}),
		Entry("a slice of pointers, nil where nothing is", "optional", []any{1, nil}, func(o *order) any { return o.Optional }, []*int{&one, nil}),
		Entry("slices in a slice", "matrix", "[[1],[2,3]]", func(o *order) any { return o.Matrix }, [][]int8{{1}, {2, 3}}),
		Entry("an array", "pair", []string{"1", "2"}, func(o *order) any { return o.Pair }, [2]int{1, 2}),
		Entry("a map", "labels", map[string]any{"a": "1"}, func(o *order) any { return o.Labels }, map[string]int{"a": 1}),
		Entry("a map from JSON text", "labels", `{"a":1}`, func(o *order) any { return o.Labels }, map[string]int{"a": 1}),
		Entry("slices in a map", "lists", map[string]any{"EUR": []string{"1"}}, func(o *order) any { return o.Lists }, map[currency][]int{"EUR": {1}}),
		Entry("a struct from a map", "first", map[string]any{"city": "Bonn", "zip": "53111", "since": "2026-03-04 12:00:00", "price": "10.50", "tags": "a"}, func(o *order) any { return o.First }, home),
		Entry("a struct from JSON text", "first", `{"city":"Bonn","zip":53111,"since":"2026-03-04T12:00:00Z","price":10.50,"tags":["a"]}`, func(o *order) any { return o.First }, home),
		Entry("a struct as it is", "first", home, func(o *order) any { return o.First }, home),
		Entry("a struct from another", "first", struct {
			City string `json:"city"`
		}{"Bonn"}, func(o *order) any { return o.First }, stop{City: "Bonn"}),
		Entry("a pointer to a struct", "last", map[string]any{"city": "Bonn"}, func(o *order) any { return o.Last }, &stop{City: "Bonn"}),
		Entry("structs in each other", "first", map[string]any{"next": map[string]any{"city": "Bonn", "next": map[string]any{"zip": 1}}}, func(o *order) any { return o.First.Next }, &stop{City: "Bonn", Next: &stop{Zip: 1}}),
		Entry("what may be null inside of one", "first", map[string]any{"note": "x", "page": "https://example.org/a"}, func(o *order) any { return o.First }, stop{Note: sql.NullString{String: "x", Valid: true}, Page: page}),
		Entry("a slice of structs", "stops", []map[string]any{{"city": "Bonn"}, {"zip": 7.0}}, func(o *order) any { return o.Stops }, []stop{{City: "Bonn"}, {Zip: 7}}),
		Entry("a map of structs", "by_name", map[string]any{"a": map[string]any{"zip": "7"}}, func(o *order) any { return o.ByName }, map[string]stop{"a": {Zip: 7}}),
		Entry("sql.NullString", "note", "x", func(o *order) any { return o.Note }, sql.NullString{String: "x", Valid: true}),
		Entry("sql.NullString that is empty", "note", "", func(o *order) any { return o.Note }, sql.NullString{Valid: true}),
		Entry("sql.NullInt16", "count", "7", func(o *order) any { return o.Count }, sql.NullInt16{Int16: 7, Valid: true}),
		Entry("sql.NullTime", "paid", "2026-03-04T12:00:00Z", func(o *order) any { return o.Paid }, sql.NullTime{Time: noon, Valid: true}),
		Entry("sql.Null of a type", "rebate", "10.50", func(o *order) any { return o.Rebate }, sql.Null[decimal.Decimal]{V: ten, Valid: true}),
		Entry("uuid.NullUUID", "parent", id.String(), func(o *order) any { return o.Parent }, uuid.NullUUID{UUID: id, Valid: true}),
		Entry("a sql type as it is", "note", sql.NullString{String: "x", Valid: true}, func(o *order) any { return o.Note }, sql.NullString{String: "x", Valid: true}),
		Entry("what a sql type holds", "small", sql.NullInt64{Int64: 7, Valid: true}, func(o *order) any { return o.Small }, int8(7)),
		Entry("nothing, when it says so", "tenant", sql.NullString{String: "x"}, func(o *order) any { return o.Tenant }, ""),
		Entry("a pointer to a sql type", "pointed", 7, func(o *order) any { return o.Pointed }, &sql.NullInt64{Int64: 7, Valid: true}),
		Entry("what reads itself from text", "id", id.String(), func(o *order) any { return o.ID }, id),
		Entry("such a type as it is", "id", id, func(o *order) any { return o.ID }, id),
		Entry("netip.Addr", "host", "10.0.0.1", func(o *order) any { return o.Host }, netip.MustParseAddr("10.0.0.1")),
		Entry("a slice of such", "hosts", []string{"10.0.0.1"}, func(o *order) any { return o.Hosts }, []netip.Addr{netip.MustParseAddr("10.0.0.1")}),
		Entry("url.URL", "page", "https://example.org/a", func(o *order) any { return o.Page }, *page),
		Entry("a pointer to a url", "link", "https://example.org/a", func(o *order) any { return o.Link }, page),
		Entry("a level by its word", "level", "warn", func(o *order) any { return o.Level }, slog.LevelWarn),
		Entry("a level by its number", "level", 4, func(o *order) any { return o.Level }, slog.LevelWarn),
		Entry("raw JSON", "raw", `{"a":1}`, func(o *order) any { return o.Raw }, json.RawMessage(`{"a":1}`)),
		Entry("bytes", "blob", []byte{0xff}, func(o *order) any { return o.Blob }, []byte{0xff}),
		Entry("bytes from text", "blob", "a", func(o *order) any { return o.Blob }, []byte("a")),
		Entry("anything", "any", home, func(o *order) any { return o.Any }, home),
		Entry("an ancestor's field, though its type is unexported", "tenant", "acme", func(o *order) any { return o.Tenant }, "acme"),
	)

	DescribeTable("never hold a part of what was given",
		func(name string, value any, reason string) {
			r := run(cmdx.Args{name: value})
			Expect(r).To(endFailed(reason))
			Expect(*r.Task().(*order)).To(HaveField("Small", BeZero()))
			Expect(r.Reason()).NotTo(ContainSubstring("secret"))
		},
		Entry("an int8 of 300", "small", 300, "small could not coerce into an integer"),
		Entry("a sign in an unsigned one", "huge", -1, "huge could not coerce into an integer"),
		Entry("a complex64 of what is too large", "wave", "1e300i", "wave could not coerce into a complex"),
		Entry("an int16 that may be null", "count", 40000, "count could not coerce into an integer"),
		Entry("a big.Int of a fraction", "big", "1.5", "big could not coerce into an integer"),
		Entry("a big.Int of a hostile exponent", "big", json.Number("1e999999999"), "big could not coerce into an integer"),
		Entry("a big.Int of a float that may be another number", "big", 1e300, "big could not coerce into an integer"),
		Entry("an array of another length", "pair", []int{1, 2, 3}, "pair could not coerce into an array"),
		Entry("an element", "ids", []any{1, "secret", 3}, "ids[1] could not coerce into an integer"),
		Entry("an element of an element", "matrix", "[[1],[2,300]]", "matrix[1][1] could not coerce into an integer"),
		Entry("null for an element that needs a value", "ids", "[1,null]", "ids[1] could not coerce into an integer"),
		Entry("a value of a map, whose keys are the caller's", "labels", map[string]any{"secret": "x"}, "labels could not coerce into a hash"),
		Entry("text for a struct", "first", "secret", "first could not coerce into a hash"),
		Entry("a field of a struct", "first", map[string]any{"zip": "secret"}, "first.zip could not coerce into an integer"),
		Entry("a time in a struct", "first", map[string]any{"since": "secret"}, "first.since could not coerce into a time"),
		Entry("a fraction in a struct", "first", map[string]any{"zip": 1.5}, "first.zip could not coerce into an integer"),
		Entry("a field far inside", "first", map[string]any{"next": map[string]any{"next": map[string]any{"price": "secret"}}}, "first.next.next.price could not coerce into a decimal"),
		Entry("an element in a struct", "first", map[string]any{"tags": []any{"a", []any{}}}, "first.tags[1] could not coerce into a string"),
		Entry("a struct in a slice", "stops", []any{map[string]any{}, map[string]any{"zip": "secret"}}, "stops[1].zip could not coerce into an integer"),
		Entry("a struct in a slice that is none", "stops", []any{7}, "stops[0] could not coerce into a hash"),
		Entry("text that the type does not read", "id", "secret", "id could not coerce into a uuid"),
		Entry("an address that is none", "host", "secret", "host could not coerce into an addr"),
		Entry("a url that is none", "page", "http://[secret", "page could not coerce into a url"),
		Entry("JSON that is none", "raw", "{secret", "raw could not coerce into bytes"),
	)

	It("leave pointers, slices and maps nil when nothing is given", func() {
		r := run(nil)
		Expect(r).To(endSuccess())
		Expect(*r.Task().(*order)).To(And(
			HaveField("Fee", BeNil()), HaveField("Until", BeNil()), HaveField("Big", BeNil()), HaveField("Last", BeNil()), HaveField("Link", BeNil()), HaveField("IDs", BeNil()),
			HaveField("Labels", BeNil()), HaveField("Pointed", BeNil()), HaveField("Note.Valid", BeFalse()), HaveField("Parent.Valid", BeFalse()), HaveField("Any", BeNil())))
	})

	It("match the keys of a struct exactly, never by folded case", func() {
		Expect(bound("first", map[string]any{"City": "x", "CITY": "y", "Zip": 1}).First).To(Equal(stop{}))
	})

	It("are the run's own: no map, slice or number is shared with the caller", func() {
		ids, labels, n, blob := []int64{1}, map[string]int{"a": 1}, big.NewInt(7), []byte("a")
		given := stop{Tags: []string{"a"}}
		r := run(cmdx.Args{"ids": ids, "labels": labels, "big": n, "blob": blob, "stops": []stop{given}, "first": map[string]any{"tags": given.Tags}})
		Expect(r).To(endSuccess())
		o := r.Task().(*order)
		o.IDs[0], o.Labels["a"], o.Blob[0], o.First.Tags[0] = 2, 2, 'b', "b"
		o.Big.SetInt64(8)
		Expect(ids).To(Equal([]int64{1}))
		Expect(labels).To(Equal(map[string]int{"a": 1}))
		Expect(n.Int64()).To(Equal(int64(7)))
		Expect(string(blob)).To(Equal("a"))
		Expect(given.Tags).To(Equal([]string{"a"}))
	})

	It("end with cyclic data", func() {
		cyclic := map[string]any{"city": "Bonn"}
		cyclic["next"] = cyclic
		Expect(run(cmdx.Args{"first": cyclic})).To(endFailed())
		loop := []any{1}
		loop[0] = loop
		Expect(run(cmdx.Args{"ids": loop})).To(endFailed("ids[0] could not coerce into an integer"))
		Expect(run(cmdx.Args{"matrix": loop})).To(endFailed())
	})

	It("keep their preset when an optional input is absent", func() {
		preset := &order{Amount: ten, Note: sql.NullString{String: "x", Valid: true}, Host: netip.MustParseAddr("10.0.0.1"), First: home, Pair: [2]int{1, 2}}
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), preset, nil)
		Expect(r).To(endSuccess())
		Expect(*r.Task().(*order)).To(And(HaveField("Amount", ten), HaveField("Note.String", "x"), HaveField("Host", preset.Host), HaveField("First", home), HaveField("Pair", [2]int{1, 2})))
		Expect(r.Task().(*order).Input("note")).To(Equal("x"))
	})

	It("that cannot hold the declared type are a definition error", func() {
		err := cmdx.Validate(&rough{})
		var mistake *cmdx.DefinitionError
		Expect(errors.As(err, &mistake)).To(BeTrue())
		Expect(err.Error()).To(ContainSubstring(`the input "price" is coerced into a decimal, which its field rough.Price of type float64 cannot hold`))
		Expect(cmdx.Execute(context.Background(), &rough{}, cmdx.Args{"price": 1})).To(endFailed())
	})
})
