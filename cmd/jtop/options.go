package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"example.com/jtop/probes/threads"
	"example.com/jtop/tui/theme"
)

// options are the flags of the screen.
type options struct {
	color    string
	light    bool
	ascii    bool
	noMouse  bool
	readonly bool
	log      string
	record   string
	replay   string
	version  bool
	plan     string
	budget   float64
}

func (o *options) flags(name string) *flag.FlagSet {
	f := newFlags(name)
	o.look(f)
	f.StringVar(&o.replay, "replay", "", "look at a session that --record has kept in `FILE`")
	f.StringVar(&o.plan, "plan", "", "fill the load form with the plan in `FILE` (.yaml or .jmx); nothing is sent before you start it")
	f.BoolVar(&o.version, "version", false, "print the version")
	return f
}

// look adds the flags of every screen.
func (o *options) look(f *flag.FlagSet) {
	f.StringVar(&o.color, "color", "auto", "colours: `auto`, always or never (auto heeds NO_COLOR)")
	f.BoolVar(&o.light, "light", false, "colours for a light background")
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII characters (the default outside UTF-8 locales)")
	f.BoolVar(&o.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	f.BoolVar(&o.readonly, "readonly", false, "make everything impossible that acts on a JVM or fires load")
	f.StringVar(&o.log, "log", "", "write a log to `FILE`")
	f.StringVar(&o.record, "record", "", "record the session to `FILE`")
	stopBudget(f, &o.budget)
}

// stopBudget is the flag that bounds what thread dumps cost a JVM.
func stopBudget(f *flag.FlagSet, to *float64) {
	*to = threads.DefaultBudget
	f.Func("stop-budget", fmt.Sprintf("most that thread dumps may stop the JVM, in `percent` of the time: %v to %v (%v)", threads.MinBudget, threads.MaxBudget, threads.DefaultBudget), func(s string) error {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
		if err != nil || !(v >= threads.MinBudget && v <= threads.MaxBudget) {
			return fmt.Errorf("a number from %v to %v", threads.MinBudget, threads.MaxBudget)
		}
		*to = v
		return nil
	})
}

func newFlags(name string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	return f
}

// errHelp asks for the usage text.
var errHelp = errors.New("help")

// parse takes flags before and after the words, as users type them.
func parse(f *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, errHelp
			}
			return nil, usageError{err.Error()}
		}
		rest := f.Args()
		if len(rest) == 0 {
			return words, nil
		}
		if len(args) > len(rest) && args[len(args)-len(rest)-1] == "--" {
			return append(words, rest...), nil
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

func printFlags(w io.Writer, f *flag.FlagSet) {
	f.VisitAll(func(fl *flag.Flag) {
		arg, text := flag.UnquoteUsage(fl)
		name := "--" + fl.Name
		if arg != "" {
			name += " " + strings.ToUpper(arg)
		}
		fmt.Fprintf(w, "  %-18s %s\n", name, text)
	})
}

// theme picks colours and glyphs for the terminal at hand.
func (o *options) theme() (*theme.Theme, error) {
	mode := theme.Dark
	if o.light {
		mode = theme.Light
	}
	switch o.color {
	case "always":
	case "never":
		mode = theme.Mono
	case "auto":
		if os.Getenv("NO_COLOR") != "" || !colourful(os.Getenv("TERM")) {
			mode = theme.Mono
		}
	default:
		return nil, usagef("--color is auto, always or never, not %q", o.color)
	}
	return theme.New(theme.Options{Mode: mode, ASCII: o.ascii || !utf8Locale()}), nil
}

// colourful tells whether a terminal of this name has at least eight colours.
func colourful(term string) bool {
	switch {
	case term == "", term == "dumb", strings.HasPrefix(term, "vt1"), strings.HasPrefix(term, "vt2"), strings.HasSuffix(term, "-m"), strings.HasSuffix(term, "-mono"):
		return false
	}
	return true
}

// utf8Locale follows setlocale(3): the first of these that is set counts.
func utf8Locale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
