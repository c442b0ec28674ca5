package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxSteps is the most steps of a path.
const maxSteps = 64

// JSONPath is a path into a JSON text (a subset of RFC 9535): $, .name,
// ['name'], [n], and [*] or .*, which is the first element or member under
// which the rest of the path exists.
type JSONPath struct {
	text  string
	steps []step
}

type step struct {
	name string // of a member
	at   int    // of an element; -1 none, a member is meant
	any  bool
}

// CompilePath reads a path.
func CompilePath(text string) (*JSONPath, error) {
	bad := func(at int, what string) (*JSONPath, error) {
		return nil, &TemplateError{at, what, "write a path such as $.items[0].id, $['a name'] or $.items[*].id"}
	}
	if !strings.HasPrefix(text, "$") {
		return bad(0, "a JSON path begins with $")
	}
	p := &JSONPath{text: text}
	for i := 1; i < len(text); {
		if len(p.steps) >= maxSteps {
			return bad(i, fmt.Sprintf("more than %d steps", maxSteps))
		}
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, ".."), strings.HasPrefix(rest, "[?"), strings.HasPrefix(rest, "[("):
			return bad(i, "descendants (..) and filters (?) are not supported")
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			name := rest[1 : 1+end]
			if name == "" {
				return bad(i, "a name is missing")
			}
			p.steps = append(p.steps, step{name: name, at: -1, any: name == "*"})
			i += 1 + end
		case strings.HasPrefix(rest, "['"), strings.HasPrefix(rest, `["`):
			end := strings.Index(rest[2:], rest[1:2]+"]")
			if end < 0 {
				return bad(i, "a quoted name has no end")
			}
			p.steps = append(p.steps, step{name: rest[2 : 2+end], at: -1})
			i += end + 4
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return bad(i, "a bracket has no end")
			}
			inner := rest[1:end]
			n, err := strconv.Atoi(inner)
			switch {
			case inner == "*":
				p.steps = append(p.steps, step{at: -1, any: true})
			case err != nil || n < 0 || inner[0] == '+' || n > 1<<30:
				return bad(i, "["+short(inner)+"] is no index")
			default:
				p.steps = append(p.steps, step{at: n})
			}
			i += end + 1
		default:
			return bad(i, "a dot or a bracket is missing")
		}
	}
	return p, nil
}

// Text is what was compiled.
func (p *JSONPath) Text() string { return p.text }

// Find gives the value at the path: a string without its quotes, anything else
// as it stands. It is false where the text is not JSON or has no such value.
// A name that comes twice means the last one, as in most parsers.
func (p *JSONPath) Find(body []byte) (string, bool) {
	if !json.Valid(body) {
		return "", false
	}
	w := walker{text: body}
	w.space()
	from, to, ok := w.find(p.steps)
	if !ok {
		return "", false
	}
	return jsonString(body[from:to]), true
}

// jsonString is the text of a valid JSON value.
func jsonString(v []byte) string {
	if v[0] != '"' {
		return string(v)
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return string(v)
	}
	return s
}

// walker goes through a text that is known to be valid JSON, so that it needs
// no errors: every value has its end.
type walker struct {
	text []byte
	i    int
}

func (w *walker) space() {
	for w.i < len(w.text) {
		switch w.text[w.i] {
		case ' ', '\t', '\n', '\r':
			w.i++
		default:
			return
		}
	}
}

// skip moves behind the value that begins here. Depth is counted, so that a
// deep text takes no stack.
func (w *walker) skip() {
	depth := 0
	for {
		switch c := w.text[w.i]; c {
		case '{', '[':
			depth++
			w.i++
		case '}', ']':
			depth--
			w.i++
		case '"':
			w.quoted()
		case ',', ':', ' ', '\t', '\n', '\r':
			w.i++
		default: // number, true, false, null
			for w.i < len(w.text) && !strings.ContainsRune(",]}: \t\n\r", rune(w.text[w.i])) {
				w.i++
			}
		}
		if depth == 0 {
			return
		}
	}
}

// quoted moves behind a string.
func (w *walker) quoted() {
	for w.i++; w.text[w.i] != '"'; w.i++ {
		if w.text[w.i] == '\\' {
			w.i++
		}
	}
	w.i++
}

// find gives the bounds of what the steps lead to from the value that begins
// here. Where there is nothing, it has moved behind that value. Each step reads the value once, so the
// work is at most the length of the text times the steps.
func (w *walker) find(steps []step) (from, to int, ok bool) {
	if len(steps) == 0 {
		from = w.i
		w.skip()
		return from, w.i, true
	}
	s := steps[0]
	object := w.text[w.i] == '{'
	if !object && w.text[w.i] != '[' || !s.any && object != (s.at < 0) {
		w.skip()
		return 0, 0, false
	}
	w.i++
	last := -1 // where the wanted member's value begins
	for n := 0; ; n++ {
		w.space()
		if c := w.text[w.i]; c == '}' || c == ']' {
			w.i++
			break
		} else if c == ',' {
			w.i++
			w.space()
		}
		wanted := n == s.at
		if object {
			key := w.i
			w.quoted()
			wanted = !s.any && jsonString(w.text[key:w.i]) == s.name
			w.space()
			w.i++ // the colon
			w.space()
		}
		switch {
		case s.any:
			if from, to, ok = w.find(steps[1:]); ok {
				return from, to, true
			}
		case wanted:
			last = w.i
			w.skip()
		default:
			w.skip()
		}
	}
	if last < 0 {
		return 0, 0, false
	}
	end := w.i
	w.i = last
	from, to, ok = w.find(steps[1:])
	w.i = end
	return from, to, ok
}
