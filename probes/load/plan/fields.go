package plan

import (
	"reflect"
	"strconv"
	"strings"
	"time"
)

// field is what the tags of a struct's field say. The YAML reader and writer,
// the checks and the JSON schema all go by it, so that they cannot differ.
type field struct {
	name     string // in YAML
	about    string
	index    int
	required bool
	enum     []string
	min, max float64 // both 0: no bounds
}

func fieldsOf(t reflect.Type) []field {
	var list []field
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		name := tag.Get("plan")
		if name == "" {
			continue
		}
		f := field{name: name, about: tag.Get("about"), index: i, required: tag.Get("required") != ""}
		if e := tag.Get("enum"); e != "" {
			f.enum = strings.Split(e, ",")
		}
		f.min, _ = strconv.ParseFloat(tag.Get("min"), 64)
		f.max, _ = strconv.ParseFloat(tag.Get("max"), 64)
		list = append(list, f)
	}
	return list
}

// bounded tells whether the field has bounds; where only min is given there is
// no greatest value.
func (f *field) bounded(t reflect.Type) bool {
	_, given := t.Field(f.index).Tag.Lookup("min")
	return given
}

// The types that have a form of their own in YAML.
var (
	durationType  = reflect.TypeFor[time.Duration]()
	rateType      = reflect.TypeFor[Rate]()
	stagesType    = reflect.TypeFor[Stages]()
	thinkType     = reflect.TypeFor[ThinkTime]()
	keepAliveType = reflect.TypeFor[KeepAlive]()
	pairsType     = reflect.TypeFor[[]Pair]()
	textsType     = reflect.TypeFor[[]string]()
)

// join extends a path: requests[0] and url make requests[0].url.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }
