package vmtext

import (
	"errors"
	"math"
	"math/bits"
	"strings"
)

var (
	errNoNumber = errors.New("a number was expected")
	errNoUnit   = errors.New("a unit (B, K, M, G) was expected")
	errTooBig   = errors.New("a number does not fit")
)

// count reads a whole decimal number of 0 to 2^63-1.
func count(s string) (int64, error) {
	if s == "" {
		return 0, errNoNumber
	}
	var n uint64
	for i := 0; i < len(s); i++ {
		d := s[i] - '0'
		if d > 9 {
			return 0, errNoNumber
		}
		if n > (math.MaxInt64-uint64(d))/10 {
			return 0, errTooBig
		}
		n = n*10 + uint64(d)
	}
	return int64(n), nil
}

// size is an amount of memory and the step in which it was printed.
type size struct {
	bytes int64
	step  int64 // 1024 for "70400K", 1 MiB / 100 for "5.71 MB"
}

// readSize reads "78656K", "5.71 MB", "120036Kb" or "256 K" at the start of s
// and returns what follows. The unit must be there, so a text that was cut
// within a number is an error and not a smaller number.
func readSize(s string) (size, string, error) {
	whole, rest := digits(s)
	n, err := count(whole)
	if err != nil {
		return size{}, s, err
	}
	var frac string
	if strings.HasPrefix(rest, ".") {
		frac, rest = digits(rest[1:])
		if frac == "" || len(frac) > 6 {
			return size{}, s, errNoNumber
		}
	}
	rest = strings.TrimPrefix(rest, " ")
	unit, rest := letters(rest)
	scale, ok := unitOf(unit)
	if !ok {
		return size{}, s, errNoUnit
	}
	hi, lo := bits.Mul64(uint64(n), uint64(scale))
	if hi != 0 || lo > math.MaxInt64 {
		return size{}, s, errTooBig
	}
	v := size{bytes: int64(lo), step: scale}
	if frac != "" {
		f, err := count(frac)
		if err != nil {
			return size{}, s, err
		}
		tens := int64(1)
		for range frac {
			tens *= 10
		}
		// f < 10^6 and scale <= 2^40: the product fits.
		part := (f*scale + tens/2) / tens
		if part > math.MaxInt64-v.bytes {
			return size{}, s, errTooBig
		}
		v.bytes += part
		v.step = max(scale/tens, 1)
	}
	return v, rest, nil
}

func unitOf(s string) (int64, bool) {
	switch strings.ToUpper(s) {
	case "B", "BYTES":
		return 1, true
	case "K", "KB":
		return 1 << 10, true
	case "M", "MB":
		return 1 << 20, true
	case "G", "GB":
		return 1 << 30, true
	case "T", "TB":
		return 1 << 40, true
	}
	return 0, false
}

func digits(s string) (string, string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

func letters(s string) (string, string) {
	i := 0
	for i < len(s) && (s[i]|0x20) >= 'a' && (s[i]|0x20) <= 'z' {
		i++
	}
	return s[:i], s[i:]
}

// add is a sum that must fit.
func add(a, b int64) (int64, error) {
	if b > 0 && a > math.MaxInt64-b {
		return 0, errTooBig
	}
	return a + b, nil
}

// addresses reads the bounds at the end of a line:
// "[0x00000000f0000000, 0x00000000f5550000, 0x00000000f5550000)".
func addresses(line string) ([]uint64, error) {
	_, in, ok := strings.Cut(line, "[")
	if !ok {
		return nil, nil
	}
	in, _, ok = strings.Cut(in, ")")
	if !ok {
		return nil, errors.New("an address range is not closed")
	}
	var out []uint64
	for f := range strings.SplitSeq(in, ",") {
		hex, ok := strings.CutPrefix(strings.TrimSpace(f), "0x")
		if !ok || hex == "" || len(hex) > 16 {
			return nil, errors.New("an address was expected")
		}
		var a uint64
		for i := 0; i < len(hex); i++ {
			d, ok := hexDigit(hex[i])
			if !ok {
				return nil, errors.New("an address was expected")
			}
			a = a<<4 | uint64(d)
		}
		out = append(out, a)
	}
	return out, nil
}

// distance is the number of bytes from one address to a later one.
func distance(from, to uint64) (int64, error) {
	if to < from || to-from > math.MaxInt64 {
		return 0, errors.New("an address range runs backwards")
	}
	return int64(to - from), nil
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return (c | 0x20) - 'a' + 10, true
	}
	return 0, false
}
