// Package view draws jtop's tabs and overlays. Every view is a pure function
// of the context (theme, size), the frame and the tab's own state: no IO, no
// clock, no terminal. It returns exactly Ctx.H lines of exactly Ctx.W cells.
package view

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
)

// Ctx is what every view draws with.
type Ctx struct {
	Th      *theme.Theme
	W, H    int              // cells of the area to fill
	Buckets int              // buckets that the frame's series were reduced to; see BucketsFor
	Cursor  probes.Opt[int]  // bucket of the charts' cursor (paused and replay); unknown: none
	Window  time.Duration    // width of the time axis, for captions; 0: not said
	Ask     probes.Opt[bool] // what costs the target anything may be asked for; known false: read-only
}

// size returns a copy of the context for an area of w x h cells.
func (c Ctx) size(w, h int) Ctx {
	c.W, c.H = max(w, 0), max(h, 0)
	return c
}
