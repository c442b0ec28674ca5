package plan

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write docs/schema/plan.schema.json")

const schemaFile = "../../../docs/schema/plan.schema.json"

func TestSchemaIsTheTypes(t *testing.T) {
	if *update {
		if err := os.WriteFile(schemaFile, Schema(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(Schema()) {
		t.Error("docs/schema/plan.schema.json is not that of the types: go test ./probes/load/plan -run Schema -update")
	}
}

func TestSchemaJudges(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	const ok = "requests: [{url: 'http://h/'}]\n"
	for _, c := range []struct {
		text string
		good bool
	}{
		{string(example(t)), true},
		{ok, true},
		{ok + "stages: [5/s for 1m, {rate: 5, for: 1m}]\nkeep_alive: off\n", true},
		{ok + "think: {kind: fixed, mean: 1s}\n", true},
		{ok + "usres: 5\n", false},
		{ok + "users: ten\n", false},
		{ok + "users: -1\n", false},
		{ok + "ramp: 10\n", false},
		{ok + "ramp: 0\n", true},
		{ok + "rate: fast\n", false},
		{ok + "order: wieghted\n", false},
		{ok + "stages: [{rates: 5}]\n", false},
		{"users: 1\n", false},
		{"requests: [{name: x}]\n", false},
		{"requests: {url: x}\n", false},
	} {
		var v any
		if err := yaml.Unmarshal([]byte(c.text), &v); err != nil {
			t.Fatal(err)
		}
		if why := judge(schema, v, ""); (why == "") != c.good {
			t.Errorf("%q: %q, want good %v", short(c.text), why, c.good)
		}
		if _, err := Parse("p", []byte(c.text)); (err == nil) != c.good {
			t.Errorf("%q: the schema says %v and Parse %v", short(c.text), c.good, err)
		}
	}
}

// judge is as much of JSON Schema as the plan's uses; it fails on a keyword
// that it does not know.
func judge(schema map[string]any, v any, path string) string {
	for key, want := range schema {
		why := ""
		switch key {
		case "$schema", "title", "description":
		case "type":
			types, isList := want.([]any)
			if !isList {
				types = []any{want}
			}
			if !slices.ContainsFunc(types, func(name any) bool { return isType(name.(string), v) }) {
				why = fmt.Sprintf("%v is no %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				why = fmt.Sprintf("%v is none of %v", v, want)
			}
		case "const":
			if fmt.Sprint(v) != fmt.Sprint(want) {
				why = fmt.Sprintf("%v is not %v", v, want)
			}
		case "pattern":
			if s, ok := v.(string); ok && !regexp.MustCompile(want.(string)).MatchString(s) {
				why = fmt.Sprintf("%q does not match", s)
			}
		case "minimum", "maximum":
			var x float64
			if n, err := fmt.Sscan(fmt.Sprint(v), &x); n == 1 && err == nil && (key == "minimum" && x < want.(float64) || key == "maximum" && x > want.(float64)) {
				why = fmt.Sprintf("%v is beyond %v", v, want)
			}
		case "anyOf":
			if !slices.ContainsFunc(want.([]any), func(s any) bool { return judge(s.(map[string]any), v, path) == "" }) {
				why = fmt.Sprintf("%v fits nothing", v)
			}
		case "items":
			if list, ok := v.([]any); ok {
				for i, x := range list {
					if why == "" {
						why = judge(want.(map[string]any), x, index(path, i))
					}
				}
			}
		case "required":
			for _, name := range want.([]any) {
				if m, ok := v.(map[string]any); ok && m[name.(string)] == nil {
					why = name.(string) + " is missing"
				}
			}
		case "properties":
			if m, ok := v.(map[string]any); ok {
				for name, s := range want.(map[string]any) {
					if x, given := m[name]; given && why == "" {
						why = judge(s.(map[string]any), x, join(path, name))
					}
				}
			}
		case "additionalProperties":
			known, _ := schema["properties"].(map[string]any)
			m, _ := v.(map[string]any)
			for name, x := range m {
				if _, ok := known[name]; ok || why != "" {
					continue
				}
				if s, ok := want.(map[string]any); ok {
					why = judge(s, x, join(path, name))
				} else {
					why = name + " is not known"
				}
			}
		default:
			why = "the keyword " + key
		}
		if why != "" {
			return path + ": " + why
		}
	}
	return ""
}

func isType(name string, v any) bool {
	switch v.(type) {
	case nil:
		return name == "null"
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case int, uint64:
		return name == "integer" || name == "number"
	case float64:
		return name == "number"
	case []any:
		return name == "array"
	}
	return name == "object"
}
