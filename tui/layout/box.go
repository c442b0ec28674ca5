package layout

import (
	"strings"

	"example.com/jtop/tui/theme"
)

// Below this size a Box has no border: a title line is worth more.
const (
	boxMinW = 12
	boxMinH = 4
)

// Inner returns the room for the body of a Box of w x h cells.
func Inner(w, h int) (int, int) {
	if w < boxMinW || h < boxMinH {
		return max(w, 0), max(h-1, 0)
	}
	return w - 2, h - 2
}

// Box frames body with a border that carries the title, in exactly w x h
// cells. The border of the box with the focus is bright, and its title is
// preceded by the selection glyph. Too small for a border, it is a title line
// above the body.
func Box(th *theme.Theme, title, body string, w, h int, focus bool) string {
	if w <= 0 || h <= 0 {
		return Fit("", w, h)
	}
	line, head := th.Border, th.Title
	if focus {
		line, head = th.Focus, th.Focus
		title = th.G.Select + " " + title
	}
	iw, ih := Inner(w, h)
	if iw == w {
		top := head.Render(Line(Cut(clean(title), w, th.G.Ellipsis), w))
		if ih == 0 {
			return top
		}
		return top + "\n" + Fit(body, iw, ih)
	}

	g := &th.G
	var b strings.Builder
	title = Cut(clean(title), iw-4, g.Ellipsis)
	if title == "" {
		b.WriteString(line.Render(g.TopLeft + strings.Repeat(g.H, iw) + g.TopRight))
	} else {
		b.WriteString(line.Render(g.TopLeft + g.H))
		b.WriteString(head.Render(" " + title + " "))
		b.WriteString(line.Render(strings.Repeat(g.H, max(iw-3-Width(title), 0)) + g.TopRight))
	}
	side := line.Render(g.V)
	for _, l := range strings.Split(Fit(body, iw, ih), "\n") {
		b.WriteByte('\n')
		b.WriteString(side)
		b.WriteString(l)
		b.WriteString(side)
	}
	b.WriteByte('\n')
	b.WriteString(line.Render(g.BottomLeft + strings.Repeat(g.H, iw) + g.BottomRight))
	return b.String()
}
