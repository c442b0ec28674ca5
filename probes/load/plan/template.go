package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTemplate is the greatest length of a template in bytes, and maxSegments
// the most parts that it may fall into.
const (
	maxTemplate = 4 << 20
	maxSegments = 10_000
)

// Template is a text with ${...} in it, compiled once. It does not change and
// may be used by many goroutines.
type Template struct {
	text     string
	segments []segment
}

// segment is a piece of literal text, a variable, or a call.
type segment struct {
	kind   segmentKind
	text   string // literal, or the variable's name
	lo, hi int64  // of random
	offset int    // where it begins in the template
}

type segmentKind uint8

const (
	literal segmentKind = iota
	variable
	callUUID
	callCounter
	callRandom
	callUser
	callIteration
	callNow
	callNowSeconds
	callNowRFC
)

// calls are the names that are no variables.
var calls = map[string]segmentKind{
	"uuid": callUUID, "counter": callCounter, "random": callRandom,
	"user": callUser, "iteration": callIteration, "now": callNow,
}

// TemplateError says what is wrong with a template and where.
type TemplateError struct {
	Offset int // bytes from the start of the text
	What   string
	Next   string // what would be right
}

// Error gives all of it on one line.
func (e *TemplateError) Error() string {
	return fmt.Sprintf("character %d: %s; %s", e.Offset+1, e.What, e.Next)
}

// Compile reads a template:
//
//	${name}           a variable: of the plan, extracted, or ${csv.column}
//	${uuid}           a random UUID (RFC 9562 version 4), another at each place
//	${counter}        1, 2, 3, ... over all requests of the run
//	${random(1,100)}  a whole number from 1 to 100, both possible
//	${user}           number of the user, from 1
//	${iteration}      number of the user's iteration, from 1
//	${now}            milliseconds since the epoch; ${now(s)} seconds, ${now(rfc3339)} UTC
//	$${               the characters ${
//
// An error is a *TemplateError. Whether a variable exists is not known here:
// Names lists them.
func Compile(text string) (*Template, error) {
	if len(text) > maxTemplate {
		return nil, &TemplateError{0, fmt.Sprintf("a text of %d bytes is too long", len(text)), "at most 4 MB; send more from a file"}
	}
	t := &Template{text: text}
	start := 0 // of the literal text before the next segment
	flush := func(end int) {
		if end > start {
			t.segments = append(t.segments, segment{kind: literal, text: text[start:end], offset: start})
		}
	}
	for i := 0; ; {
		at := strings.Index(text[i:], "${")
		if at < 0 {
			break
		}
		at += i
		if len(t.segments) > maxSegments {
			return nil, &TemplateError{at, fmt.Sprintf("more than %d parts", maxSegments), "use fewer variables in one text"}
		}
		if at > start && text[at-1] == '$' { // $${: drop the first dollar
			flush(at - 1)
			start, i = at, at+2
			continue
		}
		flush(at)
		end := strings.IndexByte(text[at:], '}')
		if end < 0 {
			return nil, &TemplateError{at, "${ has no end", "close it with }, or write $${ for the characters themselves"}
		}
		seg, err := parseCall(text[at+2 : at+end])
		if err != nil {
			err.Offset = at
			return nil, err
		}
		seg.offset = at
		t.segments = append(t.segments, seg)
		i = at + end + 1
		start = i
	}
	flush(len(text))
	return t, nil
}

// parseCall reads what stands between the braces.
func parseCall(s string) (segment, *TemplateError) {
	name, args, hasArgs := strings.Cut(strings.TrimSpace(s), "(")
	name = strings.TrimSpace(name)
	if hasArgs {
		inner, ok := strings.CutSuffix(strings.TrimSpace(args), ")")
		if !ok {
			return segment{}, &TemplateError{What: "the arguments of ${" + short(s) + "} have no end", Next: "close them with )}"}
		}
		args = strings.TrimSpace(inner)
	}
	kind, isCall := calls[name]
	switch {
	case !isCall && hasArgs:
		return segment{}, &TemplateError{What: "there is no function " + short(name), Next: "the functions are uuid, counter, random(1,100), user, iteration, now" + didYouMean(name, callNames())}
	case !isCall && !IsName(name):
		return segment{}, &TemplateError{What: "${" + short(s) + "} is not a name", Next: "a name has letters, digits, _, - and dots; write $${ for the characters themselves"}
	case !isCall:
		return segment{kind: variable, text: name}, nil
	case kind == callRandom:
		return parseRandom(args)
	case kind == callNow && hasArgs:
		switch args {
		case "ms":
		case "s":
			kind = callNowSeconds
		case "rfc3339":
			kind = callNowRFC
		default:
			return segment{}, &TemplateError{What: "now(" + short(args) + ") is not known", Next: "write now, now(s) or now(rfc3339)"}
		}
	case hasArgs:
		return segment{}, &TemplateError{What: name + " takes no arguments", Next: "write ${" + name + "}"}
	}
	return segment{kind: kind}, nil
}

func parseRandom(args string) (segment, *TemplateError) {
	a, b, _ := strings.Cut(args, ",")
	lo, err1 := strconv.ParseInt(strings.TrimSpace(a), 10, 64)
	hi, err2 := strconv.ParseInt(strings.TrimSpace(b), 10, 64)
	if err1 != nil || err2 != nil || lo > hi {
		return segment{}, &TemplateError{What: "random(" + short(args) + ") has no range", Next: "give the least and the greatest whole number: random(1,100)"}
	}
	return segment{kind: callRandom, lo: lo, hi: hi}, nil
}

// IsName tells whether a text can be the name of a variable.
func IsName(s string) bool {
	for _, r := range s {
		if r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError {
			return false
		}
	}
	return s != "" && len(s) <= 200
}

// callNames lists the names that variables cannot have.
func callNames() []string {
	return []string{"uuid", "counter", "random", "user", "iteration", "now"}
}

// Ref is a variable that a template uses.
type Ref struct {
	Name   string
	Offset int // bytes from the start of the text
}

// Names lists the variables that the template uses, in the order of the text.
func (t *Template) Names() []Ref {
	var refs []Ref
	for _, s := range t.segments {
		if s.kind == variable {
			refs = append(refs, Ref{s.text, s.offset})
		}
	}
	return refs
}

// Constant gives the text of a template that always expands to the same, and
// whether it is one.
func (t *Template) Constant() (string, bool) {
	if len(t.segments) == 1 && t.segments[0].kind == literal {
		return t.segments[0].text, true
	}
	for _, s := range t.segments {
		if s.kind != literal {
			return "", false
		}
	}
	return string(t.Expand(nil, nil)), true
}

// Text is what was compiled.
func (t *Template) Text() string { return t.text }

// Literal writes a text so that it expands to itself.
func Literal(text string) string { return strings.ReplaceAll(text, "${", "$${") }
