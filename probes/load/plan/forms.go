package plan

import (
	"errors"
	"reflect"
	"time"

	"go.yaml.in/yaml/v3"
)

// ownForm gives the reader of a type that has a form of its own; nil for the
// others.
func ownForm(t reflect.Type) func(*decoder, *yaml.Node, reflect.Value, string) {
	switch t {
	case durationType:
		return textForm(ParseDuration)
	case rateType:
		return textForm(ParseRate)
	case keepAliveType:
		return textForm(ParseKeepAlive)
	case stagesType:
		return readStages
	case thinkType:
		return readThink
	case pairsType:
		return readPairs
	case textsType:
		return readTexts
	}
	return nil
}

// textForm reads a type that is written as one text.
func textForm[T any](parse func(string) (T, error)) func(*decoder, *yaml.Node, reflect.Value, string) {
	return func(d *decoder, n *yaml.Node, v reflect.Value, path string) {
		s, ok := d.text(n, path)
		if !ok {
			return
		}
		x, err := parse(s)
		if err != nil {
			d.refuse(n, path, err)
			return
		}
		v.Set(reflect.ValueOf(x))
	}
}

// refuse notes what a parser of a text said.
func (d *decoder) refuse(n *yaml.Node, path string, err error) {
	var e Error
	if !errors.As(err, &e) {
		e.What = err.Error()
	}
	e.Path = path
	if len(d.errs) < maxErrors {
		d.errs = append(d.errs, d.place(e))
	}
}

// readStages reads the text form, a list of it, or a list of mappings with
// rate, or from and to, and for.
func readStages(d *decoder, n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.SequenceNode {
		textForm(ParseStages)(d, n, v, path)
		return
	}
	var list Stages
	for i, c := range n.Content {
		at := index(path, i)
		d.at[at] = c
		if c.Kind != yaml.MappingNode {
			if s, ok := d.text(c, at); ok {
				part, err := ParseStages(s)
				if err != nil {
					d.refuse(c, at, err)
				}
				list = append(list, part...)
			}
			continue
		}
		var m struct {
			Rate *Rate         `plan:"rate"`
			From *Rate         `plan:"from"`
			To   *Rate         `plan:"to"`
			For  time.Duration `plan:"for"`
		}
		d.mapping(c, reflect.ValueOf(&m).Elem(), at)
		switch {
		case m.Rate != nil && m.From == nil && m.To == nil:
			list = append(list, Stage{*m.Rate, *m.Rate, m.For})
		case m.Rate == nil && m.From != nil && m.To != nil:
			list = append(list, Stage{*m.From, *m.To, m.For})
		default:
			d.fail(c, at, "a stage has one rate, or two", "write {rate: 50/s, for: 5m} or {from: 0/s, to: 500/s, for: 1m}")
		}
	}
	v.Set(reflect.ValueOf(list))
}

// readThink reads the text form, or a mapping.
func readThink(d *decoder, n *yaml.Node, v reflect.Value, path string) {
	if n.Kind == yaml.MappingNode {
		d.mapping(n, v, path)
		return
	}
	textForm(ParseThink)(d, n, v, path)
}

// readPairs reads a mapping in its order; a list of values is as many pairs of
// one name.
func readPairs(d *decoder, n *yaml.Node, v reflect.Value, path string) {
	if n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, kindName(n)+" where a mapping is needed", "write name: value lines, indented")
		return
	}
	var list []Pair
	d.pairs(n, path, func(key, value *yaml.Node) {
		at := join(path, key.Value)
		d.at[at] = value
		values := []*yaml.Node{value}
		if value.Kind == yaml.SequenceNode && value.Anchor == "" {
			values = value.Content
		}
		for _, c := range values {
			if s, ok := d.text(c, at); ok {
				list = append(list, Pair{key.Value, s})
			}
		}
	})
	v.Set(reflect.ValueOf(list))
}

// readTexts reads a list of texts, or one.
func readTexts(d *decoder, n *yaml.Node, v reflect.Value, path string) {
	if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
		return
	}
	if n.Kind != yaml.SequenceNode {
		if s, ok := d.text(n, path); ok {
			v.Set(reflect.ValueOf([]string{s}))
		}
		return
	}
	list := make([]string, 0, len(n.Content))
	for i, c := range n.Content {
		d.at[index(path, i)] = c
		if s, ok := d.text(c, index(path, i)); ok {
			list = append(list, s)
		}
	}
	v.Set(reflect.ValueOf(list))
}
