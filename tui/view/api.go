package view

import (
	"example.com/jtop/probes"
)

type rowCache struct{}

func memoryRows(f *probes.Frame) int {
	if f == nil || f.Snap == nil || f.Snap.Raw == nil {
		return 1
	}
	return 1 + len(f.Snap.Raw.Pools)
}

func Overview(c Ctx, f *probes.Frame) string                   { return "" }
func Memory(c Ctx, f *probes.Frame, st *MemoryState) string   { return "" }
func Threads(c Ctx, f *probes.Frame, st *ThreadsState) string { return "" }
func GC(c Ctx, f *probes.Frame, st *GCState) string           { return "" }
func Classes(c Ctx, f *probes.Frame) string                   { return "" }
func VM(c Ctx, f *probes.Frame, st *VMState) string           { return "" }
func Load(c Ctx, f *probes.Frame, st *LoadState) string       { return "" }
func Picker(c Ctx, l PickerList, st *PickerState) string      { return "" }

// Header is one line.
func Header(c Ctx, h HeaderInfo) string { return "" }

// TabBar is one line.
func TabBar(c Ctx, active Tab, running bool) string { return "" }

// TabAt tells the tab under cell x of the tab bar.
func TabAt(c Ctx, running bool, x int) (Tab, bool) { return 0, false }

// Footer is one line.
func Footer(c Ctx, f FooterInfo) string { return "" }

// Help is an overlay of c.W x c.H.
func Help(c Ctx, groups []HelpGroup, scroll int) string { return "" }

// Confirm asks before an act: what it does and what it costs.
func Confirm(c Ctx, title, text string) string { return "" }

// TooSmall says what size is needed; any size.
func TooSmall(c Ctx) string { return "" }

// Waiting is the screen of a picked JVM before its first sample.
func Waiting(c Ctx, j *probes.JVM, problem *probes.Problem) string { return "" }

// LostBanner is one line (c.W cells) above the last frame of a target that
// ended; "" while it lives.
func LostBanner(c Ctx, f *probes.Frame) string { return "" }

// SeriesFor names the series that a tab draws.
func SeriesFor(t Tab) []probes.SeriesID { return nil }

// BucketsFor tells how many buckets a tab's charts want on an area of w cells.
func BucketsFor(t Tab, w int) int { return 2 * w }
