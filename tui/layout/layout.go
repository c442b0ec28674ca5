// Package layout is the arithmetic of the screen: sizes into rectangles, and
// text into areas of exactly so many cells. It is ANSI-aware, knows wide
// characters, and holds its promises for every size and every text.
package layout

// Rect is an area of the screen in cells, its corner at the top left.
type Rect struct{ X, Y, W, H int }

// Size is a class of terminal sizes; views choose their arrangement by it.
type Size int

// The classes. Below 40x12 nothing useful fits; 80x24 is Narrow and shows
// everything that matters; Normal has two columns; Wide has room to spare.
const (
	TooSmall Size = iota
	Narrow
	Normal
	Wide
)

// The smallest terminal that is drawn on.
const (
	MinW = 40
	MinH = 12
)

// Class returns the class of a terminal of w x h cells.
func Class(w, h int) Size {
	switch {
	case w < MinW || h < MinH:
		return TooSmall
	case w < 100 || h < 24:
		return Narrow
	case w < 160 || h < 45:
		return Normal
	}
	return Wide
}

// Columns divides w cells by weight; the parts add up to exactly w (0 for a
// negative w) and are never negative. A weight below 0 counts as 0; when all
// are 0 the parts are equal.
func Columns(w int, weights ...int) []int {
	out := make([]int, len(weights))
	if len(weights) == 0 {
		return out
	}
	w = max(w, 0)
	total := 0
	for _, k := range weights {
		total += max(k, 0)
	}
	// Each part ends at the rounded share of all weights up to it, so the
	// rounding never adds up.
	sum, at := 0, 0
	for i, k := range weights {
		if total == 0 {
			sum++
		} else {
			sum += max(k, 0)
		}
		of := total
		if of == 0 {
			of = len(weights)
		}
		end := w * sum / of
		out[i], at = end-at, end
	}
	return out
}

// Rows divides h lines by weight, as Columns does for width.
func Rows(h int, weights ...int) []int { return Columns(h, weights...) }

// SplitH divides a rectangle into columns by weight.
func (r Rect) SplitH(weights ...int) []Rect {
	out := make([]Rect, len(weights))
	x := r.X
	for i, w := range Columns(r.W, weights...) {
		out[i] = Rect{x, r.Y, w, r.H}
		x += w
	}
	return out
}

// SplitV divides a rectangle into rows by weight.
func (r Rect) SplitV(weights ...int) []Rect {
	out := make([]Rect, len(weights))
	y := r.Y
	for i, h := range Rows(r.H, weights...) {
		out[i] = Rect{r.X, y, r.W, h}
		y += h
	}
	return out
}
