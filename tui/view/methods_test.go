package view

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
	"example.com/jtop/tui/theme"
)

func methodsFrame() *probes.Frame {
	p := &probes.Profile{Started: time.Unix(1, 0), Took: 10 * time.Second, Planned: 10 * time.Second, Dumps: 40, Stopped: 50 * time.Millisecond, Running: 100, CPU: probes.Some(10 * time.Second)}
	v := &probes.ProfileView{Profile: p}
	v.Flat = []probes.ProfileMethod{{Name: "a", Self: 60, Total: 60, SelfCPU: time.Second, TotalCPU: time.Second}, {Name: "b", Self: 40, Total: 100, SelfCPU: 6 * time.Second, TotalCPU: 7 * time.Second}}
	v.Down = []probes.ProfileNode{{Name: "b", Samples: 100, CPU: 7 * time.Second}, {Name: "a", Depth: 1, Samples: 60, CPU: time.Second, Leaf: true}, {Name: "z", Samples: 1, Leaf: true}}
	v.Up = []probes.ProfileNode{{Name: "a", Samples: 60}, {Name: "b", Depth: 1, Samples: 60, Leaf: true}, {Name: "b", Samples: 40, Leaf: true}}
	return &probes.Frame{Profile: v, Snap: &probes.Snapshot{Raw: &probes.Sample{}}}
}

// cellsOf is the visible rows as text.
func cellsOf(s *MethodsState, f *probes.Frame) string {
	cols, rows := s.rows(f)
	var out []string
	for _, r := range table.Visible(cols, rows, s.State()) {
		var row []string
		for _, c := range r.Cells {
			row = append(row, c.Text)
		}
		out = append(out, strings.Join(row, " "))
	}
	return strings.Join(out, "\n")
}

func TestMethodsListAndTrees(t *testing.T) {
	f := methodsFrame()
	var s MethodsState
	want := func(what, text string) {
		t.Helper()
		if got := cellsOf(&s, f); got != text {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, text)
		}
	}
	want("by self", "60.0 60.0 10.0 10.0 a\n40.0 100.0 60.0 70.0 b")
	s.NextSort()
	s.NextSort()
	want("by CPU", "40.0 100.0 60.0 70.0 b\n60.0 60.0 10.0 10.0 a")
	s.Reverse()
	want("reversed", "60.0 60.0 10.0 10.0 a\n40.0 100.0 60.0 70.0 b")
	s.Move(f, 1)
	s.Enter(f) // who calls b
	if s.Mode != MethodsUp || s.tree.Table.Cursor != "2" {
		t.Errorf("mode %d, cursor %q", s.Mode, s.tree.Table.Cursor)
	}
	want("callers", "60.0 0.0 - a\n60.0 0.0   b\n40.0 0.0   b")
	s.NextMode()
	s.NextMode()
	want("down", "100.0 70.0 - b\n60.0 10.0   a\n1.0 0.0   z")
	s.Enter(f)
	want("folded", "100.0 70.0 + b\n1.0 0.0   z")
	s.Enter(f)
	want("unfolded", "100.0 70.0 - b\n60.0 10.0   a\n1.0 0.0   z")
	s.Enter(f)
	s.State().Filter = "z"
	want("filtered", "1.0 0.0   z")
	s.State().Filter = ""
	f.Profile.Started = time.Unix(2, 0) // another profile: nothing is folded in it
	want("another", "100.0 70.0 - b\n60.0 10.0   a\n1.0 0.0   z")
}

func TestMethodsSayWhatTheyAreNot(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono, ASCII: true})
	draw := func(f *probes.Frame) string {
		return Threads(Ctx{Th: th, W: 160, H: 20}, f, &ThreadsState{Part: ThreadsMethods})
	}
	f := methodsFrame()
	got := draw(f)
	for _, want := range []string{"100 running samples of 40 dumps in 10 s: a share is good to 10 points", "The JVM stood for 50.0 ms of it, 0.50 %", "safepoints", "of the 10.0 s that all threads used"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	f.Profile.CPU, f.Profile.Note, f.Profile.Took = probes.None[time.Duration](), "stopped early", 3*time.Second
	got = draw(f)
	for _, want := range []string{"ended after 3 of 10 s: stopped early", "CPU by thread could not be read", " - "} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	if f.Profile = nil; !strings.Contains(draw(f), "m samples") {
		t.Error("an empty page does not say how to begin")
	}
}
