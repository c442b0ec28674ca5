package view_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

func histogramText(t *testing.T, st *view.HistogramState, edit func(f *probes.Frame)) []string {
	t.Helper()
	f := tuitest.Frame(tuitest.Options{})
	edit(f)
	return strings.Split(ansi.Strip(view.Histogram(view.Ctx{Th: theme.New(theme.Options{}), W: 140, H: 20}, f, st)), "\n")
}

// lineOf is the line of a class, with single spaces.
func lineOf(t *testing.T, lines []string, class string) string {
	t.Helper()
	for _, l := range lines {
		if strings.Contains(l, class) {
			return strings.Join(strings.Fields(l), " ")
		}
	}
	t.Fatalf("no line of %s in\n%s", class, strings.Join(lines, "\n"))
	return ""
}

func TestHistogramShowsGrowth(t *testing.T) {
	var st view.HistogramState
	one := histogramText(t, &st, func(f *probes.Frame) { f.Histograms = tuitest.Histograms(f, 1) })
	if got, want := lineOf(t, one, "byte[]"), "byte[] 812,345 98.0 MB 79.0 % - - - java.base"; !strings.HasSuffix(got, want) {
		t.Errorf("one histogram: %q, want %q", got, want)
	}
	three := histogramText(t, &st, func(f *probes.Frame) { f.Histograms = tuitest.Histograms(f, 3) })
	if got := lineOf(t, three, "byte[]"); !strings.Contains(got, "892,345 160.0 MB") || !strings.Contains(got, "+80,000 +62.0 MB +186.0 MB") {
		t.Errorf("three histograms, 20 s: %q", got)
	}
	if got := lineOf(t, three, "com.acme.Warmup"); !strings.Contains(got, " 0 0 B ") || !strings.Contains(got, "-1 -24 B") {
		t.Errorf("a class that is gone: %q", got)
	}
	if got := lineOf(t, three, "com.acme.Session"); !strings.Contains(got, "180 16.9 KB") || !strings.Contains(got, "+180 +16.9 KB") {
		t.Errorf("a new class: %q", got)
	}
	if got := lineOf(t, three, "since "); !strings.Contains(got, "3 histograms") || !strings.Contains(got, "hides growth") {
		t.Errorf("heading: %q", got)
	}
}

// A count after a full collection is not compared with one without.
func TestHistogramsOfTwoKindsAreNotCompared(t *testing.T) {
	var st view.HistogramState
	lines := histogramText(t, &st, func(f *probes.Frame) {
		f.Histograms = tuitest.Histograms(f, 2)
		f.Histograms[1].Live = true
	})
	if got := lineOf(t, lines, "byte[]"); strings.Contains(got, "+") {
		t.Errorf("compared all the same: %q", got)
	}
	if !strings.Contains(strings.Join(lines, "\n"), "differ by the garbage") {
		t.Errorf("not said why:\n%s", strings.Join(lines, "\n"))
	}
}

// Growth comes first once there is any, unless the user chose an order.
func TestHistogramOrder(t *testing.T) {
	first := func(st *view.HistogramState, n int) string {
		lines := histogramText(t, st, func(f *probes.Frame) { f.Histograms = tuitest.Histograms(f, n) })
		for i, l := range lines {
			if strings.Contains(l, "CLASS") {
				return strings.Fields(strings.TrimLeft(lines[i+1], " >\u25b6"))[0]
			}
		}
		return ""
	}
	var st view.HistogramState
	if a, b := first(&st, 1), first(&st, 2); a != "byte[]" || b != "byte[]" || st.Table.SortCol != "dbytes" {
		t.Errorf("%s, then %s by %s", a, b, st.Table.SortCol)
	}
	st.NextSort()
	if st.Table.SortCol != "rate" {
		t.Errorf("next order is by %s", st.Table.SortCol)
	}
}
