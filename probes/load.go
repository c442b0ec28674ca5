package probes

import "time"

// LoadPhase is where a load run stands.
type LoadPhase string

// Phases of a load run.
const (
	LoadIdle     LoadPhase = "idle"
	LoadRamp     LoadPhase = "ramp-up"
	LoadRunning  LoadPhase = "running"
	LoadStopping LoadPhase = "stopping" // no new requests; those in flight may finish
	LoadDone     LoadPhase = "done"
	// LoadFollowing: nothing is sent; the figures are those of a JTL that
	// another program is writing.
	LoadFollowing LoadPhase = "following"
)

// LoadConfig is what the form of the Load tab asks for. Without Rate it is the
// closed model: a user sends its next request when the last one is answered.
type LoadConfig struct {
	URL       string        `json:"url"`
	Method    string        `json:"method"`
	Headers   []string      `json:"headers,omitempty"` // "Name: value"
	Body      string        `json:"body,omitempty"`
	Users     int           `json:"users"`
	Ramp      time.Duration `json:"ramp_ns"`     // user i of n starts at i*Ramp/n
	Loops     int           `json:"loops"`       // requests per user; 0: no limit
	Duration  time.Duration `json:"duration_ns"` // 0: no limit; with Loops too: whichever comes first
	Timeout   time.Duration `json:"timeout_ns"`  // whole request; 0: the default, 30 s
	Confirmed bool          `json:"confirmed"`   // the user said yes to a target that is not loopback
	// What follows came later; recordings from before have none of it.
	Rate   string        `json:"rate,omitempty"`       // open model: "500/s", or stages "50/s for 5m, then 500/s for 30m"
	WarmUp time.Duration `json:"warm_up_ns,omitempty"` // first part of the run, which is not counted
	Think  string        `json:"think_time,omitempty"` // of a user: "1s", "1s to 3s", "1s +- 200ms"
	Plan   string        `json:"plan,omitempty"`       // in place of the request: path of a .yaml or .jmx, or a command line of curl
}

// LoadSample is a load run at one instant. Totals are since the run began;
// Interval covers the time since the sample before.
type LoadSample struct {
	Phase    LoadPhase     `json:"phase"`
	Config   LoadConfig    `json:"config"`
	Started  time.Time     `json:"started"`
	RunTime  time.Duration `json:"run_time_ns"`
	Users    int           `json:"active_users"` // of a JTL its allThreads; 0: it does not tell
	InFlight int           `json:"in_flight"`
	CutOff   int64         `json:"cut_off"` // requests cut by the stop: under way, never answered, in no statistic
	Total    LoadStats     `json:"total"`
	Interval LoadStats     `json:"interval"`
	// Status counts answers by status code; ErrorClasses failures without an
	// answer by kind ("connection refused", "timeout", "connection reset", ...).
	Status map[int]int64 `json:"status"`
	Errors []ErrorClass  `json:"error_classes"`
	// CPU is what the runner itself used over the run, in percent of one core.
	CPU     Opt[float64] `json:"runner_cpu_percent"`
	Problem *Problem     `json:"problem,omitempty"` // why it could not start, or what it stopped on
	Verdict string       `json:"verdict,omitempty"` // one plain line
	// What follows came later; recordings from before have none of it.
	Success  LoadTimes     `json:"success,omitzero"`  // response times of the successes alone
	Failures LoadTimes     `json:"failures,omitzero"` // and of the failures
	Apdex    Opt[float64]  `json:"apdex,omitzero"`
	Inflated Opt[int64]    `json:"inflated_bytes,omitzero"` // of bodies, where gzip was asked for
	Parts    []LoadPart    `json:"parts,omitempty"`
	Arrivals *LoadArrivals `json:"arrivals,omitempty"` // open model
	Little   *LoadLittle   `json:"littles_law,omitempty"`
	Stalls   *LoadStalls   `json:"stalls,omitempty"` // none where nothing was answered yet
	Warnings []LoadWarning `json:"warnings,omitempty"`
	Requests []NamedStats  `json:"requests,omitempty"` // by name, where there are several; Total has all
	Groups   []LoadGroup   `json:"groups,omitempty"`   // of a plan with several groups of users
	Latency  *LoadLatency  `json:"latency,omitempty"`  // response times of the interval; nil: nothing was counted
	// Aggregate is JMeter's table of the whole run, one row a name and TOTAL.
	Aggregate []LoadRow `json:"aggregate,omitempty"`
	WarmUp    int64     `json:"warm_up_samples,omitempty"` // sent in the warm-up, in no figure
	Stopped   bool      `json:"stopped,omitempty"`         // the user ended it early
	File      string    `json:"file,omitempty"`            // the JTL that is followed; "": a run of jtop's own
	Notes     []string  `json:"notes,omitempty"`           // what of a plan did not come over, what of a file was left out
}

// ErrorClass is one kind of failure, with ports and addresses stripped.
type ErrorClass struct {
	Class    string    `json:"class"`
	Count    int64     `json:"count"`
	Answered bool      `json:"answered,omitempty"` // an answer came, and is wrong
	Sample   string    `json:"sample,omitempty"`   // one full text, cleaned
	First    time.Time `json:"first,omitzero"`     // when one was seen first and last
	Last     time.Time `json:"last,omitzero"`
}

// LoadStats is the statistics of a set of requests. Times are response times:
// from just before the request is sent (connect included) to the last byte of
// the answer. Failed requests are included, as JMeter does.
type LoadStats struct {
	Samples  int64        `json:"samples"`               // finished: answered or failed
	Answered int64        `json:"answered"`              // an HTTP answer came back whole
	Failed   int64        `json:"failed"`                // no answer, or a status outside 200-399
	Rate     Opt[float64] `json:"throughput_per_second"` // answers a second; refused connections are none
	ErrorPct Opt[float64] `json:"error_percent"`
	Min      Opt[float64] `json:"min_ms"`
	Mean     Opt[float64] `json:"mean_ms"`
	P50      Opt[float64] `json:"p50_ms"`
	P90      Opt[float64] `json:"p90_ms"`
	P95      Opt[float64] `json:"p95_ms"`
	P99      Opt[float64] `json:"p99_ms"`
	P999     Opt[float64] `json:"p999_ms"`
	Max      Opt[float64] `json:"max_ms"`
	Received int64        `json:"received_bytes"` // on the wire, headers included
	Sent     int64        `json:"sent_bytes"`
}
