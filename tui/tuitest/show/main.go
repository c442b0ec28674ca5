// Command show prints one screen of package screens to the terminal, to look
// at and to make pictures of.
package main

import (
	"flag"
	"fmt"
	"os"

	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest/screens"
)

func main() {
	w, h := flag.Int("w", 120, "columns"), flag.Int("h", 40, "rows")
	mode := flag.String("mode", "dark", "dark, light or mono")
	ascii := flag.Bool("ascii", false, "ASCII glyphs")
	flag.Parse()
	modes := map[string]theme.Mode{"dark": theme.Dark, "light": theme.Light, "mono": theme.Mono}
	m, ok := modes[*mode]
	if !ok {
		fmt.Fprintf(os.Stderr, "show: no mode %q\n", *mode)
		os.Exit(2)
	}
	th := theme.New(theme.Options{Mode: m, ASCII: *ascii})
	for _, s := range screens.All() {
		if s.Name == flag.Arg(0) {
			fmt.Println(s.Draw(th, *w, *h))
			return
		}
	}
	fmt.Fprintln(os.Stderr, "show: give one of")
	for _, s := range screens.All() {
		fmt.Fprintln(os.Stderr, "  "+s.Name)
	}
	os.Exit(2)
}
