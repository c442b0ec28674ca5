package load

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// sum is what the groups have counted together.
type sum struct {
	all, recent *tally
	open        *tally // of the groups of the open model; nil: there is none
	labels      []string
	named       map[string]*tally
	tables      map[string]*table
	table       table
	parts       parts
	over        time.Duration // that the throughput is over
}

func (m *sum) label(name string, fresh func() *tally) *tally {
	t := m.named[name]
	if t == nil {
		t = fresh()
		m.named[name], m.tables[name] = t, &table{}
		m.labels = append(m.labels, name)
	}
	return t
}

// add takes what a runner has collected.
func (m *sum) add(r *Runner, fresh func() *tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, t := range r.totals {
		name := r.calls[i].name
		m.all.merge(t)
		m.label(name, fresh).merge(t)
		if m.open != nil && t.service != nil {
			m.open.merge(t)
		}
		for _, sh := range r.shards {
			sh.mu.Lock()
			m.tables[name].merge(&sh.tables[i])
			m.table.merge(&sh.tables[i])
			sh.mu.Unlock()
		}
	}
	m.recent.merge(r.interval[0])
	m.parts.merge(r.parts)
}

// gather adds up the groups, of which a sample was just made; g.mu is held.
func (g *Groups) gather() *sum {
	fresh := newTally
	for _, p := range g.parts {
		if p.r.paced() {
			fresh = newOpenTally
		}
	}
	m := &sum{all: fresh(), recent: fresh(), named: map[string]*tally{}, tables: map[string]*table{}}
	if m.all.service != nil {
		m.open = newOpenTally()
	}
	for _, p := range g.parts {
		m.add(p.r, fresh)
		if p.began.IsZero() {
			continue
		}
		p.r.mu.Lock()
		end := p.began.Sub(g.began) + p.r.plan.WarmUp + p.r.span(p.last.RunTime)
		p.r.mu.Unlock()
		m.over = max(m.over, end)
	}
	m.over = max(m.over-g.plan.Spec.WarmUp, 0)
	return m
}

// Sample implements Generator.
func (g *Groups) Sample(now time.Time) *probes.LoadSample {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, _ := g.sample(now)
	return s
}

// sample is the figures of all groups, and the sum they are made of; g.mu is held.
func (g *Groups) sample(now time.Time) (*probes.LoadSample, *sum) {
	s := &probes.LoadSample{Started: g.began, Problem: g.problem, CPU: g.cpu, Notes: g.plan.Notes}
	for _, p := range g.parts {
		p.last = p.r.Sample(now)
		if p.began.IsZero() {
			p.last.RunTime = 0
		}
	}
	first := g.parts[0].last.Config
	s.Config = probes.LoadConfig{URL: first.URL, Method: first.Method, Duration: g.plan.Spec.Duration, Timeout: first.Timeout, WarmUp: g.plan.Spec.WarmUp, Confirmed: first.Confirmed,
		Plan: planName(g.plan.Plan)}
	s.Phase = g.phaseNow()
	end := now
	if !g.ended.IsZero() {
		end = g.ended
	} else if !g.began.IsZero() {
		s.CPU = g.cpuPercent(now)
	}
	if !g.began.IsZero() {
		s.RunTime = max(end.Sub(g.began), 0)
	}
	m := g.gather()
	if s.Interval = m.recent.stats(end.Sub(g.sampled)); g.sampled.IsZero() {
		s.Interval = probes.LoadStats{}
	}
	g.sampled = end
	s.Total = m.all.stats(m.over)
	s.Status, s.Errors, s.Apdex = m.all.statuses(), m.all.errors(), m.all.apdex()
	s.Success, s.Failures = m.all.apart()
	s.Latency = latency(&m.recent.good, &m.recent.bad)
	if g.plan.Spec.Gzip {
		s.Inflated = probes.Some(m.all.inflated)
	}
	s.Parts, s.Aggregate = m.parts.figures(0), m.aggregate()
	if len(m.labels) > 1 {
		for _, name := range m.labels {
			t := m.named[name]
			n := probes.NamedStats{Name: name, Stats: t.stats(m.over), Apdex: t.apdex(), Status: t.statuses(), Errors: t.errors()}
			n.Success, n.Failures = t.apart()
			s.Requests = append(s.Requests, n)
		}
	}
	for _, p := range g.parts {
		g.include(s, p)
	}
	if s.Arrivals != nil {
		s.Arrivals.Service, s.Arrivals.Lag = loadTimes(dist(m.open.service), m.open.service.n), loadTimes(dist(m.open.lag), m.open.lag.n)
	}
	s.Verdict = groupsVerdict(s)
	return s, m
}

// aggregate is JMeter's table.
func (m *sum) aggregate() []Row {
	rows := make([]Row, 0, len(m.labels)+1)
	for _, name := range m.labels {
		rows = append(rows, m.tables[name].row(name))
	}
	return append(rows, m.table.row(totalLabel))
}

// phaseNow is where the run stands; g.mu is held.
func (g *Groups) phaseNow() probes.LoadPhase {
	switch {
	case g.began.IsZero():
		return probes.LoadIdle
	case !g.ended.IsZero():
		return probes.LoadDone
	case g.ctx.Err() != nil:
		return probes.LoadStopping
	case slices.ContainsFunc(g.parts, func(p *part) bool { return p.last.Phase == probes.LoadRamp }):
		return probes.LoadRamp
	}
	return probes.LoadRunning
}

// include adds a group's own figures to those of all.
func (g *Groups) include(s *probes.LoadSample, p *part) {
	l := p.last
	s.Users += l.Users
	s.InFlight += l.InFlight
	s.CutOff += l.CutOff
	s.WarmUp += l.WarmUp
	s.Config.Users += l.Config.Users
	if l.Stalls != nil {
		if s.Stalls == nil {
			s.Stalls = &probes.LoadStalls{}
		}
		s.Stalls.Count += l.Stalls.Count
		if l.Stalls.Longest.OK && l.Stalls.Longest.V > s.Stalls.Longest.V {
			s.Stalls.Longest = l.Stalls.Longest
		}
	}
	name := probes.Clean(p.name)
	for _, w := range l.Warnings {
		if w.State != probes.LoadStarved && w.State != probes.LoadClock { // the whole machine's
			w.Text = name + ": " + w.Text
		}
		if !slices.Contains(s.Warnings, w) {
			s.Warnings = append(s.Warnings, w)
		}
	}
	if a := l.Arrivals; a != nil && !p.began.IsZero() {
		s.Arrivals = withArrivals(s.Arrivals, a, l.RunTime, s.RunTime)
	}
	l.CPU = probes.None[float64]() // jtop's is that of all groups
	one := probes.LoadGroup{Name: name, Phase: l.Phase, Users: l.Users, Stats: l.Total, Apdex: l.Apdex, Arrivals: l.Arrivals, Verdict: verdict(l)}
	switch {
	case p.began.IsZero() && g.ended.IsZero():
		one.Phase, one.Arrivals, one.Verdict = probes.LoadIdle, nil, "it has not begun"
	case p.began.IsZero():
		one.Phase, one.Arrivals, one.Verdict = probes.LoadDone, nil, "it was not its turn"
	}
	s.Groups = append(s.Groups, one)
}

// withArrivals adds what an open group asked for, over its own time, to that
// of others, as rates over the time of the whole run.
func withArrivals(sum, a *probes.LoadArrivals, own, whole time.Duration) *probes.LoadArrivals {
	if sum == nil {
		sum = &probes.LoadArrivals{}
	}
	share := probes.Ratio(probes.Some(own.Seconds()), probes.Some(whole.Seconds()))
	add := func(to *probes.Opt[float64], v, by probes.Opt[float64]) {
		if v.OK && by.OK {
			*to = probes.Some(to.V + v.V*by.V)
		}
	}
	add(&sum.Asked, a.Asked, share)
	add(&sum.Sent, a.Sent, share)
	add(&sum.AskedNow, a.AskedNow, probes.Some(1.0))
	sum.Count += a.Count
	sum.Late += a.Late
	sum.Dropped += a.Dropped
	return sum
}

// groupsVerdict is the run in a sentence: first the groups that are not as they
// should be, then all together.
func groupsVerdict(s *probes.LoadSample) string {
	if s.Problem != nil {
		return s.Problem.Error()
	}
	var parts []string
	for _, g := range s.Groups {
		switch a := g.Arrivals; {
		case g.Stats.Samples == 0 && g.Verdict != "":
			parts = append(parts, g.Name+": "+g.Verdict)
		case g.Stats.Samples > 0 && g.Stats.Failed == g.Stats.Samples:
			parts = append(parts, g.Name+": "+g.Verdict)
		case a != nil && a.Dropped > 0:
			parts = append(parts, fmt.Sprintf("%s: rate not reached: asked %s/s, sent %s/s", g.Name, rate(a.Asked), rate(a.Sent)))
		}
	}
	t := s.Total
	if t.Samples == 0 {
		return strings.Join(parts, "; ")
	}
	text := fmt.Sprintf("%s of %s: %s/s answered, p99 %s", plural(int64(len(s.Groups)), "group"), plural(int64(s.Config.Users), "user"), figure(t.Rate, 1), millis(t.P99)) + faultText(s)
	if s.CPU.OK {
		text += fmt.Sprintf("; jtop used %s %% of one core", figure(s.CPU, 0))
	}
	return strings.Join(append(parts, text), "; ") + stallText(s.Stalls)
}
