package chart

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
	"example.com/jtop/tui/theme"
)

var themes = map[string]*theme.Theme{
	"dark":  theme.New(theme.Options{}),
	"mono":  theme.New(theme.Options{Mode: theme.Mono}),
	"ascii": theme.New(theme.Options{Mode: theme.Mono, ASCII: true}),
}

// exact fails unless s is h lines of w cells.
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
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, got, l)
		}
	}
}

func TestDrawFillsEverySizeExactly(t *testing.T) {
	for _, th := range themes {
		for w := 0; w <= 200; w += 1 + w/9 {
			for h := 0; h <= 60; h += 1 + h/5 {
				for _, s := range []Spec{heapSpec(th, w, h), cpuSpec(th, w, h), latencySpec(th, w, h),
					{W: w, H: h, Empty: "no pause 语语语 in the time shown\nat all"},
					{W: w, H: h, Cursor: 3, Legend: true, Lines: []Line{{Name: strings.Repeat("语e\u0301👩", 20), Buckets: sine(7, 1e9, 1, 2)}}}} {
					exact(t, Draw(th, s), w, h)
				}
			}
		}
	}
}

func bucket(v float64) series.Bucket { return series.Bucket{N: 1, Min: v, Max: v, Last: v} }

// plotOf draws one line 40 cells wide, without labels, in ASCII: one character
// a bucket, so that columns can be read off.
func plotOf(k Kind, in []series.Bucket, h int) []string {
	th := themes["ascii"]
	s := Spec{W: len(in), H: h, Cursor: -1, YMax: probes.Some(float64(h - 1)), Lines: []Line{{Kind: k, Buckets: in}}}
	return strings.Split(Draw(th, s), "\n")
}

func TestGapIsAHole(t *testing.T) {
	for _, k := range []Kind{Trace, Area, Step} {
		in := make([]series.Bucket, 20)
		in[2], in[6], in[10] = bucket(3), bucket(3), bucket(3)
		in[8].Gap = true
		rows := plotOf(k, in, 5)
		column := func(x int) string {
			var b strings.Builder
			for _, r := range rows {
				b.WriteByte(r[x])
			}
			return strings.TrimSpace(b.String())
		}
		for x := range 20 {
			drawn := column(x) != ""
			want := x >= 2 && x <= 6 || x == 10 // joined over empty buckets, not over the gap
			if drawn != want {
				t.Errorf("kind %d column %d: drawn %v, want %v\n%s", k, x, drawn, want, strings.Join(rows, "\n"))
			}
		}
	}
}

func TestPointsAreNotJoined(t *testing.T) {
	in := make([]series.Bucket, 20)
	in[2], in[6] = bucket(1), bucket(4)
	got := strings.Join(plotOf(Points, in, 5), "\n")
	if n := strings.Count(got, "#"); n != 2 {
		t.Errorf("%d cells drawn, want the 2 readings\n%s", n, got)
	}
}

func TestMaximumOfAColumnSurvives(t *testing.T) {
	in := make([]series.Bucket, 200) // five buckets a column
	for i := range in {
		in[i] = bucket(1)
	}
	in[101] = bucket(9)
	s := Spec{W: 20, H: 10, Cursor: -1, YMax: probes.Some(9.0), Lines: []Line{{Buckets: in}}}
	top := strings.Split(Draw(themes["mono"], s), "\n")[0]
	if strings.TrimSpace(top) == "" {
		t.Error("a spike of one reading is not on the top line")
	}
}

func TestStepHoldsItsValue(t *testing.T) {
	in := make([]series.Bucket, 20)
	in[0], in[10] = bucket(1), bucket(3)
	rows := plotOf(Step, in, 5)
	if want := "##########"; rows[3][:10] != want {
		t.Errorf("before the step %q, want %q", rows[3][:10], want)
	}
	if rows[1][10] != '#' || rows[1][9] == '#' {
		t.Errorf("the step is not at its reading:\n%s", strings.Join(rows, "\n"))
	}
}

func TestReadingAboveAFixedTopRaisesIt(t *testing.T) {
	s := cpuSpec(themes["mono"], 60, 12)
	s.Lines = []Line{{Buckets: sine(40, 150, 5, 3)}}
	if got := Draw(themes["mono"], s); !strings.Contains(got, "200 %") {
		t.Errorf("an axis up to 200 %% was expected:\n%s", got)
	}
}

func TestLegendShowsTheCursorOrTheLatest(t *testing.T) {
	th := themes["mono"]
	in := make([]series.Bucket, 20)
	in[3], in[15] = bucket(30), bucket(70)
	s := Spec{W: 60, H: 10, Cursor: -1, Legend: true, Lines: []Line{{Name: "used", Buckets: in}}}
	for _, c := range []struct {
		cursor int
		gap    bool
		want   string
	}{{-1, false, "used 70"}, {3, false, "used 30"}, {4, false, "used -"}, {-1, true, "used -"}} {
		s.Cursor = c.cursor
		in[18].Gap = c.gap
		if got := strings.Split(Draw(th, s), "\n")[0]; strings.TrimSpace(got[strings.Index(got, "used"):]) != c.want {
			t.Errorf("cursor %d gap %v: %q, want %q", c.cursor, c.gap, got, c.want)
		}
	}
}

func TestEmptyChartSaysWhyAndShowsNoFigure(t *testing.T) {
	got := Draw(themes["ascii"], Spec{W: 60, H: 10, Cursor: -1, Empty: "no pause yet"})
	if !strings.Contains(got, "no pause yet") {
		t.Errorf("the reason is missing:\n%s", got)
	}
	if strings.ContainsAny(got, "0123456789") {
		t.Errorf("a figure was made up:\n%s", got)
	}
}

func TestAxisLabelsTellTheSpecsOwnTime(t *testing.T) {
	got := Draw(themes["ascii"], heapSpec(themes["ascii"], 70, 12))
	for _, want := range []string{"14:07:00", "14:12:00", "256 MB", "0 B"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

func TestMarksAreAtTheirBucket(t *testing.T) {
	s := Spec{W: 20, H: 8, Cursor: -1, Lines: []Line{{Buckets: sine(40, 5, 1, 3)}},
		Marks: []Mark{{At: 10, Glyph: "G"}, {At: -1, Glyph: "X"}, {At: 99, Glyph: "X"}}}
	if got := strings.Split(Draw(themes["ascii"], s), "\n")[0]; got != "     G              " {
		t.Errorf("marks %q", got)
	}
}

func TestNiceMax(t *testing.T) {
	for _, c := range []struct {
		v      float64
		binary bool
		want   float64
	}{{0, false, 1}, {math.NaN(), false, 1}, {-3, false, 1}, {1, false, 1}, {1.01, false, 2}, {2.2, false, 2.5}, {3, false, 5},
		{7, false, 10}, {0.3, false, 0.5}, {0.02, false, 0.02}, {1200, false, 2000},
		{256 << 20, true, 256 << 20}, {257 << 20, true, 384 << 20}, {400 << 20, true, 512 << 20}, {3, true, 3}, {5, true, 6}} {
		if got := NiceMax(c.v, c.binary); got != c.want {
			t.Errorf("NiceMax(%g, %v) = %g, want %g", c.v, c.binary, got, c.want)
		}
	}
	for e := -290.0; e < 290; e += 0.37 {
		v := math.Pow(10, e)
		for _, b := range []bool{false, true} {
			if top := NiceMax(v, b); !(top >= v) || (v > 1 && top > 2.6*v) || math.IsInf(top, 0) {
				t.Errorf("NiceMax(%g, %v) = %g", v, b, top)
			}
		}
	}
}

func TestBucketsForMatchesDraw(t *testing.T) {
	for w := range 200 {
		if got := BucketsFor(w); got != 2*PlotWidth(w) || PlotWidth(w) > w || got < 0 {
			t.Errorf("BucketsFor(%d) = %d", w, got)
		}
	}
}

func BenchmarkFourCharts(b *testing.B) {
	th := themes["dark"]
	for _, size := range []struct {
		name string
		w, h int
	}{{"120x40", 60, 20}, {"200x60", 100, 30}} {
		b.Run(size.name, func(b *testing.B) {
			specs := []Spec{heapSpec(th, size.w, size.h), cpuSpec(th, size.w, size.h), latencySpec(th, size.w, size.h), heapSpec(th, size.w, size.h)}
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range specs {
					Draw(th, s)
				}
			}
		})
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(60, 12, 3, math.NaN(), math.Inf(1), 1e308, 5, "x")
	f.Add(30, 4, 1, -1e308, 1e308, 0.0, 0, "\x1b[31m")
	f.Add(200, 60, 0, 5e-324, 0.0, 1e-300, -1, "语")
	f.Fuzz(func(t *testing.T, w, h, kind int, a, b, c float64, cursor int, text string) {
		w, h = w&0xff, h&0x3f
		in := []series.Bucket{{N: 1, Min: a, Max: b, Last: c}, {Gap: true}, {N: 2, Min: c, Max: a, Last: b}, {}, {N: -1, Min: a}, {N: 1, Min: b, Max: b, Last: b, Gap: true}}
		s := Spec{W: w, H: h, Cursor: cursor, Legend: kind&1 != 0, Log: kind&2 != 0, Binary: kind&4 != 0, Empty: probes.Clean(text),
			Marks: []Mark{{At: cursor}}, From: time.Unix(0, 0), To: time.Unix(int64(w), 0),
			Lines: []Line{{Name: probes.Clean(text), Kind: Kind(kind & 3), Buckets: in}, {Buckets: in[:2], Kind: Area}, {}}}
		if kind&8 != 0 {
			s.YMax, s.YMin = probes.Some(a), probes.Some(c)
		}
		for _, th := range themes {
			got := Draw(th, s)
			exact(t, got, w, h)
			if plain := ansi.Strip(got); strings.Contains(plain, "NaN") || strings.Contains(plain, "Inf") {
				if !strings.Contains(text, "NaN") && !strings.Contains(text, "Inf") {
					t.Fatalf("a figure that is none was drawn:\n%s", plain)
				}
			}
			exact(t, Spark(th, in, w, a, s.Lines[0].Style), w, 1)
			exact(t, Bar(th, w, probes.Some(a), probes.Some(b), s.Lines[0].Style), w, 1)
			exact(t, HBarStack(th, w, []Segment{{Value: probes.Some(a)}, {}, {Value: probes.Some(c)}}, probes.Some(b)), w, 1)
		}
	})
}
