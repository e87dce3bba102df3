package inputs_test

import (
	"context"
	"fmt"

	"github.com/cmdx-go/cmdx"
	"github.com/cmdx-go/cmdx/inputs"
)

// createUser declares by Configure, and binds by tags.
type createUser struct {
	cmdx.Base
	Email string   `cmdx:"email"`
	Age   int      `cmdx:"age"`
	Roles []string `cmdx:"roles"`
}

func (*createUser) Configure(c *cmdx.Config) {
	c.Required("email", inputs.Coerce(inputs.String), inputs.Presence())
	c.Required("age", inputs.Coerce(inputs.Integer), inputs.Validate("gte=18"))
	c.Optional("roles", inputs.Default([]string{"reader"}))
}

func (t *createUser) Work(context.Context) error {
	fmt.Println(t.Email, t.Age, t.Roles)
	return nil
}

// subscribe declares by tags alone.
type subscribe struct {
	cmdx.Base
	Email string `cmdx:"email,required" validate:"email"`
	Daily bool   `cmdx:"daily"`
}

func (t *subscribe) Work(context.Context) error {
	fmt.Println(t.Email, t.Daily)
	return nil
}

func ExampleRequired() {
	for _, args := range []cmdx.Args{
		{"email": "ada@example.org", "age": " 36 "},
		{"email": " ", "age": 17},
		{"age": 36.5},
	} {
		if result := cmdx.Execute(context.Background(), &createUser{}, args); result.IsFailed() {
			fmt.Println(result.Errors().ToMap())
		}
	}
	// Output:
	// ada@example.org 36 [reader]
	// map[age:[must be at least 18] email:[cannot be empty]]
	// map[age:[could not coerce into an integer] email:[is required]]
}

func ExampleValidate() {
	result := cmdx.Execute(context.Background(), &subscribe{}, cmdx.Args{"email": "ada@example.org", "daily": "yes"})
	fmt.Println(result.Status())
	result = cmdx.Execute(context.Background(), &subscribe{}, cmdx.Args{"email": "nobody"})
	fmt.Println(result.Status(), result.Errors().Keys())
	// Output:
	// ada@example.org true
	// success
	// failed [email]
}

func ExampleConvert() {
	whole, err := inputs.Convert[uint8](255.0)
	fmt.Println(whole, err)

	_, err = inputs.Convert[uint8](256)
	fmt.Println(err != nil)
	// Output:
	// 255 <nil>
	// true
}
