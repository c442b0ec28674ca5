package view

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// MethodsMode is what the page of hot methods draws.
type MethodsMode int

// The modes, in the order of their key.
const (
	MethodsFlat MethodsMode = iota // every method
	MethodsDown                    // from the outermost frames to what they call
	MethodsUp                      // from the innermost frames to their callers

	methodsModes = 3
)

// MethodsState is the page of hot methods.
type MethodsState struct {
	Mode   MethodsMode
	flat   tableState
	tree   tableState
	folded map[int]bool // nodes of the tree of this mode
	of     time.Time    // the profile that they are of
}

func (s *MethodsState) current() *tableState {
	if s.Mode == MethodsFlat {
		s.flat.sortBy("self")
		return &s.flat
	}
	return &s.tree
}

// State is the table's.
func (s *MethodsState) State() *table.State { return &s.current().Table }

// Typed is whether keys go to the filter.
func (s *MethodsState) Typed() *bool { return &s.current().Typing }

// Reverse turns the order of the list round; a tree has its own.
func (s *MethodsState) Reverse() {
	if s.Mode == MethodsFlat {
		s.current().Reverse()
	}
}

// NextSort sorts the list by the next column; a tree has its own order.
func (s *MethodsState) NextSort() {
	if s.Mode == MethodsFlat {
		s.current().Table.NextSort(methodColumns)
	}
}

// NextMode goes from the list to the trees and back.
func (s *MethodsState) NextMode() {
	s.Mode = (s.Mode + 1) % methodsModes
	s.folded, s.tree = nil, tableState{}
}

// Move moves the selection by n rows of those that are shown.
func (s *MethodsState) Move(f *probes.Frame, n int) {
	cols, rows := s.rows(f)
	st := s.State()
	st.Move(table.Visible(cols, rows, st), n)
}

// Enter folds the selected node or unfolds it; in the list it goes to the
// callers of the selected method.
func (s *MethodsState) Enter(f *probes.Frame) {
	cols, rows := s.rows(f)
	st := s.State()
	row, ok := st.Selected(table.Visible(cols, rows, st))
	if !ok {
		return
	}
	if s.Mode != MethodsFlat {
		var n int
		if _, err := fmt.Sscan(row.Key, &n); err == nil {
			if s.folded == nil {
				s.folded = make(map[int]bool)
			}
			s.folded[n] = !s.folded[n]
			st.Cursor = row.Key
		}
		return
	}
	s.Mode, s.folded, s.tree = MethodsUp, nil, tableState{}
	for i, n := range f.Profile.Up {
		if n.Depth == 0 && n.Name == row.Key {
			s.tree.Table.Cursor = fmt.Sprint(i)
		}
	}
}

var methodColumns = []table.Column{
	{ID: "self", Title: "SELF %", Width: 7, Right: true, Priority: 9, Desc: true},
	{ID: "total", Title: "TOTAL %", Width: 8, Right: true, Priority: 7, Desc: true},
	{ID: "cpu", Title: "CPU %", Width: 7, Right: true, Priority: 8, Desc: true},
	{ID: "totalcpu", Title: "ALL CPU %", Width: 10, Right: true, Priority: 5, Desc: true},
	{ID: "name", Title: "METHOD", Width: 30, Min: 20, Flex: true, Priority: 10},
}

var methodTreeColumns = []table.Column{
	{ID: "", Title: "SAMPLES %", Width: 9, Right: true, Priority: 9},
	{ID: "", Title: "CPU %", Width: 7, Right: true, Priority: 8},
	{ID: "", Title: "METHOD", Width: 30, Min: 20, Flex: true, Priority: 10},
}

// rows is the table of the mode; nil before a profile was made.
func (s *MethodsState) rows(f *probes.Frame) ([]table.Column, []table.Row) {
	if f == nil || f.Profile == nil {
		return methodColumns, nil
	}
	p := f.Profile
	if !s.of.Equal(p.Started) {
		s.of, s.folded = p.Started, nil
	}
	samples := func(name string, n int) table.Cell {
		if strings.HasPrefix(name, "[") {
			return table.Cell{Text: "-"} // no state tells whether it runs
		}
		return share(ratioPercent(probes.Some(int64(n)), probes.Some(int64(p.Running))), 1)
	}
	cpu := func(d time.Duration) table.Cell {
		if !p.CPU.OK {
			return table.Cell{Text: "-"}
		}
		return share(ratioPercent(probes.Some(int64(d)), probes.Some(int64(p.CPU.V))), 1)
	}
	if s.Mode == MethodsFlat {
		rows := make([]table.Row, len(p.Flat))
		for i, m := range p.Flat {
			rows[i] = table.Row{Key: m.Name, Cells: []table.Cell{samples(m.Name, m.Self), samples(m.Name, m.Total), cpu(m.SelfCPU), cpu(m.TotalCPU), {Text: m.Name, Sort: m.Name}}}
		}
		return methodColumns, rows
	}
	nodes := p.Down
	if s.Mode == MethodsUp {
		nodes = p.Up
	}
	var rows []table.Row
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		mark := "- "
		switch {
		case n.Leaf:
			mark = "  "
		case s.folded[i]:
			mark = "+ "
		}
		rows = append(rows, table.Row{Key: fmt.Sprint(i), Cells: []table.Cell{samples(n.Name, n.Samples), cpu(n.CPU), {Text: strings.Repeat("  ", min(n.Indent, 20)) + mark + n.Name}}})
		if s.folded[i] {
			for i+1 < len(nodes) && nodes[i+1].Depth > n.Depth {
				i++
			}
		}
	}
	return methodTreeColumns, rows
}

// threadsMethods is the page.
func (c Ctx) threadsMethods(f *probes.Frame, s *MethodsState) string {
	p := f.Profile
	if p == nil {
		return c.asked("Hot methods: where running threads are, by thread dumps taken for a bounded time.", "m samples (asks for how long, and first; stops the JVM within the stop budget)")
	}
	cols, rows := s.rows(f)
	return c.tablePage(append(c.profileHead(p), c.methodsMode(p, s)), cols, rows, s.current())
}

// profileHead says what the figures are of, and what they are not.
func (c Ctx) profileHead(p *probes.ProfileView) []string {
	first := fmt.Sprintf("%s running samples of %s in %.0f s", count(int64(p.Running)), plural(p.Dumps, "dump"), p.Took.Seconds())
	if p.Running > 0 {
		first += fmt.Sprintf(": a share is good to %.0f points", math.Ceil(98/math.Sqrt(float64(p.Running))))
	}
	first += "."
	if took := p.Took.Seconds(); took > 0 {
		first += fmt.Sprintf(" The JVM stood for %s of it, %.2f %%.", durationMS(p.Stopped), 100*p.Stopped.Seconds()/took)
	}
	out := c.wrapped(first, c.Th.Header)
	if p.Note != "" {
		out = append(out, c.wrapped(fmt.Sprintf("%s ended after %.0f of %.0f s: %s", c.Th.G.Warn, p.Took.Seconds(), p.Planned.Seconds(), p.Note), c.Th.Warn)...)
	}
	bias := "Taken at safepoints: a method shows at its next poll; a loop without one, or inlined code, in what comes after it."
	if p.CPU.OK {
		bias += fmt.Sprintf(" CPU %% is of the %.1f s that all threads used", p.CPU.V.Seconds())
		if p.CPU.V > 0 && p.Unseen > 0 {
			bias += fmt.Sprintf(", %.0f %% of it by threads that ran at no dump", 100*p.Unseen.Seconds()/p.CPU.V.Seconds())
		}
		bias += ". [name]: no Java frames."
	} else {
		bias += " CPU by thread could not be read: what waits in native code may count as running."
	}
	return append(out, c.wrapped(bias, c.Th.Dim)...)
}

// wrapped is text over as many lines as it needs.
func (c Ctx) wrapped(text string, style lipgloss.Style) []string {
	var out []string
	for _, l := range wrap(text, c.W) {
		out = append(out, c.pad(style.Render(l), c.W))
	}
	return out
}

// methodsMode says what the table is, and how to get the others.
func (c Ctx) methodsMode(p *probes.ProfileView, s *MethodsState) string {
	text := c.Th.Header.Render([methodsModes]string{"Methods", "What is called, from the outermost frames", "Who calls, from the innermost frames"}[s.Mode])
	if p.Pruned > 0 && s.Mode != MethodsFlat {
		text += c.dim(fmt.Sprintf("  (under %v %% left out)", p.PrunedUnder))
	}
	return c.pad(text+c.dim("   t: list, trees"), c.W)
}
