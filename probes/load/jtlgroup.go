package load

import (
	"maps"
	"sort"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// group is the samples of one label.
type group struct {
	table          table // of all
	failed         table
	answered       int64
	noRecv, noSent bool
	status         map[string]int64
	classes        map[string]*probes.ErrorClass
}

func newGroup() *group {
	return &group{status: map[string]int64{}, classes: map[string]*probes.ErrorClass{}}
}

func (g *group) add(l *Line) {
	g.noRecv, g.noSent = g.noRecv || l.Bytes < 0, g.noSent || l.Sent < 0
	g.table.add(l.Start, l.Elapsed, l.OK, max(l.Bytes, 0), max(l.Sent, 0))
	if !l.OK {
		g.failed.add(l.Start, l.Elapsed, false, 0, 0)
	}
	class, without := strings.CutPrefix(l.Code, noHTTP)
	if !without {
		g.answered++
		code := l.Code
		if code == "" {
			return // the file does not tell
		}
		if _, ok := g.status[code]; !ok && len(g.status) >= maxCodes {
			code = otherNames
		}
		g.status[code]++
		return
	}
	c := g.classes[class]
	if c == nil && len(g.classes) >= maxCodes {
		class = otherNames
		c = g.classes[class]
	}
	at := time.UnixMilli(l.Start + l.Elapsed)
	if c == nil {
		c = &probes.ErrorClass{Class: class, Sample: strings.TrimPrefix(l.Message, noHTTPMessage), First: at, Last: at}
		g.classes[class] = c
	}
	c.Count++
	c.Last = later(c.Last, at)
	if at.Before(c.First) {
		c.First = at
	}
}

// figures is the group as a report has it. A JTL knows no intended start: its
// times are from the send.
func (g *group) figures(apdex plan.Apdex) Figures {
	t, good := &g.table, g.successes()
	f := Figures{Samples: t.n, Errors: t.failed, Response: t.dist(), Service: t.dist(), Classes: []probes.ErrorClass{},
		Success: good.dist(), Failures: g.failed.dist(), Apdex: good.apdex(t.n, apdex)}
	if t.n > 0 {
		f.ErrorPct = probes.Some(float64(t.failed) / float64(t.n) * 100)
		f.Rate = probes.Ratio(probes.Some(float64(g.answered)), probes.Some(float64(t.end-t.start)/1000))
	}
	if !g.noRecv {
		f.Received = probes.Some(t.recv)
	}
	if !g.noSent {
		f.Sent = probes.Some(t.sent)
	}
	for _, c := range g.classes {
		f.Classes = append(f.Classes, *c)
	}
	sort.Slice(f.Classes, func(i, j int) bool {
		a, b := f.Classes[i], f.Classes[j]
		return a.Count > b.Count || (a.Count == b.Count && a.Class < b.Class)
	})
	f.Status = maps.Clone(g.status)
	return f
}

// row is the group in JMeter's table; bytes that the file does not tell are
// unknown, where JMeter shows 0.
func (g *group) row(label string) Row {
	r := g.table.row(label)
	if g.noRecv {
		r.Received, r.AvgBytes = probes.None[float64](), probes.None[float64]()
	}
	if g.noSent {
		r.Sent = probes.None[float64]()
	}
	return r
}

// successes are all but the failures.
func (g *group) successes() *table {
	t := g.table
	t.counts, t.over = append([]uint32(nil), t.counts...), maps.Clone(t.over)
	for ms, n := range g.failed.counts {
		if n > 0 { // its slice may be the longer one
			t.counts[ms] -= n
		}
	}
	for ms, n := range g.failed.over {
		if t.over[ms] -= n; t.over[ms] == 0 {
			delete(t.over, ms)
		}
	}
	t.n, t.failed, t.sum, t.sumSq = t.n-g.failed.n, 0, t.sum-g.failed.sum, t.sumSq-g.failed.sumSq
	return &t
}

// times is the table as a sample has it.
func (t *table) times() probes.LoadTimes { return loadTimes(t.dist(), t.n) }

// apdex is that of so many samples, of which t are the successes.
func (t *table) apdex(samples int64, limits plan.Apdex) probes.Opt[float64] {
	satisfied, tolerated := 0.0, 0.0
	add := func(ms int64, n uint32) {
		switch d := time.Duration(ms) * time.Millisecond; {
		case d <= limits.Satisfied:
			satisfied += float64(n)
		case d <= limits.Tolerated:
			tolerated += float64(n)
		}
	}
	for ms, n := range t.counts {
		add(int64(ms), n)
	}
	for ms, n := range t.over {
		add(ms, n)
	}
	return probes.Ratio(probes.Some(satisfied+tolerated/2), probes.Some(float64(samples)))
}

// jtlParts is how the times of a JTL divide, in whole milliseconds. Its
// Latency is from the start, and so has its Connect in it. 0 is what a file
// says of a kept connection, and of a sample of which nothing came.
type jtlParts struct {
	connect, wait, download table
	noConnect               bool // the file has no such column
}

func (p *jtlParts) add(l *Line) {
	if l.Connect > 0 && l.Connect <= l.Elapsed {
		p.connect.add(l.Start, l.Connect, l.OK, 0, 0)
	}
	if l.Latency > 0 && l.Latency <= l.Elapsed && l.Connect <= l.Latency {
		p.wait.add(l.Start, l.Latency-l.Connect, l.OK, 0, 0)
		p.download.add(l.Start, l.Elapsed-l.Latency, l.OK, 0, 0)
	}
}

// figures is the split, of what the file has.
func (p *jtlParts) figures() []probes.LoadPart {
	out := []probes.LoadPart{}
	for _, f := range []struct {
		name probes.LoadPartName
		t    *table
	}{{probes.LoadConnect, &p.connect}, {probes.LoadFirstByte, &p.wait}, {probes.LoadDownload, &p.download}} {
		if f.t.n > 0 {
			out = append(out, probes.LoadPart{Part: f.name, LoadTimes: f.t.times()})
		}
	}
	return out
}
