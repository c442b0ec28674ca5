package plan

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
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
	bounded  bool
	min, max float64 // of a bounded one; max 0: no greatest value
}

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldCache.Load(t); ok {
		return known.([]field)
	}
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
		_, f.bounded = tag.Lookup("min")
		list = append(list, f)
	}
	fieldCache.Store(t, list)
	return list
}

// fieldCache keeps what fieldsOf found, by type.
var fieldCache sync.Map

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
