package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// Header is the top line: target, JDK, collector, uptime on the left; state,
// window and clock on the right, which stay when room is short.
func Header(c Ctx, h HeaderInfo) string {
	if c.H <= 0 || c.W <= 0 {
		return ""
	}
	var right []string
	switch {
	case h.Frame != nil && h.Frame.Lost != nil:
		right = append(right, c.Th.Bad.Render(c.Th.G.Bad+" ENDED"))
	case h.Mode != "":
		right = append(right, c.Th.Accent.Render(c.cut(h.Mode, max(c.W/2, 8))))
	case h.Paused:
		right = append(right, c.Th.Warn.Render("PAUSED "+ageText(h.PausedFor)))
	case h.Frame != nil && stopped(h.Frame):
		right = append(right, c.Th.Bad.Render(c.Th.G.Bad+" STOPPED"))
	case h.Frame != nil:
		right = append(right, c.Th.OK.Render(c.Th.G.OK+" live"))
	}
	if h.ReadOnly {
		right = append(right, c.dim("read-only"))
	}
	if h.Window > 0 && c.W >= 96 {
		right = append(right, c.dim("window "+durationText(h.Window)))
	}
	if !h.Clock.IsZero() {
		right = append(right, h.Clock.Format("15:04:05"))
	}
	r := strings.Join(right, "  ")
	j := h.JVM
	if h.Frame != nil && (j == nil || h.Frame.Meta.JVM.PID != 0) {
		j = &h.Frame.Meta.JVM
	}
	left := c.Th.Title.Render("jtop")
	if j != nil {
		left += "  " + c.strong(orDash(j.Name))
		if j.PID != 0 { // a log does not say it
			left += c.dim(fmt.Sprintf(" %d", j.PID))
		}
		jdk, gc := j.JDK, j.GC
		if h.Frame != nil && h.Frame.VM != nil && h.Frame.VM.Version != "" {
			jdk = h.Frame.VM.Version
		}
		if jdk != "" {
			left += "  JDK " + jdk
		}
		if gc != "" {
			left += "  " + string(gc)
		}
		up := j.Uptime
		if h.Frame != nil && h.Frame.Snap != nil && h.Frame.Snap.Uptime.OK {
			up = h.Frame.Snap.Uptime
		}
		if up.OK {
			left += "  up " + uptimeOpt(up)
		}
	} else {
		left += c.dim("  JVMs on this machine")
	}
	rw := width(r)
	if rw+8 > c.W {
		return c.pad(r, c.W)
	}
	return c.pad(left, c.W-rw-1) + " " + r
}

// tabLabels is the text of each tab, as short as the width asks for.
func tabLabels(w int, running bool) []string {
	out := make([]string, len(Tabs))
	for _, letters := range []int{8, 3, 2} {
		total := 0
		for i, t := range Tabs {
			name := t.Title()
			name = name[:min(len(name), letters)]
			if t == TabLoad && running {
				name += "*"
			}
			out[i] = fmt.Sprintf(" %d %s ", i+1, name)
			if letters == 2 { // 40 cells
				out[i] = fmt.Sprintf(" %d%s ", i+1, name)
			}
			total += len(out[i])
		}
		if total <= w {
			break
		}
	}
	return out
}

// TabBar is the line of tabs; running marks the Load tab.
func TabBar(c Ctx, active Tab, running bool) string {
	if c.H <= 0 || c.W <= 0 {
		return ""
	}
	var b strings.Builder
	for i, l := range tabLabels(c.W, running) {
		if Tab(i) == active {
			// Brackets double the colour of the active tab.
			b.WriteString(c.Th.TabOn.Render("[" + l[1:len(l)-1] + "]"))
		} else {
			b.WriteString(c.Th.TabOff.Render(l))
		}
	}
	return c.pad(b.String(), c.W)
}

// TabAt tells the tab under cell x of the tab bar.
func TabAt(c Ctx, running bool, x int) (Tab, bool) {
	if x < 0 || x >= c.W {
		return 0, false
	}
	at := 0
	for i, l := range tabLabels(c.W, running) {
		if x < at+len(l) {
			return Tab(i), true
		}
		at += len(l)
	}
	return 0, false
}

// Footer is the bottom line: filter chip, toast or keys on the left, what is
// wrong with the sources on the right.
func Footer(c Ctx, f FooterInfo) string {
	if c.H <= 0 || c.W <= 0 {
		return ""
	}
	left, right, room := c.footer(f)
	if f.Toast != "" {
		left += c.toast(f)
	} else {
		left += c.hints(f.Hints, room)
	}
	rw := width(right)
	if rw == 0 {
		return c.pad(left, c.W)
	}
	return c.pad(left, max(c.W-rw-1, 0)) + c.pad(" "+right, min(rw+1, c.W))
}

// footer is the chip and what is wrong, and the cells between them.
func (c Ctx) footer(f FooterInfo) (left, right string, room int) {
	right = c.jobText(f)
	if h := c.healthText(f.Health); right == "" {
		right = h
	} else if h != "" {
		right += "  " + h
	}
	if width(right) > c.W/2 {
		right = c.cut(right, c.W/2)
	}
	if f.Filter != "" || f.Typing {
		chip := "/" + f.Filter
		if f.Typing {
			chip += "_"
		}
		left = c.Th.Chip.Render("["+c.cut(chip, max(c.W/3, 8))+"]") + " "
	}
	room = c.W - width(left)
	if rw := width(right); rw > 0 {
		room -= rw + 1
	}
	return left, right, room
}

// hints draws keys whole or not at all. The last two, how to quit and where
// the help is, stay: those before them give way.
func (c Ctx) hints(h []Hint, w int) string {
	h = slices.Clone(h)
	for len(h) > 2 && hintsWidth(h) > w {
		h = slices.Delete(h, len(h)-3, len(h)-2)
	}
	var b strings.Builder
	used := 0
	for _, x := range h {
		n := width(x.Key) + 1 + width(x.Text)
		if used > 0 {
			n += 2
		}
		if used+n > w {
			break
		}
		if used > 0 {
			b.WriteString("  ")
		}
		b.WriteString(c.Th.Key.Render(x.Key) + " " + c.dim(x.Text))
		used += n
	}
	return b.String()
}

func hintsWidth(h []Hint) int {
	n := 0
	for i, x := range h {
		if i > 0 {
			n += 2
		}
		n += width(x.Key) + 1 + width(x.Text)
	}
	return n
}

// stopped tells whether the process is held by a signal or a debugger.
func stopped(f *probes.Frame) bool {
	if f.Snap == nil || f.Snap.Raw == nil || f.Snap.Raw.Proc == nil {
		return false
	}
	s := f.Snap.Raw.Proc.State
	return s == "T" || s == "t"
}

// jobText is how far the job under way is.
func (c Ctx) jobText(f FooterInfo) string {
	j := f.Job
	if j == nil {
		return ""
	}
	text := j.Title
	figure := countOpt
	if j.Unit == "bytes" {
		figure = bytesOpt
	}
	if j.Done.OK {
		text += " " + figure(j.Done)
		if j.Total.OK {
			text += " of " + figure(j.Total)
		}
	}
	if j.Unit != "bytes" && j.Unit != "" {
		text += " " + j.Unit
	}
	if f.JobFor >= time.Second {
		text += ", " + ageText(f.JobFor.Truncate(time.Second))
	}
	if j.Text != "" {
		text += ", " + j.Text
	}
	return c.Th.Accent.Render(c.Th.G.Dot + " " + text)
}

// healthText names the sources that fail; nothing when all are fine.
func (c Ctx) healthText(h []probes.SourceHealth) string {
	var bad []string
	for _, s := range h {
		if s.Err != nil {
			bad = append(bad, s.Source)
		}
	}
	if len(bad) == 0 {
		return ""
	}
	return c.Th.Warn.Render(c.Th.G.Warn + " no " + strings.Join(bad, ", "))
}
