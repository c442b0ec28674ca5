package load

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"syscall"
)

// Stages of a request, for the class of a failure.
const (
	atConnect = iota
	atAnswer
	atFirst // of its bytes, where that has a limit of its own
	atTLS   // connecting, and the server has taken the connection
)

// connecting tells whether nothing of the request has been sent at a stage.
func connecting(stage int) bool { return stage == atConnect || stage == atTLS }

// connectStage is where the connecting of o failed.
func (o *outcome) connectStage() int {
	if o.dialed > 0 {
		return atTLS
	}
	return atConnect
}

// classify names the kind of a failure, without ports and addresses, so that
// the same cause is one class.
func classify(err error, stage int, began bool) string {
	var dns *net.DNSError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var hostname x509.HostnameError
	var record tls.RecordHeaderError
	var op *net.OpError
	var slow net.Error
	var named classed
	switch {
	case errors.As(err, &named):
		return named.class
	case errors.Is(err, errElsewhere):
		return "not this machine"
	case errors.Is(err, errOrigins):
		return "too many servers"
	case errors.Is(err, errGzip):
		return "bad gzip"
	case errors.Is(err, errMalformed):
		return "malformed answer"
	case errors.Is(err, errChunk):
		return "bad chunk"
	case errors.As(err, &dns):
		return "name not found"
	case errors.As(err, &unknown):
		return "TLS: unknown authority"
	case errors.As(err, &invalid):
		return "TLS: invalid certificate"
	case errors.As(err, &hostname):
		return "TLS: certificate is for another name"
	case errors.As(err, &record):
		return "TLS: the server does not speak TLS"
	case errors.As(err, &op) && op.Op == "remote error": // crypto/tls's mark of an alert
		return "TLS: refused by the server"
	case errors.As(err, &slow) && slow.Timeout(), errors.Is(err, context.DeadlineExceeded):
		switch stage {
		case atTLS:
			return "timeout (TLS handshake)"
		case atConnect:
			return "timeout (connect)"
		case atFirst:
			return "timeout (first byte)"
		}
		return "timeout (answer)"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "too many open files"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no free local port"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "host unreachable"
	case errors.Is(err, io.ErrUnexpectedEOF) && began:
		return "truncated answer"
	case connecting(stage) && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)):
		return "TLS: closed in the handshake"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "closed before the answer"
	case connecting(stage):
		return "cannot connect"
	}
	return "broken connection"
}
