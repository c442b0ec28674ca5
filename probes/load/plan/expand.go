package plan

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// Scope is what one user's templates are expanded with. It belongs to one
// goroutine.
type Scope struct {
	// Vars has the variables by name: those of the plan, those that were
	// extracted, and the row of each CSV file as "csv.column".
	Vars map[string]string
	// User and Iteration are numbers from 1, Counter the number of the request
	// over the whole run.
	User, Iteration, Counter int64
	// Now is when the request is made.
	Now time.Time
	// Rand is the user's own; needed for ${random()} and ${uuid}.
	Rand *rand.Rand
}

// Expand appends the template's text to dst and returns it. It allocates only
// where dst has to grow. A variable without a value stays as it is written,
// as in JMeter; Missing tells beforehand. A template without ${...} needs no
// scope.
func (t *Template) Expand(dst []byte, s *Scope) []byte {
	for i := range t.segments {
		g := &t.segments[i]
		switch g.kind {
		case literal:
			dst = append(dst, g.text...)
		case variable:
			if v, ok := s.Vars[g.text]; ok {
				dst = append(dst, v...)
			} else {
				dst = append(append(append(dst, "${"...), g.text...), '}')
			}
		case callUUID:
			dst = appendUUID(dst, s.Rand)
		case callCounter:
			dst = strconv.AppendInt(dst, s.Counter, 10)
		case callRandom:
			dst = strconv.AppendInt(dst, between(s.Rand, g.lo, g.hi), 10)
		case callUser:
			dst = strconv.AppendInt(dst, s.User, 10)
		case callIteration:
			dst = strconv.AppendInt(dst, s.Iteration, 10)
		case callNow:
			dst = strconv.AppendInt(dst, s.Now.UnixMilli(), 10)
		case callNowSeconds:
			dst = strconv.AppendInt(dst, s.Now.Unix(), 10)
		case callNowRFC:
			dst = s.Now.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z07:00")
		}
	}
	return dst
}

// Missing names the first variable of the template that has no value, or "".
func (t *Template) Missing(s *Scope) string {
	for i := range t.segments {
		if g := &t.segments[i]; g.kind == variable {
			if _, ok := s.Vars[g.text]; !ok {
				return g.text
			}
		}
	}
	return ""
}

// between is a whole number from lo to hi, both possible.
func between(r *rand.Rand, lo, hi int64) int64 {
	span := uint64(hi) - uint64(lo) // right for every pair: lo <= hi
	if span == ^uint64(0) {
		return int64(r.Uint64())
	}
	return int64(uint64(lo) + r.Uint64N(span+1))
}

// appendUUID appends a UUID of version 4 (RFC 9562, section 5.4).
func appendUUID(dst []byte, r *rand.Rand) []byte {
	const hex = "0123456789abcdef"
	hi, lo := r.Uint64(), r.Uint64()
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(0xc<<60) | 0x8<<60
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			dst = append(dst, '-')
		}
		word, at := hi, i
		if i >= 16 {
			word, at = lo, i-16
		}
		dst = append(dst, hex[word>>(60-4*at)&0xf])
	}
	return dst
}
