package view

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// fileColumns is the table of a dump in a file: no CPU and no rates, and what
// has become of each thread instead.
var fileColumns = append([]table.Column{{ID: "since", Title: "SINCE", Width: 16, Priority: 9}}, threadColumns[firstOfDump:]...)

// firstOfDump is the first column that is of the dump.
const firstOfDump = 4

func fileRow(r *probes.ThreadRow, cells []table.Cell) []table.Cell {
	since := table.Cell{Text: r.Since.Text}
	if r.Since.Rank > 0 {
		since.Sort = r.Since.Rank
	}
	return append([]table.Cell{since}, cells[firstOfDump:]...)
}

// fileLines is which dump of which file is shown, and how it compares with the
// one before.
func (c Ctx) fileLines(f *probes.Frame) []string {
	d := f.DumpAt
	where := fmt.Sprintf("dump %d of %d", d.At, d.Of)
	rest := ", " + d.File
	if d.Line > 1 {
		rest += fmt.Sprintf(" line %d", d.Line)
	}
	switch {
	case !d.Taken.IsZero():
		rest += ", taken " + d.Taken.Format("2006-01-02 15:04:05 -0700")
	case d.Stamp != "":
		rest += ", taken " + d.Stamp + " by the JVM's clock"
	default:
		rest += ", of unknown time"
	}
	if n := len(f.Rows); n > 0 {
		rest += ", " + plural(n, "thread")
	}
	out := c.wrapped(where+rest, c.Th.Header)
	switch {
	case !d.Compared && d.Of == 1:
		return out
	case !d.Compared:
		return append(out, c.pad(c.dim("the first one; n and p step through them"), c.W))
	}
	after := ""
	if d.Seconds.OK {
		after = fmt.Sprintf(" (%.0f s)", d.Seconds.V)
	}
	text := fmt.Sprintf("since the dump before%s: %d new, %d gone, %d moved, %d in another state, %d stuck", after, d.New, d.Gone, d.Moved, d.Changed, d.Stuck)
	if len(d.GoneOf) > 0 {
		text += "; gone: " + strings.Join(d.GoneOf, ", ")
		if more := d.Gone - len(d.GoneOf); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
	}
	if d.Mixed {
		text += "; the two are of two kinds, which list other threads"
	}
	return append(out, c.wrapped(text, lipgloss.NewStyle())...)
}
