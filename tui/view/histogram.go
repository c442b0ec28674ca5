package view

import (
	"fmt"
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/chart"
	"example.com/jtop/tui/table"
)

// histogramColumns are the classes of the latest histogram; the last four are
// known from the second one on.
var histogramColumns = []table.Column{
	{ID: "class", Title: "CLASS", Width: 40, Min: 28, Flex: true, Priority: 10},
	{ID: "instances", Title: "INSTANCES", Width: 11, Right: true, Priority: 7, Desc: true},
	{ID: "bytes", Title: "BYTES", Width: 9, Right: true, Priority: 9, Desc: true},
	{ID: "share", Title: "SHARE", Width: 7, Right: true, Priority: 4, Desc: true},
	{ID: "dinstances", Title: "+INST", Width: 10, Right: true, Priority: 5, Desc: true},
	{ID: "dbytes", Title: "+BYTES", Width: 10, Right: true, Priority: 8, Desc: true},
	{ID: "rate", Title: "+BYTES/MIN", Width: 11, Right: true, Priority: 6, Desc: true},
	{ID: "trend", Title: "TREND", Width: 10, Priority: 3},
	{ID: "module", Title: "MODULE", Width: 14, Priority: 1},
}

// HistogramState is the page of class histograms.
type HistogramState struct {
	tableState
	from *probes.Histogram // what rows were made of
	n    int
	th   any
	rows []table.Row
}

// NextSort sorts by the next column.
func (s *HistogramState) NextSort() { s.order(nil); s.Table.NextSort(histogramColumns) }

// Move moves the selection by n rows of those that are shown.
func (s *HistogramState) Move(f *probes.Frame, n int) {
	if f == nil {
		return
	}
	s.order(f)
	rows := s.tableRows(nil, f)
	s.Table.Move(table.Visible(histogramColumns, rows, &s.Table), n)
}

// order is by size with one histogram, and by growth from the second on.
func (s *HistogramState) order(f *probes.Frame) {
	if f != nil && len(f.Histograms) == 2 && s.n == 1 && s.Table.SortCol == "bytes" && s.Table.Desc {
		s.Table.SortCol = "dbytes"
	}
	s.sortBy("bytes")
}

// Histogram draws the classes of the heap, and what grew since the first
// histogram of the session.
func Histogram(c Ctx, f *probes.Frame, st *HistogramState) string {
	if f == nil {
		return Waiting(c, nil, nil)
	}
	if len(f.Histograms) == 0 {
		return c.asked("Which classes fill the heap, and which of them grow.", "h counts every object (stops the JVM; asks first and says for how long); H counts reachable ones only, after a full collection. A second count shows what grew.")
	}
	st.order(f)
	return c.tablePage(c.histogramHead(f), histogramColumns, st.tableRows(&c, f), &st.tableState)
}

// comparable are the histograms of the latest's kind: one after a full
// collection and one without differ by all the garbage.
func comparable(f *probes.Frame) []*probes.Histogram {
	last := f.Histograms[len(f.Histograms)-1]
	var out []*probes.Histogram
	for _, h := range f.Histograms {
		if h.Live == last.Live {
			out = append(out, aligned(f, h))
		}
	}
	return out
}

// aligned is a histogram with its time by the clock as it goes now, so that the
// time between two has no step of it.
func aligned(f *probes.Frame, h *probes.Histogram) *probes.Histogram {
	if len(f.Steps) == 0 || h.Taken.IsZero() {
		return h
	}
	out := *h
	out.Taken = f.Wall.Add(-f.Age(h.Taken))
	return &out
}

func (c Ctx) histogramHead(f *probes.Frame) []string {
	same := comparable(f)
	first, last := same[0], same[len(same)-1]
	kind := "all objects, reachable or not"
	if last.Live {
		kind = "reachable objects, after a full collection"
	}
	n, bytes := last.Total()
	line := c.strong(countOpt(n)+" objects, "+bytesOpt(bytes)) + "  " + kind + c.dim(fmt.Sprintf("  taken %s, %s ago", last.Taken.Format("15:04:05"), ageText(max(f.Age(last.Taken), 0).Truncate(time.Second))))
	if last.Pause.OK {
		line += c.dim(", stopped the JVM for " + durationMS(last.Pause.V))
	}
	out := []string{c.pad(line, c.W)}
	if len(same) < 2 {
		text := "take another one later: it shows what grew"
		if len(f.Histograms) > 1 {
			text = "the one before counted other objects (h and H differ by the garbage): take another of this kind to see what grew"
		}
		return append(out, c.pad(c.dim(text), c.W))
	}
	n0, b0 := first.Total()
	span := last.Taken.Sub(first.Taken)
	line = fmt.Sprintf("since %s (%s, %d histograms): ", first.Taken.Format("15:04:05"), ageText(span.Truncate(time.Second)), len(same))
	if n.OK && n0.OK && b0.OK && bytes.OK {
		line += c.strong(signed(bytes.V-b0.V, bytesText)) + ", " + signed(n.V-n0.V, count) + " objects"
		if per := probes.Ratio(probes.Some(float64(bytes.V-b0.V)), probes.Some(span.Minutes())); per.OK {
			line += ", " + signedRate(per, bytesText) + " a minute"
		}
	}
	if !last.Live {
		line += c.dim("; a collection between the two hides growth")
	}
	return append(out, c.pad(line, c.W))
}

func (st *HistogramState) tableRows(c *Ctx, f *probes.Frame) []table.Row {
	if len(f.Histograms) == 0 {
		return nil
	}
	same := comparable(f)
	last := same[len(same)-1]
	if st.from == last && st.n == len(f.Histograms) && st.rows != nil && (c == nil || st.th == any(c.Th)) {
		return st.rows
	}
	rows := histogramRows(c, same)
	if c != nil {
		st.from, st.n, st.th, st.rows = last, len(f.Histograms), c.Th, rows
	}
	return rows
}

func histogramRows(c *Ctx, same []*probes.Histogram) []table.Row {
	last := same[len(same)-1]
	growth := map[[2]string]*probes.HistogramGrowth{}
	grown := probes.CompareHistograms(same...)
	for i := range grown {
		growth[[2]string{grown[i].Class, grown[i].Module}] = &grown[i]
	}
	_, total := last.Total()
	var rows []table.Row
	add := func(class, module string, instances, bytes int64, key string) {
		cells := []table.Cell{
			{Text: class, Sort: class},
			{Text: count(instances), Sort: float64(instances)},
			{Text: bytesText(bytes), Sort: float64(bytes)},
			{Text: percentOpt(ratioPercent(probes.Some(bytes), total)), Sort: float64(bytes)},
			{Text: "-"}, {Text: "-"}, {Text: "-"}, {},
			{Text: module, Sort: module},
		}
		if g := growth[[2]string{class, module}]; g != nil {
			fillGrowth(c, g, cells[4:8])
		}
		rows = append(rows, table.Row{Key: key, Cells: cells})
	}
	seen := map[string]int{}
	for _, r := range last.Rows {
		id := r.Module + "/" + r.Class
		seen[id]++
		key := id
		if n := seen[id]; n > 1 { // another loader's class of this name
			key = fmt.Sprintf("%s#%d", id, n)
		}
		add(r.Class, r.Module, r.Instances, r.Bytes, key)
	}
	for _, g := range grown {
		if id := g.Module + "/" + g.Class; g.Gone && seen[id] == 0 {
			add(g.Class, g.Module, 0, 0, id)
		}
	}
	return rows
}

func fillGrowth(c *Ctx, g *probes.HistogramGrowth, cells []table.Cell) {
	var style *lipgloss.Style
	if c != nil && g.Steady {
		style = &c.Th.Warn // more in every histogram than in the one before
	}
	cells[0] = table.Cell{Text: signed(g.InstancesGrown, count), Sort: float64(g.InstancesGrown)}
	cells[1] = table.Cell{Text: signed(g.BytesGrown, bytesText), Sort: float64(g.BytesGrown), Style: style}
	cells[2] = table.Cell{Text: signedRate(g.BytesPerMinute, bytesText)}
	if g.BytesPerMinute.OK {
		cells[2].Sort = g.BytesPerMinute.V
	}
	if c == nil {
		return
	}
	buckets := make([]series.Bucket, min(len(g.Bytes), 10))
	for i := range buckets {
		v := float64(g.Bytes[len(g.Bytes)-len(buckets)+i])
		buckets[i] = series.Bucket{Min: v, Max: v, Last: v, N: 1}
	}
	cells[3] = table.Cell{Text: chart.Spark(c.Th, buckets, len(buckets), 0, lipgloss.NewStyle())}
}
