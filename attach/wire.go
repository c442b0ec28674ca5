package attach

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Limits of the protocol, from attachListener.hpp: version 1 has a fixed number
// of arguments, version 2 (JDK 24+) a length before them.
const (
	v1Args    = 3
	v1NameMax = 16
	v1ArgMax  = 1024
	v2Max     = 256 << 10

	noStreaming = " streaming=0"
)

// dialect is what the options probe found out about a JVM.
type dialect struct {
	version   int  // 1, or 2 on JDK 24+
	streaming bool // JDK 25+: would write a reply from inside the safepoint
}

// parseDialect reads the reply to "getversion options": "2 streaming" on JDK
// 25+, "2" on 24. Older JVMs do not know the command, which the caller handles.
func parseDialect(reply []byte) (dialect, error) {
	if len(reply) > 4096 {
		return dialect{}, fmt.Errorf("%w: %d bytes of options", ErrProtocol, len(reply))
	}
	words := strings.Fields(string(reply))
	if len(words) == 0 {
		return dialect{}, fmt.Errorf("%w: no version in the options", ErrProtocol)
	}
	v, err := strconv.ParseUint(words[0], 10, 8)
	if err != nil || v == 0 {
		return dialect{}, fmt.Errorf("%w: version %q", ErrProtocol, clean(words[0], 20))
	}
	d := dialect{version: min(int(v), 2)}
	for _, w := range words[1:] {
		if w == "streaming" {
			d.streaming = true
		}
	}
	return d, nil
}

// frame builds a request. Version 1 is used wherever it fits, since every JVM
// knows it.
func (d dialect) frame(name string, args []string) ([]byte, error) {
	if name == "" || len(name) > v1NameMax || strings.ContainsAny(name, " \x00") {
		return nil, fmt.Errorf("%w: command name %q", ErrUnsupported, clean(name, 40))
	}
	size, fits := 0, len(args) <= v1Args
	for _, a := range args {
		if strings.IndexByte(a, 0) >= 0 {
			return nil, fmt.Errorf("%w: an argument holds a NUL byte", ErrUnsupported)
		}
		fits = fits && len(a) <= v1ArgMax
		size += len(a) + 1
	}
	if d.streaming {
		name += noStreaming // an option rides in the command's name
	}
	size += len(name) + 1
	var b bytes.Buffer
	switch {
	case fits:
		b.WriteString("1\x00" + name + "\x00")
		for i := range v1Args {
			if i < len(args) {
				b.WriteString(args[i])
			}
			b.WriteByte(0)
		}
	case d.version < 2:
		return nil, fmt.Errorf("%w: this JVM takes %d arguments of at most %d bytes", ErrUnsupported, v1Args, v1ArgMax)
	case size > v2Max:
		return nil, fmt.Errorf("%w: the request has %d bytes, the limit is %d", ErrUnsupported, size, v2Max)
	default:
		fmt.Fprintf(&b, "2\x00%d\x00%s\x00", size, name)
		for _, a := range args {
			b.WriteString(a)
			b.WriteByte(0)
		}
	}
	return b.Bytes(), nil
}

// statusMax is more than any status line has: "-1\n", "101\n".
const statusMax = 12

var errTooLong = errors.New("reply is longer than the limit")

// readReply reads to EOF, at most limit bytes.
func readReply(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if n > limit {
		return nil, errTooLong
	}
	return b.Bytes(), err
}

// splitReply takes the status line off a complete reply: 0 is success, the text
// after another status says what went wrong.
func splitReply(reply []byte) (status int, payload []byte, err error) {
	end := bytes.IndexByte(reply[:min(len(reply), statusMax)], '\n')
	if end < 0 {
		return 0, nil, fmt.Errorf("%w: it begins with %q", ErrProtocol, clip(reply))
	}
	text := string(reply[:end])
	status, err = strconv.Atoi(text)
	if err != nil || strconv.Itoa(status) != text {
		return 0, nil, fmt.Errorf("%w: status %q", ErrProtocol, clean(text, statusMax))
	}
	return status, reply[end+1:], nil
}
