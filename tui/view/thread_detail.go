package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// threadDetail is the stack of one thread with its locks, scrolled.
func (c Ctx) threadDetail(f *probes.Frame, r *probes.ThreadRow, st *ThreadsState, h int) string {
	iw, ih := inner(c.W, h)
	lines := c.threadLines(f, r)
	st.Scroll = clamp(st.Scroll, 0, max(len(lines)-ih, 0))
	end := min(st.Scroll+max(ih, 0), len(lines))
	title := r.Name
	if len(lines) > ih {
		title = c.cut(r.Name, max(iw-20, 1)) + fmt.Sprintf("  %d-%d of %d", st.Scroll+1, end, len(lines))
	}
	shown := make([]string, 0, max(end-st.Scroll, 0))
	for _, l := range lines[st.Scroll:end] {
		shown = append(shown, c.pad(l, iw))
	}
	return c.box(title, strings.Join(shown, "\n"), c.W, h)
}

// unfolded is what stands under the selected row: its locks and frames, with
// their age. It is nil while the stack is folded, or the row has ended.
func (st *ThreadsState) unfolded(c Ctx, f *probes.Frame) []string {
	if !st.Open {
		return nil
	}
	r := st.Selected(f)
	if r == nil {
		return nil
	}
	var out []string
	for _, l := range c.threadLines(f, r) {
		if l != "" {
			out = append(out, "    "+l)
		}
	}
	return out
}

// threadLines is all that is known of one thread, a line each.
func (c Ctx) threadLines(f *probes.Frame, r *probes.ThreadRow) []string {
	style, letter := c.Th.State(r.State)
	state := style.Render(letter + " " + strings.TrimSpace(stateWord(r.State)+" "+paren(r.Detail)))
	if !r.InDump {
		state = c.dim("not in the dump: seen in /proc only")
	}
	head := state + "  CPU " + percentOpt(r.CPUPercent) + " of a core"
	if r.User.OK && r.System.OK {
		head += fmt.Sprintf(" (%.0f user, %.0f system)", r.User.V, r.System.V)
	}
	if r.NID != 0 {
		head += fmt.Sprintf("  nid %d (0x%x)", r.NID, r.NID)
	}
	if r.ID != 0 {
		head += fmt.Sprintf("  #%d", r.ID)
	}
	if r.Daemon {
		head += "  daemon"
	}
	if r.Priority > 0 {
		head += fmt.Sprintf("  prio %d", r.Priority)
	}
	if r.Allocated.OK {
		head += "  allocated " + bytesOpt(r.Allocated)
		if r.AllocRate.OK {
			head += ", " + boundedRate(r.AllocRate.V) + "/s"
		}
	}
	lines := []string{head}
	if f.Dump != nil {
		if a := age(f, f.Dump.Taken); a != "" {
			lines[0] += c.dim("  stack " + a + " old")
		}
	}
	if r.WaitsFor != nil {
		text := "waits for " + r.WaitsFor.ID + " (" + orDash(r.WaitsFor.Class) + ")"
		if owner := holder(f, r.WaitsFor.ID); owner != "" {
			text += ", held by " + owner
		}
		lines = append(lines, c.Th.Warn.Render(c.Th.G.Warn+" "+text))
	}
	for _, l := range r.Holds {
		lines = append(lines, c.dim("holds "+l.ID+" ("+orDash(l.Class)+")"))
	}
	lines = append(lines, "")
	for _, s := range r.Stack {
		lines = append(lines, "  at "+s.Method)
		for _, l := range s.Locks {
			lines = append(lines, c.Th.Accent.Render("     "+l))
		}
	}
	if len(r.Stack) == 0 {
		lines = append(lines, c.dim("  no Java stack"))
	}
	return lines
}

// holder is the name of the thread that holds a lock by the same dump.
func holder(f *probes.Frame, id string) string {
	if f.Dump == nil || id == "" {
		return ""
	}
	for i := range f.Dump.Threads {
		for _, l := range f.Dump.Threads[i].Holds {
			if l.ID == id {
				return f.Dump.Threads[i].Name
			}
		}
	}
	return ""
}
