package hprof

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// mostClasses bounds the classes of a dump. The biggest services have 200,000.
const mostClasses = 1 << 20

// class is what is known of a class and its objects.
type class struct {
	id           uint64
	super, name  uint64
	described    bool // a CLASS_DUMP was seen; else it was only named or used
	thread       int8 // 1: a subclass of java.lang.Thread; -1: none; 0: not yet asked
	own, statics fieldCounts
	instances    int64 // or arrays
	arrays       int64 // of instances, those that are arrays of references
	elements     int64 // of these arrays
	odd          int64 // of these arrays, those with an odd number of elements
	// apart is the least distance from an instance to an object after it, in
	// bytes: no less than the size of an instance. 0: not known.
	apart int64
}

// classTable numbers classes by their ids.
type classTable struct {
	ids     idTable
	list    []class
	serials map[uint32]int // by the numbers that stack frames use
	lastID  uint64
	last    int
}

// get returns the number of a class, which is new where it was not known.
func (t *classTable) get(id uint64) (int, error) {
	if id == t.lastID && len(t.list) > 0 {
		return t.last, nil
	}
	i, ok := t.ids.find(id)
	if !ok {
		if len(t.list) == mostClasses {
			return 0, fmt.Errorf("there are more than %d classes", mostClasses)
		}
		i = t.ids.put(id)
		t.list = append(t.list, class{id: id})
	}
	t.lastID, t.last = id, i
	return i, nil
}

// find returns the number of a class that is known.
func (t *classTable) find(id uint64) (int, bool) { return t.ids.find(id) }

// loaded numbers a class that the JVM has loaded.
func (t *classTable) loaded(serial uint32, id, name uint64) error {
	i, err := t.get(id)
	if err != nil {
		return err
	}
	t.list[i].name = name
	if t.serials == nil {
		t.serials = map[uint32]int{}
	}
	if len(t.serials) < mostClasses {
		t.serials[serial] = i
	}
	return nil
}

// deepest bounds a chain of superclasses: one that is longer is a loop.
const deepest = 1000

// below tells whether class i is base or a subclass of it.
func (t *classTable) below(i, base int) bool {
	for range deepest {
		if i == base {
			return true
		}
		up, ok := t.find(t.list[i].super)
		if !ok {
			return false
		}
		i = up
	}
	return false
}

var arrayTypes = map[byte]string{'Z': "boolean", 'C': "char", 'F': "float", 'D': "double", 'B': "byte", 'S': "short", 'I': "int", 'J': "long"}

// elementNames are the basic types by their numbers.
var elementNames = [12]string{4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short", 10: "int", 11: "long"}

// className writes a name of the file as Java source has it, safe to draw.
// Hidden classes are written with a slash, as the JVM does.
func className(raw string) string {
	depth := 0
	for depth < len(raw) && raw[depth] == '[' {
		depth++
	}
	s := raw[depth:]
	if depth > 0 && s != "" {
		if basic, ok := arrayTypes[s[0]]; ok && len(s) == 1 {
			s = basic
		} else {
			s = strings.TrimSuffix(strings.TrimPrefix(s, "L"), ";")
		}
	}
	s = strings.ReplaceAll(strings.ReplaceAll(s, "/", "."), "+", "/")
	return probes.Clean(cutText(s, longestName) + strings.Repeat("[]", min(depth, 255)))
}
