package threads

import (
	"cmp"
	"slices"
	"strings"

	"example.com/jtop/probes"
)

// Group is the threads that stand in the same state at the same stack.
type Group = probes.Group

// groupNames bounds Group.Names: 5,000 threads of one pool need no list.
const groupNames = 5

// Groups folds threads with identical stacks, the biggest group first and the
// threads without Java frames at the end. Which objects they lock does not
// matter, lines do.
func Groups(threads []probes.Thread) []Group {
	at := make(map[string]int)
	var out []Group
	var key strings.Builder
	for i := range threads {
		t := &threads[i]
		key.Reset()
		key.WriteString(string(t.State))
		for _, f := range t.Stack {
			key.WriteByte('\n') // cleaned text has none
			key.WriteString(f.Method)
		}
		n, ok := at[key.String()]
		if !ok {
			n = len(out)
			at[strings.Clone(key.String())] = n
			g := Group{State: t.State, Stack: make([]string, len(t.Stack))}
			for k, f := range t.Stack {
				g.Stack[k] = f.Method
			}
			out = append(out, g)
		}
		g := &out[n]
		g.Threads = append(g.Threads, i)
		if g.Count++; g.Count <= groupNames {
			g.Names = append(g.Names, t.Name)
		}
	}
	slices.SortStableFunc(out, func(a, b Group) int {
		if (len(a.Stack) == 0) != (len(b.Stack) == 0) {
			return cmp.Compare(len(b.Stack), len(a.Stack))
		}
		return cmp.Compare(b.Count, a.Count)
	})
	return out
}
