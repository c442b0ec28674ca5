package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const reset = "\x1b[0m"

// Width returns how many cells s takes, escape sequences left out.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// plain tells printable ASCII, most of a screen's text: one cell a byte.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Cut shortens s to at most w cells; where something is lost it ends with
// tail (an ellipsis or nothing).
func Cut(s string, w int, tail string) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	if Width(tail) > w {
		tail = ""
	}
	return ansi.Truncate(s, w, tail)
}

// Line makes s exactly w cells on one line, text on the left. Line breaks
// become spaces, and a sequence left open is closed.
func Line(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return pad(clean(s), w, false)
}

// LineRight is Line with the text on the right.
func LineRight(s string, w int) string {
	if w <= 0 {
		return ""
	}
	return pad(clean(s), w, true)
}

// Centre is Line with the text in the middle.
func Centre(s string, w int) string {
	if w <= 0 {
		return ""
	}
	s = clean(s)
	if gap := w - Width(s); gap > 1 {
		s = strings.Repeat(" ", gap/2) + s
	}
	return pad(s, w, false)
}

func pad(s string, w int, right bool) string {
	have := Width(s)
	if have > w {
		s = ansi.Truncate(s, w, "")
		have = Width(s)
	}
	if open(s) {
		s += reset
	}
	if have >= w {
		return s
	}
	gap := strings.Repeat(" ", w-have)
	if right {
		return gap + s
	}
	return s + gap
}

// open tells whether the last SGR sequence of s leaves a style on.
func open(s string) bool {
	i := strings.LastIndex(s, "\x1b[")
	if i < 0 {
		return false
	}
	rest := s[i+2:]
	return !strings.HasPrefix(rest, "0m") && !strings.HasPrefix(rest, "m")
}

// clean makes s one line that starts with a character of its own: a mark that
// joins the character before it would change the width of what is drawn to
// its left. Other text passes untouched.
func clean(s string) string {
	if plain(s) {
		return s
	}
	if strings.ContainsAny(s, "\n\r\t") {
		s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
	}
	if r, n := utf8.DecodeRuneInString(s); joins(r) {
		s = "\uFFFD" + s[n:]
		for {
			r, n = utf8.DecodeRuneInString(s[3:])
			if !joins(r) {
				break
			}
			s = "\uFFFD" + s[3+n:]
		}
	}
	return s
}

// joins tells the characters that extend the one before them.
func joins(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r == 0x200d || (r >= 0x1f3fb && r <= 0x1f3ff))
}

// Fit makes s exactly h lines of w cells: longer lines are cut, further lines
// dropped, missing ones blank. With h <= 0 it is the empty string.
func Fit(s string, w, h int) string {
	if h <= 0 {
		return ""
	}
	w = max(w, 0)
	var b strings.Builder
	b.Grow((w + 1) * h)
	blank := strings.Repeat(" ", w)
	more := s != ""
	for i := range h {
		if i > 0 {
			b.WriteByte('\n')
		}
		if !more {
			b.WriteString(blank)
			continue
		}
		var line string
		line, s, more = strings.Cut(s, "\n")
		b.WriteString(Line(line, w))
	}
	return b.String()
}

// JoinH puts blocks side by side. Each keeps the width of its widest line;
// lower ones are filled up with blank lines. Empty blocks take no room.
func JoinH(parts ...string) string {
	type block struct {
		lines []string
		w     int
	}
	var blocks []block
	h := 0
	for _, p := range parts {
		if p == "" {
			continue
		}
		k := block{lines: strings.Split(p, "\n")}
		for _, l := range k.lines {
			k.w = max(k.w, Width(l))
		}
		h = max(h, len(k.lines))
		blocks = append(blocks, k)
	}
	var b strings.Builder
	for i := range h {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, k := range blocks {
			l := ""
			if i < len(k.lines) {
				l = k.lines[i]
			}
			b.WriteString(Line(l, k.w))
		}
	}
	return b.String()
}

// JoinV puts blocks below one another. Empty blocks take no room.
func JoinV(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "\n")
}
