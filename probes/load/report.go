package load

import (
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// Report is a finished run, or a JTL, in full: what jtop load prints. What is
// not known is null.
type Report struct {
	URL     string              `json:"url,omitempty"`  // passwords masked
	File    string              `json:"file,omitempty"` // the JTL
	Model   string              `json:"model"`          // closed, open, or jtl: unknown, from a file
	Started *time.Time          `json:"started"`        // of what is counted
	Seconds probes.Opt[float64] `json:"seconds"`        // that the throughput is over
	Figures
	Late        probes.Opt[int64]   `json:"late"`        // sent more than 2 ms late; open model
	Dropped     probes.Opt[int64]   `json:"dropped"`     // arrivals that were never sent; open model
	Connections probes.Opt[int64]   `json:"connections"` // users that were needed; open model
	WarmUp      int64               `json:"warmup_samples"`
	CutOff      int64               `json:"cut_off"` // under way at the stop, never answered, in no figure
	OldestCut   probes.Opt[float64] `json:"cut_off_oldest_seconds"`
	Stalls      probes.Opt[int64]   `json:"stalls"` // times without any answer; null from a file, and where nothing was answered
	Stalled     probes.Opt[float64] `json:"longest_stall_seconds"`
	CPU         probes.Opt[float64] `json:"runner_cpu_percent"` // of one core
	Verdict     string              `json:"verdict"`
	Requests    []Request           `json:"requests"`
	Aggregate   []Row               `json:"aggregate"` // JMeter's, TOTAL last
	JVM         *JVM                `json:"jvm"`       // null where none was watched
	Checks      []Check             `json:"fail_if"`
	Notes       []string            `json:"notes"` // what is missing or was repaired
	Sample      *probes.LoadSample  `json:"-"`     // what the summary in words is made from; nil from a file
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
	rep := &Report{URL: s.Config.URL, Model: "closed", CutOff: s.CutOff, WarmUp: r.warm.Load(), CPU: s.CPU, Sample: s, Checks: []Check{}, Notes: []string{}}
	over := r.span(s.RunTime)
	f := &rep.Figures
	f.Samples, f.Errors, f.ErrorPct, f.Rate = s.Total.Samples, s.Total.Failed, s.Total.ErrorPct, s.Total.Rate
	f.Response = r.total.response.dist()
	f.Service = f.Response
	f.Received, f.Sent = probes.Some(s.Total.Received), probes.Some(s.Total.Sent)
	f.Status, f.Classes = map[string]int64{}, s.Errors
	for code, n := range s.Status {
		f.Status[strconv.Itoa(code)] = n
	}
	if !r.started.IsZero() {
		at := r.started.Add(r.plan.WarmUp)
		rep.Started, rep.Seconds = &at, probes.Some(over.Seconds())
	}
	if s.CutOff > 0 {
		rep.OldestCut = probes.Some(r.oldest.Seconds())
	}
	if r.plan.open() {
		rep.Model = "open"
		r.usersMu.Lock()
		rep.Connections = probes.Some(int64(len(r.users)))
		r.usersMu.Unlock()
		f.Asked = probes.Some(r.plan.Rate)
		f.Service, f.SendLag = r.total.service.dist(), r.total.lag.dist()
		rep.Late, rep.Dropped = probes.Some(r.schedule.late.Load()), probes.Some(r.dropped())
	}
	if s.Total.Answered > 0 { // without any answer the whole run is one, and the verdict says so
		n, longest := r.stalled()
		if rep.Stalls = probes.Some(int64(n)); n > 0 {
			rep.Stalled = probes.Some(longest.Seconds())
		}
	}
	var t table
	for _, sh := range r.shards {
		sh.mu.Lock()
		t.merge(&sh.table)
		sh.mu.Unlock()
	}
	rep.Requests = []Request{{Name: r.label, Figures: *f}}
	rep.Aggregate = []Row{t.row(r.label), t.row(totalLabel)}
	rep.Verdict = r.verdict(s, rep)
	return rep
}

// totalLabel is the name of JMeter's last row.
const totalLabel = "TOTAL"

// tolerance is how much of an open run's end is not asked for when arrivals
// are counted: a stop may come between an arrival's time and its send.
const tolerance = 5 * time.Millisecond

// dropped is how many arrivals of an open run had their time and were not
// sent; r.mu is held.
func (r *Runner) dropped() int64 {
	if r.started.IsZero() {
		return 0
	}
	end := r.stopped
	if end.IsZero() {
		end = r.ended
	}
	return max(r.schedule.due(end.Sub(r.began)-tolerance)-r.schedule.sent.Load(), r.schedule.dropped.Load(), 0)
}

// stalled is how often the server answered nobody; r.mu is held.
func (r *Runner) stalled() (n int, longest time.Duration) {
	median := time.Duration(0)
	d := r.total.response.dist()
	if r.plan.open() {
		d = r.total.service.dist()
	}
	if d.P50.OK {
		median = time.Duration(d.P50.V * float64(time.Millisecond))
	}
	return r.stalls.of(median, r.plan.Rate)
}
