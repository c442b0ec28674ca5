package tuitest

import (
	"fmt"
	"math"
	"time"

	"example.com/jtop/probes"
)

// heat is the latencies of the run of frame f: most requests near 10 ms, a
// tail, and a stall of the server that passes.
func heat(f *probes.Frame, columns int) *probes.LoadHeat {
	m := &probes.LoadHeat{First: probes.LatencyClass(0.8), Cells: make([][]float64, columns)}
	m.Rows = probes.LatencyClass(120) - m.First + 1
	for x := range m.Cells {
		if x < columns/3 { // before the run
			continue
		}
		m.Cells[x] = make([]float64, m.Rows)
		centre := 11.0
		if x%17 > 13 {
			centre = 19
		}
		for i := range m.Cells[x] {
			m.Cells[x][i] = math.Round(140 * math.Exp(-math.Pow(float64(i)-centre, 2)/9))
		}
		m.Cells[x][m.Rows-1] += float64(x % 5 / 4)
	}
	return m
}

// times is a distribution around a median.
func times(n int64, p50 float64) probes.LoadTimes {
	v := func(by float64) probes.Opt[float64] { return probes.Some(p50 * by) }
	return probes.LoadTimes{Count: n, Min: v(0.1), Mean: v(1.2), P50: v(1), P90: v(2), P95: v(2.6), P99: v(4.2), P999: v(8), Max: v(13)}
}

// More adds to a run what a live one has beside its figures: several requests,
// the table, the split, single requests.
func More(f *probes.Frame, columns int) {
	l := *f.Load
	n := l.Total.Samples
	row := func(name string, of int64) probes.LoadRow {
		i := func(v int64) probes.Opt[int64] { return probes.Some(v) }
		return probes.LoadRow{Label: name, Samples: of, Average: i(12), Median: i(9), P90: i(19), P95: i(26), P99: i(41), P999: i(88), Min: i(0), Max: i(120), StdDev: probes.Some(7.25),
			ErrorPct: probes.Some(0.4), Throughput: probes.Some(347.2 * float64(of) / float64(n)), Received: probes.Some(275.3), Sent: probes.Some(48.5), AvgBytes: probes.Some(812.0)}
	}
	first := l.Started.Add(12 * time.Second)
	l.Errors = []probes.ErrorClass{{Class: "timeout (answer)", Count: n / 500, Sample: "no answer within 30 s", First: first, Last: f.Wall}}
	for i, name := range []string{"question", "answer of a question"} {
		of := n * int64(2-i) / 3
		l.Requests = append(l.Requests, probes.NamedStats{Name: name, Stats: l.Total, Success: times(of, 9), Failures: times(of/250, 40), Apdex: probes.Some(0.98),
			Status: map[int]int64{200: of, 503: of / 500}, Errors: l.Errors})
		l.Aggregate = append(l.Aggregate, row(name, of))
	}
	l.Aggregate = append(l.Aggregate, row("TOTAL", n))
	l.Success, l.Failures, l.Apdex = times(n, 9.5), times(n/250, 40), probes.Some(0.97)
	l.Parts = []probes.LoadPart{{Part: probes.LoadConnect, LoadTimes: times(50, 0.3)}, {Part: probes.LoadFirstByte, LoadTimes: times(n, 9)}, {Part: probes.LoadDownload, LoadTimes: times(n, 0.1)}}
	l.Little = &probes.LoadLittle{InFlight: probes.Some(4.2), Law: probes.Some(4.1), Fits: probes.Some(true)}
	f.Load = &l
	f.Heat = heat(f, columns)
	f.Tree = &probes.LoadTree{Taken: f.Wall}
	for i := range 6 {
		e := probes.LoadExchange{Why: "first", Name: "question", User: i + 1, Start: l.Started.Add(time.Duration(i) * 7 * time.Millisecond), Target: "http://127.0.0.1:8081",
			Request: "GET /question?id=42 HTTP/1.1\nHost: 127.0.0.1:8081\nAuthorization: ***", Status: probes.Some(200), Head: "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 17",
			Answer: `{"question": 42}`, Received: 812, Size: 17, FirstByte: probes.Some(8.9), Took: 9.1 + float64(i), Connect: probes.Some(0.31),
			Traceparent: fmt.Sprintf("00-4bf92f3577b34da6a3ce929d0e0e47%02d-00f067aa0ba902b7-01", i)}
		switch {
		case i == 5:
			e.Why, e.Class, e.Text, e.Status, e.Head, e.Answer = "timeout (answer)", "timeout (answer)", "no answer within 30 s", probes.None[int](), "", ""
			e.Took = 30_000
		case i > 2:
			e.Why = "slowest"
		}
		f.Tree.List = append(f.Tree.List, e)
	}
}

// Open makes the run an open one that does not reach its rate.
func Open(f *probes.Frame) {
	l := *f.Load
	l.Config.Rate, l.Config.Users, l.Config.WarmUp = "50/s for 1m, then 500/s for 4m", 10, 5*time.Second
	l.Arrivals = &probes.LoadArrivals{Asked: probes.Some(500.0), AskedNow: probes.Some(500.0), Sent: probes.Some(481.5), Count: 40_100, Late: 214, Dropped: 2_204, Service: times(40_100, 9.5), Lag: times(40_100, 0.2)}
	l.Warnings = []probes.LoadWarning{{State: probes.LoadRateMissed, Text: "2204 arrivals of 42304 not sent: all 50 connections wait for answers"},
		{State: probes.LoadStarved, Text: "jtop uses 182 % of 2 cores: times are its own too"}}
	l.WarmUp = 250
	l.Verdict = "asked 500/s, sent 481.5/s, answered 347.2/s; p99 41 ms from the intended start, 162 failed (0.40 %), most by timeout (answer); rate not reached: 2204 arrivals never sent; the server stalled twice, for 2.0 s at the longest"
	f.Load = &l
}

// Grouped makes the run one of several groups of users.
func Grouped(f *probes.Frame) {
	l := *f.Load
	some := func(rate, p99, failed float64) probes.LoadStats {
		return probes.LoadStats{Samples: 1000, Answered: 1000, Rate: probes.Some(rate), P99: probes.Some(p99), ErrorPct: probes.Some(failed)}
	}
	l.Groups = []probes.LoadGroup{
		{Name: "browse", Phase: probes.LoadRunning, Users: 40, Stats: some(210, 12, 0)},
		{Name: "order", Phase: probes.LoadRunning, Users: 8, Stats: some(90.5, 80, 0.4), Arrivals: &probes.LoadArrivals{Asked: probes.Some(120.0)}},
		{Name: "late", Phase: probes.LoadIdle, Verdict: "it has not begun"},
	}
	f.Load = &l
}

// Failing makes the run one that nothing answers.
func Failing(f *probes.Frame) {
	l := *f.Load
	zero := probes.LoadStats{Samples: 4_210, Failed: 4_210, Rate: probes.Some(0.0), ErrorPct: probes.Some(100.0), Min: probes.Some(0.1), Mean: probes.Some(0.2), P50: probes.Some(0.2),
		P90: probes.Some(0.3), P95: probes.Some(0.3), P99: probes.Some(0.5), P999: probes.Some(0.9), Max: probes.Some(1.4)}
	l.Total, l.Interval, l.Status = zero, zero, nil
	l.Errors = []probes.ErrorClass{{Class: "connection refused", Count: 4_210, Sample: "dial tcp 127.0.0.1:8081: connect: connection refused", First: l.Started, Last: f.Wall}}
	l.Warnings = []probes.LoadWarning{{State: probes.LoadAllFailing, Text: "all 4210 requests failed: connection refused; is the service up on that port?"},
		{State: probes.LoadBackingOff, Text: "connection refused: 50 of 50 users wait, up to 1s each"}}
	l.Verdict = "all 4210 requests failed: connection refused; is the service up on that port?"
	f.Load = &l
}

// Following makes the run a JTL that another program is writing.
func Following(f *probes.Frame) {
	l := *f.Load
	l.Phase, l.File, l.Config, l.InFlight, l.CPU = probes.LoadFollowing, "results.jtl", probes.LoadConfig{}, 0, probes.None[float64]()
	l.Verdict = "40460 samples of 2 labels: 347.2/s answered, p99 41 ms from the send, 162 failed (0.40 %)"
	l.Warnings = []probes.LoadWarning{{State: probes.LoadQuiet, Text: "nothing was written for 12s: JMeter has ended, or waits, or writes in blocks (jmeter.save.saveservice.autoflush)"}}
	l.Parts, l.Little, l.Apdex = nil, nil, probes.None[float64]()
	f.Load = &l
}

// HostileLoad puts what nobody must trust into every text of a run.
func HostileLoad(f *probes.Frame) {
	More(f, 40)
	l := *f.Load
	for i := range l.Requests {
		l.Requests[i].Name, l.Aggregate[i].Label = Nasty, Nasty
	}
	l.Notes = []string{Nasty}
	l.Groups = []probes.LoadGroup{{Name: Nasty, Verdict: Nasty}, {Name: Nasty, Verdict: Nasty}}
	f.Load = &l
	for i := range f.Tree.List {
		e := &f.Tree.List[i]
		e.Name, e.Request, e.Head, e.Answer, e.Text = Nasty, Nasty+"\n"+Nasty, Nasty, Nasty+"\n"+Nasty, Nasty
	}
}
