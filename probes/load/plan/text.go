package plan

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxDuration is the longest time that a plan may name: a year.
const maxDuration = 366 * 24 * time.Hour

// ParseDuration reads a time such as 500ms, 1.5s, 5m or 1h30m: 0 to a year.
// All but 0 need a unit.
func ParseDuration(s string) (time.Duration, error) {
	s = strings.TrimSpace(s)
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		if _, isNumber := strconv.ParseFloat(s, 64); isNumber == nil {
			return 0, Error{What: "the time " + short(s) + " has no unit", Next: "write " + short(s) + "s or " + short(s) + "ms"}
		}
		return 0, Error{What: short(s) + " is no time", Next: "write it as 500ms, 1.5s, 5m or 1h30m"}
	case d < 0 || d > maxDuration:
		return 0, Error{What: "a time of " + short(s) + " cannot be", Next: "choose one from 0 to a year"}
	}
	return d, nil
}

// FormatDuration writes a time as ParseDuration reads it, without the zeros
// that time.Duration has: 5m, not 5m0s.
func FormatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

var rateUnits = []struct {
	name    string
	seconds float64
}{{"/s", 1}, {"/sec", 1}, {"/m", 60}, {"/min", 60}, {"/h", 3600}, {"/hour", 3600}}

// ParseRate reads 200, 200/s, 12000/m or 10/h: 0 to MaxRate.
func ParseRate(s string) (Rate, error) {
	s = strings.TrimSpace(s)
	number, per := s, 1.0
	for _, u := range rateUnits {
		if n, ok := strings.CutSuffix(number, u.name); ok {
			number, per = strings.TrimSpace(n), u.seconds
			break
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || math.IsNaN(v):
		return 0, Error{What: short(s) + " is no rate", Next: "write it as 200/s, 12000/m or 10/h"}
	case v < 0 || v/per > float64(MaxRate):
		return 0, Error{What: "a rate of " + short(s) + " cannot be", Next: fmt.Sprintf("choose one from 0/s to %d/s", int64(MaxRate))}
	}
	return Rate(v / per), nil
}

// String writes the rate as ParseRate reads it, in the unit that suits it.
func (r Rate) String() string {
	v := float64(r)
	for _, u := range rateUnits {
		n := math.Round(v * u.seconds)
		if n >= 1 && n/u.seconds == v && n < 1e15 {
			return strconv.FormatFloat(n, 'f', -1, 64) + u.name
		}
	}
	return strconv.FormatFloat(v, 'g', -1, 64) + "/s"
}

// stageBreak parts one stage from the next.
var stageBreak = regexp.MustCompile(`\s*(?:[,;]\s*then\b|[,;]|\bthen\b)\s*`)

// ParseStages reads "50/s for 5m, then 500/s for 30m". A stage is a rate, or
// two with "to" between them for one that rises or falls; "to 500/s" begins
// where the stage before ended, the first at 0. The last stage may have no
// time: it lasts until the run ends. An error is an Error whose offset is that
// of the stage in the text.
func ParseStages(s string) (Stages, error) {
	var list Stages
	at := 0
	for part := range splitStages(s) {
		var from Rate
		if len(list) > 0 {
			from = list[len(list)-1].To
		}
		stage, err := parseStage(part, from)
		if err != nil {
			e := Error{What: "stage " + strconv.Itoa(len(list)+1) + ": " + err.Error(), Next: "write stages as 50/s for 5m, then 50/s to 500/s for 1m"}
			e.offset = at + strings.Index(s[at:], part)
			return nil, e
		}
		at += strings.Index(s[at:], part) + len(part)
		if list = append(list, stage); len(list) > maxStages {
			return nil, Error{What: fmt.Sprintf("more than %d stages", maxStages), Next: "use fewer"}
		}
	}
	return list, nil
}

const maxStages = 1000

func splitStages(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for start <= len(s) {
			end, next := len(s), len(s)+1
			if m := stageBreak.FindStringIndex(s[start:]); m != nil {
				end, next = start+m[0], start+m[1]
			}
			if !yield(strings.TrimSpace(s[start:end])) {
				return
			}
			start = next
		}
	}
}

// parseStage reads one stage; from is where the one before ended.
func parseStage(s string, from Rate) (Stage, error) {
	rates, length, timed := strings.Cut(s, " for ")
	a, b, moves := strings.Cut(" "+rates, " to ")
	var st Stage
	var err error
	if st.From = from; strings.TrimSpace(a) != "" || !moves {
		if st.From, err = ParseRate(a); err != nil {
			return st, err
		}
	}
	if st.To = st.From; moves {
		if st.To, err = ParseRate(b); err != nil {
			return st, err
		}
	}
	if timed {
		if st.For, err = ParseDuration(length); err == nil && st.For == 0 {
			err = Error{What: "a stage of no time", Next: "leave it out"}
		}
	}
	return st, err
}

// String writes the stage as ParseStages reads it.
func (s Stage) String() string {
	text := s.From.String()
	if s.To != s.From {
		text += " to " + s.To.String()
	}
	if s.For > 0 {
		text += " for " + FormatDuration(s.For)
	}
	return text
}

// String writes the stages as ParseStages reads them.
func (s Stages) String() string {
	parts := make([]string, len(s))
	for i := range s {
		parts[i] = s[i].String()
	}
	return strings.Join(parts, ", then ")
}

// ParseThink reads a think time: "1s" fixed, "1s to 3s" uniform, "1s +- 200ms"
// gaussian with its standard deviation.
func ParseThink(s string) (ThinkTime, error) {
	kind, a, b := ThinkFixed, s, "0"
	for _, sep := range []string{"+-", "±"} {
		if x, y, ok := strings.Cut(s, sep); ok {
			kind, a, b = ThinkGaussian, x, y
		}
	}
	if x, y, ok := strings.Cut(s, " to "); ok && kind == ThinkFixed {
		kind, a, b = ThinkUniform, x, y
	}
	first, err := ParseDuration(a)
	if err != nil {
		return ThinkTime{}, err
	}
	second, err := ParseDuration(b)
	switch {
	case err != nil:
		return ThinkTime{}, err
	case kind == ThinkUniform && second < first:
		return ThinkTime{}, Error{What: "the think time ends before it begins", Next: "write the shorter time first: 1s to 3s"}
	case kind == ThinkUniform:
		return ThinkTime{Kind: kind, Min: first, Max: second}, nil
	case kind == ThinkGaussian:
		return ThinkTime{Kind: kind, Mean: first, Deviation: second}, nil
	case first == 0:
		return ThinkTime{}, nil
	}
	return ThinkTime{Kind: kind, Mean: first}, nil
}

// String writes the think time as ParseThink reads it.
func (t ThinkTime) String() string {
	switch t.Kind {
	case ThinkFixed:
		return FormatDuration(t.Mean)
	case ThinkUniform:
		return FormatDuration(t.Min) + " to " + FormatDuration(t.Max)
	case ThinkGaussian:
		return FormatDuration(t.Mean) + " +- " + FormatDuration(t.Deviation)
	}
	return "0s"
}

// plus is the think time that is longer by so much.
func (t ThinkTime) plus(d time.Duration) ThinkTime {
	switch t.Kind {
	case ThinkUniform:
		t.Min, t.Max = t.Min+d, t.Max+d
	default:
		t.Mean += d
	}
	return t
}

// ParseKeepAlive reads on, off or "every N".
func ParseKeepAlive(s string) (KeepAlive, error) {
	s = strings.TrimSpace(s)
	switch s {
	case "on", "true":
		return KeepAliveOn, nil
	case "off", "false":
		return KeepAliveOff, nil
	}
	if rest, ok := strings.CutPrefix(s, "every "); ok {
		if n, err := strconv.Atoi(strings.TrimSpace(rest)); err == nil && n >= 1 && n <= 1_000_000_000 {
			return KeepAlive(n), nil
		}
	}
	return 0, Error{What: short(s) + " is no way to keep connections", Next: "write on, off, or every 100 for a new one after 100 requests"}
}

// String writes the setting as ParseKeepAlive reads it.
func (k KeepAlive) String() string {
	switch k {
	case KeepAliveOn:
		return "on"
	case KeepAliveOff:
		return "off"
	}
	return "every " + strconv.Itoa(int(k))
}
