package gclog

import (
	"strings"
	"testing"
	"time"
)

// Decorations come in any order, and each kind is known by its shape.
func TestDecorations(t *testing.T) {
	wall := time.Date(2025, 3, 4, 5, 6, 7, 890e6, time.UTC)
	cases := []struct {
		line   string
		uptime time.Duration // -1: none
		wall   time.Time
		tags   tags
		rest   string
	}{
		{"[12.345s][info][gc] GC(1) x", 12345 * time.Millisecond, time.Time{}, tagsGC, "GC(1) x"},
		{"[gc][info][12.345s] GC(1) x", 12345 * time.Millisecond, time.Time{}, tagsGC, "GC(1) x"},
		{"[12,345s] x", 12345 * time.Millisecond, time.Time{}, tagsAbsent, "x"},
		{"[2025-03-04T05:06:07.890+0000][info ][gc,heap      ]   x", -1, wall, tagsDetail, "  x"},
		{"[2025-03-04T07:06:07.890+0200] x", -1, wall, tagsAbsent, "x"},
		{"[1741064767890ms][7] x", -1, wall, tagsAbsent, "x"},
		{"[345ms][gc,start] x", 345 * time.Millisecond, time.Time{}, tagsDetail, "x"},
		{"[13042324729062ns][4102927ns] x", 4102927, time.Time{}, tagsAbsent, "x"},
		{"[4102927ns] x", 4102927, time.Time{}, tagsAbsent, "x"},
		{"[0.004s][vm-1.example][22887][22888][info][gc,init] x", 4 * time.Millisecond, time.Time{}, tagsDetail, "x"},
		{"[0.004s][vm][info][gc] x", 4 * time.Millisecond, time.Time{}, tagsGC, "x"},
		{"[0.004s][info][safepoint   ] x", 4 * time.Millisecond, time.Time{}, tagsSafepoint, "x"},
		{"[0.004s][info][class,load] x", 4 * time.Millisecond, time.Time{}, tagsOther, "x"},
		{"[0.004s][debug][gc,ergo,cset] x", 4 * time.Millisecond, time.Time{}, tagsIgnored, "x"},
		{"[gc] x", -1, time.Time{}, tagsGC, "x"},
		{"[0.004s][gc]", 4 * time.Millisecond, time.Time{}, tagsGC, ""},
	}
	for _, c := range cases {
		d := decorations([]byte(c.line))
		if d.end == 0 {
			t.Errorf("%q has no decorations", c.line)
			continue
		}
		if d.raw != nil {
			d.stamp.wall = new(dateCache).parse(d.raw)
		}
		uptime := time.Duration(-1)
		if d.stamp.uptime.OK {
			uptime = d.stamp.uptime.V
		}
		if uptime != c.uptime || !d.stamp.wall.Equal(c.wall) || d.tags != c.tags || c.line[d.end:] != c.rest {
			t.Errorf("%q: uptime %v, wall %v, tags %v, rest %q", c.line, uptime, d.stamp.wall, d.tags, c.line[d.end:])
		}
	}
	for _, plain := range []string{"", "[", "[]", "[ok] done", "[main] INFO x", "[12] x", "[GC (Allocation Failure) 1K->1K(2K), 0.1 secs]", "[CMS-concurrent-mark-start]", "[GC concurrent-mark-start]", "[" + strings.Repeat("x", 400) + "]", "x [gc] y", "[host][7] x"} {
		if d := decorations([]byte(plain)); d.end != 0 {
			t.Errorf("%q is taken for decorations: %+v", plain, d)
		}
	}
}

func TestDates(t *testing.T) {
	var c dateCache
	for text, want := range map[string]string{
		"2026-12-01T03:40:47.712+0000": "2026-12-01T03:40:47.712Z", "2026-12-01T03:40:47,712-0330": "2026-12-01T07:10:47.712Z", "2026-12-31T23:59:60.000+0000": "2027-01-01T00:00:00Z",
		"2026-12-01T03:40:47.712Z": "2026-12-01T03:40:47.712Z", "2026-12-01T03:40:47": "2026-12-01T03:40:47Z", "2026-12-01T03:40:47.712+05:30": "2026-11-30T22:10:47.712Z",
	} {
		for range 2 { // from the cache, too
			if got := c.parse([]byte(text)); got.UTC().Format(time.RFC3339Nano) != want {
				t.Errorf("%s is %v, want %s", text, got, want)
			}
		}
	}
	for _, no := range []string{"", "2026-12-01T03:40", "2026-13-01T03:40:47.712+0000", "2026-12-01T25:40:47.712+0000", "2026-12-01T03:4x:47.712+0000", "2026-12-01T03:40:47.712+00000000", "2026-12-01T03:40:47.712xyz", "abcd-12-01T03:40:47"} {
		if got := c.parse([]byte(no)); !got.IsZero() {
			t.Errorf("%q is %v", no, got)
		}
	}
}
