package plan

import (
	"encoding/json"
	"reflect"
)

// Schema is the JSON schema (draft 2020-12) of a plan in YAML, made from the
// types that Parse fills. It says what JSON Schema can: Parse checks more.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[Plan](), nil)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "jtop load plan"
	s["anyOf"] = []any{map[string]any{"required": []string{"requests"}}, map[string]any{"required": []string{"groups"}}}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // maps of texts and numbers: cannot be
	}
	return append(b, '\n')
}

// durationForm is what ParseDuration takes.
const durationForm = `^(0|([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+)$`

// schemaOf describes a type; f is nil for the elements of a list.
func schemaOf(t reflect.Type, f *field) map[string]any {
	word := func(pattern string) map[string]any {
		return map[string]any{"type": "string", "pattern": pattern}
	}
	list := func(items map[string]any) map[string]any {
		return map[string]any{"type": "array", "items": items}
	}
	// YAML reads id: 7 as a number; Parse takes the text as it is written.
	scalar := map[string]any{"type": []any{"string", "number", "boolean"}}
	switch t {
	case durationType:
		return map[string]any{"anyOf": []any{word(durationForm), map[string]any{"const": 0}}}
	case rateType:
		return map[string]any{"anyOf": []any{word(`^[0-9.eE+]+ *(/(s|sec|m|min|h|hour))?$`), map[string]any{"type": "number", "minimum": 0, "maximum": int64(MaxRate)}}}
	case keepAliveType:
		return map[string]any{"anyOf": []any{word(`^(on|off|every +[0-9]+)$`), map[string]any{"type": "boolean"}}}
	case stagesType:
		stage := map[string]any{
			"type": "object", "additionalProperties": false,
			"properties": map[string]any{"rate": schemaOf(rateType, nil), "from": schemaOf(rateType, nil), "to": schemaOf(rateType, nil), "for": schemaOf(durationType, nil)},
		}
		text := map[string]any{"type": "string"}
		return map[string]any{"anyOf": []any{text, list(map[string]any{"anyOf": []any{text, stage}})}}
	case thinkType:
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, structSchema(t)}}
	case pairsType:
		return map[string]any{"type": []any{"object", "null"}, "additionalProperties": map[string]any{"anyOf": []any{scalar, list(scalar)}}}
	case textsType:
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, list(scalar)}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), f)
	case reflect.Struct:
		return structSchema(t)
	case reflect.Slice:
		return list(schemaOf(t.Elem(), nil))
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		if f != nil && f.enum != nil {
			return map[string]any{"enum": f.enum}
		}
		return scalar
	}
	number := map[string]any{"type": "integer"}
	if t.Kind() == reflect.Float64 {
		number["type"] = "number"
	}
	if f != nil && f.max != 0 {
		number["minimum"], number["maximum"] = f.min, f.max
	} else if t.Kind() == reflect.Uint64 {
		number["minimum"] = 0
	}
	return number
}

func structSchema(t reflect.Type) map[string]any {
	properties := map[string]any{}
	var required []string
	for _, f := range fieldsOf(t) {
		p := schemaOf(t.Field(f.index).Type, &f)
		p["description"] = f.about
		properties[f.name] = p
		if f.required {
			required = append(required, f.name)
		}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	return s
}
