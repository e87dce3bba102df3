package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/cmdx-go/cmdx"
)

var errNoSeat = errors.New("no seat left")

// region rollback

// BookTrip reserves a room before it looks for a seat.
type BookTrip struct{ cmdx.Base }

// Work fails halfway.
func (t *BookTrip) Work(context.Context) error {
	fmt.Println("room reserved")
	return errNoSeat
}

// Rollback gives the room back. Its ctx is alive although the caller may have
// gone.
func (t *BookTrip) Rollback(context.Context) error {
	fmt.Println("room given back")
	return nil
}

// endregion

func booking(ctx context.Context) {
	// region rollback-run
	result := cmdx.Execute(ctx, &BookTrip{}, nil)
	fmt.Println(result.Status(), result.RolledBack())
	// endregion
}
