package view

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/layout"
)

// center puts a line, and a dim one that says what to do, in the middle.
func (c Ctx) center(text, next string) string {
	var lines []string
	for _, l := range wrap(text, max(c.W, 1)) {
		lines = append(lines, c.middle(l))
	}
	if next != "" {
		for _, l := range wrap(next, max(c.W, 1)) {
			lines = append(lines, c.middle(c.dim(l)))
		}
	}
	return c.vcenter(lines)
}

func (c Ctx) middle(s string) string {
	s = c.cut(s, c.W)
	return strings.Repeat(" ", max((c.W-width(s))/2, 0)) + s
}

func (c Ctx) vcenter(lines []string) string {
	lines = lines[:min(len(lines), max(c.H, 0))]
	pad := make([]string, max((c.H-len(lines))/2, 0))
	return c.fit(strings.Join(append(pad, lines...), "\n"))
}

// TooSmall says which size is needed and which there is; any size.
func TooSmall(c Ctx) string {
	return c.center(fmt.Sprintf("too small: %dx%d", c.W, c.H), fmt.Sprintf("need %dx%d; q quits", layout.MinW, layout.MinH))
}

// Waiting is the screen of a JVM before its first sample, or of one that
// cannot be watched: then it says why, and what to do.
func Waiting(c Ctx, j *probes.JVM, problem *probes.Problem) string {
	name := "the JVM"
	if j != nil {
		name = fmt.Sprintf("%s (pid %d)", orDash(j.Name), j.PID)
	}
	if problem == nil {
		return c.center("reading the first figures of "+name+" "+c.Th.G.Ellipsis, "esc returns to the list")
	}
	w := min(c.W, 76)
	lines := append([]string{c.strong(c.cut(name, w)), ""}, c.problemLines(problem, w)...)
	lines = append(lines, "", c.dim("esc returns to the list"))
	for i := range lines {
		lines[i] = strings.Repeat(" ", (c.W-w)/2) + lines[i]
	}
	return c.vcenter(lines)
}

// LostBanner is one line above the last frame of a JVM that ended; "" while
// it lives.
func LostBanner(c Ctx, f *probes.Frame) string {
	if f == nil || f.Lost == nil || c.W <= 0 {
		return ""
	}
	text := c.Th.G.Bad + " " + f.Lost.What
	if !f.LostAt.IsZero() {
		text += " at " + f.LostAt.Format("15:04:05")
	}
	if f.Lost.Why != "" {
		text += ": " + f.Lost.Why
	}
	text += "; these are its last figures. " + f.Lost.Next
	return c.pad(c.Th.Bad.Render(c.cut(text, c.W)), c.W)
}

// Confirm asks before an act: what it does and what it costs.
func Confirm(c Ctx, title, text string) string {
	w := min(c.W, 70)
	iw := max(w-4, 1)
	body := []string{""}
	for _, l := range wrap(text, iw) {
		body = append(body, " "+l)
	}
	body = append(body, "", " "+c.Th.Key.Render("y")+" "+"yes   "+c.Th.Key.Render("n")+" no")
	h := min(len(body)+2, c.H)
	if h < len(body)+2 && len(body) > 1 { // the answer's keys must stay in sight
		_, ih := inner(w, h)
		keep := max(ih-1, 0)
		body = append(body[1:1+clamp(keep, 0, len(body)-2)], body[len(body)-1])
	}
	return c.place(c.boxFocus(title, strings.Join(body, "\n"), w, h), w, h)
}

// place puts a block of w x h in the middle.
func (c Ctx) place(block string, w, h int) string {
	lines := strings.Split(block, "\n")
	for i := range lines {
		lines[i] = strings.Repeat(" ", max((c.W-w)/2, 0)) + lines[i]
	}
	pad := make([]string, max((c.H-h)/2, 0))
	return c.fit(strings.Join(append(pad, lines...), "\n"))
}

// Help is the keys in columns, from line scroll on.
func Help(c Ctx, groups []HelpGroup, scroll int) string {
	iw, ih := inner(c.W, c.H)
	if iw <= 0 || ih <= 0 {
		return c.fit("")
	}
	keyW := 0
	for _, g := range groups {
		for _, h := range g.Hints {
			keyW = max(keyW, width(h.Key))
		}
	}
	keyW = min(keyW, iw/2)
	cols := clamp(iw/60, 1, 3)
	colW := iw / cols
	blocks := make([][]string, 0, len(groups))
	total := 0
	for _, g := range groups {
		b := []string{c.pad(c.Th.Title.Render(g.Title), colW)}
		for _, h := range g.Hints {
			b = append(b, c.pad("  "+c.Th.Key.Render(c.pad(h.Key, keyW))+"  "+h.Text, colW))
		}
		b = append(b, c.pad("", colW))
		blocks = append(blocks, b)
		total += len(b)
	}
	// Groups go down one column after the other and are not torn apart.
	columns := make([][]string, cols)
	k, goal := 0, (total+cols-1)/cols
	for _, b := range blocks {
		if len(columns[k]) > 0 && len(columns[k])+len(b)/2 > goal && k < cols-1 {
			k++
		}
		columns[k] = append(columns[k], b...)
	}
	n := 0
	for _, col := range columns {
		n = max(n, len(col))
	}
	scroll = clamp(scroll, 0, max(n-ih, 0))
	var lines []string
	for i := scroll; i < min(n, scroll+ih); i++ {
		var b strings.Builder
		for _, col := range columns {
			if i < len(col) {
				b.WriteString(col[i])
			} else {
				b.WriteString(strings.Repeat(" ", colW))
			}
		}
		lines = append(lines, b.String())
	}
	title := "Keys"
	if n > ih {
		title = fmt.Sprintf("Keys  %d-%d of %d, up and down scroll", scroll+1, min(n, scroll+ih), n)
	}
	return c.fit(c.boxFocus(title, strings.Join(lines, "\n"), c.W, c.H))
}
