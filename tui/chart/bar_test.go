package chart

import (
	"testing"

	"github.com/charmbracelet/lipgloss"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

func TestBar(t *testing.T) {
	some, none := probes.Some[float64], probes.None[float64]()
	for _, c := range []struct {
		part, whole probes.Opt[float64]
		want        string
	}{
		{some(0), some(10), "░░░░░░░░░░"}, {some(5), some(10), "█████░░░░░"}, {some(10), some(10), "██████████"},
		{some(11), some(10), "██████████"}, {some(0.001), some(10), "▏░░░░░░░░░"}, {some(9.9999), some(10), "█████████▉"},
		{none, some(10), "-         "}, {some(1), none, "-         "}, {some(1), some(0), "-         "},
	} {
		if got := Bar(themes["mono"], 10, c.part, c.whole, lipgloss.Style{}); got != c.want {
			t.Errorf("Bar(%v of %v) = %q, want %q", c.part, c.whole, got, c.want)
		}
	}
	if got := Bar(themes["ascii"], 10, some(5), some(10), lipgloss.Style{}); got != "#####....." {
		t.Errorf("ASCII bar %q", got)
	}
}

func TestHBarStack(t *testing.T) {
	some := probes.Some[float64]
	got := HBarStack(themes["mono"], 10, []Segment{{Value: some(20)}, {Value: some(1)}, {Value: some(40)}, {}}, some(100))
	if got != "██▓▒▒▒░░░░" {
		t.Errorf("stack %q", got)
	}
	if got := HBarStack(themes["mono"], 4, []Segment{{}, {}}, some(100)); got != "-   " {
		t.Errorf("a stack of unknown parts is %q, want a dash", got)
	}
}

func TestSpark(t *testing.T) {
	in := []series.Bucket{bucket(0), bucket(4), {}, bucket(8)}
	if got := Spark(themes["mono"], in, 4, 8, lipgloss.Style{}); got != "▁▄ █" {
		t.Errorf("spark %q", got)
	}
	if got := Spark(themes["mono"], in, 4, 0, lipgloss.Style{}); got != "▁▄ █" {
		t.Errorf("spark without top %q", got)
	}
	if got := Spark(themes["mono"], nil, 4, 8, lipgloss.Style{}); got != "    " {
		t.Errorf("spark of nothing %q", got)
	}
}
