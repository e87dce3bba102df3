package benchmarks

import (
	"context"
	"testing"

	"github.com/go-playground/validator/v10"
	"github.com/mitchellh/mapstructure"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// signUp has five inputs that are coerced, validated and bound.
type signUp struct {
	cmdx.Base
	Name     string  `cmdx:"name"`
	Age      int64   `cmdx:"age"`
	Plan     string  `cmdx:"plan"`
	Discount float64 `cmdx:"discount"`
	Terms    bool    `cmdx:"terms"`
}

func (*signUp) Configure(c *cmdx.Config) {
	c.Required("name", inputs.Coerce(inputs.String), inputs.Validate("min=3,max=80"))
	c.Required("age", inputs.Coerce(inputs.Integer), inputs.Validate("gte=18,lte=130"))
	c.Required("plan", inputs.Coerce(inputs.String), inputs.Validate("oneof=free pro team"))
	c.Optional("discount", inputs.Coerce(inputs.Float), inputs.Validate("gte=0,lt=1"))
	c.Required("terms", inputs.Coerce(inputs.Boolean), inputs.Validate("eq=true"))
}

func (*signUp) Work(context.Context) error { return nil }

// signUpForm is the same for the two libraries that are most used for this.
type signUpForm struct {
	Name     string  `mapstructure:"name" validate:"min=3,max=80"`
	Age      int64   `mapstructure:"age" validate:"gte=18,lte=130"`
	Plan     string  `mapstructure:"plan" validate:"oneof=free pro team"`
	Discount float64 `mapstructure:"discount" validate:"gte=0,lt=1"`
	Terms    bool    `mapstructure:"terms" validate:"eq=true"`
}

func signUpArgs() map[string]any {
	return map[string]any{"name": "Ada Lovelace", "age": "36", "plan": "team", "discount": "0.25", "terms": "true"}
}

// BenchmarkInputs measures a whole execution with five inputs beside decoding
// and validating the same data into a struct, by turns in one run.
func BenchmarkInputs(b *testing.B) {
	args, validate, runtime := signUpArgs(), validator.New(), cmdx.New(cmdx.Configuration{})
	beside(b, 1, func(context.Context) bool {
		var form signUpForm
		return mapstructure.WeakDecode(args, &form) == nil && validate.Struct(&form) == nil && form.Age == 36
	}, func(ctx context.Context) bool {
		res := runtime.Execute(ctx, &signUp{}, args)
		return res.IsSuccess() && res.Task().(*signUp).Age == 36
	})
}

// BenchmarkInputsAlone gives the allocations of both sides.
func BenchmarkInputsAlone(b *testing.B) {
	args, validate, runtime := signUpArgs(), validator.New(), cmdx.New(cmdx.Configuration{})
	b.Run("execute", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			runtime.Execute(b.Context(), &signUp{}, args)
		}
	})
	b.Run("mapstructure and validator", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var form signUpForm
			if mapstructure.WeakDecode(args, &form) != nil || validate.Struct(&form) != nil {
				b.Fatal("refused")
			}
		}
	})
}
