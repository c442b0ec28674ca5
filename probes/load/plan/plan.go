// Package plan is a load run as pure data: what is sent, by whom and when,
// and every form in which it is written: YAML, JMeter's .jmx, a command line
// of curl. It reads no file, opens no connection and has no clock; who runs a
// plan hands in the bytes of the files that it names.
package plan

import "time"

// Plan is a load run in full. Its zero value with one request that has a URL
// is a closed run of one user without a limit.
//
// A run is closed where Rate and Stages are empty: each of Users sends, waits
// for the answer, thinks and sends again. Otherwise it is open: arrivals
// follow one schedule, answered or not. With Groups there are several such
// models at once, and the plan has none of its own.
//
// Every string marked "template" may hold ${...} (see Compile).
type Plan struct {
	Name string `plan:"name" about:"what the reports call the run"`

	// The closed model.
	Users    int           `plan:"users" min:"0" max:"20000" about:"closed: users, one connection each; open: connections to begin with (default 1)"`
	Ramp     time.Duration `plan:"ramp" about:"user i of N starts at i*ramp/N; with rate: the time in which it rises from 0"`
	Loops    int           `plan:"loops" min:"0" max:"1000000000" about:"iterations per user, each one request, or the whole scenario; 0: no limit"`
	Total    int64         `plan:"total" min:"0" max:"1000000000000" about:"requests of all users together, exactly; 0: no limit"`
	Duration time.Duration `plan:"duration" about:"time to run; 0: no limit. The first limit that is reached ends the run"`
	Think    ThinkTime     `plan:"think" about:"pause of a user before each of its requests; closed model only"`

	// The open model.
	Rate     Rate   `plan:"rate" about:"open model: requests that start in a second, or /m, /h"`
	Stages   Stages `plan:"stages" about:"open model: one rate after the other: 50/s for 5m, then 500/s for 30m; or 0/s to 500/s for 1m"`
	MaxUsers int    `plan:"max_users" min:"0" max:"20000" about:"open model: the most connections; 0: the runner's default"`

	WarmUp time.Duration `plan:"warm_up" about:"first part of the run, which is sent and not counted"`
	Seed   uint64        `plan:"seed" about:"of every random choice; 0: another one each run"`
	Order  Order         `plan:"order" enum:"weighted,scenario" about:"weighted: each iteration sends one request, chosen by weight (default); scenario: all of them, in the order written"`

	Defaults Defaults  `plan:"defaults" about:"what holds for every request that does not say otherwise"`
	Vars     []Pair    `plan:"vars" about:"variables: name and first value; templates may use ${uuid} and the like, not other variables"`
	CSV      []CSVData `plan:"csv" about:"files of rows; column c of the file called csv is ${csv.c}"`
	Requests []Request `plan:"requests" about:"what is sent; required where there are no groups"`
	Groups   []Group   `plan:"groups" about:"several groups of users at once, each with its own model and requests, in place of those of the plan"`
	Sequence bool      `plan:"sequence" about:"the groups run one after the other"`

	Timeouts    Timeouts   `plan:"timeouts" about:"when to give up"`
	KeepAlive   KeepAlive  `plan:"keep_alive" about:"on (default), off, or every N: a new connection after N requests"`
	TLS         TLS        `plan:"tls" about:"certificates"`
	Protocol    Protocol   `plan:"protocol" enum:"http/1.1,h2,h2c,websocket" about:"default http/1.1"`
	Streams     int        `plan:"streams" min:"0" max:"1000" about:"with h2 and h2c: users that share a connection (default 1)"`
	UnixSocket  string     `plan:"unix_socket" about:"path of a socket to connect to instead of the URL's host"`
	ConnectTo   []string   `plan:"connect_to" about:"HOST1:PORT1:HOST2:PORT2: connect to the second where a URL names the first; empty parts mean any, or the same"`
	Cookies     bool       `plan:"cookies" about:"each user keeps the cookies that it is sent"`
	Redirects   int        `plan:"redirects" min:"0" max:"50" about:"how many redirects a request follows; 0: none"`
	Gzip        bool       `plan:"gzip" about:"ask for compressed answers"`
	Traceparent bool       `plan:"traceparent" about:"send a W3C traceparent header with every request"`
	Apdex       Apdex      `plan:"apdex" about:"thresholds of the Apdex figure"`
	Tree        Tree       `plan:"tree" about:"what the results tree keeps"`
	WebSocket   *WebSocket `plan:"websocket" about:"with protocol websocket: what the connections say"`
}

// Defaults hold for every request that does not say otherwise.
type Defaults struct {
	// URL is what relative URLs of requests are appended to: scheme, host,
	// port and a path prefix.
	URL     string   `plan:"url" about:"base of relative URLs: scheme, host, port, path prefix (template)"`
	Headers []Pair   `plan:"headers" about:"sent with every request; a request's own header of the same name replaces it (template)"`
	Auth    *Auth    `plan:"auth" about:"credentials"`
	Assert  []Assert `plan:"assert" about:"checked on every answer, before the request's own"`
}

// Pair is a name and a value, in the order written: a header, a variable, a
// form field.
type Pair struct{ Name, Value string }

// Order is how the next request is chosen.
type Order string

// Orders; the empty one is Weighted.
const (
	Weighted Order = "weighted"
	Scenario Order = "scenario"
)

// CSVData is a file of rows that variables take values from, RFC 4180.
type CSVData struct {
	Name      string   `plan:"name" about:"what stands before the dot in ${csv.column} (default csv)"`
	File      string   `plan:"file" required:"true" about:"path, from where the plan is run"`
	Columns   []string `plan:"columns" about:"names of the columns; none: the first line has them"`
	SkipFirst bool     `plan:"skip_first" about:"with columns: the first line is a heading"`
	Delimiter string   `plan:"delimiter" about:"one character, or \\t (default: comma)"`
	Share     Share    `plan:"share" enum:"all,user" about:"all: each row goes to one user (default); user: each user reads from the top"`
	AtEnd     AtEnd    `plan:"at_end" enum:"recycle,stop" about:"after the last row: recycle begins again (default), stop ends the user"`
}

// Share is whose cursor a CSV file has.
type Share string

// Shares; the empty one is ShareAll.
const (
	ShareAll  Share = "all"
	ShareUser Share = "user"
)

// AtEnd is what follows the last row of a CSV file.
type AtEnd string

// What follows the last row; the empty one is Recycle.
const (
	Recycle AtEnd = "recycle"
	StopEnd AtEnd = "stop"
)
