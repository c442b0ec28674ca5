package load

import (
	"strconv"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Report is a finished run, or a JTL, in full: what jtop load prints. What is
// not known is null.
type Report struct {
	URL     string              `json:"url,omitempty"`  // passwords masked
	Name    string              `json:"name,omitempty"` // of the plan
	File    string              `json:"file,omitempty"` // the JTL
	Model   string              `json:"model"`          // closed, open, mixed: of both groups, or jtl: unknown, from a file
	Started *time.Time          `json:"started"`        // of what is counted
	Seconds probes.Opt[float64] `json:"seconds"`        // that the throughput is over
	Figures
	SentRate    probes.Opt[float64]   `json:"sent_rate_per_second"` // open model
	Late        probes.Opt[int64]     `json:"late"`                 // sent more than 2 ms late; open model
	Dropped     probes.Opt[int64]     `json:"dropped"`              // arrivals that were never sent; open model
	Connections probes.Opt[int64]     `json:"connections"`          // users that were needed; open model
	WarmUp      int64                 `json:"warmup_samples"`
	CutOff      int64                 `json:"cut_off"` // under way at the stop, never answered, in no figure
	OldestCut   probes.Opt[float64]   `json:"cut_off_oldest_seconds"`
	Stalls      probes.Opt[int64]     `json:"stalls"` // times without any answer; null from a file, and where nothing was answered
	Stalled     probes.Opt[float64]   `json:"longest_stall_seconds"`
	CPU         probes.Opt[float64]   `json:"runner_cpu_percent"` // of one core
	Engine      string                `json:"engine,omitempty"`   // what carried the requests
	Parts       []probes.LoadPart     `json:"parts"`              // how the service times divide
	Sockets     *Sockets              `json:"websocket,omitempty"`
	Little      *probes.LoadLittle    `json:"littles_law"`
	Warnings    []probes.LoadWarning  `json:"warnings"`
	Verdict     string                `json:"verdict"`
	Groups      []GroupReport         `json:"groups,omitempty"` // where the plan has groups
	Requests    []Request             `json:"requests"`
	Aggregate   []Row                 `json:"aggregate"` // JMeter's, TOTAL last
	JVM         *JVM                  `json:"jvm"`       // null where none was watched
	Checks      []Check               `json:"fail_if"`
	Tree        []probes.LoadExchange `json:"tree,omitempty"`
	Notes       []string              `json:"notes"` // what is missing or was repaired
	Sample      *probes.LoadSample    `json:"-"`     // what the summary in words is made from; nil from a file
}

// Figures is what is told of all requests and of those of one name. Errors are
// the requests without an answer and those with a status outside 200-399; they
// are in every figure.
type Figures struct {
	Samples  int64               `json:"samples"`
	Errors   int64               `json:"errors"`
	ErrorPct probes.Opt[float64] `json:"error_percent"`
	Asked    probes.Opt[float64] `json:"asked_rate_per_second"` // open model
	Rate     probes.Opt[float64] `json:"throughput_per_second"` // answers
	Response Dist                `json:"response_ms"`           // from the intended start, in the closed model from the send
	Service  Dist                `json:"service_ms"`            // from the send, connect included
	SendLag  Dist                `json:"send_lag_ms"`           // from the intended start to the send; open model
	Status   map[string]int64    `json:"status"`
	Classes  []probes.ErrorClass `json:"error_classes"`
	Received probes.Opt[int64]   `json:"received_bytes"` // on the wire, heads included
	Sent     probes.Opt[int64]   `json:"sent_bytes"`
	Packed   probes.Opt[int64]   `json:"body_bytes"`          // as they came, where gzip was asked for
	Inflated probes.Opt[int64]   `json:"inflated_body_bytes"` // and what they inflate to
	Apdex    probes.Opt[float64] `json:"apdex"`               // failures are frustrated
	Success  Dist                `json:"success_response_ms"` // of the successes alone
	Failures Dist                `json:"failure_response_ms"` // of the failures alone
}

// Request is the figures of the requests of one name.
type Request struct {
	Name string `json:"name"`
	Figures
}

// Report is the run's figures; call it when Run has returned. Figures of a run
// that could not begin are unknown or none.
func (r *Runner) Report(now time.Time) *Report {
	s := r.Sample(now)
	r.mu.Lock()
	defer r.mu.Unlock()
	rep := &Report{URL: s.Config.URL, Name: probes.Clean(r.spec.Name), Model: "closed", CutOff: s.CutOff, WarmUp: r.warm.Load(), CPU: s.CPU, Sample: s,
		Parts: s.Parts, Little: s.Little, Warnings: append([]probes.LoadWarning{}, s.Warnings...), Engine: r.engineName(), Sockets: r.socketsReport(), Tree: r.Tree(), Checks: []Check{}, Notes: []string{}}
	rep.Figures = r.figuresOf(r.total(), r.span(s.RunTime))
	if !r.started.IsZero() {
		at := r.started.Add(r.plan.WarmUp)
		rep.Started, rep.Seconds = &at, probes.Some(r.span(s.RunTime).Seconds())
	}
	if s.CutOff > 0 {
		rep.OldestCut = probes.Some(r.oldest.Seconds())
	}
	if a := s.Arrivals; a != nil {
		rep.Model = "open"
		r.usersMu.Lock()
		rep.Connections = probes.Some(int64(len(r.users)))
		r.usersMu.Unlock()
		rep.Asked, rep.SentRate = a.Asked, a.Sent
		rep.Late, rep.Dropped = probes.Some(a.Late), probes.Some(a.Dropped)
	}
	if s.Stalls != nil {
		rep.Stalls, rep.Stalled = probes.Some(s.Stalls.Count), s.Stalls.Longest
	}
	r.tables(rep)
	rep.Verdict = s.Verdict
	return rep
}

// engineName says what carried the requests.
func (r *Runner) engineName() string {
	switch r.spec.Protocol {
	case plan.HTTP2:
		return "net/http HTTP/2"
	case plan.WebSocketWire:
		return "jtop WebSocket"
	case plan.H2C:
		return "net/http HTTP/2 (h2c)"
	}
	return "jtop HTTP/1.1"
}

// tables sets the figures by name and JMeter's table; r.mu is held.
func (r *Runner) tables(rep *Report) {
	rep.Aggregate = r.aggregate()
	for i, c := range r.calls {
		f := rep.Figures
		if len(r.calls) > 1 {
			f = r.figuresOf(r.totals[i], time.Duration(rep.Seconds.V*float64(time.Second)))
		}
		rep.Requests = append(rep.Requests, Request{Name: c.name, Figures: f})
	}
}

// aggregate is JMeter's table, TOTAL last.
func (r *Runner) aggregate() []Row {
	var all table
	rows := make([]Row, 0, len(r.calls)+1)
	for i, c := range r.calls {
		var t table
		for _, sh := range r.shards {
			sh.mu.Lock()
			t.merge(&sh.tables[i])
			sh.mu.Unlock()
		}
		all.merge(&t)
		rows = append(rows, t.row(c.name))
	}
	return append(rows, all.row(totalLabel))
}

// figuresOf is what is told of a set of requests.
func (r *Runner) figuresOf(t *tally, over time.Duration) Figures {
	st := t.stats(over)
	f := Figures{Samples: st.Samples, Errors: st.Failed, ErrorPct: st.ErrorPct, Rate: st.Rate, Response: t.response(), Service: t.served(), SendLag: dist(t.lag),
		Success: dist(&t.good), Failures: dist(&t.bad), Apdex: t.apdex(), Status: map[string]int64{}, Classes: t.errors(),
		Received: probes.Some(st.Received), Sent: probes.Some(st.Sent)}
	for code, n := range t.statuses() {
		f.Status[strconv.Itoa(code)] = n
	}
	if r.spec.Gzip {
		f.Packed, f.Inflated = probes.Some(t.packed), probes.Some(t.inflated)
	}
	return f
}

// totalLabel is the name of JMeter's last row.
const totalLabel = "TOTAL"
