package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// jmxText turns a text of JMeter with variables and functions into a template.
// Escapes count only in a text that has a function or a variable, as in JMeter
// (org.apache.jmeter.engine.util.FunctionParser).
func (m *jmxImport) text(s string, e *element) string {
	return m.convert(s, e, Literal)
}

// convert is jmxText with a way to write the text between the variables.
func (m *jmxImport) convert(s string, e *element, write func(string) string) string {
	if !strings.Contains(s, "${") || len(s) > maxTemplate {
		return write(s) // one that is too long is refused later
	}
	ends := braces(s)
	var out, plain strings.Builder
	flush := func() {
		out.WriteString(write(plain.String()))
		plain.Reset()
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(`$,\`, s[i+1]) >= 0:
			i++
			plain.WriteByte(s[i])
		case strings.HasPrefix(s[i:], "${"):
			end := int(ends[i+1])
			if end == 0 {
				plain.WriteByte(s[i])
				continue
			}
			if t, ok := m.reference(s[i+2:end], e); ok {
				flush()
				if strings.HasSuffix(out.String(), "$") {
					m.note(e, "a $ before ${"+short(s[i+2:end])+"}", "is left out: it would be taken for an escape")
					kept := strings.TrimRight(out.String(), "$")
					out.Reset()
					out.WriteString(kept)
				}
				out.WriteString(t)
			} else {
				plain.WriteString(s[i : end+1])
			}
			i = end
		default:
			plain.WriteByte(s[i])
		}
	}
	flush()
	return out.String()
}

// braces gives for every { of a text where it is closed, or 0; functions may
// have others in their arguments.
func braces(s string) []int32 {
	ends := make([]int32, len(s))
	var open []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if n := len(open); n > 0 {
				ends[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		}
	}
	return ends
}

// reference turns what stands between braces into a part of a template; false
// where it stays as it is written, which is then listed.
func (m *jmxImport) reference(s string, e *element) (string, bool) {
	if !strings.HasPrefix(s, "__") {
		if t, ok := m.names[s]; ok {
			return t, true
		}
		m.note(e, "${"+short(s)+"}", "there is no such variable: it is sent as it is written")
		return "", false
	}
	name, args := jmxCall(s)
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	refuse := func(why string) (string, bool) {
		m.note(e, "${"+short(s)+"}", why)
		return "", false
	}
	switch name {
	case "__UUID":
		return "${uuid}", true
	case "__threadNum":
		return "${user}", true
	case "__counter":
		if strings.EqualFold(arg(0), "true") {
			m.note(e, "${"+short(s)+"}", "becomes ${iteration}: the number of the user's iteration")
			return "${iteration}", true
		}
		return "${counter}", true
	case "__Random":
		t := "${random(" + m.constant(arg(0)) + "," + m.constant(arg(1)) + ")}"
		if _, err := Compile(t); err != nil {
			return refuse("its range is not known: it is sent as it is written")
		}
		if arg(2) != "" {
			m.note(e, "${"+short(s)+"}", "the value is not kept in "+short(arg(2)))
		}
		return t, true
	case "__time":
		switch arg(0) {
		case "":
			return "${now}", true
		case "/1000":
			return "${now(s)}", true
		}
		return refuse("no format of dates is known here: it is sent as it is written")
	case "__P", "__property":
		m.note(e, "${"+short(s)+"}", "becomes its default, "+short(m.constant("${"+s+"}")))
		return Literal(m.constant("${" + s + "}")), true
	}
	return refuse("this function is not known here: it is sent as it is written")
}

// jmxCall parts a function from its arguments.
func jmxCall(s string) (string, []string) {
	name, rest, ok := strings.Cut(s, "(")
	if !ok {
		return name, nil
	}
	rest = strings.TrimSuffix(rest, ")")
	var args []string
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		case rest[i] == ',':
			args = append(args, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(rest[i])
		}
	}
	return name, append(args, strings.TrimSpace(b.String()))
}

// constant puts in what is known before a run: variables with a fixed value,
// and the defaults of properties. The rest stays.
func (m *jmxImport) constant(s string) string {
	s = strings.TrimSpace(s)
	inner, ok := strings.CutPrefix(s, "${")
	if !ok || len(s) > maxCommand || int(braces(s)[1]) != len(s)-1 {
		return s
	}
	inner = strings.TrimSuffix(inner, "}")
	name, args := jmxCall(inner)
	switch {
	case name == "__P" && len(args) > 1:
		return args[1]
	case name == "__property" && len(args) > 2:
		return args[2]
	case name == "__P":
		return "1" // JMeter's own default
	}
	if v, ok := m.fixed[inner]; ok && m.depth < 8 { // variables may lead to each other
		m.depth++
		defer func() { m.depth-- }()
		return m.constant(v)
	}
	return s
}

// number reads a whole number that a property of an element has, and lists it
// where it is not known; an empty one is the default.
func (m *jmxImport) number(e *element, prop string, byDefault int64) int64 {
	s := e.str(prop)
	if strings.TrimSpace(s) == "" {
		return byDefault
	}
	c := m.constant(s)
	n, err := strconv.ParseInt(c, 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(c, 64)
		if err != nil || f != f || f < -1e15 || f > 1e15 {
			m.note(e, prop, fmt.Sprintf("%s is not known before the run: %d is taken", short(s), byDefault))
			return byDefault
		}
		n = int64(f)
	}
	if c != strings.TrimSpace(s) {
		m.note(e, prop, short(s)+" becomes "+short(c))
	}
	return n
}
