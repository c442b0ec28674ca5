package view_test

import (
	"strings"
	"testing"

	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/tuitest/screens"
)

// sizes are the edges of every threshold, and a net over the rest; with
// -short a coarser one.
func sizes(short bool) (ws, hs []int) {
	step := 17
	if short {
		step = 41
	}
	for w := 0; w <= 200; w += step {
		ws = append(ws, w)
	}
	for h := 0; h <= 60; h += 9 {
		hs = append(hs, h)
	}
	return append(ws, 1, 2, 11, 12, 39, 40, 71, 72, 79, 80, 120, 200), append(hs, 1, 2, 3, 4, 5, 7, 11, 12, 24, 34, 60)
}

func TestEveryScreenFillsEverySizeExactly(t *testing.T) {
	themes := []*theme.Theme{theme.New(theme.Options{}), theme.New(theme.Options{Mode: theme.Mono, ASCII: true})}
	ws, hs := sizes(testing.Short())
	for k, s := range screens.All() {
		t.Run(s.Name, func(t *testing.T) {
			for i, w := range ws {
				for j, h := range hs {
					// A third of the pairs for each screen, another third for the next: views
					// share their parts, and all of it would take minutes.
					if (i+j+k)%3 != 0 {
						continue
					}
					if !tuitest.Exact(t, s.Name, s.Draw(themes[(i+j)%len(themes)], w, h), w, h) {
						return
					}
				}
			}
		})
	}
}

func TestMonoHasNoEscapesAndASCIINoGlyphs(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono, ASCII: true})
	for _, s := range screens.All() {
		if strings.Contains(s.Name, "hostile") || strings.Contains(s.Name, "footer_toast") {
			continue // its text is not ASCII
		}
		for _, r := range s.Draw(th, 120, 40) {
			if r != '\n' && (r < 0x20 || r > 0x7e) {
				t.Errorf("%s: draws %q in an ASCII terminal without colour", s.Name, r)
				break
			}
		}
	}
}
