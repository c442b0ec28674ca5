package view

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// toastStyle is the colour of a toast and the glyph before it.
func (c Ctx) toastStyle(kind ToastKind) (lipgloss.Style, string) {
	switch kind {
	case ToastOK:
		return c.Th.OK, c.Th.G.OK
	case ToastWarn:
		return c.Th.Warn, c.Th.G.Warn
	case ToastBad:
		return c.Th.Bad, c.Th.G.Bad
	}
	return c.Th.Accent, c.Th.G.Dot
}

// toast is a toast in one line.
func (c Ctx) toast(f FooterInfo) string {
	style, glyph := c.toastStyle(f.Kind)
	return style.Render(glyph + " " + f.Toast)
}

// ToastLines is a toast that the bottom line has no room for, whole, to be
// drawn above it: the end of an error says what to do next. It is nil where
// the toast fits, and half of the context's height at most.
func ToastLines(c Ctx, f FooterInfo) []string {
	_, _, room := c.footer(f)
	if f.Toast == "" || width(c.toast(f)) <= room {
		return nil
	}
	style, glyph := c.toastStyle(f.Kind)
	lead := glyph + " "
	lines := wrap(f.Toast, max(c.W-width(lead), 1))
	lines = lines[:min(len(lines), c.H/2)]
	for i, l := range lines {
		lines[i] = c.pad(style.Render(lead+l), c.W)
		lead = strings.Repeat(" ", width(lead))
	}
	return lines
}
