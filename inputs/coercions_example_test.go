package inputs_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// color is red, green and blue.
type color [3]uint8

func parseColor(v any) (color, error) {
	var c color
	text, _ := v.(string)
	if n, err := fmt.Sscanf(text, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil || n != 3 {
		return color{}, errors.New("write it as #rrggbb")
	}
	return c, nil
}

var colorCoercion = inputs.Register("color", parseColor)

// paint has inputs that are read otherwise than usual.
type paint struct {
	cmdx.Base
	Color color `cmdx:"color"`
	Mask  int   `cmdx:"mask"`
}

func (*paint) Configure(c *cmdx.Config) {
	c.Required("color", inputs.Coerce(colorCoercion))
	c.Optional("mask", inputs.Base(0))
	c.Optional("dry_on", inputs.Coerce(inputs.Date), inputs.Layout("02.01.2006"))
	c.Optional("layer", inputs.Coerce(inputs.Integer, inputs.Func("layer", func(v any) (int64, error) {
		if v == "base" {
			return 1, nil
		}
		return 0, errors.New("no such layer")
	})))
}

func (t *paint) Work(context.Context) error {
	fmt.Println(t.Color, t.Mask, t.Input("dry_on"), t.Input("layer"))
	return nil
}

func ExampleRegister() {
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#ff8000"})
	fmt.Println(cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "orange"}).Reason())
	// Output:
	// [255 128 0] 0 <nil> <nil>
	// color could not coerce into a color
}

func ExampleBase() {
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "mask": "0b101"})
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "mask": "0x1f"})
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "mask": "017"})
	// Output:
	// [0 0 0] 5 <nil> <nil>
	// [0 0 0] 31 <nil> <nil>
	// [0 0 0] 17 <nil> <nil>
}

func ExampleLayout() {
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "dry_on": "04.03.2026"})
	// Output: [0 0 0] 0 2026-03-04 00:00:00 +0000 UTC <nil>
}

func ExampleFunc() {
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "layer": "7"})
	cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "layer": "base"})
	fmt.Println(cmdx.Execute(context.Background(), &paint{}, cmdx.Args{"color": "#000000", "layer": "top"}).Reason())
	// Output:
	// [0 0 0] 0 <nil> 7
	// [0 0 0] 0 <nil> 1
	// layer could not coerce into one of: integer, layer
}
