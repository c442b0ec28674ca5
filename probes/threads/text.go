package threads

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/jtop/probes"
)

// clean decodes modified UTF-8 and makes the text safe to draw.
func clean(b []byte) string { return probes.Clean(decode(b)) }

// decode turns modified UTF-8 (JVM specification, 4.4.7) into a string: NUL is
// two bytes, characters beyond U+FFFF are two surrogates of three bytes each.
// Plain UTF-8 stays as it is; halves of pairs become U+FFFD.
func decode(b []byte) string {
	plain := true
	for _, c := range b {
		if c == 0xc0 || c == 0xed {
			plain = false
			break
		}
	}
	if plain {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b))
	for len(b) > 0 {
		if len(b) >= 2 && b[0] == 0xc0 && b[1] == 0x80 {
			s.WriteByte(0)
			b = b[2:]
			continue
		}
		if hi, ok := surrogate(b); ok {
			if lo, ok := surrogate(b[3:]); ok {
				if r := utf16.DecodeRune(hi, lo); r != utf8.RuneError {
					s.WriteRune(r)
					b = b[6:]
					continue
				}
			}
			s.WriteRune(utf8.RuneError)
			b = b[3:]
			continue
		}
		r, n := utf8.DecodeRune(b)
		s.WriteRune(r)
		b = b[n:]
	}
	return s.String()
}

// surrogate reads three bytes that encode U+D800 to U+DFFF.
func surrogate(b []byte) (rune, bool) {
	if len(b) < 3 || b[0] != 0xed || b[1] < 0xa0 || b[1] > 0xbf || b[2]&0xc0 != 0x80 {
		return 0, false
	}
	return 0xd000 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f), true
}

// interner keeps one string for each distinct text of a dump: thousands of
// threads stand at the same few frames.
type interner map[string]string

func (in interner) text(b []byte) string {
	if s, ok := in[string(b)]; ok { // no allocation
		return s
	}
	s := clean(b)
	in[string(b)] = s
	return s
}
