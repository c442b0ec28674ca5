package plan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// MaxFile is the greatest size of a plan's file, in bytes.
const MaxFile = 4 << 20

// Parse reads a plan in YAML 1.2. It is strict: an unknown key, a wrong type,
// a missing or absurd value and an unknown variable are errors, with line and
// column. name is the file's, for the messages. An error is Errors.
func Parse(name string, data []byte) (*Plan, error) {
	d := decoder{file: name, lines: bytes.Split(data, []byte("\n")), at: map[string]*yaml.Node{}}
	root := d.document(data)
	if root == nil {
		return nil, d.errs.orNil()
	}
	p := &Plan{}
	d.value(root, reflect.ValueOf(p).Elem(), "")
	if len(d.errs) < maxErrors {
		d.judge(p)
	}
	if err := d.errs.orNil(); err != nil {
		return nil, err
	}
	return p, nil
}

// maxList is the greatest length of any list.
const maxList = 10_000

type decoder struct {
	file  string
	lines [][]byte
	errs  Errors
	at    map[string]*yaml.Node // where each field's value stands
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// document gives the mapping at the top of the text; nil after an error.
func (d *decoder) document(data []byte) *yaml.Node {
	whole := func(what, next string) *yaml.Node {
		d.errs = append(d.errs, Error{File: d.file, What: what, Next: next})
		return nil
	}
	switch {
	case len(data) > MaxFile:
		return whole(fmt.Sprintf("the plan has %d bytes", len(data)), "at most 4 MB; put bodies into files of their own (body_file)")
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return whole("this is no text", "a plan is YAML in UTF-8")
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, more yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && (len(doc.Content) == 0 || doc.Content[0].Tag == "!!null") {
		return whole("the plan is empty", "see docs/examples/plan.yaml for one")
	}
	if err == nil && !errors.Is(dec.Decode(&more), io.EOF) {
		return whole("there is more than one document", "keep one plan in a file, without ---")
	}
	if err != nil {
		m := yamlLine.FindStringSubmatch(err.Error())
		e := Error{File: d.file, What: "this is not YAML: " + strings.TrimPrefix(err.Error(), strings.Join(m[:min(1, len(m))], "")), Next: "check indentation, quotes and colons there"}
		if len(m) > 1 {
			e.Line, _ = strconv.Atoi(m[1])
		}
		d.errs = append(d.errs, e)
		return nil
	}
	return doc.Content[0]
}

// fail notes a mistake at a node.
func (d *decoder) fail(n *yaml.Node, path, what, next string) {
	if len(d.errs) < maxErrors {
		d.errs = append(d.errs, Error{File: d.file, Line: n.Line, Column: n.Column, Path: path, What: what, Next: next})
	}
}

// value reads a node into v by v's type.
func (d *decoder) value(n *yaml.Node, v reflect.Value, path string) {
	if len(d.errs) >= maxErrors {
		return // enough to be read at once
	}
	d.at[path] = n
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		d.fail(n, path, "anchors and aliases (& and *) are not supported", "write the value out, or use vars and defaults")
		return
	}
	if read := ownForm(v.Type()); read != nil {
		read(d, n, v, path)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path)
	case reflect.Struct:
		d.mapping(n, v, path)
	case reflect.Slice:
		d.list(n, v, path)
	default:
		d.scalar(n, v, path)
	}
}

// mapping reads a mapping into a struct.
func (d *decoder) mapping(n *yaml.Node, v reflect.Value, path string) {
	if n.Tag == "!!null" { // a heading whose lines are all comments
		return
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, kindName(n)+" where "+v.Type().Name()+" needs a mapping", "write key: value lines, indented")
		return
	}
	fields := fieldsOf(v.Type())
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	d.pairs(n, path, func(key, value *yaml.Node) {
		for i := range fields {
			if fields[i].name == key.Value {
				d.value(value, v.Field(fields[i].index), join(path, key.Value))
				return
			}
		}
		next := "the keys here are " + strings.Join(names, ", ")
		if hint := didYouMean(strings.ReplaceAll(key.Value, "-", "_"), names); hint != "" {
			next = strings.TrimPrefix(hint, "; ")
		}
		d.fail(key, path, "unknown key "+short(key.Value), next)
		if n := len(d.errs); n > 0 && d.errs[n-1].Path == path {
			d.errs[n-1].unknown = true
		}
	})
}

// pairs calls each for the entries of a mapping; a key that comes twice is an
// error.
func (d *decoder) pairs(n *yaml.Node, path string, each func(key, value *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content) && len(d.errs) < maxErrors; i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag == "!!merge" || key.Anchor != "":
			d.fail(key, path, "a key is a plain word", "write key: value")
		case seen[key.Value]:
			d.fail(key, path, "the key "+short(key.Value)+" comes twice", "keep one of them; several values of a header are a list: [a, b]")
		default:
			seen[key.Value] = true
			each(key, value)
		}
	}
}

// list reads a sequence into a slice.
func (d *decoder) list(n *yaml.Node, v reflect.Value, path string) {
	if n.Tag == "!!null" || n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(n, path, kindName(n)+" where a list is needed", "begin each entry with a dash: - ...")
		return
	}
	if len(n.Content) > maxList {
		d.fail(n, path, fmt.Sprintf("a list of %d", len(n.Content)), fmt.Sprintf("at most %d", maxList))
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, c := range n.Content {
		d.value(c, v.Index(i), index(path, i))
	}
}

// scalar reads a text, number or truth value.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, path string) {
	s, ok := d.text(n, path)
	if !ok {
		return
	}
	var err error
	var want string
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Bool:
		want = "true or false"
		switch s {
		case "true":
			v.SetBool(true)
		case "false":
		default:
			err = strconv.ErrSyntax
		}
	case reflect.Float64:
		want = "a number"
		var x float64
		x, err = strconv.ParseFloat(s, 64)
		v.SetFloat(x)
	case reflect.Uint64:
		want = "a whole number from 0"
		var x uint64
		x, err = strconv.ParseUint(s, 10, 64)
		v.SetUint(x)
	default:
		want = "a whole number"
		var x int64
		x, err = strconv.ParseInt(s, 10, 64)
		v.SetInt(x)
	}
	if err != nil {
		d.fail(n, path, short(s)+" where "+want+" is needed", "write "+want)
	}
}

// text gives the text of a scalar node.
func (d *decoder) text(n *yaml.Node, path string) (string, bool) {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		d.fail(n, path, "anchors and aliases (& and *) are not supported", "write the value out, or use vars and defaults")
	case n.Kind != yaml.ScalarNode:
		d.fail(n, path, kindName(n)+" where one value is needed", "write the value on the same line; in quotes where it begins with { or [")
	case n.Tag == "!!null":
		d.fail(n, path, "there is no value", `write one, or "" for an empty text, or leave the key out`)
	case n.Tag == "!!binary" || strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		d.fail(n, path, "the tag "+short(n.Tag)+" is not supported", "leave it out")
	default:
		return n.Value, true
	}
	return "", false
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return short(n.Value)
}

// explicit finds what only the text shows: a zero that is written down but
// means the default.
func (d *decoder) explicit(p *Plan) {
	d.weights(p.Requests, "requests")
	for i := range p.Groups {
		d.weights(p.Groups[i].Requests, join(index("groups", i), "requests"))
	}
}

func (d *decoder) weights(list []Request, path string) {
	for i := range list {
		path := join(index(path, i), "weight")
		if n := d.at[path]; n != nil && list[i].Weight == 0 {
			d.fail(n, path, "a weight of 0", "leave the request out, or give it a weight above 0")
		}
	}
}

// judge adds what is wrong with what could be read.
func (d *decoder) judge(p *Plan) {
	unread := d.errs
	d.explicit(p)
	var more Errors
	if errors.As(Validate(p), &more) {
		for _, e := range more {
			if !d.follows(e, unread) {
				d.errs = append(d.errs, d.place(e))
			}
		}
	}
	if len(unread) > 0 {
		slices.SortStableFunc(d.errs, func(a, b Error) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column)) })
	}
	d.errs = d.errs[:min(len(d.errs), maxErrors)]
}

// follows tells whether a mistake may be one only because something else could
// not be read: it is in it or around it, or is missing where an unknown key is.
func (d *decoder) follows(e Error, unread Errors) bool {
	top := !strings.ContainsAny(e.Path, ".[")
	for _, u := range unread {
		switch {
		case e.Path == u.Path, within(u.Path, e.Path):
			return true
		case within(e.Path, u.Path) && (!u.unknown || d.at[e.Path] == nil && d.nearest(e.Path) == u.Path):
			return true
		case top && !strings.ContainsAny(u.Path, ".["): // the model: its keys depend on each other
			return true
		case e.variable && (u.Path == "" || within(u.Path, "csv") || within(u.Path, "vars") || strings.Contains(u.Path, "extract")):
			return true
		}
	}
	return false
}

// within tells whether a path leads into what another one is of.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && rest != "" && (of == "" || rest[0] == '.' || rest[0] == '[')
}

// nearest is a path, or of what it leads through the last that the text has.
func (d *decoder) nearest(path string) string {
	for d.at[path] == nil {
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return ""
		}
		path = path[:cut]
	}
	return path
}

// place gives a mistake its line and column: those of the field, or of what
// it is missing in; and where the text stands on the line as it is, of the
// character itself.
func (d *decoder) place(e Error) Error {
	e.File = d.file
	path := d.nearest(e.Path)
	n := d.at[path]
	if n == nil {
		return e
	}
	e.Line, e.Column = n.Line, n.Column
	if e.offset == 0 || path != e.Path || n.Line < 1 || n.Line > len(d.lines) {
		return e
	}
	line := []rune(string(d.lines[n.Line-1]))
	for _, quote := range []int{0, 1} {
		if from := n.Column - 1 + quote; from <= len(line) && strings.HasPrefix(string(line[from:]), n.Value) && e.offset <= len(n.Value) {
			e.Column = from + 1 + utf8.RuneCountInString(n.Value[:e.offset])
			break
		}
	}
	return e
}
