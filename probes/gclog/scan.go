package gclog

import (
	"bytes"
	"time"

	"example.com/jtop/probes"
)

// mostBytes bounds a size: anything above is noise, and sums stay far from
// overflow.
const mostBytes = 1 << 50

// size reads "19M", "7168.0K", "0.0B" or "3M" at the start of b and returns
// how many bytes of text it took. Units are B, K, M, G and T, 1024-based.
func size(b []byte) (v int64, n int, ok bool) {
	var whole, frac, scale int64 = 0, 0, 1
	for n < len(b) && isDigit(b[n]) {
		if whole > mostBytes {
			return 0, 0, false
		}
		whole = whole*10 + int64(b[n]-'0')
		n++
	}
	if n == 0 {
		return 0, 0, false
	}
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && isDigit(b[n+1]) {
		for n++; n < len(b) && isDigit(b[n]); n++ {
			if scale < 1000 {
				frac, scale = frac*10+int64(b[n]-'0'), scale*10
			}
		}
	}
	if n == len(b) {
		return 0, 0, false
	}
	unit := int64(1)
	switch b[n] {
	case 'B':
	case 'K':
		unit = 1 << 10
	case 'M':
		unit = 1 << 20
	case 'G':
		unit = 1 << 30
	case 'T':
		unit = 1 << 40
	default:
		return 0, 0, false
	}
	if whole > mostBytes/unit {
		return 0, 0, false
	}
	return whole*unit + frac*unit/scale, n + 1, true
}

// group skips one "(...)" at the start of b and returns its content.
func group(b []byte) (in []byte, n int) {
	if len(b) == 0 || b[0] != '(' {
		return nil, 0
	}
	depth := 0
	for i, c := range b {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return b[1:i], i + 1
			}
		}
	}
	return nil, 0
}

// transition reads "19712K->2432K(22144K)", "21504K(30M)->12K(30M)",
// "10M(16%)->8M(12%)" or "0.0B->1024.0K" at the start of b.
func transition(b []byte) (s Space, n int, ok bool) {
	before, i, ok := size(b)
	if !ok {
		return s, 0, false
	}
	_, g := group(b[i:]) // the capacity before: the one after is of more use
	i += g
	if i+2 > len(b) || b[i] != '-' || b[i+1] != '>' {
		return s, 0, false
	}
	i += 2
	after, k, ok := size(b[i:])
	if !ok {
		return s, 0, false
	}
	i += k
	s.Before, s.After = probes.Some(before), probes.Some(after)
	if in, g := group(b[i:]); g > 0 {
		if c, k, ok := size(in); ok && k == len(in) {
			s.Capacity = probes.Some(c)
		}
		i += g
	}
	return s, i, true
}

// number reads digits at the start of b.
func number(b []byte) (v int64, n int, ok bool) {
	for n < len(b) && isDigit(b[n]) {
		if v > mostBytes {
			return 0, 0, false
		}
		v = v*10 + int64(b[n]-'0')
		n++
	}
	return v, n, n > 0
}

// decimal reads "0.0031886" and gives it in units of 1e-9: seconds become
// nanoseconds. A comma is a point, as some locales have it.
func decimal(b []byte) (v int64, n int, ok bool) {
	v, n, ok = number(b)
	if !ok || v > 1e9 {
		return 0, 0, false
	}
	unit := int64(1e9)
	v *= unit
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',') && isDigit(b[n+1]) {
		for n++; n < len(b) && isDigit(b[n]); n++ {
			unit /= 10
			v += int64(b[n]-'0') * unit
		}
	}
	return v, n, true
}

// length reads "3.073ms", "0.042s" or "66290 ns", all of b.
func length(b []byte) (time.Duration, bool) {
	v, n, ok := decimal(b)
	if !ok {
		return 0, false
	}
	switch string(b[n:]) {
	case "s":
		return time.Duration(v), true
	case "ms":
		return time.Duration(v / 1000), true
	}
	return 0, false
}

// numberAfter finds the number that follows a label.
func numberAfter(b []byte, label string) (int64, bool) {
	_, rest, ok := bytes.Cut(b, []byte(label))
	if !ok {
		return 0, false
	}
	v, _, ok := number(trimLeft(rest))
	return v, ok
}

// secondsAfter finds the "0.0033766" that follows a label.
func secondsAfter(b []byte, label string) Span {
	_, rest, ok := bytes.Cut(b, []byte(label))
	if !ok {
		return Span{}
	}
	v, _, ok := decimal(trimLeft(rest))
	if !ok {
		return Span{}
	}
	return probes.Some(time.Duration(v))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func trimLeft(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

func has(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// after returns what follows a prefix.
func after(b []byte, prefix string) ([]byte, bool) {
	if !has(b, prefix) {
		return nil, false
	}
	return b[len(prefix):], true
}

func contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }
