package load

import (
	"bytes"
	"strconv"

	"example.com/jtop/probes"
)

// Line is one sample of JMeter's CSV JTL. Times are in whole milliseconds.
type Line struct {
	Start      int64 // since the epoch
	Elapsed    int64 // from the send to the last byte
	Label      string
	Code       string // the status, or noHTTP and the kind of the failure
	Message    string
	Thread     string
	OK         bool
	Failure    string // of an assertion
	Bytes      int64  // received, -1 where a file does not tell
	Sent       int64
	Group, All int // users active
	URL        string
	Latency    int64 // to the first byte
	Idle       int64
	Connect    int64
}

// What JMeter writes for a request without an answer.
const (
	noHTTP        = "Non HTTP response code: "
	noHTTPMessage = "Non HTTP response message: "
)

// jtlHeader is JMeter's default header line (jmeter.properties of 3.0 to 5.6).
const jtlHeader = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect"

// append writes the line with its line end.
func (l *Line) append(b []byte) []byte {
	num := func(v int64) { b = append(strconv.AppendInt(b, v, 10), ',') }
	text := func(s string) { b = append(quote(b, s), ',') }
	num(l.Start)
	num(l.Elapsed)
	text(l.Label)
	text(l.Code)
	text(l.Message)
	text(l.Thread)
	b = append(b, ',') // dataType: the type of the body is not looked at
	b = append(strconv.AppendBool(b, l.OK), ',')
	text(l.Failure)
	num(l.Bytes)
	num(l.Sent)
	num(int64(l.Group))
	num(int64(l.All))
	text(l.URL)
	num(l.Latency)
	num(l.Idle)
	b = strconv.AppendInt(b, l.Connect, 10)
	return append(b, '\n')
}

// quote writes a field as JMeter does: in quotes only where it has to be.
func quote(b []byte, s string) []byte {
	if !needsQuotes(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

func needsQuotes(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ',', '"', '\r', '\n':
			return true
		}
	}
	return false
}

// line is a request as JMeter logs it.
func (r *Runner) line(u *user, o *outcome) Line {
	active := int(r.active.Load())
	l := Line{Start: o.start(), Elapsed: o.elapsed(), Label: r.calls[o.call].name, Thread: r.thread + strconv.Itoa(u.number), OK: o.ok(), Bytes: o.recv, Sent: o.sent,
		Group: active, All: r.everybody(), URL: r.shown, Latency: o.firstAt.Milliseconds(), Connect: o.connect.Milliseconds()}
	if o.status > 0 && o.class != "" {
		l.Failure = probes.Clean(o.text)
	} else if o.class != "" {
		l.Code, l.Message = noHTTP+o.class, noHTTPMessage+probes.Clean(o.text)
		return l
	}
	if o.whole {
		l.Code, l.Message = "200", "OK" // JMeter's of samples that have no code of their own
		return l
	}
	l.Code, l.Message = strconv.Itoa(o.status), probes.Clean(string(bytes.ToValidUTF8(o.reason, []byte("\uFFFD"))))
	return l
}
