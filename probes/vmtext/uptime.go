package vmtext

import (
	"math"
	"strings"
	"time"
)

const uptimeCmd = "VM.uptime"

// ParseUptime reads the answer to VM.uptime, "2.926 s".
func ParseUptime(b []byte) (time.Duration, error) {
	if err := uncut(uptimeCmd, string(b)); err != nil {
		return 0, err
	}
	text := strings.TrimSpace(string(b))
	num, ok := strings.CutSuffix(text, " s")
	if !ok {
		return 0, fail(uptimeCmd, `"N.NNN s" was expected`, text)
	}
	whole, frac, _ := strings.Cut(num, ".")
	s, err := count(whole)
	if err != nil {
		return 0, fail(uptimeCmd, err.Error(), text)
	}
	if s > math.MaxInt64/int64(time.Second)-1 {
		return 0, fail(uptimeCmd, errTooBig.Error(), text)
	}
	d := time.Duration(s) * time.Second
	if frac != "" {
		if len(frac) > 9 {
			return 0, fail(uptimeCmd, errNoNumber.Error(), text)
		}
		n, err := count(frac)
		if err != nil {
			return 0, fail(uptimeCmd, err.Error(), text)
		}
		for range 9 - len(frac) {
			n *= 10
		}
		d += time.Duration(n)
	}
	return d, nil
}
