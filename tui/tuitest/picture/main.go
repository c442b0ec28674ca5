// Command picture turns a captured terminal screen (tmux capture-pane -e -p)
// into an SVG. Each character is set into its own cell and braille is drawn as
// dots, so that the picture is true whatever fonts its reader has. The README's
// picture is made with it (docs/screen.sh).
package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Size of a cell in pixels.
const (
	cellW, cellH = 8.4, 18.0
	margin       = 12.0
)

// palette is the 16 ANSI colours on a dark background.
var palette = []string{"#1c1f26", "#f7768e", "#9ece6a", "#e0af68", "#7aa2f7", "#bb9af7", "#7dcfff", "#c0caf5",
	"#636b8a", "#ff8fa3", "#b9e089", "#f2c97d", "#9db9ff", "#d0b3ff", "#a6e1ff", "#ffffff"}

const (
	background = "#16181f"
	foreground = "#c8d0e8"
)

type style struct {
	fg, bg                   string
	bold, dim, reverse, line bool
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
	}
}

func run(r io.Reader, w io.Writer) error {
	var lines []string
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	width := 0
	for s.Scan() {
		lines = append(lines, s.Text())
		width = max(width, ansi.StringWidth(s.Text()))
	}
	if err := s.Err(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace\" font-size=\"14\">\n",
		float64(width)*cellW+2*margin, float64(len(lines))*cellH+2*margin)
	fmt.Fprintf(out, "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"%s\"/>\n", background)
	for y, l := range lines {
		drawLine(out, l, margin+float64(y)*cellH)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

func drawLine(w io.Writer, line string, top float64) {
	var st style
	x := margin
	state := byte(0)
	for len(line) > 0 {
		seq, cells, n, next := ansi.DecodeSequence(line, state, nil)
		state, line = next, line[n:]
		if cells == 0 {
			st = st.apply(seq)
			continue
		}
		drawCell(w, seq, cells, x, top, st)
		x += float64(cells) * cellW
	}
}

func drawCell(w io.Writer, text string, cells int, x, top float64, st style) {
	fg, bg := st.fg, st.bg
	if fg == "" {
		fg = foreground
	}
	if st.reverse {
		fg, bg = background, fg
	}
	if bg != "" {
		fmt.Fprintf(w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, top, float64(cells)*cellW+0.3, cellH, bg)
	}
	r := []rune(text)[0]
	switch {
	case r == ' ':
	case r > 0x2800 && r <= 0x28ff:
		drawBraille(w, r, x, top, fg)
	default:
		attr := ""
		if st.bold {
			attr += " font-weight=\"bold\""
		}
		if st.dim {
			attr += " opacity=\"0.6\""
		}
		fmt.Fprintf(w, "<text x=\"%.1f\" y=\"%.1f\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" fill=\"%s\"%s>%s</text>\n", x, top+cellH*0.75, float64(cells)*cellW, fg, attr, html.EscapeString(text))
	}
}

// drawBraille draws the dots of U+2800 to U+28FF (Unicode, chapter 21.1).
func drawBraille(w io.Writer, r rune, x, top float64, fg string) {
	where := [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	for bit, p := range where {
		if r&(1<<bit) != 0 {
			fmt.Fprintf(w, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.5\" fill=\"%s\"/>\n", x+cellW*(0.27+0.46*p[0]), top+cellH*(0.14+0.24*p[1]), fg)
		}
	}
}

// apply takes one SGR sequence (ECMA-48, 8.3.117); others change nothing.
func (s style) apply(seq string) style {
	if !strings.HasPrefix(seq, "\x1b[") || !strings.HasSuffix(seq, "m") {
		return s
	}
	fields := strings.Split(seq[2:len(seq)-1], ";")
	for i := 0; i < len(fields); i++ {
		n, _ := strconv.Atoi(fields[i]) // an empty field is 0, reset
		switch {
		case n == 0:
			s = style{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 4:
			s.line = true
		case n == 7:
			s.reverse = true
		case n == 22:
			s.bold, s.dim = false, false
		case n == 27:
			s.reverse = false
		case n >= 30 && n <= 37:
			s.fg = palette[n-30]
		case n == 39:
			s.fg = ""
		case n >= 40 && n <= 47:
			s.bg = palette[n-40]
		case n == 49:
			s.bg = ""
		case n >= 90 && n <= 97:
			s.fg = palette[n-82]
		case n >= 100 && n <= 107:
			s.bg = palette[n-92]
		}
	}
	return s
}
