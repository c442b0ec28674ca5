package plan

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Checker is an Assert, compiled. It does not change and may be used by many
// goroutines.
type Checker struct {
	of            Assert
	status        []statusRange
	has, hasNot   *Template
	value         *Template
	match, matchN *regexp.Regexp
	path          *JSONPath
}

type statusRange struct{ from, to int }

// Compile prepares an assertion. An error is an Error with the field in Path.
func (a Assert) Compile() (*Checker, error) {
	c := &Checker{of: a}
	if a == (Assert{}) {
		return nil, Error{What: "an assertion says nothing", Next: "give status, contains, matches, json, header, max_size or max_time"}
	}
	if a.Value != nil && (a.JSON == "") == (a.Header == "") {
		return nil, Error{Path: "value", What: "a value is compared with one thing", Next: "give it with either json or header"}
	}
	if a.MinSize != nil && a.MaxSize != nil && *a.MinSize > *a.MaxSize {
		return nil, Error{Path: "max_size", What: fmt.Sprintf("%d is less than min_size, %d", *a.MaxSize, *a.MinSize), Next: "swap them"}
	}
	var err error
	if a.Status != "" {
		if c.status, err = parseStatus(a.Status); err != nil {
			return nil, err
		}
	}
	for _, f := range []struct {
		path, text string
		to         **Template
	}{{"contains", a.Contains, &c.has}, {"not_contains", a.NotContains, &c.hasNot}, {"value", text(a.Value), &c.value}} {
		if f.text == "" && (f.path != "value" || a.Value == nil) {
			continue
		}
		if *f.to, err = Compile(f.text); err != nil {
			return nil, Error{Path: f.path, What: err.Error()}
		}
	}
	for _, f := range []struct {
		path, text string
		to         **regexp.Regexp
	}{{"matches", a.Matches, &c.match}, {"not_matches", a.NotMatches, &c.matchN}} {
		if f.text == "" {
			continue
		}
		if *f.to, err = compileRegexp(f.path, f.text); err != nil {
			return nil, err
		}
	}
	if a.JSON != "" {
		if c.path, err = CompilePath(a.JSON); err != nil {
			return nil, Error{Path: "json", What: err.Error()}
		}
	}
	return c, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// parseStatus reads "200-299, 304".
func parseStatus(s string) ([]statusRange, error) {
	var list []statusRange
	for part := range strings.SplitSeq(s, ",") {
		a, b, isRange := strings.Cut(part, "-")
		if !isRange {
			b = a
		}
		from, err1 := strconv.Atoi(strings.TrimSpace(a))
		to, err2 := strconv.Atoi(strings.TrimSpace(b))
		if err1 != nil || err2 != nil || from < 100 || to > 999 || from > to {
			return nil, Error{Path: "status", What: short(strings.TrimSpace(part)) + " is no status code", Next: "write codes from 100 to 999 and ranges: 200-299, 304"}
		}
		list = append(list, statusRange{from, to})
	}
	return list, nil
}

// JudgesStatus tells whether the status is compared, in place of the rule that
// 200 to 399 is a success.
func (c *Checker) JudgesStatus() bool { return c.status != nil }

// NeedsBody tells whether the body is looked at, and must be kept.
func (c *Checker) NeedsBody() bool {
	return c.has != nil || c.hasNot != nil || c.match != nil || c.matchN != nil || c.path != nil
}

// Check gives "" where the answer is as it must be, else what JMeter calls the
// failure message. size is that of the whole body after inflation, in bytes: it
// is told apart, so that the body itself need not be kept.
func (c *Checker) Check(a *Answer, size int64, s *Scope) string {
	if c.status != nil && !slices.ContainsFunc(c.status, func(r statusRange) bool { return a.Status >= r.from && a.Status <= r.to }) {
		return fmt.Sprintf("Test failed: code expected to be %s, received %d", c.of.Status, a.Status)
	}
	if why := c.checkSize(size); why != "" {
		return why
	}
	if limit := c.of.MaxTime; limit > 0 && a.Elapsed > limit {
		return fmt.Sprintf("The operation lasted too long: It took %d milliseconds, but should not have lasted longer than %s.", a.Elapsed.Milliseconds(), limit)
	}
	if c.has != nil {
		if want := c.has.Expand(nil, s); !bytes.Contains(a.Body, want) {
			return "Test failed: text expected to contain /" + short(string(want)) + "/"
		}
	}
	if c.hasNot != nil {
		if want := c.hasNot.Expand(nil, s); bytes.Contains(a.Body, want) {
			return "Test failed: text expected not to contain /" + short(string(want)) + "/"
		}
	}
	if c.match != nil && !c.match.Match(a.Body) {
		return "Test failed: text expected to match /" + short(c.of.Matches) + "/"
	}
	if c.matchN != nil && c.matchN.Match(a.Body) {
		return "Test failed: text expected not to match /" + short(c.of.NotMatches) + "/"
	}
	if c.path != nil {
		got, ok := c.path.Find(a.Body)
		if why := c.compare("JSON path "+c.of.JSON, got, ok, s); why != "" {
			return why
		}
	}
	if c.of.Header != "" {
		got, ok := a.header(c.of.Header)
		return c.compare("header "+c.of.Header, got, ok, s)
	}
	return ""
}

func (c *Checker) checkSize(size int64) string {
	switch {
	case c.of.MinSize != nil && size < *c.of.MinSize:
		return fmt.Sprintf("The result was the wrong size: It was %d bytes, but should have been greater or equal to %d bytes.", size, *c.of.MinSize)
	case c.of.MaxSize != nil && size > *c.of.MaxSize:
		return fmt.Sprintf("The result was the wrong size: It was %d bytes, but should have been less or equal to %d bytes.", size, *c.of.MaxSize)
	}
	return ""
}

// compare judges a value that was found, or not, against the wanted one.
func (c *Checker) compare(where, got string, ok bool, s *Scope) string {
	if !ok {
		return "Test failed: " + short(where) + " has no value"
	}
	if c.value == nil {
		return ""
	}
	if want := string(c.value.Expand(nil, s)); got != want {
		return fmt.Sprintf("Test failed: %s expected to be %s, received %s", short(where), short(want), short(got))
	}
	return ""
}
