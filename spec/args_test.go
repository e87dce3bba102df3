package spec

import (
	"context"
	"database/sql"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/shopspring/decimal"

	"github.com/cmdx-go/cmdx"
)

type (
	// remittance has inputs of the types that arguments come in.
	remittance struct {
		cmdx.Base
		ID     uuid.UUID       `cmdx:"id"`
		Amount decimal.Decimal `cmdx:"amount"`
		Cents  int64           `cmdx:"cents"`
		At     time.Time       `cmdx:"at"`
		Limit  *big.Int        `cmdx:"limit"`
		Live   bool            `cmdx:"live"`
		Tags   []string        `cmdx:"tags"`
		Steps  []int           `cmdx:"steps"`
		Memo   *string         `cmdx:"memo"`
		Route  struct {
			From string `json:"from"`
			Hops int    `json:"hops"`
		} `cmdx:"route"`
	}
	// remitOnce runs once per id.
	remitOnce struct {
		cmdx.Base
		Ran *int
	}
	// remittanceArgs are arguments as a struct.
	remittanceArgs struct {
		ID      uuid.UUID       `cmdx:"id" json:"ignored"`
		Amount  decimal.Decimal `json:"amount,omitempty"`
		Cents   int64           `cmdx:"cents,required"`
		At      time.Time       `cmdx:"at"`
		Limit   *big.Int        `cmdx:"limit"`
		Tags    []string        `cmdx:"tags"`
		Memo    sql.NullString  `cmdx:"memo"`
		Dropped string          `cmdx:"-"`
		Plain   int
	}
)

func (*remittance) Work(context.Context) error { return nil }

func (*remitOnce) Configure(c *cmdx.Config) { c.IdempotentBy(cmdx.FromContext("id")) }
func (t *remitOnce) Work(context.Context) error {
	*t.Ran++
	return nil
}

var _ = Describe("Arguments", func() {
	run := func(args any) *cmdx.Result {
		return cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &remittance{}, args)
	}
	ran := func(args any) *remittance {
		GinkgoHelper()
		r := run(args)
		Expect(r).To(endSuccess())
		return r.Task().(*remittance)
	}
	id := uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))
	amount := decimal.RequireFromString("12345678901234567890.10")

	Context("from a struct", func() {
		params := remittanceArgs{ID: id, Amount: amount, Cents: 9007199254740993, At: noon, Limit: big.NewInt(7), Tags: []string{"a"}, Dropped: "x", Plain: 3}

		It("go by the cmdx tag, then the json tag, then the name", func() {
			c := ran(params).Context()
			Expect(c.Keys()).To(Equal([]string{"Plain", "amount", "at", "cents", "id", "limit", "memo", "tags"}))
		})

		It("keep times, decimals, uuids and big numbers as they are", func() {
			for _, args := range []any{params, &params} {
				t := ran(args)
				Expect(t.ID).To(Equal(id))
				Expect(t.Amount).To(Equal(amount))
				Expect(t.Cents).To(Equal(int64(9007199254740993)))
				Expect(t.At).To(Equal(noon))
				Expect(t.Limit).To(Equal(big.NewInt(7)))
				Expect(t.Context().ToMap()["at"]).To(Equal(noon))
			}
		})

		It("leave out what says that it is null", func() {
			Expect(ran(params).Memo).To(BeNil())
			with := params
			with.Memo = sql.NullString{String: "late", Valid: true}
			Expect(*ran(with).Memo).To(Equal("late"))
		})

		It("are not shared: what the task writes does not reach the caller", func() {
			ran(params).Tags[0] = "b"
			Expect(params.Tags).To(Equal([]string{"a"}))
		})
	})

	Context("from a form", func() {
		query, _ := url.ParseQuery("id=" + id.String() + "&cents=9_900&cents=1&at=2026-03-04T12:00:00%2B01:00&live=on&tags=a&tags=b&steps=1&steps=2&amount=1.50&memo=")

		It("take the first value, or all for an array", func() {
			t := ran(query)
			Expect(t.ID).To(Equal(id))
			Expect(t.Cents).To(Equal(int64(9900)))
			Expect(t.At).To(Equal(noon))
			Expect(t.Live).To(BeTrue())
			Expect(t.Tags).To(Equal([]string{"a", "b"}))
			Expect(t.Steps).To(Equal([]int{1, 2}))
			Expect(t.Amount.String()).To(Equal("1.5"))
			Expect(*t.Memo).To(BeEmpty())
		})

		It("may be what net/http parsed", func() {
			request := httptest.NewRequest(http.MethodPost, "/?tags=z", strings.NewReader("cents=7&tags=a"))
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			Expect(request.ParseForm()).To(Succeed())
			t := ran(request.Form)
			Expect(t.Cents).To(Equal(int64(7)))
			Expect(t.Tags).To(Equal([]string{"a", "z"}))
			Expect(ran(map[string][]string{"tags": {"a"}}).Tags).To(Equal([]string{"a"}))
		})

		It("have a key without values as missing", func() {
			Expect(ran(url.Values{"cents": {}, "tags": nil, "memo": {}})).To(And(HaveField("Cents", BeZero()), HaveField("Tags", BeNil()), HaveField("Memo", BeNil())))
		})

		It("are refused in the same words", func() {
			Expect(run(url.Values{"cents": {"secret", "1"}, "steps": {"1", "secret"}})).
				To(endFailed("cents could not coerce into an integer. steps[1] could not coerce into an integer"))
		})

		It("give a guard the first value for its key", func() {
			runtime, count := cmdx.New(cmdx.Configuration{}), 0
			for range 2 {
				runtime.Execute(context.Background(), &remitOnce{Ran: &count}, url.Values{"id": {"a", "b"}})
			}
			runtime.Execute(context.Background(), &remitOnce{Ran: &count}, cmdx.Args{"id": "a"})
			Expect(count).To(Equal(1))
		})

		It("are read by In as their first value, and decode so", func() {
			t := ran(url.Values{"other": {"x", "y"}})
			Expect(cmdx.In[string](t, "other")).To(Equal("x"))
			Expect(cmdx.In[[]string](t, "other")).To(Equal([]string{"x", "y"}))
			var decoded struct {
				Other string `json:"other"`
			}
			Expect(t.Context().Decode(&decoded)).To(Succeed())
			Expect(decoded.Other).To(Equal("x"))
			Expect(json.Marshal(t.Context())).To(MatchJSON(`{"other":["x","y"]}`))
		})
	})

	Context("from a JSON decoder", func() {
		const body = `{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","cents":9900,"amount":12.50,"at":"2026-03-04T12:00:00+01:00","live":true,"tags":["a"],"steps":[1,2.0],"memo":null,"route":{"from":"Bonn","hops":2}}`

		DescribeTable("are the same with and without UseNumber", func(useNumber bool) {
			decoder := json.NewDecoder(strings.NewReader(body))
			if useNumber {
				decoder.UseNumber()
			}
			var args map[string]any
			Expect(decoder.Decode(&args)).To(Succeed())
			t := ran(args)
			Expect(t.ID).To(Equal(id))
			Expect(t.Cents).To(Equal(int64(9900)))
			Expect(t.Amount.String()).To(Equal("12.5"))
			Expect(t.At).To(Equal(noon))
			Expect(t.Live).To(BeTrue())
			Expect(t.Tags).To(Equal([]string{"a"}))
			Expect(t.Steps).To(Equal([]int{1, 2}))
			Expect(t.Memo).To(BeNil())
			Expect(t.Route.From).To(Equal("Bonn"))
			Expect(t.Route.Hops).To(Equal(2))
		}, Entry("with", true), Entry("without", false))

		It("keep large ids with UseNumber, and are refused rather than changed without", func() {
			decoder := json.NewDecoder(strings.NewReader(`{"cents":9007199254740993}`))
			decoder.UseNumber()
			var exact, rounded map[string]any
			Expect(decoder.Decode(&exact)).To(Succeed())
			Expect(ran(exact).Cents).To(Equal(int64(9007199254740993)))
			Expect(json.Unmarshal([]byte(`{"cents":9007199254740993}`), &rounded)).To(Succeed())
			Expect(run(rounded)).To(endFailed("cents could not coerce into an integer"))
		})

		It("may be raw, key by key", func() {
			var args map[string]json.RawMessage
			Expect(json.Unmarshal([]byte(body), &args)).To(Succeed())
			t := ran(args)
			Expect(t.Cents).To(Equal(int64(9900)))
			Expect(t.Amount.String()).To(Equal("12.5"))
			Expect(t.At).To(Equal(noon))
			Expect(t.Memo).To(BeNil())
			Expect(t.Route.Hops).To(Equal(2))
		})
	})

	It("match their keys exactly", func() {
		Expect(ran(cmdx.Args{"Cents": 1, "CENTS": 2, "cents ": 3}).Cents).To(BeZero())
		Expect(ran(url.Values{"Cents": {"1"}}).Cents).To(BeZero())
	})

	It("name no value when they are none", func() {
		r := run([]string{"secret"})
		Expect(r).To(endFailed())
		Expect(r.Reason()).NotTo(ContainSubstring("secret"))
	})
})
