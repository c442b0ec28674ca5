package plan

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// jmxWriter writes the XML of a test plan.
type jmxWriter struct {
	b     strings.Builder
	depth int
	lost  bool // a text had a character that XML cannot hold
}

func (w *jmxWriter) line(s string) {
	w.b.WriteString(strings.Repeat("  ", w.depth) + s + "\n")
}

// escaped is a text as XML takes it; line ends in it are kept.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder does not fail
	return b.String()
}

// attributes are name="value" pairs.
func attributesOf(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(" " + pairs[i] + `="` + escaped(pairs[i+1]) + `"`)
	}
	return b.String()
}

// element writes an element, its properties, and the hashTree of what lies
// under it; children may be nil.
func (w *jmxWriter) element(class, gui, name string, props, children func()) {
	w.open(class, "guiclass", gui, "testclass", class, "testname", name, "enabled", "true")
	if props != nil {
		props()
	}
	w.close(class)
	if children == nil {
		w.line("<hashTree/>")
		return
	}
	w.open("hashTree")
	children()
	w.close("hashTree")
}

func (w *jmxWriter) open(tag string, pairs ...string) {
	w.line("<" + tag + attributesOf(pairs...) + ">")
	w.depth++
}

func (w *jmxWriter) close(tag string) {
	w.depth--
	w.line("</" + tag + ">")
}

func (w *jmxWriter) prop(tag, name, value string) {
	w.lost = w.lost || strings.ContainsFunc(value, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
	})
	w.line("<" + tag + attributesOf("name", name) + ">" + escaped(value) + "</" + tag + ">")
}

func (w *jmxWriter) str(name, value string) { w.prop("stringProp", name, value) }

func (w *jmxWriter) bool(name string, v bool) { w.prop("boolProp", name, strconv.FormatBool(v)) }

func (w *jmxWriter) int(name string, v int64) { w.prop("intProp", name, strconv.FormatInt(v, 10)) }

// number writes a DoubleProperty.
func (w *jmxWriter) number(name string, v float64) {
	w.open("doubleProp")
	w.line("<name>" + escaped(name) + "</name>")
	w.line("<value>" + strconv.FormatFloat(v, 'f', -1, 64) + "</value>")
	w.line("<savedValue>0.0</savedValue>")
	w.close("doubleProp")
}

// part writes an elementProp.
func (w *jmxWriter) part(name, class string, props func()) {
	w.open("elementProp", "name", name, "elementType", class)
	props()
	w.close("elementProp")
}

// list writes a collectionProp.
func (w *jmxWriter) list(name string, entries func()) {
	w.open("collectionProp", "name", name)
	entries()
	w.close("collectionProp")
}

// arguments writes the part that holds variables or what a sampler sends.
func (w *jmxWriter) arguments(name, gui string, entries func()) {
	w.open("elementProp", "name", name, "elementType", "Arguments", "guiclass", gui, "testclass", "Arguments", "testname", "User Defined Variables", "enabled", "true")
	w.list("Arguments.arguments", entries)
	w.close("elementProp")
}

// jmxTemplate writes a template as JMeter takes it. In a text with variables
// or functions a backslash before $, a comma or a backslash is an escape and
// must itself be one; in a plain text it is not.
func (x *jmxExport) template(text, where string) string {
	t, err := Compile(text)
	if err != nil {
		return text
	}
	if c, ok := t.Constant(); ok {
		if strings.Contains(c, "${") {
			x.note(where, "${ stays as it is as long as JMeter has no variable of that name")
		}
		return c
	}
	var b strings.Builder
	for _, s := range t.segments {
		switch s.kind {
		case literal:
			for i := 0; i < len(s.text); i++ {
				rest := s.text[i:]
				if strings.HasPrefix(rest, "${") || rest[0] == '\\' && (len(rest) == 1 || strings.IndexByte(`$,\`, rest[1]) >= 0) {
					b.WriteByte('\\')
				}
				b.WriteByte(rest[0])
			}
		case variable:
			b.WriteString("${" + s.text + "}")
		case callUUID:
			b.WriteString("${__UUID()}")
		case callCounter:
			b.WriteString("${__counter(FALSE,)}")
			x.note(where, "${counter} counts in JMeter at each place where it stands")
		case callIteration:
			b.WriteString("${__counter(TRUE,)}")
			x.note(where, "${iteration} counts in JMeter at each place where it stands")
		case callRandom:
			if s.lo == s.hi {
				b.WriteString(strconv.FormatInt(s.lo, 10)) // of no range JMeter 2.13 makes an error
				continue
			}
			x.note("${random}", "JMeter 2.13 never draws the greatest number; later ones do")
			b.WriteString("${__Random(" + strconv.FormatInt(s.lo, 10) + "," + strconv.FormatInt(s.hi, 10) + ",)}")
		case callUser:
			b.WriteString("${__threadNum}")
		case callNow:
			b.WriteString("${__time(,)}")
		case callNowSeconds:
			b.WriteString("${__time(/1000,)}")
		case callNowRFC:
			b.WriteString("${__time(yyyy-MM-dd'T'HH:mm:ss.SSSZ,)}")
			x.note(where, "${now(rfc3339)} is in JMeter the local time with its offset")
		}
	}
	return b.String()
}
