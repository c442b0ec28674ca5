package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
)

var update = flag.Bool("update", false, "write docs/schema")

// schemaOf describes how encoding/json writes a type, in JSON Schema
// (draft 2020-12). The documented schema is this one: it cannot drift.
func schemaOf(t reflect.Type) map[string]any {
	nullable := func(m map[string]any) map[string]any {
		m["type"] = []any{m["type"], "null"}
		return m
	}
	switch t {
	case reflect.TypeOf(time.Time{}):
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeOf(time.Duration(0)):
		return map[string]any{"type": "integer", "description": "nanoseconds"}
	case reflect.TypeOf(probes.AttachStatus{}):
		return map[string]any{"type": "string", "description": "\"ok\", or why attach is refused and what to do"}
	}
	if t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Opt[") {
		return nullable(schemaOf(t.Field(0).Type))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(schemaOf(t.Elem()))
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": []any{"array", "null"}, "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		props := map[string]any{}
		required := []any{}
		for i := range t.NumField() {
			tag := t.Field(i).Tag.Get("json")
			name, opts, _ := strings.Cut(tag, ",")
			if f := t.Field(i); f.Anonymous && tag == "" {
				embedded := f.Type
				if embedded.Kind() == reflect.Pointer {
					embedded = embedded.Elem()
				}
				inner := schemaOf(embedded)
				maps.Copy(props, inner["properties"].(map[string]any))
				required = append(required, inner["required"].([]any)...)
				continue
			}
			if name == "-" || name == "" {
				continue
			}
			props[name] = schemaOf(t.Field(i).Type)
			if !strings.Contains(opts, "omitempty") {
				required = append(required, name)
			}
		}
		return map[string]any{"type": "object", "properties": props, "required": required}
	}
	panic("no schema for " + t.String())
}

var schemas = map[string]reflect.Type{
	"heap":     reflect.TypeOf(HeapReport{}),
	"heapinfo": reflect.TypeOf(HeapInfo{}),
	"histo":    reflect.TypeOf(HistoReport{}),
	"gc-live":  reflect.TypeOf(GCLine{}),
	"gc":       reflect.TypeOf(GCReport{}),
	"load":     reflect.TypeOf(load.Report{}),
	"ps":       reflect.TypeOf([]probes.JVM{}),
	"snapshot": reflect.TypeOf(Snapshot{}),
	"threads":  reflect.TypeOf(ThreadsReport{}),
}

func TestSchemaIsDocumented(t *testing.T) {
	for name, typ := range schemas {
		s := schemaOf(typ)
		s["$schema"], s["title"] = "https://json-schema.org/draft/2020-12/schema", "jtop "+strings.ReplaceAll(name, "-", " ")+" --json"
		want, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		file := filepath.Join("..", "..", "..", "docs", "schema", name+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: go test ./cmd/internal/report -update", file)
		}
	}
}

// Every key that the issue of JSON consumers names is there, lower-case, and
// null where nothing is known.
func TestUnknownIsNull(t *testing.T) {
	b, err := json.Marshal(FromFrame(&probes.Frame{Snap: probes.Derive(nil, &probes.Sample{GC: &probes.GCSample{Collectors: []probes.CollectorSample{{Index: 1, Kind: probes.KindConcurrent, Count: 7}}}})}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"used_bytes":null`, `"process_percent":null`, `"pauses":null,"phases":7`, `"live":null`, `"loaded":null`} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"heap", "pools", "gc", "threads", "classes", "cpu", "vm"} {
		if _, ok := m[k]; !ok {
			t.Errorf("no key %q", k)
		}
	}
}
