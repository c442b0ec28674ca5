// Package chart draws figures over time as text: braille charts with axes,
// sparklines and bars. It is the only importer of ntcharts, of which it uses
// the braille grid and nothing else: the ready-made charts average spikes
// away, know no gaps, and loop for ever on NaN.
//
// What is unknown stays a hole. A value that is not finite never reaches the
// grid. Maxima survive: a column shows the whole range from the least to the
// greatest reading that fell into it.
package chart

import (
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// Kind is how a line is drawn.
type Kind int

// The kinds.
const (
	Trace   Kind = iota // least to greatest of each bucket, joined
	Area                // filled from the bottom up to the trace
	Step                // holds its value until the next reading: committed, max
	Points              // readings alone, not joined: one per pause
	Stacked             // filled on top of the stacked lines before it; each reading holds until the next
)

// Line is one series of a chart. Buckets cover the x axis evenly; with
// BucketsFor of them each has a column of dots of its own.
type Line struct {
	Name    string
	Style   lipgloss.Style
	Buckets []series.Bucket
	Kind    Kind
	Letter  string // what a stacked line is drawn with where colours do not tell lines apart; one cell
}

// Mark is an event on the chart's top edge, such as a GC pause.
type Mark struct {
	At    int // bucket; outside of the buckets: not drawn
	Glyph string
	Style lipgloss.Style
}

// Spec is a whole chart.
type Spec struct {
	W, H  int // cells, axes and legend included
	Lines []Line
	// Marks take the plot's top line. An empty slice that is not nil keeps
	// that line free, so that the plot does not jump when the first comes.
	Marks []Mark

	YMin   probes.Opt[float64] // bottom of the axis; unknown: 0, or less where a reading is less
	YMax   probes.Opt[float64] // top of the axis, 100 for percentages; a reading above it raises it
	Binary bool                // round 1024-based figures on the axis; implied when YUnit writes 2^30 as "1 GB"
	Log    bool                // logarithmic axis; readings of 0 and less lie on its bottom
	YUnit  func(float64) string

	// From and To are the ends of the x axis, labelled in their own location;
	// zero: no labels.
	From, To time.Time
	Cursor   int    // bucket of a vertical line; -1: none
	Legend   bool   // a first line with names and the figures at the cursor, or the latest
	Empty    string // what to say when there is no reading at all
}

// Widths that Draw, PlotWidth and BucketsFor agree on.
const (
	axisW   = 9  // labels of the y axis and the axis itself
	axisMin = 30 // narrower charts have no y axis
	minW    = 12 // narrower or lower ones are a sparkline
	minH    = 4
)

// PlotWidth returns how many cells of a chart of w cells the plot itself has.
func PlotWidth(w int) int {
	if w < axisMin {
		return max(w, 0)
	}
	return w - axisW
}

// BucketsFor returns how many buckets fill a chart of w cells: two a cell.
func BucketsFor(w int) int { return 2 * PlotWidth(w) }
