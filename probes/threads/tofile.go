package threads

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// ErrCutJSON says that a dump in JSON ends within a thread. JDK 21 to 28 stop
// writing where the name of a thread holds a control character, and say that all
// went well.
var ErrCutJSON = errors.New("the JSON ends too soon")

// Open reads every dump of a file, whatever wrote it: all that ParseAll knows,
// jcmd Thread.dump_to_file of JDK 21 to 28, as JSON or as text, and JSON's own form. Errors are
// ErrNotDump, ErrCutJSON and ErrMalformed; those of single dumps are with them.
func Open(b []byte) ([]Found, error) {
	start := bytes.TrimLeft(b, "\ufeff \t\r\n")
	var f Found
	var err error
	switch {
	case len(start) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrNotDump)
	case start[0] == '{' && isSaved(start):
		f, err = parseSaved(start)
	case start[0] == '{':
		f, err = parseJSON(start)
	case isToFile(b):
		f, err = parseToFile(b)
	default:
		return ParseAll(b)
	}
	if err != nil {
		return nil, err
	}
	f.Line = 1
	return []Found{f}, nil
}

// fileThread is a thread of a dump_to_file, with the locks as its text names
// them: "java.lang.Object@67d60fac", a class and an identity hash.
type fileThread struct {
	probes.Thread
	virtual bool
	owned   []string // monitors
	blocked string   // the monitor that it waits to enter
	waiting string   // the monitor that it waits at in Object.wait
	parked  string
	owner   int64 // #id of who holds what it is parked for; 0: not told
}

// assemble turns what both forms have in common into a dump.
func assemble(list []fileThread, taken time.Time, marked bool) Found {
	d := &probes.ThreadDump{Taken: taken, Threads: make([]probes.Thread, len(list))}
	byID := make(map[int64]int, len(list))
	virtual := 0
	for i := range list {
		f := &list[i]
		if f.virtual {
			virtual++
		}
		for _, id := range f.owned {
			// Object.wait gives its monitor up.
			if l := fileLock(id, monitor); id != "" && id != f.waiting && !holds(f.Holds, l) {
				f.Holds = append(f.Holds, l)
			}
		}
		switch {
		case f.blocked != "":
			l := fileLock(f.blocked, monitor)
			f.WaitsFor, f.Detail = &l, "on object monitor"
		case f.waiting != "":
			l := fileLock(f.waiting, monitor)
			f.WaitsFor, f.Detail = &l, "on object monitor"
		case f.parked != "":
			l := fileLock(f.parked, synchronizer)
			f.WaitsFor, f.Detail = &l, "parking"
		}
		d.Threads[i] = f.Thread
		d.Threads[i].Virtual = f.virtual
		if _, twice := byID[f.ID]; !twice {
			byID[f.ID] = i
		}
	}
	for i := range list {
		if o, ok := byID[list[i].owner]; ok && list[i].owner != 0 && list[i].parked != "" {
			if l := fileLock(list[i].parked, synchronizer); !holds(d.Threads[o].Holds, l) {
				d.Threads[o].Holds = append(d.Threads[o].Holds, l)
			}
		}
	}
	d.Deadlocks = FindDeadlocks(d.Threads)
	f := Found{Dump: d, Clock: taken}
	if marked {
		f.Virtual = probes.Some(virtual)
	}
	return f
}

func holds(list []probes.Lock, l probes.Lock) bool {
	for _, h := range list {
		if h == l {
			return true
		}
	}
	return false
}

func fileLock(id, kind string) probes.Lock {
	class := id
	if i := strings.LastIndexByte(id, '@'); i > 0 {
		class = id[:i]
	}
	return probes.Lock{ID: id, Class: class, Kind: kind}
}
