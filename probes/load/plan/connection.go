package plan

import "time"

// Timeouts says when to give up; 0 is the runner's default for Total (30 s)
// and no limit of its own for the others.
type Timeouts struct {
	Connect   time.Duration `plan:"connect" about:"until connected, TLS included"`
	FirstByte time.Duration `plan:"first_byte" about:"from the send to the first byte of the answer"`
	Total     time.Duration `plan:"total" about:"of a whole request, connect included (default 30s)"`
}

// KeepAlive is how many requests a connection serves; 0: no limit.
type KeepAlive int

// The two common cases.
const (
	KeepAliveOn  KeepAlive = 0
	KeepAliveOff KeepAlive = 1
)

// TLS is how https and wss connections are made. Files are PEM.
type TLS struct {
	CAFile     string `plan:"ca_file" about:"PEM file of authorities to trust, in place of the system's"`
	CertFile   string `plan:"cert_file" about:"PEM file of the client's certificate"`
	KeyFile    string `plan:"key_file" about:"PEM file of its key (default: cert_file)"`
	Insecure   bool   `plan:"insecure" about:"accept any certificate"`
	ServerName string `plan:"server_name" about:"name to ask for and to check (default: the URL's host)"`
}

// Protocol is what is spoken on a connection.
type Protocol string

// Protocols; the empty one is HTTP1.
const (
	HTTP1         Protocol = "http/1.1"
	HTTP2         Protocol = "h2"
	H2C           Protocol = "h2c"
	WebSocketWire Protocol = "websocket"
)

// WebSocket is what long-lived connections say. The URL and the headers of
// the handshake are those of the plan's first request.
type WebSocket struct {
	Connections int           `plan:"connections" min:"1" max:"20000" about:"how many are opened"`
	Ramp        time.Duration `plan:"ramp" about:"connection i of N is opened at i*ramp/N"`
	Messages    []string      `plan:"messages" about:"texts that each connection sends, one after the other, round and round (template)"`
	Rate        Rate          `plan:"rate" about:"messages that each connection sends a second; 0: the next one follows the answer"`
	// Expect is an RE2 expression for the message that answers one; "": the
	// next message that comes. Where nothing answers, set NoAnswer.
	Expect   string `plan:"expect" about:"expression (RE2) of the message that answers one (default: the next that comes)"`
	NoAnswer bool   `plan:"no_answer" about:"nothing answers: messages are sent and not waited for"`
}
