// Command show prints one screen of package screens to the terminal, to look
// at and to make pictures of.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest/screens"
)

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "show:", err)
	}
}

func run(out io.Writer, args []string) error {
	fs := flag.NewFlagSet("show", flag.ContinueOnError)
	w, h := fs.Int("w", 120, "columns"), fs.Int("h", 40, "rows")
	mode := fs.String("mode", "dark", "dark, light or mono")
	ascii := fs.Bool("ascii", false, "ASCII glyphs")
	if err := fs.Parse(args); err != nil {
		return err
	}
	modes := map[string]theme.Mode{"dark": theme.Dark, "light": theme.Light, "mono": theme.Mono}
	m, ok := modes[*mode]
	if !ok {
		return fmt.Errorf("no mode %q", *mode)
	}
	th := theme.New(theme.Options{Mode: m, ASCII: *ascii})
	var names []string
	for _, s := range screens.All() {
		if s.Name == fs.Arg(0) {
			_, err := fmt.Fprintln(out, s.Draw(th, *w, *h))
			return err
		}
		names = append(names, s.Name)
	}
	return fmt.Errorf("no screen %q; there are: %s", fs.Arg(0), strings.Join(names, " "))
}
