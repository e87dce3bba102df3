package task

import (
	"github.com/cmdx-go/cmdx/internal/run"
	"github.com/cmdx-go/cmdx/stores"
)

// settlement is what a hold keeps for what comes after its pipeline.
type settlement struct {
	// ending is how the pipeline ended.
	ending run.Ending
	// spoiled says that the run was no success at some time afterwards.
	spoiled bool
	// left is how many entries, from the first, the pipeline held.
	left int
	// later tells by entry what is left when the outermost middleware has
	// returned; nil for nothing.
	later []bool
}

func (s *settlement) postponed(i int) bool { return s.later != nil && s.later[i] }

// postpone keeps what is to be settled after the middlewares out of the first
// leaving. Without anything around the pipeline the two are one.
func (e *execution) postpone(h *hold) {
	if e.surrounded == nil {
		return
	}
	for i, g := range h.guards[:h.left] {
		if g.Traits().Settle != run.AfterMiddlewares || !h.holds(i) {
			continue
		}
		if h.later == nil {
			h.later = make([]bool, len(h.guards))
		}
		h.later[i] = true
		h.entries[i].Part = stores.PartNone
	}
	if h.later != nil {
		e.beatLater(h)
	}
}

// settleHold leaves what was postponed, once. Only a run that has been a
// success all along completes its claim.
func (e *execution) settleHold() {
	h := e.hold.Load()
	if h == nil || h.later == nil {
		return
	}
	later := h.later
	h.later = nil
	h.heartbeat.end()
	h.heartbeat = nil
	ending := h.ending
	ending.Succeeded = ending.Succeeded && !h.spoiled && e.succeeded()
	for i, g := range h.guards[:h.left] {
		h.entries[i].Part = stores.PartNone
		if later[i] {
			h.entries[i].Part = g.Part(e, &h.entries[i], ending)
		}
	}
	e.leaveWith(h, later)
}

// takeBack deletes the claims that the run has completed: it is no success any
// more.
func (e *execution) takeBack() {
	h := e.hold.Load()
	if h == nil {
		return
	}
	h.spoiled = true
	if h.held > 0 {
		return // the pipeline has not left: it will leave as a failure
	}
	completed := make([]bool, h.left)
	some := false
	for i := range completed {
		completed[i] = h.entries[i].Part == stores.PartComplete
		some = some || completed[i]
	}
	if !some {
		return
	}
	for i := range completed {
		h.entries[i].Part = stores.PartNone
		if completed[i] {
			h.entries[i].Part = stores.PartTakeBack
		}
	}
	e.leaveWith(h, completed)
}
