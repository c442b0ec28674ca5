package plan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestJSONPath(t *testing.T) {
	const body = ` {"a": {"b": [ {"c": "x\"y\u00e9"}, {"c": 2, "d": [1, [2, 3]]}, 5, "]" ]}, "e f": null, "g.h": true,
		"n": -1.5e3, "twice": 1, "twice": 2, "": "empty", "o": {"p": {}, "q": {"r": "deep"}}} `
	for _, c := range []struct {
		path, want string
		ok         bool
	}{
		{"$.a.b[0].c", `x"yé`, true},
		{"$.a.b[1].c", "2", true},
		{"$.a.b[1].d[1][0]", "2", true},
		{"$.a.b[1].d", "[1, [2, 3]]", true},
		{"$.a.b[3]", "]", true},
		{"$.a.b[4]", "", false},
		{"$.a.b.c", "", false},
		{"$.a[0]", "", false},
		{"$['e f']", "null", true},
		{`$["g.h"]`, "true", true},
		{"$.n", "-1.5e3", true},
		{"$.twice", "2", true},
		{"$['']", "empty", true},
		{"$.a.b[*].c", `x"yé`, true},
		{"$.a.b[*].d[*][1]", "3", true},
		{"$.o.*.r", "deep", true},
		{"$.o.*.s", "", false},
		{"$.n.x", "", false},
		{"$.A", "", false},
	} {
		p, err := CompilePath(c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got, ok := p.Find([]byte(body)); got != c.want || ok != c.ok {
			t.Errorf("%s finds %q %v, want %q %v", c.path, got, ok, c.want, c.ok)
		}
	}
	root, _ := CompilePath("$")
	for text, want := range map[string]string{`"a"`: "a", " [1] ": "[1]", "7": "7"} {
		if got, ok := root.Find([]byte(text)); !ok || got != want {
			t.Errorf("$ of %q: %q %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "{", `{"a":}`, "nul", "{} {}", "\xff"} {
		if got, ok := root.Find([]byte(text)); ok || got != "" {
			t.Errorf("%q is not JSON and gives %q", text, got)
		}
	}
	if root.Text() != "$" {
		t.Error(root.Text())
	}
}

func TestJSONPathDeep(t *testing.T) {
	p, err := CompilePath("$" + strings.Repeat("[*]", maxSteps))
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	if _, ok := p.Find([]byte(deep)); !ok {
		t.Error("the element is there")
	}
	wide := "[" + strings.Repeat("[[[]]],", 20_000) + "0]"
	if got, ok := p.Find([]byte(wide)); ok {
		t.Errorf("found %q", got)
	}
}

func TestCompilePathErrors(t *testing.T) {
	for path, at := range map[string]int{
		"": 0, "a.b": 0, "$a": 1, "$.": 1, "$..a": 1, "$.a[": 3, "$.a[x]": 3, "$.a[-1]": 3, "$.a[+1]": 3, "$[]": 1,
		"$['a]": 1, "$[?(@.a)]": 1, "$[1 ]": 1, "$" + strings.Repeat(".a", maxSteps+1): 1 + 2*maxSteps,
	} {
		_, err := CompilePath(path)
		var te *TemplateError
		if !errors.As(err, &te) || te.Offset != at {
			t.Errorf("%s: %v, want an error at %d", short(path), err, at)
		}
	}
}

// FuzzJSONPath compares with a lookup in what encoding/json decodes.
func FuzzJSONPath(f *testing.F) {
	f.Add("$.a.b[0].c", `{"a":{"b":[{"c":"x"}]}}`)
	f.Add("$[*]['k']", `[1,{"k":"\u00e9"},{"k":2}]`)
	f.Add("$.*.x", `{"":{"x":1},"y":{"x":[true,null,-0.5]}}`)
	f.Fuzz(func(t *testing.T, path, body string) {
		p, err := CompilePath(path)
		if err != nil {
			return
		}
		got, ok := p.Find([]byte(body))
		if !ok && got != "" {
			t.Fatalf("%q without a value: %q", path, got)
		}
		for _, s := range p.steps {
			if s.any {
				return // the order of a map is not that of the text
			}
		}
		var v any
		valid := json.Unmarshal([]byte(body), &v) == nil
		for _, s := range p.steps {
			switch x := v.(type) {
			case map[string]any:
				if v, valid = x[s.name], valid && s.at < 0 && has(x, s.name); !valid {
					v = nil
				}
			case []any:
				if s.at < 0 || s.at >= len(x) {
					valid, v = false, nil
				} else {
					v = x[s.at]
				}
			default:
				valid = false
			}
		}
		if valid != ok {
			t.Fatalf("%q in %q: found %v (%q), want %v", path, body, ok, got, valid)
		}
		if s, isText := v.(string); ok && isText && s != got {
			t.Fatalf("%q in %q: %q, want %q", path, body, got, s)
		}
	})
}

func has(m map[string]any, name string) bool {
	_, ok := m[name]
	return ok
}
