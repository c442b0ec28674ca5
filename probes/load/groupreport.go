package load

import (
	"time"

	"example.com/jtop/probes"
)

// GroupReport is the figures of one group.
type GroupReport struct {
	Name     string              `json:"name"`
	Model    string              `json:"model"`   // closed or open
	Seconds  probes.Opt[float64] `json:"seconds"` // that its throughput is over; null: it did not begin
	SentRate probes.Opt[float64] `json:"sent_rate_per_second"`
	Late     probes.Opt[int64]   `json:"late"`
	Dropped  probes.Opt[int64]   `json:"dropped"`
	CutOff   int64               `json:"cut_off"`
	Verdict  string              `json:"verdict"`
	Figures
}

// Report implements Generator.
func (g *Groups) Report(now time.Time) *Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	s, m := g.sample(now)
	first := g.parts[0].r
	rep := &Report{URL: s.Config.URL, Name: probes.Clean(g.plan.Spec.Name), CutOff: s.CutOff, WarmUp: s.WarmUp, CPU: s.CPU, Sample: s, Parts: s.Parts,
		Warnings: append([]probes.LoadWarning{}, s.Warnings...), Engine: first.engineName(), Tree: g.Tree(), Checks: []Check{}, Notes: []string{}, Aggregate: s.Aggregate, Verdict: s.Verdict}
	rep.Figures = first.figuresOf(m.all, m.over)
	for _, name := range m.labels {
		rep.Requests = append(rep.Requests, Request{Name: name, Figures: first.figuresOf(m.named[name], m.over)})
	}
	if !g.began.IsZero() {
		at := g.began.Add(g.plan.Spec.WarmUp)
		rep.Started, rep.Seconds = &at, probes.Some(m.over.Seconds())
	}
	if a := s.Arrivals; a != nil {
		rep.Asked, rep.SentRate = a.Asked, a.Sent
		rep.Late, rep.Dropped = probes.Some(a.Late), probes.Some(a.Dropped)
	}
	if s.Stalls != nil {
		rep.Stalls, rep.Stalled = probes.Some(s.Stalls.Count), s.Stalls.Longest
	}
	for i, p := range g.parts {
		one := p.r.Report(now)
		own := GroupReport{Name: s.Groups[i].Name, Model: one.Model, Seconds: one.Seconds, SentRate: one.SentRate, Late: one.Late, Dropped: one.Dropped, CutOff: one.CutOff,
			Verdict: s.Groups[i].Verdict, Figures: one.Figures}
		if p.began.IsZero() {
			own.Seconds, own.SentRate, own.Late, own.Dropped, own.Asked = probes.None[float64](), probes.None[float64](), probes.None[int64](), probes.None[int64](), probes.None[float64]()
		}
		if rep.Groups = append(rep.Groups, own); i == 0 {
			rep.Model = one.Model
		} else if rep.Model != one.Model {
			rep.Model = mixedModel
		}
		if one.OldestCut.OK && one.OldestCut.V > rep.OldestCut.V {
			rep.OldestCut = one.OldestCut
		}
		if one.Connections.OK {
			rep.Connections = probes.Some(rep.Connections.V + one.Connections.V)
		}
	}
	return rep
}

// mixedModel is the model of a run with groups of both.
const mixedModel = "mixed"
