package view

import (
	"strings"
)

// LoadSource is what the first field of the form names.
type LoadSource int

// Sources of a run.
const (
	SourceForm LoadSource = iota // a URL: the form says all
	SourceCurl                   // a command line of curl: the request; the form says how often
	SourceFile                   // the path of a plan, which says all
)

// Source is what the first field names.
func (s *LoadState) Source() LoadSource {
	text := strings.TrimSpace(s.Text[FieldURL])
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(text, "curl "):
		return SourceCurl
	case strings.Contains(text, "://"):
		return SourceForm
	}
	for _, ext := range []string{".yaml", ".yml", ".jmx"} {
		if strings.HasSuffix(lower, ext) {
			return SourceFile
		}
	}
	return SourceForm
}

// uses tells whether a field means anything with what the first one names.
func (s LoadSource) uses(f LoadField) bool {
	switch s {
	case SourceFile:
		return f == FieldURL
	case SourceCurl:
		return f != FieldMethod && f != FieldHeaders && f != FieldBody
	}
	return true
}

// formTitle says what model of load the form makes.
func (s *LoadState) formTitle() string {
	switch {
	case s.Source() == SourceFile:
		return "Load: the plan says all of it"
	case strings.TrimSpace(s.Text[FieldRate]) != "":
		return "Load: open model, requests start on schedule, answered or not"
	}
	return "Load: closed model, each user sends its next request when the last is answered"
}

// parseRate looks at a rate as far as a form can: the engine reads it.
func parseRate(s string) (rate, problem string) {
	if s == "" {
		return "", ""
	}
	const form = "500/s, or 50/s for 5m, then 500/s for 30m"
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(part), "then "), "to ")
		if part == "" || (part[0] < '0' || part[0] > '9') && part[0] != '.' {
			return "", form
		}
	}
	return s, ""
}
