package load

import (
	"errors"
	"fmt"
	"strings"
)

// classed is an error that knows its class.
type classed struct {
	class string
	err   error
}

// Error is the cause's text.
func (c classed) Error() string { return c.err.Error() }

// Unwrap is the cause.
func (c classed) Unwrap() error { return c.err }

var errNoALPN = errors.New("the server has not agreed on h2 (ALPN)")

// streamError has the fields of net/http's error of a stream, which it can be
// taken as (its As method compares the fields).
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

// Error tells the code.
func (e streamError) Error() string { return "stream reset: " + h2Code(e.Code) }

// h2Codes are the error codes of RFC 9113, 7.
var h2Codes = []string{"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
	"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"}

func h2Code(n uint32) string {
	if int64(n) < int64(len(h2Codes)) {
		return h2Codes[n]
	}
	return fmt.Sprintf("code %d", n)
}

// h2Fault names the kind of a failure of HTTP/2. Most errors of net/http's
// client have no type that is exported: what they say is compared.
func h2Fault(err error) error {
	if err == nil {
		return nil
	}
	var stream streamError
	text := err.Error()
	switch {
	case errors.As(err, &stream) && strings.Contains(text, "received from peer"):
		return classed{"stream reset (" + h2Code(stream.Code) + ")", err}
	case strings.Contains(text, "GOAWAY"):
		return classed{"the server sent GOAWAY", err}
	case strings.Contains(text, "looked like an HTTP/1"), strings.Contains(text, "frame too large"):
		return classed{"the server does not speak HTTP/2", err}
	case strings.HasPrefix(text, "stream error: "), strings.HasPrefix(text, "connection error: "):
		return classed{"malformed answer", err}
	}
	return err
}
