package threads

import (
	"cmp"
	"slices"
	"strings"

	"example.com/jtop/probes"
)

// Pool is the threads whose names differ in a number only.
type Pool = probes.Pool

// Pools finds the pools of at least two threads, the biggest first. A name
// belongs to the pattern in which the number at its end is a star. Threads that
// are alone with theirs are looked at once more with every number a star, so
// that an executor created for each request (pool-7-thread-1, pool-8-thread-1)
// shows as one growing pool. Threads of the JVM itself are left out.
func Pools(threads []probes.Thread) []Pool {
	first := make(map[string][]int)
	for i := range threads {
		if p, ok := tailPattern(threads[i].Name); ok && threads[i].State != probes.StateVM {
			first[p] = append(first[p], i)
		}
	}
	all := make(map[string][]int)
	for p, members := range first {
		if len(members) > 1 {
			all[p] = members
		}
	}
	for _, members := range first {
		if len(members) == 1 {
			p := starred(threads[members[0]].Name)
			all[p] = append(all[p], members[0])
		}
	}
	var out []Pool
	for p, members := range all {
		if len(members) < 2 {
			continue
		}
		slices.Sort(members)
		out = append(out, poolOf(p, threads, members))
	}
	slices.SortFunc(out, func(a, b Pool) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Pattern, b.Pattern))
	})
	return out
}

func poolOf(pattern string, threads []probes.Thread, members []int) Pool {
	p := Pool{Pattern: pattern, Size: len(members), States: make(map[probes.ThreadState]int), Threads: members}
	for _, i := range members {
		p.States[threads[i].State]++
		switch ActivityOf(&threads[i]) {
		case ActRunning:
			p.Running++
		case ActIO:
			p.IO++
		case ActBlocked:
			p.Blocked++
		case ActWaiting:
			p.Waiting++
		case ActIdle:
			p.Idle++
		default:
			p.Unknown++
		}
	}
	return p
}

// tailPattern puts a star for the number at a name's end.
func tailPattern(name string) (string, bool) {
	head := strings.TrimRight(name, "0123456789")
	if len(head) == len(name) || head == "" {
		return "", false
	}
	return head + "*", true
}

// starred puts a star for every number.
func starred(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		if c := name[i]; c < '0' || c > '9' {
			b.WriteByte(c)
			i++
			continue
		}
		for i < len(name) && name[i] >= '0' && name[i] <= '9' {
			i++
		}
		b.WriteByte('*')
	}
	return b.String()
}
