package plan

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Marshal writes a plan as Parse reads it, in the order of the fields and
// without those that are at their zero.
func Marshal(p *Plan) ([]byte, error) {
	n := encode(reflect.ValueOf(p).Elem())
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, fmt.Errorf("the plan cannot be written as YAML: %w", err)
	}
	if err := e.Close(); err != nil {
		return nil, fmt.Errorf("the plan cannot be written as YAML: %w", err)
	}
	return b.Bytes(), nil
}

// encode turns a value that is not zero into a node.
func encode(v reflect.Value) *yaml.Node {
	switch x := v.Interface().(type) {
	case Stages:
		return textNode(x.String())
	case []Pair:
		return encodePairs(x)
	case ThinkTime:
		if think, err := ParseThink(x.String()); err == nil && think == x {
			return textNode(x.String())
		}
	case time.Duration:
		return textNode(FormatDuration(x))
	case Rate:
		return textNode(x.String())
	case KeepAlive:
		return textNode(x.String())
	}
	switch v.Kind() {
	case reflect.Pointer:
		return encode(v.Elem())
	case reflect.Struct:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, f := range fieldsOf(v.Type()) {
			if fv := v.Field(f.index); !fv.IsZero() && (fv.Kind() != reflect.Slice || fv.Len() > 0) {
				n.Content = append(n.Content, textNode(f.name), encode(fv))
			}
		}
		return n
	case reflect.Slice:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for i := range v.Len() {
			c := encode(v.Index(i))
			if c.Kind == yaml.MappingNode && len(c.Content) == 0 {
				c.Style = yaml.FlowStyle
			}
			n.Content = append(n.Content, c)
		}
		return n
	case reflect.Bool:
		return wordNode("!!bool", strconv.FormatBool(v.Bool()))
	case reflect.Float64:
		return wordNode("!!float", strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case reflect.Uint64:
		return wordNode("!!int", strconv.FormatUint(v.Uint(), 10))
	case reflect.Int, reflect.Int64:
		return wordNode("!!int", strconv.FormatInt(v.Int(), 10))
	}
	return textNode(v.String())
}

// encodePairs writes pairs in their order; pairs of one name become a list
// where the first stands.
func encodePairs(list []Pair) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	at := map[string]*yaml.Node{}
	for _, p := range list {
		v := textNode(p.Value)
		old := at[p.Name]
		switch {
		case old == nil:
			at[p.Name] = v
			n.Content = append(n.Content, textNode(p.Name), v)
		case old.Kind == yaml.SequenceNode:
			old.Content = append(old.Content, v)
		default:
			first := *old
			*old = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{&first, v}}
		}
	}
	return n
}

// textNode is a text, which the encoder quotes where it would be read as
// something else.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

func wordNode(tag, s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: s}
}
