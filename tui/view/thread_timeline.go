package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// stuckDumps is from how many dumps in a row at the same frames on a thread
// counts as stuck; two may be chance.
const stuckDumps = 3

// TimelineState is the Timeline page's; Table.Cursor is the selected thread's key.
type TimelineState struct {
	Table  table.State
	Typing bool // keys go to the filter

	of  *probes.Timeline // what rows are of, and how they were asked for
	was struct {
		col, filter string
		desc        bool
	}
	rows []table.Row
}

// State is the table's.
func (s *TimelineState) State() *table.State { return &s.Table }

// Typed is whether keys go to the filter.
func (s *TimelineState) Typed() *bool { return &s.Typing }

// timelineColumns is what is sorted by. Their widths are those of a screen of w
// cells: the strip takes what the others leave.
func timelineColumns(w int) []table.Column {
	cols := []table.Column{
		{ID: "name", Title: "NAME", Width: clamp(w/5, 10, 40), Priority: 9},
		{ID: "state", Title: "STATE", Width: 10, Priority: 8},
		{ID: "strip", Priority: 10},
		{ID: "blocked", Title: "BLOCK %", Width: 8, Right: true, Desc: true, Priority: 7},
		{ID: "running", Title: "RUN %", Width: 7, Right: true, Desc: true, Priority: 6},
		{ID: "stuck", Title: "STUCK FOR", Width: 12, Right: true, Desc: true, Priority: 5},
	}
	// Columns go, the last first, until the strip has a third of the screen.
	used := 2
	for i := range cols {
		used += cols[i].Width + 2
	}
	used -= 2
	for i := len(cols) - 1; i > 2 && w-used < w/3; i-- {
		used -= cols[i].Width + 2
	}
	cols[2].Width = max(w-used, 1)
	return cols
}

func (s *TimelineState) timeline(f *probes.Frame) *probes.Timeline {
	if f == nil || f.Threads == nil {
		return nil
	}
	return f.Threads.Timeline
}

// visible is the threads that pass the filter, in order. The rows have no
// cells: thousands would cost more than all that is drawn of them.
func (s *TimelineState) visible(t *probes.Timeline) []table.Row {
	if t == nil {
		return nil
	}
	if s.Table.SortCol == "" {
		s.Table.SortCol, s.Table.Desc = "blocked", true
	}
	is := s.was
	is.col, is.desc, is.filter = s.Table.SortCol, s.Table.Desc, s.Table.Filter
	if s.of == t && s.was == is {
		return s.rows
	}
	s.of, s.was = t, is
	order := make([]timelineSort, 0, len(t.Rows))
	for i := range t.Rows {
		if r := &t.Rows[i]; table.Match(is.filter, r.Name, timelineState(r)) {
			order = append(order, sortOf(r, i, is.col))
		}
	}
	slices.SortStableFunc(order, func(a, b timelineSort) int {
		switch c := cmp.Or(cmp.Compare(a.num, b.num), strings.Compare(a.text, b.text)); {
		case a.unknown != b.unknown: // last in both directions
			return boolOrder(a.unknown)
		case is.desc:
			return -c
		default:
			return c
		}
	})
	s.rows = make([]table.Row, len(order))
	for i, o := range order {
		s.rows[i] = table.Row{Key: timelineKey(&t.Rows[o.at]), Index: o.at}
	}
	return s.rows
}

// timelineSort is what a thread is sorted by.
type timelineSort struct {
	at      int // in Timeline.Rows
	num     float64
	text    string
	unknown bool
}

func sortOf(r *probes.TimelineRow, i int, col string) timelineSort {
	s := timelineSort{at: i}
	number := func(o probes.Opt[float64]) { s.num, s.unknown = o.V, !o.OK }
	switch col {
	case "name":
		s.text = strings.ToLower(r.Name)
	case "state":
		s.text = timelineState(r)
	case "blocked":
		number(r.Share[probes.PhaseBlocked])
	case "running":
		number(r.Share[probes.PhaseRunning])
	case "stuck":
		s.num, s.unknown = r.SameFor.Seconds(), !stuck(r)
	}
	return s
}

func boolOrder(after bool) int {
	if after {
		return 1
	}
	return -1
}

// timelineKey is the thread's key; native ids come back, so that one that has
// ended has its own.
func timelineKey(r *probes.TimelineRow) string {
	if r.Ended {
		return fmt.Sprintf("%s ended %d", r.Key(), r.ID)
	}
	return r.Key()
}

func timelineState(r *probes.TimelineRow) string {
	if r.Ended {
		return "ended"
	}
	return r.Phase.String()
}

// stuck tells a thread that has work and was at the same frames for some dumps.
func stuck(r *probes.TimelineRow) bool { return !r.Ended && !r.Idle && r.Same >= stuckDumps }

// Move moves the selection by n rows of those that are shown.
func (s *TimelineState) Move(f *probes.Frame, n int) { s.Table.Move(s.visible(s.timeline(f)), n) }

// NextSort sorts by the next column that has an order; Reverse turns it round.
func (s *TimelineState) NextSort() {
	s.Table.NextSort(timelineColumns(0))
	if s.Table.SortCol == "strip" {
		s.Table.NextSort(timelineColumns(0))
	}
}

// Reverse turns the order round.
func (s *TimelineState) Reverse() { s.Table.Reverse() }

func (s *TimelineState) selected(f *probes.Frame) string {
	row, ok := s.Table.Selected(s.visible(s.timeline(f)))
	if !ok {
		return ""
	}
	return row.Key
}

// threadsTimeline is the page: a line for each thread.
func (c Ctx) threadsTimeline(f *probes.Frame, s *TimelineState) string {
	if why, empty := c.noView(f, probes.WantTimeline); empty {
		return c.lines(why)
	}
	t := f.Threads.Timeline
	detail := ""
	if c.H >= 12 {
		detail = c.timelineDetail(f, t, s)
	}
	chartText, chartH := "", 0
	if c.H >= 30 {
		chartH = clamp(c.H/4, 7, 12)
		chartText = statesChart(c, f, c.W, chartH)
	}
	head := c.phaseLegend(f)
	if chartH > 0 {
		head = c.dumpLine(f) // the chart has its own legend
	}
	h := c.H - 1 - chartH - strings.Count(detail, "\n")
	if detail != "" {
		h--
	}
	return c.lines(head, chartText, c.timelineTable(f, t, s, h), detail)
}

// phaseLegend is the phases with their letters, and how many threads of the
// latest dump are in each.
func (c Ctx) phaseLegend(f *probes.Frame) string {
	n := f.Dump.Phases()
	var parts []string
	for _, p := range probes.ThreadPhases {
		style, letter := c.Th.Phase(p)
		parts = append(parts, style.Render(letter+" "+p.String())+" "+c.strong(fmt.Sprint(n[p])))
	}
	age := c.dim("  " + dumpAge(f))
	if t := f.Threads.Timeline; t.Unfollowed > 0 {
		age = c.Th.Warn.Render(fmt.Sprintf("  %d threads are not followed", t.Unfollowed)) + age
	}
	return c.pad(strings.Join(parts, "  "), c.W-width(age)) + age
}

func (c Ctx) timelineTable(f *probes.Frame, t *probes.Timeline, s *TimelineState, h int) string {
	if h <= 0 {
		return ""
	}
	vis := s.visible(t)
	if len(t.Rows) == 0 {
		return c.dim(c.cut("no dump in the time shown: + shows more", c.W))
	}
	cols := timelineColumns(c.W)
	cols[2].Title = timeTitle(f, t, cols[2].Width)
	draw := func(i int, cell func(r *probes.TimelineRow, w int) string) {
		cols[i].Draw = func(r *table.Row, w int) string { return cell(&t.Rows[r.Index], w) }
	}
	draw(0, func(r *probes.TimelineRow, _ int) string { return r.Name })
	draw(1, func(r *probes.TimelineRow, _ int) string {
		if r.Ended {
			return c.dim("ended")
		}
		style, letter := c.Th.Phase(r.Phase)
		return style.Render(letter + " " + r.Phase.String())
	})
	draw(2, func(r *probes.TimelineRow, w int) string { return c.strip(t.Cells(r, w)) })
	share := func(p probes.ThreadPhase) func(*probes.TimelineRow, int) string {
		return func(r *probes.TimelineRow, _ int) string {
			if r.Share[p].Or(0) == 0 {
				return c.dim(sharePercent(r.Share[p]))
			}
			style, _ := c.Th.Phase(p)
			return style.Render(sharePercent(r.Share[p]))
		}
	}
	draw(3, share(probes.PhaseBlocked))
	draw(4, share(probes.PhaseRunning))
	draw(5, func(r *probes.TimelineRow, _ int) string {
		switch {
		case stuck(r) && r.Phase == probes.PhaseBlocked:
			return c.Th.Bad.Render(stuckText(r))
		case stuck(r):
			return stuckText(r)
		case r.Idle && !r.Ended:
			return c.dim("idle")
		}
		return ""
	})
	return table.DrawVisible(c.Th, cols, vis, len(t.Rows), &s.Table, c.W, h)
}

func stuckText(r *probes.TimelineRow) string {
	return fmt.Sprintf("%s, %dx", ageShort(r.SameFor), r.Same)
}

// sharePercent is a share of time in percent; anything above 0 is more than 0.
func sharePercent(o probes.Opt[float64]) string {
	if !o.OK {
		return "-"
	}
	if o.V > 0 && o.V < 0.01 {
		return "<1"
	}
	return fmt.Sprintf("%.0f", o.V*100)
}

// strip draws cells: the letter of each phase in its colour; small where the
// thread was blocked at some dump of a cell and something else for most of it.
func (c Ctx) strip(cells []probes.TimelineCell) string {
	var b, run strings.Builder
	last := probes.TimelineCell{}
	flush := func() {
		if run.Len() > 0 {
			p := last.Phase
			if last.Blocked {
				p = probes.PhaseBlocked
			}
			style, _ := c.Th.Phase(p)
			b.WriteString(style.Render(run.String()))
			run.Reset()
		}
	}
	for _, x := range cells {
		if x != last {
			flush()
			last = x
		}
		_, letter := c.Th.Phase(x.Phase)
		if x.Blocked && x.Phase != probes.PhaseBlocked {
			letter = "b"
		}
		run.WriteString(letter)
	}
	flush()
	return b.String()
}

// timeTitle is the strip's time axis.
func timeTitle(f *probes.Frame, t *probes.Timeline, w int) string {
	return clockLine(f, t.From, t.To, w)
}

// clockLine is a time axis of w cells: its ends, and the middle where there is
// room.
func clockLine(f *probes.Frame, from, to time.Duration, w int) string {
	const clock = "15:04:05"
	at := func(d time.Duration) string { return f.WallAt(d).Format(clock) }
	if w < 2*len(clock)+2 {
		return at(from)
	}
	line := []byte(strings.Repeat(" ", w))
	parts := clamp(w/24, 1, 6)
	for i := range parts {
		x := w * i / parts
		copy(line[x:], at(from+(to-from)*time.Duration(i)/time.Duration(parts)))
	}
	copy(line[w-len(clock):], at(to))
	return string(line)
}

// timelineDetail is what the selected thread did in the time shown, and where
// it is.
func (c Ctx) timelineDetail(f *probes.Frame, t *probes.Timeline, s *TimelineState) string {
	row, ok := s.Table.Selected(s.visible(t))
	if !ok {
		return ""
	}
	r := &t.Rows[row.Index]
	var parts []string
	for _, p := range probes.ThreadPhases {
		if v := r.Share[p]; v.Or(0) > 0 {
			style, _ := c.Th.Phase(p)
			parts = append(parts, style.Render(p.String()+" "+sharePercent(v)+" %"))
		}
	}
	text := c.strong(c.cut(r.Name, max(c.W/3, 8))) + "  " + strings.Join(parts, "  ") + c.dim(" of the time it was seen")
	where := ""
	switch {
	case r.Ended:
		where = c.dim("  ended")
	case r.Idle:
		where = c.dim("  waits for work")
	case stuck(r):
		where = fmt.Sprintf("  at each of %d dumps over %s in ", r.Same, ageShort(r.SameFor)) + shortFrame(topFrameOf(f, r))
	default:
		where = "  in " + shortFrame(topFrameOf(f, r))
	}
	return c.pad(text, c.W) + "\n" + c.pad(where, c.W)
}

// topFrameOf is where a thread was in the latest dump.
func topFrameOf(f *probes.Frame, r *probes.TimelineRow) string {
	for i := range f.Dump.Threads {
		if t := &f.Dump.Threads[i]; t.NID == r.NID && t.ID == r.ID && t.Name == r.Name && len(t.Stack) > 0 {
			return t.Stack[0].Method
		}
	}
	return ""
}
