package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Mode is the background that the colours are chosen for.
type Mode int

// The modes. Mono draws without any escape sequence at all: it serves
// NO_COLOR, dumb terminals and text files.
const (
	Dark Mode = iota
	Light
	Mono
)

// Options choose a theme. The zero value is dark with Unicode glyphs.
type Options struct {
	Mode  Mode
	ASCII bool // plain ASCII glyphs and charts, for locales other than UTF-8
}

// Theme is the styles by meaning and the glyphs. It is read only after New
// and safe for concurrent use.
type Theme struct {
	Text   lipgloss.Style // ordinary text: the terminal's own colour
	Dim    lipgloss.Style // what explains: labels, axes, units
	Title  lipgloss.Style // headings and the figure the eye looks for
	Focus  lipgloss.Style // where the keyboard is: border, field, cursor line
	OK     lipgloss.Style
	Warn   lipgloss.Style
	Bad    lipgloss.Style
	Accent lipgloss.Style // secondary emphasis without a judgement

	// Series tells six lines of a chart apart, none of them Bad's red.
	Series []lipgloss.Style

	Selected lipgloss.Style // the selected row, whole width
	TabOn    lipgloss.Style // the open tab
	TabOff   lipgloss.Style // the other tabs
	Border   lipgloss.Style // borders without focus
	Key      lipgloss.Style // names of keys in footer and help
	Header   lipgloss.Style // column titles of tables
	Chip     lipgloss.Style // state words such as PAUSED
	Input    lipgloss.Style // editable text

	G     Glyphs
	Mono  bool // no escape sequences
	ASCII bool // ASCII glyphs
}

// New builds a theme.
func New(o Options) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	if o.Mode == Mono {
		r.SetColorProfile(termenv.Ascii)
	}
	r.SetHasDarkBackground(o.Mode != Light)

	p := darkPalette
	if o.Mode == Light {
		p = lightPalette
	}
	plain := r.NewStyle()
	fg := func(c string) lipgloss.Style { return plain.Foreground(lipgloss.Color(c)) }

	t := &Theme{
		Text:     plain,
		Dim:      fg(p.dim),
		Title:    plain.Bold(true),
		Focus:    fg(p.focus).Bold(true),
		OK:       fg(p.ok),
		Warn:     fg(p.warn).Bold(true),
		Bad:      fg(p.bad).Bold(true),
		Accent:   fg(p.accent),
		Selected: plain.Reverse(true),
		TabOn:    plain.Bold(true).Reverse(true),
		TabOff:   fg(p.dim),
		Border:   fg(p.dim),
		Key:      fg(p.focus).Bold(true),
		Header:   plain.Bold(true).Underline(true),
		Chip:     fg(p.warn).Bold(true).Reverse(true),
		Input:    plain.Underline(true),
		Mono:     o.Mode == Mono,
		ASCII:    o.ASCII,
		G:        unicodeGlyphs,
	}
	for _, c := range p.series {
		t.Series = append(t.Series, fg(c))
	}
	if o.ASCII {
		t.G = asciiGlyphs
	}
	return t
}

// palette is ANSI colour numbers by meaning.
type palette struct {
	dim, focus, ok, warn, bad, accent string
	series                            [6]string
}

// Dark uses the bright half of the palette, light the normal half: bright
// yellow on white and plain blue on black are both unreadable.
var (
	darkPalette  = palette{dim: "8", focus: "14", ok: "10", warn: "11", bad: "9", accent: "13", series: [6]string{"10", "12", "11", "13", "14", "7"}}
	lightPalette = palette{dim: "8", focus: "6", ok: "2", warn: "3", bad: "1", accent: "5", series: [6]string{"2", "4", "3", "5", "6", "0"}}
)
