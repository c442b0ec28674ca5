package view

import (
	"math"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/layout"
)

// strip is one graph of the Spaces page: a title line and what is under it.
type strip struct {
	name, value string
	more        string // behind the value where there is room
	buckets     []series.Bucket
	top         probes.Opt[int64] // bytes; unknown: the greatest reading is drawn as full
	style       lipgloss.Style
	share       bool // percent; else bytes
}

// leastShare is the height, in percent, that a strip of shares has at least:
// what is next to nothing must look so.
const leastShare = 1

// stripsOf is the strips that this JVM has figures for.
func (c Ctx) stripsOf(f *probes.Frame) []strip {
	var out []strip
	fill := func(name string, style lipgloss.Style, ids ...probes.PoolID) {
		s := strip{name: name, style: style} // bytes
		var used, size probes.Opt[int64]
		for _, id := range ids {
			p := pool(f, id)
			if p == nil {
				continue
			}
			s.buckets = greatest(s.buckets, f.Series[probes.PoolUsed(id)])
			if p.Used.OK && (!used.OK || p.Used.V > used.V) {
				used = p.Used
			}
			if p.Committed.OK && (!size.OK || p.Committed.V > size.V) {
				size = p.Committed
			}
		}
		if s.buckets == nil && !used.OK {
			return
		}
		s.value, s.top = bytesOpt(used)+" of "+bytesOpt(size), size
		out = append(out, s)
	}
	fill("Eden", c.series(0), probes.PoolEden)
	fill("Young", c.series(0), probes.PoolYoung)
	fill("Survivors", c.series(2), probes.PoolSurvivor, probes.PoolSurvivor0, probes.PoolSurvivor1)
	fill("Old", c.series(1), probes.PoolOld)
	fill("Heap", c.series(0), probes.PoolHeap)
	if !concurrentOnly(f.Snap) && f.Snap.GC.Pauses.OK {
		out = append(out, strip{name: "GC time", value: percentOpt(f.Snap.GC.Share) + " stopped", buckets: f.Series[probes.SeriesGCShare], style: c.series(4), share: true})
	}
	load := strip{name: "Class load", value: percentOpt(f.Snap.Classes.Share) + " of a thread", buckets: f.Series[probes.SeriesClassShare], style: c.series(3), share: true}
	if k := f.Snap.Raw.Classes; k != nil {
		load.more = ", " + countOpt(k.Loaded) + " loaded"
	}
	jit := strip{name: "Compile", value: percentOpt(f.Snap.JIT.Share) + " of a thread", buckets: f.Series[probes.SeriesJITShare], style: c.series(5), share: true}
	if j := f.Snap.Raw.JIT; j != nil {
		jit.more = ", " + countOpt(j.Compilations) + " methods"
	}
	return append(out, load, jit)
}

// greatest is two series in one, the greater reading of each bucket: of two
// survivor spaces one is empty at any time.
func greatest(a, b []series.Bucket) []series.Bucket {
	if len(a) != len(b) {
		return b
	}
	out := append([]series.Bucket(nil), a...)
	for i := range out {
		if b[i].N > 0 && (out[i].N == 0 || b[i].Max > out[i].Max) {
			out[i] = b[i]
		}
	}
	return out
}

// strips draws as many as fit, each as high as there is room.
func (c Ctx) strips(f *probes.Frame) string {
	all := c.stripsOf(f)
	if c.W <= 0 || c.H < 2 {
		return ""
	}
	all = all[:min(len(all), max(c.H/2, 1))]
	heights := layout.Rows(c.H, equal(len(all))...)
	var out []string
	for i, s := range all {
		top := probes.Float(s.top)
		scale := ""
		if !top.OK { // it has no size of its own, or none that is known: say what the height means
			most := greatestOf(s.buckets)
			if s.share {
				top = probes.Some(math.Max(most, leastShare))
				scale = ", max " + percentOpt(top)
			} else if most > 0 {
				top = probes.Some(most)
				scale = ", max " + bytesOpt(probes.Some(int64(most)))
			}
		}
		h := min(heights[i]-1, 8)
		title := c.strong(s.name) + " " + s.value
		if width(title)+width(s.more)+width(scale) <= c.W {
			title += s.more
		}
		title += c.dim(scale)
		out = append(out, c.pad(title, c.W), chart.Strip(c.Th, s.buckets, c.W, h, top.Or(0), s.style))
		if pad := heights[i] - 1 - h; pad > 0 {
			out = append(out, layout.Fit("", c.W, pad))
		}
	}
	return strings.Join(out, "\n")
}

func greatestOf(b []series.Bucket) float64 {
	m := 0.0
	for i := range b {
		if b[i].N > 0 && !math.IsInf(b[i].Max, 0) {
			m = math.Max(m, b[i].Max)
		}
	}
	return m
}
