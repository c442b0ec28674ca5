package chart

import (
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/layout"
	"example.com/jtop/tui/theme"
)

func TestTank(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono})
	ascii := theme.New(theme.Options{Mode: theme.Mono, ASCII: true})
	some, none := probes.Some[float64], probes.None[float64]()
	for _, c := range []struct {
		name  string
		th    *theme.Theme
		w, h  int
		space Space
		want  string
	}{
		{"a quarter used, half committed", th, 2, 4, Space{Used: some(25), Committed: some(50), Size: some(100)}, "░░\n░░\n▒▒\n██"},
		{"parts of a line", th, 1, 2, Space{Used: some(75), Committed: some(100), Size: some(100)}, "▄\n█"},
		{"a sliver", th, 1, 2, Space{Used: some(0.01), Committed: some(100), Size: some(100)}, "▒\n▁"},
		{"nearly full is not full", th, 1, 2, Space{Used: some(99.9), Committed: some(100), Size: some(100)}, "▇\n█"},
		{"full", th, 1, 2, Space{Used: some(100), Committed: some(100), Size: some(100)}, "█\n█"},
		{"empty", th, 1, 2, Space{Used: some(0), Committed: some(50), Size: some(100)}, "░\n▒"},
		{"use unknown", th, 1, 2, Space{Used: none, Committed: some(100), Size: some(100)}, "▒\n▒"},
		{"size unknown", th, 2, 2, Space{Used: some(1), Committed: some(1), Size: none}, "- \n  "},
		{"nothing known", th, 2, 1, Space{Used: none, Committed: none, Size: some(9)}, "- "},
		{"lying figures", th, 1, 2, Space{Used: some(300), Committed: some(200), Size: some(100)}, "█\n█"},
		{"on its side", th, 8, 1, Space{Used: some(25), Committed: some(50), Size: some(100)}, "██▒▒░░░░"},
		{"on its side, parts", th, 4, 1, Space{Used: some(30), Committed: some(100), Size: some(100)}, "█▎▒▒"},
		{"ASCII", ascii, 1, 4, Space{Used: some(30), Committed: some(75), Size: some(100)}, ".\n+\n+\n#"},
		{"ASCII sliver", ascii, 3, 1, Space{Used: some(1), Committed: some(100), Size: some(100)}, "#++"},
	} {
		if got := Tank(c.th, c.w, c.h, c.space); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if Tank(th, 0, 3, Space{}) != "" || Tank(th, 3, -1, Space{}) != "" {
		t.Error("a tank of no size draws")
	}
	for _, sign := range []string{"█", "▒", "░"} {
		if !strings.Contains(TankLegend(th), sign) {
			t.Errorf("%q is not explained", sign)
		}
	}
}

func TestStrip(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono})
	b := func(v ...float64) []series.Bucket {
		var out []series.Bucket
		for _, x := range v {
			k := series.Bucket{N: 1, Min: x, Max: x, Last: x}
			if x < 0 {
				k = series.Bucket{}
			}
			out = append(out, k)
		}
		return out
	}
	for _, c := range []struct {
		name    string
		buckets []series.Bucket
		w, h    int
		top     float64
		want    string
	}{
		{"halves", b(0, 50, 75, 100), 4, 2, 100, "  ▄█\n▁███"},
		{"own top", b(1, 2), 2, 2, 0, " █\n██"},
		{"above the top", b(500), 1, 2, 100, "█\n█"},
		{"between readings", b(100, -1, 50), 3, 2, 100, "██ \n███"},
		{"a hole", []series.Bucket{b(100)[0], {Gap: true}, {}, b(50)[0]}, 4, 2, 100, "█   \n█  █"},
		{"one line", b(100, 50), 2, 1, 100, "█▄"},
		{"nothing", nil, 2, 2, 100, "  \n  "},
	} {
		if got := Strip(th, c.buckets, c.w, c.h, c.top, th.Text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for w := range 5 {
		for h := range 4 {
			got := Strip(th, b(1, 2, 3), w, h, 0, th.Text)
			if w*h == 0 && got != "" || w*h > 0 && got != layout.Fit(got, w, h) {
				t.Errorf("%dx%d: %q", w, h, got)
			}
		}
	}
}
