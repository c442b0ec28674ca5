package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// VM draws what hardly changes: the JVM, its command line, limits, flags and
// properties, as one text that scrolls.
func VM(c Ctx, f *probes.Frame, st *VMState) string {
	if f == nil || f.Snap == nil {
		return Waiting(c, nil, nil)
	}
	t := vmText{c: c}
	t.summary(f)
	t.machine(f)
	t.arguments(f)
	t.flags(f)
	t.properties(f)
	st.Scroll = clamp(st.Scroll, 0, max(len(t.lines)-c.H, 0))
	end := min(st.Scroll+max(c.H, 0), len(t.lines))
	shown := append([]string(nil), t.lines[st.Scroll:end]...)
	if len(t.lines) > c.H && len(shown) > 0 && c.W > 24 {
		pos := fmt.Sprintf(" %d-%d of %d", st.Scroll+1, end, len(t.lines))
		shown[0] = c.pad(shown[0], c.W-len(pos)) + c.dim(pos)
	}
	return c.lines(strings.Join(shown, "\n"))
}

type vmText struct {
	c     Ctx
	lines []string
}

const vmLabel = 14

func (t *vmText) section(title string) {
	if len(t.lines) > 0 {
		t.lines = append(t.lines, " ")
	}
	t.lines = append(t.lines, t.c.Th.Title.Render(t.c.cut(title, t.c.W)))
}

// row is a label and its value, wrapped under itself; "" is unknown.
func (t *vmText) row(label, value string) {
	w := max(t.c.W-vmLabel-2, 8)
	if value == "" {
		value = "-"
	}
	for i, l := range wrap(value, w) {
		if i > 0 {
			label = ""
		}
		t.lines = append(t.lines, "  "+t.c.dim(t.c.pad(label, vmLabel))+t.c.cut(l, w))
	}
}

func (t *vmText) text(style func(...string) string, s string) {
	for _, l := range wrap(s, max(t.c.W-2, 8)) {
		t.lines = append(t.lines, "  "+style(l))
	}
}

func (t *vmText) summary(f *probes.Frame) {
	t.section("JVM")
	v := f.VM
	if v == nil {
		if p := problemOf(f, "counters", "vm", "proc"); p != nil {
			t.lines = append(t.lines, t.c.problemLines(p, t.c.W)...)
		} else {
			t.text(t.c.Th.Dim.Render, "not read yet")
		}
		return
	}
	t.row("Uptime", uptimeOpt(f.Snap.Uptime)+startedText(v))
	t.row("Version", strings.TrimSpace(v.Version+"  "+paren(v.VMVersion)))
	t.row("VM", v.Name)
	t.row("Vendor", v.Vendor)
	t.row("Home", v.Home)
	t.row("Main class", v.MainClass)
	t.row("Process", fmt.Sprintf("pid %d, user %s, in %s", v.PID, orDash(v.User), orDash(v.Cwd)))
	t.row("Counters", countersText(v.Counters))
	if v.Attach.OK {
		t.row("Attach", t.c.Th.OK.Render(t.c.Th.G.OK+" ok"))
	} else {
		t.row("Attach", t.c.Th.G.Warn+" "+orDash(v.Attach.Reason)+semicolon(v.Attach.Fix))
	}
}

func startedText(v *probes.VMInfo) string {
	if v.Started.IsZero() {
		return ""
	}
	return ", since " + v.Started.Format("2006-01-02 15:04:05")
}

func countersText(s string) string {
	switch s {
	case "file":
		return "read from the counters file"
	case "map_files":
		return "read from the deleted file's mapping"
	case "memory":
		return "read from the process's memory"
	}
	return "not readable"
}

func (t *vmText) machine(f *probes.Frame) {
	t.section("Machine and limits")
	if v := f.VM; v != nil {
		t.row("OS", strings.TrimSpace(v.OS+" "+v.Arch))
	}
	raw := f.Snap.Raw
	if raw == nil {
		return
	}
	if h := raw.Host; h != nil {
		t.row("Cores", fmt.Sprint(h.Cores))
		t.row("Memory", bytesOpt(h.MemTotal)+", "+bytesOpt(h.MemAvailable)+" available")
	} else {
		t.row("Cores", "")
		t.row("Memory", "")
	}
	g := raw.CGroup
	if g == nil {
		t.row("cgroup", "no limits known")
		return
	}
	cpu, mem := "no CPU limit", "no memory limit"
	if g.CPULimit.OK {
		cpu = decimalOpt(g.CPULimit, 2) + " cores; throttled " + percentOpt(f.Snap.CGroup.Throttled) + " of periods now, " + durationOpt(g.Throttled) + " in all"
	}
	if g.MemLimit.OK {
		mem = bytesOpt(g.MemLimit) + "; in use " + bytesOpt(g.MemUsage) + ", " + percentOpt(f.Snap.CGroup.MemPercent) + "; OOM kills " + countOpt(g.OOMKills)
	}
	t.row("CPU limit", cpu)
	t.row("Memory limit", mem)
	if g.Container != "" {
		t.row("Container", g.Container)
	}
}

func (t *vmText) arguments(f *probes.Frame) {
	v := f.VM
	if v == nil {
		return
	}
	t.section("Command line (secrets masked)")
	t.text(t.c.Th.Text.Render, orDash(strings.Join(v.CommandLine, " ")))
	t.section("JVM arguments, as the JVM took them")
	if len(v.JVMArgs) == 0 {
		t.text(t.c.Th.Dim.Render, "none known")
	}
	for _, a := range v.JVMArgs {
		t.text(t.c.Th.Text.Render, a)
	}
}

// ask says which key reads what is not read, and what that costs.
func (t *vmText) ask(f *probes.Frame, key, cost string) {
	switch {
	case t.c.Ask.OK && !t.c.Ask.V:
		t.text(t.c.Th.Dim.Render, "not read; jtop was started with --readonly")
	case f.Lost != nil:
		t.text(t.c.Th.Dim.Render, "not read before the JVM ended")
	case f.VM != nil && !f.VM.Attach.OK:
		t.text(t.c.Th.Warn.Render, t.c.Th.G.Warn+" not readable: "+orDash(f.VM.Attach.Reason)+semicolon(f.VM.Attach.Fix))
	default:
		t.text(t.c.Th.Dim.Render, "not read yet: "+key+" reads them ("+cost+")")
	}
}

func (t *vmText) flags(f *probes.Frame) {
	if f.VM == nil {
		return
	}
	t.section(counted("VM flags", len(f.VM.Flags), f.VM.Flags != nil))
	if f.VM.Flags == nil {
		t.ask(f, "f", "one attach request, under 1 ms of one thread, no pause")
		return
	}
	for _, g := range f.VM.Flags {
		s := g.Text
		if s == "" {
			s = g.Name + "=" + g.Value
		}
		t.text(t.c.Th.Text.Render, s)
	}
}

func (t *vmText) properties(f *probes.Frame) {
	if f.VM == nil {
		return
	}
	t.section(counted("System properties (secrets masked)", len(f.VM.Properties), f.VM.Properties != nil))
	if !f.VM.PropertiesFull {
		if len(f.VM.Properties) > 0 {
			t.text(t.c.Th.Dim.Render, "only those that the counters hold:")
		}
		t.ask(f, "p", "one attach request; the first takes the JVM 30 to 170 ms of one thread, no pause")
	}
	for _, p := range f.VM.Properties {
		t.text(t.c.Th.Text.Render, p.Name+" = "+p.Value)
	}
}

func counted(title string, n int, known bool) string {
	if !known {
		return title
	}
	return fmt.Sprintf("%s: %d", title, n)
}
