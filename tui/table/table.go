// Package table is a table that sorts, filters and scrolls thousands of rows.
// The selection is a key, never an index, so it stays on its row when the
// order changes; only the rows on the screen are rendered.
package table

import (
	"github.com/charmbracelet/lipgloss"
)

// Column describes one column.
type Column struct {
	ID    string // names it in State.SortCol
	Title string
	Width int  // cells wanted
	Min   int  // cells it can do with; 0: Width
	Flex  bool // shares the cells that are left over
	Right bool // figures: aligned to the right
	// Priority decides which column goes when the table is narrow: the lowest
	// first, of equal ones the rightmost. The last column left never goes.
	Priority int
	Desc     bool // sorts descending first
	// Draw makes the text of this column's cells, for w cells, of the rows on the
	// screen alone: what is costly to draw and not worth it for thousands of rows.
	// A cell's own text, if it has one, is then for the filter. nil: that is drawn.
	Draw func(r *Row, w int) string
}

// Cell is one cell. Its text may carry SGR sequences, of a small bar for
// instance; they are dropped on the selected row.
type Cell struct {
	Text  string
	Style *lipgloss.Style // nil is the terminal's own; a pointer, for a style has 500 bytes and a table thousands of cells
	// Sort is the key: a float64, an int, an int64, a string or a *string. nil and NaN
	// are unknown and come last in both directions.
	Sort any
}

// Row is one row. A row with fewer cells than columns ends blank.
type Row struct {
	Key   string // identity, unique in the table
	Cells []Cell
	Index int // the caller's own, for Column.Draw
}

// State is what the user did to a table: a plain value. The zero value shows
// all rows in their own order and selects the first.
type State struct {
	SortCol string // ID of a column; "" or an unknown ID: the rows' own order
	Desc    bool
	Filter  string // see Visible
	Cursor  string // Key of the selected row; "" selects the first

	pos    int // where the cursor was, to stay there when its row is gone
	offset int // first row on the screen
	page   int // rows on the screen at the last Draw
}
