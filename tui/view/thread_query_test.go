package view

import (
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/theme"
)

func queryFrame() *probes.Frame {
	frames := []probes.StackFrame{{Method: "a.B.c(B.java:1)"}, {Method: "com.acme.Pool.next(Pool.java:88)"}}
	th := func(name string, nid int64, s probes.ThreadState, detail string) probes.ThreadRow {
		return probes.ThreadRow{InDump: true, Thread: probes.Thread{Name: name, NID: nid, State: s, Detail: detail, Stack: frames}}
	}
	f := &probes.Frame{Rows: []probes.ThreadRow{
		th("http-nio-8080-exec-1", 1, probes.StateBlocked, "on object monitor"), th("http-nio-8080-exec-22", 2, probes.StateWaiting, "parking"),
		th("main", 3, probes.StateRunnable, ""), th("blocked 2 with spaces", 4, probes.StateTimedWaiting, "sleeping"),
	}}
	f.Rows[2].Stack = nil
	f.Rows = append(f.Rows, probes.ThreadRow{Thread: probes.Thread{Name: "java", NID: 5, State: probes.StateUnknown}})
	return f
}

func TestThreadFilter(t *testing.T) {
	for filter, want := range map[string]string{
		"":                                "1 2 3 4 5",
		"state:blocked":                   "1",
		"STATE:Parked":                    "2",
		"state:waiting":                   "2 4",
		"!state:waiting":                  "1 3 5",
		"state:unknown":                   "", // not in the dump is no state
		"pool:http-nio":                   "1 2",
		"pool:exec-*":                     "1 2",
		"pool:main":                       "",
		"pool:http state:blocked":         "1",
		"pool:http !state:blocked":        "2",
		"frame:pool.next":                 "1 2 4",
		"!frame:pool name:main":           "3",
		"state:":                          "1 2 3 4 5", // not typed to its end
		"blocked 2 with":                  "4",         // plain text, blanks and all
		"blocked":                         "1 4",
		"!blocked":                        "2 3 5",
		"state:sleeping blocked 2":        "4",
		"http://":                         "", // no key that is known
		"state:waiting pool:http parking": "", // the text of a cell is "parked"
	} {
		st := ThreadsState{}
		st.Table.Filter, st.Table.SortCol = filter, "nid"
		var got []string
		for _, r := range st.visible(queryFrame()) {
			got = append(got, r.Key[1:])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", filter, s, want)
		}
	}
}

func TestBoundedRate(t *testing.T) {
	for want, r := range map[string]probes.Rate{
		"0": {PerSecond: 0, Within: 0.5}, "<512 KB": {Within: 524288}, "~1 MB": {PerSecond: 1 << 20, Within: 1 << 19}, "1 MB": {PerSecond: 1 << 20, Within: 1 << 17}, "12 B": {PerSecond: 12, Within: 0.5},
	} {
		if got := boundedRate(r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

// TestDumpLine says what dumps cost, as a bound where it is one, and warns
// above the budget.
func TestDumpLine(t *testing.T) {
	wall := time.Unix(1000, 0)
	for what, c := range map[string]struct {
		w      int
		change func(f *probes.Frame)
		want   string
	}{
		"wide":    {140, func(*probes.Frame) {}, "dump 1.5 s old, stopped the JVM for 1.20 ms, next in 2 s   stopped 0.07 % of the last minute, budget 0.5 %"},
		"narrow":  {80, func(*probes.Frame) {}, "dump 1.5 s old, next in 2 s   stopped 0.07 % of the last minute, budget 0.5 %"},
		"bounded": {140, func(f *probes.Frame) { f.Stop.Upper, f.Dump.Pause = true, probes.None[time.Duration]() }, "dump 1.5 s old, stopped the JVM for at most 3.00 ms, next in 2 s   stopped at most 0.07 % of the last minute, budget 0.5 %"},
		"due":     {140, func(f *probes.Frame) { f.Stop.Next = wall }, "dump 1.5 s old, stopped the JVM for 1.20 ms, next one due   stopped 0.07 % of the last minute, budget 0.5 %"},
		"lost":    {140, func(f *probes.Frame) { f.Lost = &probes.Problem{} }, "dump 1.5 s old, stopped the JVM for 1.20 ms   stopped 0.07 % of the last minute, budget 0.5 %"},
		"a file":  {140, func(f *probes.Frame) { f.Stop, f.Dump.Pause, f.Dump.Latency = nil, probes.None[time.Duration](), 0 }, "dump 1.5 s old"},
		"stopped": {140, func(f *probes.Frame) {
			f.Health = []probes.SourceHealth{{Source: "threads", Err: &probes.Problem{What: "no thread dump", Why: "the JVM is stopped", Next: "kill -CONT 7"}}}
		}, "dump 1.5 s old  ▲ no thread dump: the JVM is stopped  kill -CONT 7"},
		"never one": {140, func(f *probes.Frame) {
			f.Dump = nil
			f.Health = []probes.SourceHealth{{Source: "threads", Err: &probes.Problem{What: "no thread dump", Why: "attach is disabled", Next: "start it anew"}}}
		}, "▲ no thread dump: attach is disabled  start it anew"},
		"little": {140, func(f *probes.Frame) { f.Stop.Percent = 0.001 }, "dump 1.5 s old, stopped the JVM for 1.20 ms, next in 2 s   stopped <0.01 % of the last minute, budget 0.5 %"},
	} {
		f := &probes.Frame{Wall: wall, Dump: &probes.ThreadDump{Taken: wall.Add(-1500 * time.Millisecond), Latency: 3 * time.Millisecond, Pause: probes.Some(1200 * time.Microsecond)}}
		f.Stop = &probes.StopShare{StopSample: probes.StopSample{Budget: probes.Some(0.5), Next: wall.Add(2 * time.Second)}, Percent: 0.07}
		c.change(f)
		got := strings.TrimRight(Ctx{Th: theme.New(theme.Options{Mode: theme.Mono}), W: c.w, H: 1}.dumpLine(f), " ")
		if got != c.want {
			t.Errorf("%s:\n%q, want\n%q", what, got, c.want)
		}
	}
}
