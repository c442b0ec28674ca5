package plan

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.com/jtop/probes"
)

// Limits of a .jmx file: bytes, elements, and how deep they lie.
const (
	MaxJMX      = 16 << 20
	maxElements = 200_000
	maxDepth    = 200
)

// element is an element of JMeter's test plan: a class with properties, and
// what lies under it (the hashTree that follows it in the file).
type element struct {
	class    string
	name     string // as the user called it
	gui      string
	disabled bool
	line     int
	props    map[string]string
	parts    map[string]*element   // elementProp
	lists    map[string][]*element // collectionProp; plain entries have the text in props[""]
	children []*element
}

// title names an element in messages.
func (e *element) title() string {
	if e.name == "" || e.name == e.class {
		return short(e.class)
	}
	return short(e.name) + " (" + short(e.class) + ")"
}

func (e *element) str(name string) string { return e.props[name] }

func (e *element) bool(name string) bool { return e.props[name] == "true" }

// list gives the entries of a collection that may lie in a part of its own, as
// the arguments of a sampler do.
func (e *element) list(part, name string) []*element {
	if p := e.parts[part]; p != nil {
		return p.lists[name]
	}
	return e.lists[name]
}

// parseJMX reads the XML of a test plan and gives what lies at its top.
func parseJMX(name string, data []byte) ([]*element, error) {
	fail := func(line int, what, next string) ([]*element, error) {
		return nil, Error{File: name, Line: line, What: what, Next: next}
	}
	if len(data) > MaxJMX {
		return fail(0, fmt.Sprintf("the file has %d bytes", len(data)), fmt.Sprintf("at most %d MB", MaxJMX>>20))
	}
	x := jmxReader{dec: xml.NewDecoder(bytes.NewReader(data))}
	for {
		line := x.line()
		tok, err := x.dec.Token()
		switch {
		case errors.Is(err, io.EOF):
			return fail(0, "there is no test plan", "give a .jmx file as JMeter saves it")
		case err != nil:
			return fail(line, xmlText(err), "give a .jmx file as JMeter saves it")
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			if _, isDirective := tok.(xml.Directive); isDirective {
				return fail(line, "a document type is not read", "give a .jmx file as JMeter saves it")
			}
			continue
		}
		if start.Name.Local != "jmeterTestPlan" {
			return fail(line, "this is no test plan but "+short(start.Name.Local), "give a .jmx file as JMeter saves it")
		}
		top, err := x.tree(0)
		if err != nil {
			return fail(x.line(), xmlText(err), "give a .jmx file as JMeter saves it")
		}
		return top, nil
	}
}

// xmlText is what the reader says, without the line, which is told apart.
func xmlText(err error) string {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return "this is not XML: " + short(syntax.Msg)
	}
	return short(err.Error())
}

type jmxReader struct {
	dec   *xml.Decoder
	count int
}

func (x *jmxReader) line() int {
	line, _ := x.dec.InputPos()
	return line
}

// next gives the next start or end of an element and the line on which it
// begins; the text before it goes to text.
func (x *jmxReader) next(text *strings.Builder) (xml.Token, int, error) {
	for {
		line := x.line()
		tok, err := x.dec.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the file ends too early")
			}
			return nil, line, err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if x.count++; x.count > maxElements {
				return nil, line, fmt.Errorf("more than %d elements", maxElements)
			}
			return t, line, nil
		case xml.EndElement:
			return t, line, nil
		case xml.CharData:
			if text != nil {
				text.Write(t)
			}
		case xml.Directive:
			return nil, line, errors.New("a document type is not read")
		}
	}
}

// each calls do for every element up to the end of the one that is open;
// depth counts from the top of the file. Text between them goes to text.
func (x *jmxReader) each(depth int, text *strings.Builder, do func(start xml.StartElement, line int) error) error {
	if depth > maxDepth {
		return fmt.Errorf("elements lie more than %d deep", maxDepth)
	}
	for {
		tok, line, err := x.next(text)
		if err != nil {
			return err
		}
		start, ok := tok.(xml.StartElement)
		if !ok {
			return nil
		}
		if err := do(start, line); err != nil {
			return err
		}
	}
}

// tree reads a hashTree, or the top: elements, each followed by the hashTree
// of what lies under it.
func (x *jmxReader) tree(depth int) (list []*element, err error) {
	err = x.each(depth, nil, func(start xml.StartElement, line int) error {
		if start.Name.Local != "hashTree" {
			e, err := x.element(start, line, depth+1)
			list = append(list, e)
			return err
		}
		children, err := x.tree(depth + 1)
		if len(list) == 0 {
			list = children // the outermost one belongs to no element
		} else {
			last := list[len(list)-1]
			last.children = append(last.children, children...)
		}
		return err
	})
	return list, err
}

// element reads an element's properties up to its end.
func (x *jmxReader) element(start xml.StartElement, line, depth int) (*element, error) {
	e := &element{class: start.Name.Local, line: line, props: map[string]string{}, parts: map[string]*element{}, lists: map[string][]*element{}}
	for _, a := range start.Attr {
		switch a.Name.Local {
		case "testname":
			e.name = probes.Clean(a.Value)
		case "guiclass":
			e.gui = a.Value
		case "enabled":
			e.disabled = a.Value == "false"
		case "elementType":
			e.class = a.Value
		}
	}
	return e, x.each(depth, nil, func(prop xml.StartElement, at int) error { return x.property(e, prop, at, depth+1) })
}

// property reads one property of an element.
func (x *jmxReader) property(e *element, start xml.StartElement, line, depth int) (err error) {
	name := ""
	for _, a := range start.Attr {
		if a.Name.Local == "name" {
			name = a.Value
		}
	}
	switch start.Name.Local {
	case "elementProp":
		e.parts[name], err = x.element(start, line, depth)
	case "collectionProp":
		e.lists[name], err = x.collection(depth)
	default:
		var text string
		var fields map[string]string
		if text, fields, err = x.leaf(depth); name == "" { // <doubleProp><name>x</name><value>1</value></doubleProp>
			name, text = fields["name"], fields["value"]
		}
		e.props[name] = text
	}
	return err
}

// collection reads the entries of a collectionProp.
func (x *jmxReader) collection(depth int) (list []*element, err error) {
	err = x.each(depth, nil, func(start xml.StartElement, line int) error {
		if start.Name.Local == "elementProp" {
			e, err := x.element(start, line, depth+1)
			list = append(list, e)
			return err
		}
		text, _, err := x.leaf(depth + 1)
		list = append(list, &element{class: start.Name.Local, line: line, props: map[string]string{"": text}})
		return err
	})
	return list, err
}

// leaf reads an element that holds text, or one level of elements that do.
func (x *jmxReader) leaf(depth int) (string, map[string]string, error) {
	var text strings.Builder
	fields := map[string]string{}
	err := x.each(depth, &text, func(start xml.StartElement, _ int) (err error) {
		fields[start.Name.Local], _, err = x.leaf(depth + 1)
		return err
	})
	return text.String(), fields, err
}
