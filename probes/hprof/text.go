package hprof

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/jtop/probes"
)

// coding is how the array of a string holds its text.
type coding byte

const (
	latin1  coding = iota
	utf16LE        // byte[]: as the JVM's machine has it, which is little-endian wherever HotSpot of today runs but on s390x
	utf16BE        // char[]: as the file has its numbers
)

// unitBytes are the bytes of a UTF-16 unit.
func (c coding) unitBytes() int64 {
	if c == latin1 {
		return 1
	}
	return 2
}

// decode returns the first most characters of an array's text, safe to draw
// and on one line. More tells that the text goes on behind b.
func (c coding) decode(b []byte, most int, more bool) string {
	var s strings.Builder
	switch c {
	case latin1:
		for _, v := range b {
			s.WriteRune(rune(v))
		}
	default:
		units := make([]uint16, len(b)/2)
		for i := range units {
			lo, hi := b[2*i], b[2*i+1]
			if c == utf16BE {
				lo, hi = hi, lo
			}
			units[i] = uint16(lo) | uint16(hi)<<8
		}
		for _, r := range utf16.Decode(units) {
			s.WriteRune(r)
		}
	}
	text := probes.Clean(s.String())
	if short := cutText(text, most); short != text || more {
		return short + "..."
	}
	return text
}

// cutText returns the first most characters.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	at := 0
	for range most {
		if at >= len(s) {
			return s
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return s[:at]
}
