package threads

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
)

// TopFrames is how many innermost frames must be the same, with their lines,
// for a thread to count as being in the same place.
const TopFrames = 3

// Span is one of several dumps: what to compare and when it was taken.
type Span struct {
	Dump *probes.ThreadDump
	// Taken is the time of the dump on one clock for all of them; zero: unknown.
	Taken time.Time
}

// Seen is a thread as the comparison knows it.
type Seen struct {
	Name string            `json:"name"`
	ID   probes.Opt[int64] `json:"id"`
	NID  probes.Opt[int64] `json:"nid"`
	// State and Frame are of the last dump that has it; Frame is the innermost, "" without one.
	State probes.ThreadState `json:"state"`
	Frame string             `json:"frame"`
}

// Move is a thread that is in the first and the last dump, at other frames.
type Move struct {
	Seen
	From string `json:"from"` // the innermost frame in the first dump
}

// Change is a thread whose state in the last dump is not that in the first.
type Change struct {
	Seen
	From probes.ThreadState `json:"from"`
}

// Stuck is a thread that the last dump shows where earlier ones did.
type Stuck struct {
	Seen
	Dumps int `json:"dumps"` // how many, up to the last; at least 2
	// For is the time between the first and last of these: it was there at each
	// of them, which is no proof that it was there in between.
	For      probes.Opt[float64] `json:"for_seconds"`
	Activity Activity            `json:"-"`
	Idle     bool                `json:"idle"`  // a worker without work
	Stack    []string            `json:"stack"` // of the last dump
}

// Comparison is what several dumps of one JVM tell together.
type Comparison struct {
	Dumps   int                 `json:"dumps"`
	Seconds probes.Opt[float64] `json:"seconds"` // from the first to the last
	New     []Seen              `json:"new"`     // in the last and not in the first
	Gone    []Seen              `json:"gone"`    // in the first, or in one between, and not in the last
	Moved   []Move              `json:"moved"`
	Stuck   []Stuck             `json:"stuck"`
	Changes []Change            `json:"state_changes"`
	Both    int                 `json:"in_first_and_last"` // threads
	// Mixed says that some dumps have native ids and some have not: they are of
	// two kinds. dump_to_file lists virtual threads and none of the JVM's own;
	// all others the other way round, so that new and gone hold those, too.
	Mixed bool `json:"mixed"`
}

// identity is what makes two entries one thread: the name and #id, and the
// native id where every dump has them, so that dumps of two runs of one program
// are not taken for one. The nth of several that are alike is the nth again.
type identity struct {
	id, nid int64
	name    string
	nth     int
}

// track is one thread through the dumps: its index in each, -1 where it is not.
type track struct{ at []int }

// Compare finds what became of every thread over dumps in the order of time.
// Lists are in the order of the dump that they speak of, stuck threads by how
// long, those with a lock or work before idle ones. It needs two dumps at least,
// else the value is empty.
func Compare(dumps []Span) Comparison {
	c := Comparison{Dumps: len(dumps), New: []Seen{}, Gone: []Seen{}, Moved: []Move{}, Stuck: []Stuck{}, Changes: []Change{}}
	if len(dumps) < 2 {
		return c
	}
	c.Seconds = between(dumps[0], dumps[len(dumps)-1])
	for _, s := range dumps[1:] {
		c.Mixed = c.Mixed || hasNIDs(s.Dump) != hasNIDs(dumps[0].Dump)
	}
	last := len(dumps) - 1
	for _, k := range tracks(dumps) {
		first, final := k.at[0], k.at[last]
		if final < 0 {
			for n := last; n >= 0; n-- {
				if k.at[n] >= 0 {
					c.Gone = append(c.Gone, seen(&dumps[n].Dump.Threads[k.at[n]]))
					break
				}
			}
			continue
		}
		now := &dumps[last].Dump.Threads[final]
		if first < 0 {
			c.New = append(c.New, seen(now))
		} else {
			c.Both++
			was := &dumps[0].Dump.Threads[first]
			if !samePlace(was, now) {
				c.Moved = append(c.Moved, Move{seen(now), topFrame(was)})
			}
			if was.State != now.State {
				c.Changes = append(c.Changes, Change{seen(now), was.State})
			}
		}
		if s, ok := stuck(dumps, k, now); ok {
			c.Stuck = append(c.Stuck, s)
		}
	}
	slices.SortStableFunc(c.Stuck, func(a, b Stuck) int {
		if a.Idle != b.Idle {
			return cmp.Compare(boolInt(a.Idle), boolInt(b.Idle))
		}
		return cmp.Or(cmp.Compare(b.Dumps, a.Dumps), cmp.Compare(rank(b.Activity), rank(a.Activity)))
	})
	return c
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rank puts what hurts first: blocked, then in code or a read, then waiting.
func rank(a Activity) int {
	switch a {
	case ActBlocked:
		return 3
	case ActRunning:
		return 2
	case ActIO:
		return 1
	}
	return 0
}

// tracks follows every thread, in the order of the last dump, then those that
// it does not have.
func tracks(dumps []Span) []track {
	nids := true
	for _, s := range dumps {
		nids = nids && hasNIDs(s.Dump)
	}
	found := make(map[identity]*track)
	var order []*track
	for n := len(dumps) - 1; n >= 0; n-- {
		alike := make(map[identity]int)
		for i := range dumps[n].Dump.Threads {
			t := &dumps[n].Dump.Threads[i]
			id := identity{id: t.ID, name: t.Name}
			if nids {
				id.nid = t.NID
			}
			alike[id]++
			id.nth = alike[id]
			k := found[id]
			if k == nil {
				k = &track{at: slices.Repeat([]int{-1}, len(dumps))}
				found[id] = k
				order = append(order, k)
			}
			k.at[n] = i
		}
	}
	out := make([]track, len(order))
	for i, k := range order {
		out[i] = *k
	}
	return out
}

// hasNIDs tells whether a dump gives native ids (dump_to_file does not).
func hasNIDs(d *probes.ThreadDump) bool {
	for i := range d.Threads {
		if d.Threads[i].NID != 0 {
			return true
		}
	}
	return false
}

// stuck counts how many dumps, back from the last, have the thread in its
// place. Threads without Java frames cannot be judged.
func stuck(dumps []Span, k track, now *probes.Thread) (Stuck, bool) {
	last := len(dumps) - 1
	since := last
	for n := last - 1; n >= 0 && k.at[n] >= 0; n-- {
		if !samePlace(&dumps[n].Dump.Threads[k.at[n]], now) {
			break
		}
		since = n
	}
	if since == last || len(now.Stack) == 0 {
		return Stuck{}, false
	}
	s := Stuck{Seen: seen(now), Dumps: last - since + 1, For: between(dumps[since], dumps[last]), Activity: ActivityOf(now)}
	s.Idle = s.Activity == ActIdle
	for _, f := range now.Stack {
		s.Stack = append(s.Stack, f.Method)
	}
	return s, true
}

// samePlace compares the innermost frames, in whatever form the dumps have.
func samePlace(a, b *probes.Thread) bool {
	n := min(TopFrames, len(a.Stack))
	if n != min(TopFrames, len(b.Stack)) {
		return false
	}
	for i := range n {
		x, y := a.Stack[i].Method, b.Stack[i].Method
		if x != y && placeOf(x) != placeOf(y) {
			return false
		}
	}
	return true
}

func between(a, b Span) probes.Opt[float64] {
	if a.Taken.IsZero() || b.Taken.IsZero() || b.Taken.Before(a.Taken) {
		return probes.None[float64]()
	}
	return probes.Some(b.Taken.Sub(a.Taken).Seconds())
}

func seen(t *probes.Thread) Seen {
	s := Seen{Name: t.Name, State: t.State, Frame: topFrame(t)}
	if t.ID != 0 {
		s.ID = probes.Some(t.ID)
	}
	if t.NID != 0 {
		s.NID = probes.Some(t.NID)
	}
	return s
}

func topFrame(t *probes.Thread) string {
	if len(t.Stack) == 0 {
		return ""
	}
	return t.Stack[0].Method
}

// Growing counts the new threads by the pattern of their names, the most first,
// with what is gone of the same pattern: names of a thread leak. Patterns that
// did not grow are left out.
func (c *Comparison) Growing() []Growth {
	grown := make(map[string]*Growth)
	count := func(list []Seen, add func(*Growth)) {
		for _, s := range list {
			p := starred(s.Name)
			if !strings.Contains(p, "*") {
				continue
			}
			if grown[p] == nil {
				grown[p] = &Growth{Pattern: p}
			}
			add(grown[p])
		}
	}
	count(c.New, func(g *Growth) { g.New++ })
	count(c.Gone, func(g *Growth) { g.Gone++ })
	out := []Growth{}
	for _, g := range grown {
		if g.New > g.Gone {
			out = append(out, *g)
		}
	}
	slices.SortFunc(out, func(a, b Growth) int {
		return cmp.Or(cmp.Compare(b.New-b.Gone, a.New-a.Gone), cmp.Compare(a.Pattern, b.Pattern))
	})
	return out
}

// Growth is a family of thread names that has more members than before.
type Growth struct {
	Pattern string `json:"pattern"`
	New     int    `json:"new"`
	Gone    int    `json:"gone"`
}
