package probes

import "time"

// LoadTimes is a distribution of times in milliseconds; a figure is unknown
// where Count is 0. No percentile is above Max or below Min.
type LoadTimes struct {
	Count int64        `json:"count"`
	Min   Opt[float64] `json:"min_ms"`
	Mean  Opt[float64] `json:"mean_ms"`
	P50   Opt[float64] `json:"p50_ms"`
	P90   Opt[float64] `json:"p90_ms"`
	P95   Opt[float64] `json:"p95_ms"`
	P99   Opt[float64] `json:"p99_ms"`
	P999  Opt[float64] `json:"p999_ms"`
	Max   Opt[float64] `json:"max_ms"`
}

// LoadPartName names a part of a request's time.
type LoadPartName string

// Parts of a request's time, in their order. The host is looked up once, before
// the run; requests on kept connections have no connect and no TLS.
const (
	LoadDNS       LoadPartName = "dns"
	LoadConnect   LoadPartName = "connect"
	LoadTLS       LoadPartName = "tls"
	LoadFirstByte LoadPartName = "first byte" // from the send
	LoadDownload  LoadPartName = "download"   // from the first byte to the last
)

// LoadPart is how long one part took.
type LoadPart struct {
	Part LoadPartName `json:"part"`
	LoadTimes
}

// NamedStats is the figures of the requests of one name.
type NamedStats struct {
	Name  string       `json:"name"`
	Stats LoadStats    `json:"stats"`
	Apdex Opt[float64] `json:"apdex"`
	// Success and Failures have the response times of either alone.
	Success  LoadTimes     `json:"success"`
	Failures LoadTimes     `json:"failures"`
	Status   map[int]int64 `json:"status"`
	Errors   []ErrorClass  `json:"error_classes"`
}

// LoadGroup is one group of users of a run that has several.
type LoadGroup struct {
	Name     string        `json:"name"`
	Phase    LoadPhase     `json:"phase"` // idle: it has not begun
	Users    int           `json:"active_users"`
	Stats    LoadStats     `json:"stats"` // over its own time
	Apdex    Opt[float64]  `json:"apdex"`
	Arrivals *LoadArrivals `json:"arrivals,omitempty"` // open model
	Verdict  string        `json:"verdict,omitempty"`
}

// LoadArrivals is what an open run asked for and what became of it.
type LoadArrivals struct {
	Asked    Opt[float64] `json:"asked_per_second"`     // mean over the run so far
	AskedNow Opt[float64] `json:"asked_now_per_second"` // the schedule's rate at this moment; none after the end
	Sent     Opt[float64] `json:"sent_per_second"`      // mean over the run so far
	Count    int64        `json:"sent"`
	Late     int64        `json:"late"`    // sent more than 2 ms after their time
	Dropped  int64        `json:"dropped"` // had their time and were never sent
	Service  LoadTimes    `json:"service"` // from the send
	Lag      LoadTimes    `json:"send_lag"`
}

// LoadStalls is how often the server answered nobody for half a second or more.
type LoadStalls struct {
	Count   int64        `json:"count"`
	Longest Opt[float64] `json:"longest_seconds"`
}

// LoadLittle is Little's law on the run: the mean number of requests in flight
// is the throughput times their mean time. Where it does not fit, one of the
// three is not what it seems: mostly times that begin too late.
type LoadLittle struct {
	InFlight Opt[float64] `json:"in_flight_mean"`  // looked at 20 times a second
	Law      Opt[float64] `json:"throughput_time"` // finished a second times mean service time
	Fits     Opt[bool]    `json:"fits"`            // within a quarter, or 0.5; unknown before 40 looks
}

// LoadState is something about a run that must not be overlooked.
type LoadState string

// States of a run that make its figures mean something else.
const (
	LoadRateMissed LoadState = "rate not reached"     // an open run's arrivals are not sent
	LoadStarved    LoadState = "generator starved"    // jtop has too little CPU, or sends late
	LoadAllFailing LoadState = "all failing"          // nothing succeeded lately
	LoadBackingOff LoadState = "refused: backing off" // users wait before they connect again
	LoadPorts      LoadState = "local ports"          // new connections may run out of them
	LoadClock      LoadState = "clock stepped"        // the machine's wall clock was; times here are not by it
	LoadLawBroken  LoadState = "figures do not fit"   // Little's law
	LoadQuiet      LoadState = "no new samples"       // a JTL that is followed does not grow
	LoadGone       LoadState = "file gone"            // a JTL that is followed was renamed or removed
	LoadDropped    LoadState = "connections lost"     // WebSockets that jtop did not close
)

// LoadWarning is a state with what there is to say about it.
type LoadWarning struct {
	State LoadState `json:"state"`
	Text  string    `json:"text"`
}

// LoadTree is single requests of a run: the first, the slowest, and some of
// every kind of failure, in this order.
type LoadTree struct {
	Taken time.Time      `json:"taken"`
	List  []LoadExchange `json:"list"`
}

// LoadExchange is one request with its answer, as the results tree keeps it.
// Texts are cleaned, credentials masked, bodies cut.
type LoadExchange struct {
	Why         string       `json:"why"` // first, slowest, or the class of the failure
	Name        string       `json:"name"`
	User        int          `json:"user"`
	Start       time.Time    `json:"start"`
	Target      string       `json:"target"`  // scheme, host and port
	Request     string       `json:"request"` // request line and header fields
	Body        string       `json:"request_body,omitempty"`
	Status      Opt[int]     `json:"status"`        // none: no whole answer
	Head        string       `json:"response_head"` // status line and header fields
	Answer      string       `json:"response_body,omitempty"`
	Received    int64        `json:"received_bytes"` // on the wire
	Size        int64        `json:"body_bytes"`     // of the response body, inflated
	Redirects   int          `json:"redirects"`
	Class       string       `json:"class,omitempty"` // of the failure
	Text        string       `json:"text,omitempty"`
	Traceparent string       `json:"traceparent,omitempty"`
	Lag         Opt[float64] `json:"send_lag_ms"` // open model
	Connect     Opt[float64] `json:"connect_ms"`  // none on a kept connection
	TLS         Opt[float64] `json:"tls_ms"`
	FirstByte   Opt[float64] `json:"first_byte_ms"` // from the send
	Took        float64      `json:"took_ms"`       // from the send
}
