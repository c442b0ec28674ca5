package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// LoadField is one line of the load form.
type LoadField int

// The fields of the load form, top to bottom.
const (
	FieldURL LoadField = iota
	FieldMethod
	FieldUsers
	FieldRate
	FieldRamp
	FieldLoops
	FieldDuration
	FieldWarmUp
	FieldThink
	FieldTimeout
	FieldHeaders
	FieldBody
	FieldCount int = iota
)

// MaxLoadUsers is the most users that the form accepts; the engine has the
// same limit.
const MaxLoadUsers = 20000

// LoadState is the Load tab's: its page, what its lists show, and the form:
// every field as plain text with a caret (counted in runes) and, once checked,
// what is wrong with it.
type LoadState struct {
	Part     Part // the page; set before it is drawn
	Heat     bool // the Run page has the heat map where there is no room for all charts
	Requests LoadRequestsState
	Tree     LoadTreeState

	Text    [FieldCount]string
	Caret   [FieldCount]int
	Err     [FieldCount]string
	Focus   LoadField
	Editing bool            // keys are text of the field in focus
	Busy    string          // what is under way before the first sample: "resolving the name"
	Problem *probes.Problem // why the last start failed
}

// NewLoadState fills the form from cfg, with "" for the limits it leaves open.
func NewLoadState(cfg probes.LoadConfig) LoadState {
	var s LoadState
	s.Text[FieldURL] = cfg.URL
	if cfg.Plan != "" {
		s.Text[FieldURL] = cfg.Plan
	}
	s.Text[FieldMethod] = cfg.Method
	if cfg.Method == "" {
		s.Text[FieldMethod] = "GET"
	}
	s.Text[FieldUsers] = strconv.Itoa(max(cfg.Users, 1))
	s.Text[FieldRate] = cfg.Rate
	s.Text[FieldRamp] = durationText(cfg.Ramp)
	s.Text[FieldWarmUp] = durationText(cfg.WarmUp)
	s.Text[FieldThink] = cfg.Think
	if cfg.Loops > 0 {
		s.Text[FieldLoops] = strconv.Itoa(cfg.Loops)
	}
	s.Text[FieldDuration] = durationText(cfg.Duration)
	s.Text[FieldTimeout] = durationText(cfg.Timeout)
	s.Text[FieldHeaders] = strings.Join(cfg.Headers, "; ")
	s.Text[FieldBody] = cfg.Body
	for i := range s.Caret {
		s.Caret[i] = len([]rune(s.Text[i]))
	}
	return s
}

// FocusBy moves the focus n fields down, around the ends.
func (s *LoadState) FocusBy(n int) {
	s.Focus = LoadField(((int(s.Focus)+n)%FieldCount + FieldCount) % FieldCount)
}

// continued is where a shell goes on with the next line.
var continued = strings.NewReplacer("\\\r\n", " ", "\\\n", " ", "\\\r", " ")

// Insert puts text at the caret. Control characters are dropped: pasted
// lines become one.
func (s *LoadState) Insert(text string) {
	text = continued.Replace(text)
	clean := strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
	s.splice(0, 0, probes.Clean(clean))
}

// Backspace deletes the rune before the caret.
func (s *LoadState) Backspace() { s.splice(1, 0, "") }

// Delete deletes the rune at the caret.
func (s *LoadState) Delete() { s.splice(0, 1, "") }

// Clear empties the field in focus.
func (s *LoadState) Clear() {
	s.Text[s.Focus], s.Caret[s.Focus], s.Err[s.Focus] = "", 0, ""
}

// MoveCaret moves the caret by n runes within the field in focus.
func (s *LoadState) MoveCaret(n int) {
	s.Caret[s.Focus] = clamp(s.Caret[s.Focus]+n, 0, len([]rune(s.Text[s.Focus])))
}

// CaretHome puts the caret before the first rune.
func (s *LoadState) CaretHome() { s.Caret[s.Focus] = 0 }

// CaretEnd puts the caret behind the last rune.
func (s *LoadState) CaretEnd() { s.Caret[s.Focus] = len([]rune(s.Text[s.Focus])) }

// splice replaces the runes before and behind the caret by text, and takes
// back the field's error, which was about the old text.
func (s *LoadState) splice(before, behind int, text string) {
	f := s.Focus
	r := []rune(s.Text[f])
	at := clamp(s.Caret[f], 0, len(r))
	from, to := max(at-before, 0), min(at+behind, len(r))
	s.Text[f] = string(r[:from]) + text + string(r[to:])
	s.Caret[f] = from + len([]rune(text))
	s.Err[f] = ""
}

// Config reads the form. It sets each field's Err; ok is false when there is
// one, the focus is then on the first.
func (s *LoadState) Config() (cfg probes.LoadConfig, ok bool) {
	s.Err = [FieldCount]string{}
	text := func(f LoadField) string { return strings.TrimSpace(s.Text[f]) }

	switch s.Source() {
	case SourceFile:
		return probes.LoadConfig{Plan: text(FieldURL)}, true
	case SourceCurl:
		cfg.Plan = text(FieldURL)
	case SourceForm:
		s.request(&cfg)
	}
	cfg.Users, s.Err[FieldUsers] = parseCount(text(FieldUsers), 1, MaxLoadUsers, "users")
	if text(FieldLoops) != "" {
		cfg.Loops, s.Err[FieldLoops] = parseCount(text(FieldLoops), 0, 1_000_000_000, "requests per user")
	}
	cfg.Rate, s.Err[FieldRate] = parseRate(text(FieldRate))
	cfg.WarmUp, s.Err[FieldWarmUp] = parseDuration(text(FieldWarmUp))
	if cfg.Think = text(FieldThink); cfg.Think != "" && cfg.Rate != "" {
		s.Err[FieldThink] = "with a rate nobody thinks: arrivals follow the schedule"
	}
	cfg.Ramp, s.Err[FieldRamp] = parseDuration(text(FieldRamp))
	cfg.Duration, s.Err[FieldDuration] = parseDuration(text(FieldDuration))
	cfg.Timeout, s.Err[FieldTimeout] = parseDuration(text(FieldTimeout))
	for f := FieldCount - 1; f >= 0; f-- {
		if s.Err[f] != "" {
			s.Focus, ok = LoadField(f), true
		}
	}
	if ok {
		return probes.LoadConfig{}, false
	}
	return cfg, true
}

// request reads the fields that say what one request is.
func (s *LoadState) request(cfg *probes.LoadConfig) {
	cfg.URL = strings.TrimSpace(s.Text[FieldURL])
	s.Err[FieldURL] = checkURL(cfg.URL)
	cfg.Method = strings.ToUpper(strings.TrimSpace(s.Text[FieldMethod]))
	if !isToken(cfg.Method) {
		s.Err[FieldMethod] = "a method such as GET, POST, PUT"
	}
	cfg.Headers, s.Err[FieldHeaders] = parseHeaders(strings.TrimSpace(s.Text[FieldHeaders]))
	cfg.Body = s.Text[FieldBody]
}

// checkURL says what is wrong with a URL as far as the form can tell; the
// engine checks the rest.
func checkURL(u string) string {
	scheme, rest, ok := strings.Cut(u, "://")
	switch scheme {
	case "http", "https", "ws", "wss":
	default:
		ok = false
	}
	switch {
	case u == "":
		return "where to send requests: http://127.0.0.1:8080/path"
	case !ok:
		return "must begin with http://, https://, ws:// or wss://"
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if host == "" || strings.HasPrefix(host, ":") {
		return "has no host: http://127.0.0.1:8080/path"
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		if p, err := strconv.Atoi(host[i+1:]); err != nil || p < 1 || p > 65535 {
			return "the port must be 1 to 65535"
		}
	}
	return ""
}

func isToken(s string) bool {
	for _, r := range s {
		if r < 'A' || r > 'Z' {
			if r != '-' && r != '_' {
				return false
			}
		}
	}
	return s != ""
}

func parseCount(s string, lo, hi int, what string) (int, string) {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil || n < lo || n > hi {
		return 0, fmt.Sprintf("%s: a whole number from %d to %d", what, lo, hi)
	}
	return n, ""
}

// parseDuration reads "30s", "1m30s", "500ms"; a bare number is seconds, ""
// is 0: no limit, no ramp, the default.
func parseDuration(s string) (time.Duration, string) {
	if s == "" {
		return 0, ""
	}
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n <= 1e7 {
		return time.Duration(n * float64(time.Second)), ""
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil || d < 0 {
		return 0, "a time such as 30s, 5m or 1h"
	}
	return d, ""
}

// durationText is what parseDuration reads back as d, as short as possible.
func durationText(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// parseHeaders reads "Name: value; Name: value". A part without a name goes on
// with the value before it: "Content-Type: text/html; charset=utf-8" is one.
func parseHeaders(s string) ([]string, string) {
	var out []string
	for _, part := range strings.Split(s, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, ok := strings.Cut(part, ":")
		switch {
		case ok && name != "" && !strings.ContainsAny(name, " \t=/\"(),"):
			out = append(out, name+": "+strings.TrimSpace(value))
		case len(out) > 0:
			out[len(out)-1] += "; " + part
		default:
			return nil, "headers as Name: value, more than one divided by ;"
		}
	}
	return out, ""
}
