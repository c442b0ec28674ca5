package chart

import (
	"math"
	"strings"
	"testing"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// stackOf draws stacked lines in a plot of h rows whose top is 8, without
// labels, a bucket a character.
func stackOf(h int, lines ...Line) []string {
	n := 0
	for i := range lines {
		lines[i].Kind = Stacked
		n = max(n, len(lines[i].Buckets))
	}
	s := Draw(themes["ascii"], Spec{W: n, H: h, Lines: lines, Cursor: -1, YMax: probes.Some(8.0)})
	return strings.Split(s, "\n")
}

func repeat(n int, v float64) []series.Bucket {
	out := make([]series.Bucket, n)
	for i := range out {
		out[i] = bucket(v)
	}
	return out
}

func TestStackIsAsHighAsTheSum(t *testing.T) {
	got := stackOf(8, Line{Letter: "B", Buckets: repeat(12, 1)}, Line{Letter: "R", Buckets: repeat(12, 2)}, Line{Letter: "W", Buckets: repeat(12, 3)})
	want := []string{"            ", "            ", "WWWWWWWWWWWW", "WWWWWWWWWWWW", "WWWWWWWWWWWW", "RRRRRRRRRRRR", "RRRRRRRRRRRR", "BBBBBBBBBBBB"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// A reading holds until the next; a gap is a hole, and a line without a reading
// where another has one has nothing there.
func TestStackHoldsAndBreaks(t *testing.T) {
	a, b := make([]series.Bucket, 12), make([]series.Bucket, 12)
	a[1], b[1] = bucket(4), bucket(2)
	a[5] = series.Bucket{Gap: true}
	a[8] = bucket(2)
	got := stackOf(4, Line{Letter: "A", Buckets: a}, Line{Letter: "B", Buckets: b})
	want := []string{"            ", " BBBB       ", " AAAA       ", " AAAA   AAAA"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestOneOfAThousandIsSeen(t *testing.T) {
	for name, th := range themes {
		s := Draw(th, Spec{W: 40, H: 8, Cursor: -1, Lines: []Line{
			{Letter: "B", Kind: Stacked, Style: th.Bad, Buckets: repeat(62, 1)}, {Letter: "R", Kind: Stacked, Style: th.OK, Buckets: repeat(62, 3)},
			{Letter: "W", Kind: Stacked, Buckets: repeat(62, 996)}}})
		exact(t, s, 40, 8)
		last := strings.Split(s, "\n")[7]
		if name != "dark" && !strings.Contains(last, "BBBB") || name == "dark" && !strings.Contains(last, "91m") {
			t.Errorf("%s: no blocked thread in %q", name, last)
		}
	}
}

func TestStackOfNothing(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), -3, 1e308} {
		for _, th := range themes {
			s := Draw(th, Spec{W: 40, H: 8, Cursor: -1, Empty: "nothing", Lines: []Line{
				{Letter: "A", Kind: Stacked, Buckets: repeat(62, bad)}, {Letter: "B", Kind: Stacked}}})
			exact(t, s, 40, 8)
			if !drawable(bad) && !strings.Contains(s, "nothing") {
				t.Errorf("%v is drawn:\n%s", bad, s)
			}
		}
	}
}

func TestStackLegendHasItsLetters(t *testing.T) {
	s := Draw(themes["dark"], Spec{W: 60, H: 8, Cursor: 0, Legend: true, Lines: []Line{{Name: "blocked", Letter: "B", Kind: Stacked, Buckets: repeat(102, 7)}}})
	if !strings.Contains(s, "B blocked 7") && !strings.Contains(strings.Split(s, "\n")[0], "B blocked") {
		t.Errorf("legend %q", strings.Split(s, "\n")[0])
	}
}

func BenchmarkStack(b *testing.B) {
	lines := make([]Line, 5)
	for i := range lines {
		lines[i] = Line{Letter: "x", Kind: Stacked, Buckets: repeat(BucketsFor(120), 1000)}
	}
	for b.Loop() {
		Draw(themes["dark"], Spec{W: 120, H: 12, Lines: lines, Cursor: -1})
	}
}
