package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

var virtualColumns = []table.Column{
	{ID: "count", Title: "THREADS", Width: 8, Right: true, Priority: 9, Desc: true},
	{ID: "state", Title: "STATE", Width: 15, Priority: 8},
	{ID: "top", Title: "SAME STACK: INNERMOST FRAME", Width: 34, Min: 20, Flex: true, Priority: 10},
	{ID: "names", Title: "NAMES", Width: 20, Min: 10, Flex: true, Priority: 5},
}

// VirtualState is the page of virtual threads.
type VirtualState struct {
	tableState
	open bool // the selected group's stack is unfolded
}

// NextSort sorts by the next column.
func (s *VirtualState) NextSort() { s.sortBy("count"); s.Table.NextSort(virtualColumns) }

// Move moves the selection by n rows of those that are shown.
func (s *VirtualState) Move(f *probes.Frame, n int) {
	s.sortBy("count")
	if f != nil {
		s.Table.Move(table.Visible(virtualColumns, virtualRows(f.Virtual), &s.Table), n)
	}
}

// Enter unfolds the selected group's stack, or folds it.
func (s *VirtualState) Enter() { s.open = !s.open }

// firstVirtual is the first JDK that has virtual threads.
const firstVirtual = 21

// threadsVirtual is the page: carriers with what they carry by the latest dump,
// and what was asked for.
func (c Ctx) threadsVirtual(f *probes.Frame, s *VirtualState) string {
	version := f.Meta.JVM.JDK
	if n, err := strconv.Atoi(strings.SplitN(version, ".", 2)[0]); err == nil && n < firstVirtual {
		return c.center("No virtual threads: JDK "+version+" came before them.", "JDK 21 and later have them.")
	}
	head := c.carriers(f)
	v := f.Virtual
	if v == nil {
		how := "v dumps them to a file in the JVM's /tmp, read and deleted (asks first)"
		if c.Ask.OK && !c.Ask.V {
			how = "jtop was started with --readonly: nothing can be asked of the JVM"
		}
		head = append(head, c.wrapped("Virtual threads that are not mounted are in no thread dump. "+how+".", c.Th.Dim)...)
		return c.lines(head[:min(len(head), c.H)]...)
	}
	head = append(head, c.virtualHead(f, v)...)
	head = head[:min(len(head), max(c.H/2, 1))]
	s.sortBy("count")
	rows := virtualRows(v)
	vis := table.Visible(virtualColumns, rows, &s.Table)
	return c.lines(strings.Join(head, "\n"), table.DrawUnfolded(c.Th, virtualColumns, vis, len(rows), &s.Table, s.stack(v, vis), c.W, c.H-len(head)))
}

// stack is the frames of the selected group.
func (s *VirtualState) stack(v *probes.VirtualDump, vis []table.Row) []string {
	row, ok := s.Table.Selected(vis)
	if !s.open || !ok {
		return nil
	}
	i, err := strconv.Atoi(row.Key)
	if err != nil || i >= len(v.Groups) {
		return nil
	}
	var out []string
	for _, m := range v.Groups[i].Stack {
		out = append(out, "      at "+m)
	}
	return out
}

// carriers is the platform threads that carry virtual ones, by the latest dump.
func (c Ctx) carriers(f *probes.Frame) []string {
	if f.Dump == nil {
		return []string{c.pad(c.dim("carriers come with the first thread dump"), c.W)}
	}
	all, busy := 0, 0
	var list []string
	for i := range f.Dump.Threads {
		t := &f.Dump.Threads[i]
		mounted := t.Carrying != 0
		if !mounted && !strings.HasPrefix(t.Name, "ForkJoinPool-1-worker-") {
			continue
		}
		all++
		if !mounted {
			continue
		}
		busy++
		if len(list) < 8 {
			list = append(list, c.pad(fmt.Sprintf("  %s carries #%d %s", t.Name, t.Carrying, carriedAt(t)), c.W))
		}
	}
	head := c.strong(plural(busy, "carrier")+" with a virtual thread") + fmt.Sprintf(" of %d", all) + c.dim("  "+dumpAge(f))
	out := append([]string{c.pad(head, c.W)}, list...)
	if busy > len(list) {
		out = append(out, c.pad(c.dim(fmt.Sprintf("  and %d more", busy-len(list))), c.W))
	}
	return out
}

// carriedAt is where a mounted virtual thread is: before JDK 25 a dump has the
// carrier's own frames only.
func carriedAt(t *probes.Thread) string {
	if len(t.Stack) == 0 || strings.HasPrefix(t.Stack[0].Method, "jdk.internal.vm.Continuation.") {
		return "(where, this JDK does not tell)"
	}
	return "at " + t.Stack[0].Method
}

// virtualHead says what was asked for, and when.
func (c Ctx) virtualHead(f *probes.Frame, v *probes.VirtualDump) []string {
	n := "an unknown number of"
	if v.Virtual.OK {
		n = count(int64(v.Virtual.V))
	}
	out := c.wrapped(fmt.Sprintf("%s virtual threads, %d platform threads, by a dump of %s ago (%s of %s in %s)",
		n, v.Platform, ageText(max(f.Age(v.Taken), 0).Truncate(time.Second)), bytesText(v.Bytes), v.Form, durationMS(v.Took)), c.Th.Header)
	if s := v.Scheduler; s != nil {
		text := fmt.Sprintf("scheduler: parallelism %s, %s carriers, %s at work, %s virtual threads queued for one, %s with a timer",
			countOpt(s.Parallelism), countOpt(s.Size), countOpt(s.Active), countOpt(s.Queued), countOpt(s.Delayed))
		if !s.Parallelism.OK {
			text = "scheduler: " + s.Text
		}
		out = append(out, c.wrapped(text, lipgloss.NewStyle())...)
	} else {
		out = append(out, c.pad(c.dim("scheduler: not told by this JDK (25+)"), c.W))
	}
	if v.Note != "" {
		out = append(out, c.wrapped(c.Th.G.Warn+" "+v.Note, c.Th.Warn)...)
	}
	if v.More > 0 {
		out = append(out, c.pad(c.dim(fmt.Sprintf("%d smaller groups are left out", v.More)), c.W))
	}
	return out
}

func virtualRows(v *probes.VirtualDump) []table.Row {
	if v == nil {
		return nil
	}
	rows := make([]table.Row, len(v.Groups))
	for i := range v.Groups {
		g := &v.Groups[i]
		top := table.Cell{Text: "no Java frame"}
		if len(g.Stack) > 0 {
			top = table.Cell{Text: g.Stack[0], Sort: g.Stack[0]}
		}
		names := groupNames(g)
		rows[i] = table.Row{Key: strconv.Itoa(i), Cells: []table.Cell{{Text: strconv.Itoa(g.Count), Sort: g.Count}, {Text: stateWord(g.State), Sort: string(g.State)}, top, {Text: names, Sort: names}}}
	}
	return rows
}
