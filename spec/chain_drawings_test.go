package spec

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/cmdx-go/cmdx"
)

// drawnOddly has a name that means something to whoever draws.
type drawnOddly struct{ doing }

func (*drawnOddly) Configure(c *cmdx.Config) {
	c.Name("odd\"]; click n0 \"javascript:x\" %% <b>#quot;\n-->é")
}

var _ = Describe("Chains, drawn", func() {
	checkout := func() *cmdx.Result {
		return doRun(func(ctx context.Context, t *doing) error {
			time.Sleep(time.Second)
			cmdx.Execute(ctx, &heardSibling{}, cmdx.Args{"card": "visa-card"})
			nested := cmdx.Execute(ctx, do(func(_ context.Context, t *doing) error {
				time.Sleep(2 * time.Second)
				return t.Fail("visa-card declined", cmdx.Metadata{"card": "visa-card"})
			}), nil)
			time.Sleep(time.Second)
			return nested.Err()
		})
	}

	It("as a Mermaid flowchart", bubble(), func() {
		Expect(checkout().Chain().ToMermaid()).To(Equal(`flowchart TD
    n0["doing failed"]:::failed
    n1["heardSibling success"]:::success
    n2["doing failed"]:::failed
    n0 --> n1
    n0 --> n2
    n0 -.->|echoes| n2
    classDef success fill:#d7f5dd
    classDef skipped fill:#f5f0d7
    classDef failed fill:#f8d7da
`))
	})

	It("as a timeline", bubble(), func() {
		Expect(checkout().Chain().Timeline()).To(Equal(strings.Join([]string{
			"doing        |========================================| +0s 4s failed",
			"heardSibling |         =                              | +1s 0s success",
			"doing        |         =====================          | +1s 2s failed",
			"",
		}, "\n")))
	})

	It("show no values", bubble(), func() {
		chain := checkout().Chain()
		Expect(chain.ToMermaid() + chain.Timeline()).NotTo(ContainSubstring("visa"))
	})

	It("survive any name", func() {
		r := cmdx.New(cmdx.Configuration{}).Execute(context.Background(), &drawnOddly{}, nil)
		Expect(r.Chain().ToMermaid()).To(ContainSubstring(
			`    n0["odd#34;#93;#59; click n0 #34;javascript#58;x#34; #37;#37; #60;b#62;#35;quot#59; #45;#45;#62;é success"]:::success` + "\n"))
		Expect(strings.Count(r.Chain().Timeline(), "\n")).To(Equal(1))
	})

	It("are empty while nothing has finished", func() {
		doRun(func(ctx context.Context, t *doing) error {
			var none *cmdx.Chain
			Expect(none.Timeline()).To(BeEmpty())
			Expect(none.ToMermaid()).To(HavePrefix("flowchart TD\n"))
			return nil
		})
	})

	It("draw nested executions before the root has ended", func() {
		doRun(func(ctx context.Context, t *doing) error {
			chain := cmdx.Execute(ctx, &heardSibling{}, nil).Chain()
			Expect(chain.ToMermaid()).To(And(ContainSubstring(`n0["heardSibling success"]`), Not(ContainSubstring("-->"))))
			Expect(chain.Timeline()).To(HavePrefix("heardSibling |="))
			return nil
		})
	})
})
