package layout

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
)

// hostile is text that breaks naive width arithmetic.
var hostile = []string{
	"", "plain", strings.Repeat("long ", 100), "语言语言语言语言", "e\u0301e\u0301e\u0301", "\u0301leading mark", "👩‍💻👩‍💻", "🏿tone first", "🇩🇪🇫🇷🇩",
	"\ufe0fselector first", "\x1b[31mred, never closed", "\x1b[1;31mred\x1b[0m plain \x1b[32m语\x1b[0m", "a\nb\r\nc\td", "\n\n\n\n", "日\n本\n語",
	"ก็ก็ก็ก็", "\u0d4eprepend", strings.Repeat("\u0301", 50), "ﷺﷺ", "🏳️‍🌈", "\xff\xfe",
}

func exact(t *testing.T, s string, w, h int) {
	t.Helper()
	if h <= 0 {
		if s != "" {
			t.Fatalf("%dx%d: want nothing, got %q", w, h, s)
		}
		return
	}
	lines := strings.Split(s, "\n")
	if len(lines) != h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != max(w, 0) {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, got, l)
		}
	}
}

func TestFitAndBoxFillEverySizeExactly(t *testing.T) {
	th := theme.New(theme.Options{})
	for _, text := range hostile {
		for w := -1; w <= 200; w += 1 + w/10 {
			for h := -1; h <= 60; h += 1 + h/8 {
				exact(t, Fit(text, w, h), w, h)
				exact(t, Box(th, text, text, w, h, h%2 == 0), w, h)
				iw, ih := Inner(w, h)
				if iw < 0 || ih < 0 || iw > max(w, 0) || ih > max(h, 0) {
					t.Fatalf("Inner(%d, %d) = %d, %d", w, h, iw, ih)
				}
			}
		}
	}
}

func TestLineAligns(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Line("ab", 4), "ab  "}, {LineRight("ab", 4), "  ab"}, {Centre("ab", 5), " ab  "}, {Line("语语", 3), "语 "},
		{LineRight("语语", 3), " 语"}, {Line("a\nb", 3), "a b"}, {Cut("abcdef", 4, "…"), "abc…"}, {Cut("语语语", 4, "…"), "语…"},
		{Cut("abc", 3, "…"), "abc"}, {Cut("abc", 0, "…"), ""}, {Line("x", 0), ""},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestOpenStyleIsClosed(t *testing.T) {
	if got := Fit("\x1b[31mred and long", 6, 1); !strings.HasSuffix(got, reset) {
		t.Errorf("%q leaks its colour", got)
	}
}

func TestColumnsAddUp(t *testing.T) {
	for w := -3; w <= 200; w++ {
		for _, weights := range [][]int{{1}, {1, 1}, {1, 2, 3}, {0, 0}, {5, 0, -1, 2}, {1, 1, 1, 1, 1, 1, 1}} {
			sum := 0
			for _, c := range Columns(w, weights...) {
				if c < 0 {
					t.Fatalf("Columns(%d, %v) has a negative part", w, weights)
				}
				sum += c
			}
			if sum != max(w, 0) {
				t.Fatalf("Columns(%d, %v) adds up to %d", w, weights, sum)
			}
		}
	}
	if got := (Rect{1, 2, 10, 4}).SplitH(1, 1)[1]; got != (Rect{6, 2, 5, 4}) {
		t.Errorf("SplitH: %v", got)
	}
	if got := (Rect{1, 2, 10, 4}).SplitV(1, 3)[1]; got != (Rect{1, 3, 10, 3}) {
		t.Errorf("SplitV: %v", got)
	}
}

func TestClass(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want Size
	}{{39, 12, TooSmall}, {40, 11, TooSmall}, {0, 0, TooSmall}, {40, 12, Narrow}, {80, 24, Narrow}, {120, 40, Normal}, {200, 60, Wide}} {
		if got := Class(c.w, c.h); got != c.want {
			t.Errorf("Class(%d, %d) = %d, want %d", c.w, c.h, got, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	if got, want := JoinH("a\nbb", "", "c"), "a c\nbb "; got != want {
		t.Errorf("JoinH %q, want %q", got, want)
	}
	if got, want := JoinV("a", "", "b"), "a\nb"; got != want {
		t.Errorf("JoinV %q, want %q", got, want)
	}
}

func TestBoxShowsTitleAndFocusWithoutColour(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono})
	if got := Box(th, "Heap", "x", 20, 5, false); !strings.HasPrefix(got, "╭─ Heap ───────────╮\n│x") {
		t.Errorf("box:\n%s", got)
	}
	if got := Box(th, "Heap", "x", 20, 5, true); !strings.Contains(got, "▶ Heap") {
		t.Errorf("the focus is not seen:\n%s", got)
	}
	if got := Box(th, "Heap", "x", 8, 2, false); got != "Heap    \nx       " {
		t.Errorf("small box %q", got)
	}
}

func FuzzFit(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 17, 3)
	}
	th := theme.New(theme.Options{})
	f.Fuzz(func(t *testing.T, s string, w, h int) {
		w, h = w&0xff, h&0x1f
		s = probes.Clean(s)
		exact(t, Fit(s, w, h), w, h)
		exact(t, Box(th, s, s, w, h, true), w, h)
	})
}

func BenchmarkFit(b *testing.B) {
	body := strings.Repeat("\x1b[32mplain\x1b[0m text and a 语 here\n", 40)
	for b.Loop() {
		Fit(body, 120, 40)
	}
}
