package view

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Prompt asks for a word: what it is for, and what was typed so far.
func Prompt(c Ctx, title, label, text string) string {
	w := min(c.W, 76)
	iw := max(w-4, 1)
	body := []string{""}
	for _, l := range wrap(label, iw) {
		body = append(body, " "+l)
	}
	// The end of a long word is where it is typed.
	shown := text + "_"
	if n := width(shown) - iw; n > 0 {
		shown = ansi.TruncateLeft(shown, n, "")
	}
	body = append(body, "", " "+c.Th.Accent.Render(shown), "", " "+c.Th.Key.Render("enter")+" go on   "+c.Th.Key.Render("esc")+" no")
	h := min(len(body)+2, c.H)
	return c.place(c.boxFocus(title, strings.Join(body, "\n"), w, h), w, h)
}
