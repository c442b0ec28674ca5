package plan

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Answer is what extraction and assertions look at.
type Answer struct {
	Status int
	// Header gives the first value of a response header, whatever the case of
	// its name; nil: there are none.
	Header  func(name string) (string, bool)
	Body    []byte // inflated
	Elapsed time.Duration
}

func (a *Answer) header(name string) (string, bool) {
	if a.Header == nil {
		return "", false
	}
	return a.Header(name)
}

// Extractor is an Extract, compiled. It does not change and may be used by
// many goroutines.
type Extractor struct {
	of    Extract
	path  *JSONPath
	expr  *regexp.Regexp
	group int
}

// Compile prepares an extraction.
func (x Extract) Compile() (*Extractor, error) {
	e := &Extractor{of: x}
	var err error
	switch {
	case oneOf(x.JSON != "", x.Regexp != "", x.Header != "") != 1:
		return nil, Error{What: "an extraction takes its value from one place", Next: "give one of json, regexp and header"}
	case x.Group != 0 && x.Regexp == "":
		return nil, Error{Path: "group", What: "only regexp has groups", Next: "leave it out"}
	case x.JSON != "":
		if e.path, err = CompilePath(x.JSON); err != nil {
			return nil, Error{Path: "json", What: err.Error()}
		}
	case x.Regexp != "":
		if e.expr, err = compileRegexp("regexp", x.Regexp); err != nil {
			return nil, err
		}
		if e.group = x.Group; e.group == 0 && e.expr.NumSubexp() > 0 {
			e.group = 1
		}
		if e.group > e.expr.NumSubexp() {
			return nil, Error{Path: "group", What: fmt.Sprintf("the expression has %d groups", e.expr.NumSubexp()), Next: "give one of them, or leave it out"}
		}
	}
	return e, nil
}

// Var is the variable that is set.
func (e *Extractor) Var() string { return e.of.Var }

// Find gives the value of the variable: what the answer has, or the default.
// It is false where there is neither, and the variable stays as it was.
func (e *Extractor) Find(a *Answer) (string, bool) {
	var v string
	ok := false
	switch {
	case e.path != nil:
		v, ok = e.path.Find(a.Body)
	case e.expr != nil:
		if at := e.expr.FindSubmatchIndex(a.Body); at != nil && at[2*e.group] >= 0 {
			v, ok = string(a.Body[at[2*e.group]:at[2*e.group+1]]), true
		}
	default:
		v, ok = a.header(e.of.Header)
	}
	if !ok && e.of.Default != nil {
		return *e.of.Default, true
	}
	return v, ok
}

// maxRegexp is the greatest length of an expression, in bytes.
const maxRegexp = 10_000

func compileRegexp(path, text string) (*regexp.Regexp, error) {
	if len(text) > maxRegexp {
		return nil, Error{Path: path, What: fmt.Sprintf("an expression of %d bytes is too long", len(text)), Next: fmt.Sprintf("at most %d", maxRegexp)}
	}
	r, err := regexp.Compile(text)
	if err != nil {
		return nil, Error{Path: path, What: strings.TrimPrefix(err.Error(), "error parsing regexp: "), Next: "write it in RE2's syntax, which has no look-around and no back-references"}
	}
	return r, nil
}

// oneOf counts what is true.
func oneOf(given ...bool) int {
	n := 0
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}
