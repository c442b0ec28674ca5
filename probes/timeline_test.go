package probes

import (
	"testing"
	"time"
)

// cellText is a timeline's cells as letters; lower case where the thread was
// blocked at some dump and something else for most of the time.
func cellText(cells []TimelineCell) string {
	s := ""
	for _, c := range cells {
		l := []byte(".BRPWSO")[c.Phase]
		if c.Blocked && c.Phase != PhaseBlocked {
			l += 'a' - 'A'
		}
		s += string(l)
	}
	return s
}

func TestCells(t *testing.T) {
	s := time.Second
	b, r, n, w := byte(PhaseBlocked), byte(PhaseRunning)|1<<6, byte(PhaseNone), byte(PhaseWaiting)|5<<3
	spans := []DumpSpan{{0, 2 * s}, {2 * s, 4 * s}, {4 * s, 6 * s}, {8 * s, 10 * s}}
	for _, c := range []struct {
		name   string
		phases []byte
		first  int
		n      int
		want   string
	}{
		{"a dump holds until the next, and not across a gap", []byte{r, b, w, r}, 0, 10, "RRBBWW..RR"},
		{"begins later", []byte{w, r}, 2, 10, "....WW..RR"},
		{"was away", []byte{r, n, r, r}, 0, 10, "RR..RR..RR"},
		{"most of the time, and blocked at some", []byte{r, b, r, r}, 0, 2, "rR"},
		{"of equal ones the graver", []byte{r, b}, 0, 1, "B"},
		{"more entries than dumps", []byte{r, r, r, r, r, r}, 0, 5, "RRR.R"},
		{"finer than dumps", []byte{b}, 0, 20, "BBBB................"},
	} {
		tl := Timeline{From: 0, To: 10 * s, Dumps: spans}
		row := TimelineRow{Phases: c.phases, First: c.first}
		if got := cellText(tl.Cells(&row, c.n)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	empty := Timeline{}
	if empty.Cells(&TimelineRow{Phases: []byte{r}}, 5) != nil {
		t.Error("cells of no time")
	}
}

func TestKeyIsTheThreadsOwn(t *testing.T) {
	for _, c := range []struct {
		t    Thread
		want string
	}{
		{Thread{Name: "a", ID: 3, NID: 77}, "n77"},
		{Thread{Name: "a", ID: 3}, "i3/a"},
		{Thread{Name: "a"}, "i0/a"},
	} {
		row := TimelineRow{Name: c.t.Name, ID: c.t.ID, NID: c.t.NID}
		if c.t.Key() != c.want || row.Key() != c.want {
			t.Errorf("%+v: %s and %s, want %s", c.t, c.t.Key(), row.Key(), c.want)
		}
	}
}
