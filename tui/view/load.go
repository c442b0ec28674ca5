package view

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// fieldNames and fieldHints are the labels of the form and what an empty
// field means.
var (
	fieldNames = [FieldCount]string{"URL", "Method", "Users", "Rate", "Ramp-up", "Loops", "Duration", "Warm-up", "Think", "Timeout", "Headers", "Body"}
	fieldHints = [FieldCount]string{"http://127.0.0.1:8080/path, a pasted curl command, or the path of a .yaml or .jmx plan", "GET", "users at once",
		"closed model; 500/s, or 50/s for 5m, then 500/s for 30m", "none: all start at once", "no limit per user",
		"until stopped", "none: all is counted", "none; 1s, 1s to 3s, 1s +- 200ms", "30s", "Name: value; Name: value", "none"}
)

// Load draws the page of the Load tab that st names.
func Load(c Ctx, f *probes.Frame, st *LoadState) string {
	switch {
	case f == nil:
		return Waiting(c, nil, nil)
	case st.Part == LoadRequests:
		return c.loadRequests(f, &st.Requests)
	case st.Part == LoadTree:
		return c.loadTree(f, &st.Tree)
	}
	return c.loadRun(f, st)
}

// runOf is the run of a frame; nil before the first.
func runOf(f *probes.Frame) *probes.LoadSample {
	if f == nil || f.Load == nil || f.Load.Phase == probes.LoadIdle && f.Load.Problem == nil {
		return nil
	}
	return f.Load
}

// loadRun is the form of a load run, and the run or the summary of the last.
func (c Ctx) loadRun(f *probes.Frame, st *LoadState) string {
	run := runOf(f)
	formH := c.formHeight(st, run)
	form := c.loadForm(f, st, run, formH)
	rest := c.H - formH
	if rest <= 0 {
		return c.lines(form)
	}
	if run == nil {
		return c.lines(form, c.size(c.W, rest).loadIntro(f))
	}
	nums := c.size(c.W, rest).loadFigures(run)
	nums = nums[:min(len(nums), rest)]
	out := []string{form, strings.Join(nums, "\n")}
	if left := rest - len(nums); left >= 4 {
		out = append(out, c.size(c.W, left).loadCharts(f, st.Heat))
	}
	return c.lines(out...)
}

// activeRun tells whether requests are being sent or awaited, by jtop or by
// the program whose JTL is followed.
func activeRun(l *probes.LoadSample) bool {
	return l != nil && (l.Phase == probes.LoadRamp || l.Phase == probes.LoadRunning || l.Phase == probes.LoadStopping || l.Phase == probes.LoadFollowing)
}

// formHeight is the whole form before a run, and one line while one is under
// way, when its figures are what matters.
func (c Ctx) formHeight(st *LoadState, run *probes.LoadSample) int {
	if activeRun(run) && !st.Editing {
		return min(1, c.H)
	}
	full := FieldCount + 3
	if run != nil && !st.Editing && c.H < 34 {
		return min(3, c.H) // the summary stays, the form folds to what was asked
	}
	return min(full, c.H)
}

func (c Ctx) loadForm(f *probes.Frame, st *LoadState, run *probes.LoadSample, h int) string {
	if activeRun(run) && h == 1 {
		return c.pad(c.phaseText(run)+"  "+c.configText(run), c.W)
	}
	iw, ih := inner(c.W, h)
	hint := "enter starts the run; e edits, up and down choose a field"
	switch {
	case c.Ask.OK && !c.Ask.V:
		hint = "no run can be started: --readonly, or a file is looked at"
	case f.Lost != nil:
		hint = "no run can be started: the JVM has ended"
	case st.Busy != "":
		hint = st.Busy + " " + c.Th.G.Ellipsis
	case st.Editing:
		hint = "ctrl+s starts the run; tab next field, enter or esc done"
	}
	if ih <= 1 {
		cfg := ""
		if run != nil {
			cfg = c.configText(run) + "   "
		}
		return c.box("Load", c.pad(cfg+c.dim(hint), iw), c.W, h)
	}
	var lines []string
	for i := range FieldCount {
		lines = append(lines, c.field(st, LoadField(i), iw))
	}
	// The field in focus must be in sight on a low screen.
	if room := max(ih-1, 1); len(lines) > room {
		first := clamp(int(st.Focus)-room+1, 0, len(lines)-room)
		lines = lines[first : first+room]
	}
	if st.Problem != nil {
		p := st.Problem.What
		if st.Problem.Why != "" {
			p += ": " + st.Problem.Why
		}
		lines = append(lines, c.Th.Bad.Render(c.cut(c.Th.G.Bad+" "+p+semicolon(st.Problem.Next), iw)))
	} else {
		lines = append(lines, c.dim(c.cut(hint, iw)))
	}
	return c.box(st.formTitle(), strings.Join(lines, "\n"), c.W, h)
}

// field is one line of the form: label, text with its caret, error or hint.
func (c Ctx) field(st *LoadState, i LoadField, w int) string {
	lead := "  "
	label := c.Th.Dim.Render(c.pad(fieldNames[i], 9))
	if st.Focus == i {
		lead = c.pad(c.Th.G.Select, 1) + " "
		label = c.Th.Focus.Render(c.pad(fieldNames[i], 9))
	}
	room := max(w-12, 1)
	note := ""
	if st.Err[i] != "" {
		note = "  " + c.Th.Bad.Render(c.Th.G.Bad+" "+st.Err[i])
		room = max(room-width(note), min(room, 16))
	}
	text := st.Text[i]
	switch {
	case st.Editing && st.Focus == i:
		text = c.caret(text, st.Caret[i], room)
	case text == "":
		text = c.dim(c.cut(paren(fieldHints[i]), room))
	case !st.Source().uses(i):
		text = c.dim(c.cut(text+" (not used)", room))
	default:
		text = c.cut(text, room)
	}
	return c.pad(lead+label+" "+text+note, w)
}

// caret draws text with the caret in sight, as a reversed cell between
// brackets where there is no colour.
func (c Ctx) caret(text string, at, w int) string {
	r := []rune(text)
	at = clamp(at, 0, len(r))
	before, cell, behind := string(r[:at]), " ", ""
	if at < len(r) {
		cell, behind = string(r[at]), string(r[at+1:])
	}
	if over := width(before) + 2 - w; over > 0 { // scroll so that the caret is in the last cells
		before = ansi.TruncateLeft(before, over, "")
	}
	mark := c.Th.Selected.Render(cell)
	if c.Th.Mono {
		mark = "|" + strings.TrimSpace(cell)
	}
	return c.cut(before+mark+behind, w)
}

// phaseText is where a run stands; one that the user ended says so.
func (c Ctx) phaseText(l *probes.LoadSample) string {
	text := string(l.Phase) + " " + unit.Duration(l.RunTime)
	switch l.Phase {
	case probes.LoadDone:
		if l.Stopped {
			return c.Th.Warn.Render(c.Th.G.Warn + " stopped after " + unit.Duration(l.RunTime))
		}
		return c.Th.OK.Render(c.Th.G.OK + " " + text)
	case probes.LoadStopping:
		return c.Th.Warn.Render(c.Th.G.Warn + " " + text)
	case probes.LoadIdle:
		return c.dim(string(l.Phase))
	}
	return c.Th.Accent.Render(c.Th.G.Dot + " " + text)
}

// configText is what a run was asked for, in one line.
func (c Ctx) configText(l *probes.LoadSample) string {
	cfg := l.Config
	if l.File != "" {
		return l.File + c.dim("  a JTL that another program writes; jtop sends nothing")
	}
	s := fmt.Sprintf("%s %s  ", orDash(cfg.Method), orDash(cfg.URL))
	switch {
	case cfg.Rate != "":
		s += cfg.Rate
	case cfg.Users == 1:
		s += "1 user"
	default:
		s += count(int64(cfg.Users)) + " users"
	}
	add := func(label string, text string) {
		if text != "" {
			s += ", " + label + " " + text
		}
	}
	add("ramp-up", durationText(cfg.Ramp))
	add("warm-up", durationText(cfg.WarmUp))
	add("think", cfg.Think)
	if cfg.Loops > 0 {
		s += fmt.Sprintf(", %s each", plural(cfg.Loops, "request"))
	}
	add("for", durationText(cfg.Duration))
	add("plan", cfg.Plan)
	if cfg.Loops == 0 && cfg.Duration == 0 && cfg.Plan == "" && !strings.Contains(cfg.Rate, " for ") {
		s += ", until stopped"
	}
	return s
}

func (c Ctx) loadIntro(f *probes.Frame) string {
	if p := problemOf(f, "load"); p != nil {
		return strings.Join(c.problemLines(p, c.W), "\n")
	}
	return strings.Join([]string{" ", c.dim(c.cut("No run yet. Figures of a run appear here and stay after it; they share the time axis with the JVM's.", c.W)),
		c.dim(c.cut("A target that is not this machine is asked about first.", c.W))}, "\n")
}
