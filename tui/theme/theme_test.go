package theme

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
)

// The environment must not matter: the styles have a renderer of their own.
func TestColourFollowsOptionsNotTheEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM", "dumb")
	if got := New(Options{}).Bad.Render("x"); !strings.Contains(got, "91m") && !strings.Contains(got, ";91") {
		t.Errorf("dark has no bright red: %q", got)
	}
	mono := New(Options{Mode: Mono})
	v := reflect.ValueOf(*mono)
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(interface{ Render(...string) string }); ok {
			if got := s.Render("x y"); got != "x y" {
				t.Errorf("mono %s draws %q", v.Type().Field(i).Name, got)
			}
		}
	}
}

func TestOnlyANSI16(t *testing.T) {
	for _, m := range []Mode{Dark, Light} {
		th := New(Options{Mode: m})
		seen := map[string]bool{}
		for i, s := range th.Series {
			got := s.Render("x")
			if strings.Contains(got, "38;5") || strings.Contains(got, "38;2") || !strings.Contains(got, "\x1b[") {
				t.Errorf("mode %d series %d: %q is not one of the sixteen colours", m, i, got)
			}
			seen[got] = true
		}
		if len(seen) != 6 {
			t.Errorf("mode %d: %d distinct series, want 6", m, len(seen))
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": unicodeGlyphs, "ascii": asciiGlyphs} {
		var walk func(reflect.Value, string)
		walk = func(v reflect.Value, path string) {
			if v.Kind() == reflect.Array {
				for i := range v.Len() {
					walk(v.Index(i), path)
				}
				return
			}
			s := v.String()
			if ansi.StringWidth(s) != 1 {
				t.Errorf("%s %s %q is not one cell", name, path, s)
			}
			if name == "ascii" && (len(s) != 1 || s[0] < 0x20 || s[0] > 0x7e) {
				t.Errorf("%s %q is not ASCII", path, s)
			}
		}
		v := reflect.ValueOf(g)
		for i := range v.NumField() {
			walk(v.Field(i), v.Type().Field(i).Name)
		}
	}
}

func TestStatesHaveLettersOfTheirOwn(t *testing.T) {
	th := New(Options{Mode: Mono})
	seen := map[string]probes.ThreadState{}
	for _, s := range probes.ThreadStates {
		_, letter := th.State(s)
		if len(letter) != 1 {
			t.Errorf("%s has letter %q", s, letter)
		}
		if o, dup := seen[letter]; dup {
			t.Errorf("%s and %s share letter %q", s, o, letter)
		}
		seen[letter] = s
	}
}
