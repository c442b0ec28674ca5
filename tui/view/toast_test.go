package view

import (
	"strings"
	"testing"

	"example.com/jtop/tui/layout"
)

// A toast that the bottom line has no room for is drawn whole above it.
func TestToastLines(t *testing.T) {
	const short, long = "no dump", "no heap dump was written: the file would have about 247 MB, and 1 MB is free in /tmp/full (choose a path on another disk)"
	c := mono(80, 20)
	if got := ToastLines(c, FooterInfo{Toast: short}); got != nil {
		t.Errorf("a short one has lines above: %q", got)
	}
	if got := ToastLines(c, FooterInfo{}); got != nil {
		t.Errorf("none has lines above: %q", got)
	}
	if got := ToastLines(c, FooterInfo{Toast: short, Filter: "f", Typing: true}); got != nil {
		t.Errorf("a short one beside a chip has lines above: %q", got)
	}
	got := ToastLines(c, FooterInfo{Toast: long, Kind: ToastBad})
	if len(got) != 2 {
		t.Fatalf("%d lines: %q", len(got), got)
	}
	words := strings.Join(strings.Fields(strings.Join(got, " ")), " ")
	if want := c.Th.G.Bad + " " + long; words != want {
		t.Errorf("got %q, want %q", words, want)
	}
	for _, l := range got {
		if layout.Width(l) != 80 {
			t.Errorf("%d cells: %q", layout.Width(l), l)
		}
	}
	if !strings.HasPrefix(got[1], "  ") {
		t.Errorf("the second line is not indented: %q", got[1])
	}
	if got := ToastLines(mono(10, 6), FooterInfo{Toast: strings.Repeat("word ", 50)}); len(got) != 3 {
		t.Errorf("%d of 6 lines are taken", len(got))
	}
}
