package load

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// count is how many samples were read.
func (j *JTLReader) count() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.all.table.n
}

// fill sets what the file tells. With live the interval is what was read since
// the last call. Its time is by the samples' own ends: programs write in
// blocks, and what comes at once did not happen at once.
func (j *JTLReader) fill(s *probes.LoadSample, name string, live bool) {
	rep := j.Report(name)
	j.mu.Lock()
	defer j.mu.Unlock()
	t := &j.all.table
	if t.n > 0 {
		s.Started, s.RunTime, s.Users = time.UnixMilli(t.start), time.Duration(j.clock.span(t.start, t.end))*time.Millisecond, j.users
	}
	s.Notes, s.Aggregate = rep.Notes, rep.Aggregate
	s.Success, s.Failures, s.Apdex, s.Parts = j.all.successes().times(), j.all.failed.times(), rep.Apdex, rep.Parts
	s.Total, s.Errors = j.all.stats(s.RunTime), rep.Classes
	rep.Rate = s.Total.Rate // without the jumps of the clock
	s.Verdict = j.verdict(rep)
	var other int64
	s.Status, other = j.all.statuses()
	if other > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s with a code that is no HTTP status", plural(other, "sample")))
	}
	if live {
		s.Interval, s.Latency = j.recent.stats(time.Duration(j.clock.ran-j.ran)*time.Millisecond), j.recent.table.latency()
	}
	j.recent, j.ran = newGroup(), j.clock.ran
	if len(j.names) < 2 {
		return
	}
	for i, n := range j.names {
		g := j.byName[n]
		named := probes.NamedStats{Name: n, Stats: g.stats(s.RunTime), Errors: rep.Requests[i].Classes,
			Success: g.successes().times(), Failures: g.failed.times(), Apdex: rep.Requests[i].Apdex}
		named.Status, _ = g.statuses()
		s.Requests = append(s.Requests, named)
	}
}

// stats is the group as a sample has it.
func (g *group) stats(over time.Duration) probes.LoadStats {
	t := &g.table
	s := probes.LoadStats{Samples: t.n, Answered: g.answered, Failed: t.failed, Received: t.recv, Sent: t.sent}
	s.Rate = probes.Ratio(probes.Some(float64(g.answered)), probes.Some(over.Seconds()))
	if t.n > 0 {
		s.ErrorPct = probes.Some(float64(t.failed) / float64(t.n) * 100)
	}
	fill(&s, t.dist())
	return s
}

// statuses are the answers by status code, and how many had something else.
func (g *group) statuses() (m map[int]int64, other int64) {
	m = map[int]int64{}
	for _, code := range slices.Sorted(maps.Keys(g.status)) {
		if k, err := strconv.Atoi(code); err == nil && k >= 0 && k < 1000 {
			m[k] += g.status[code]
		} else {
			other += g.status[code]
		}
	}
	return m, other
}

// latency is the table in the classes of a heat map. JMeter cuts times to
// whole milliseconds: 0 is anything up to 1.
func (t *table) latency() *probes.LoadLatency {
	var counts [probes.LatencyClasses]int64
	add := func(ms int64, n uint32) { counts[probes.LatencyClass(float64(max(ms, 1)))] += int64(n) }
	for ms, n := range t.counts {
		if n > 0 {
			add(int64(ms), n)
		}
	}
	for ms, n := range t.over {
		add(ms, n)
	}
	return probes.NewLoadLatency(&counts)
}
