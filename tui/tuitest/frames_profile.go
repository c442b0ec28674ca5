package tuitest

import (
	"time"

	"example.com/jtop/probes"
)

// profile is hot methods by 42 dumps, as threads.ViewProfile makes them.
func profile(hostile bool) *probes.ProfileView {
	ms := time.Millisecond
	p := &probes.Profile{Started: Wall.Add(-time.Minute), Took: 8 * time.Second, Planned: 10 * time.Second, Dumps: 42, Stopped: 39 * ms, Running: 118,
		CPU: probes.Some(9100 * ms), Unseen: 310 * ms, Note: "stopped early"}
	v := &probes.ProfileView{Profile: p, Pruned: 7, PrunedUnder: 0.5}
	name := func(s string) string {
		if hostile {
			return Nasty
		}
		return s
	}
	for _, m := range []probes.ProfileMethod{
		{Name: "com.acme.question.Shuffle.next", Self: 71, Total: 71, SelfCPU: 5200 * ms, TotalCPU: 5200 * ms},
		{Name: "java.util.regex.Pattern$CharProperty.match", Self: 30, Total: 30, SelfCPU: 2100 * ms, TotalCPU: 2100 * ms},
		{Name: "com.acme.question.Json.write", Self: 17, Total: 47, SelfCPU: 900 * ms, TotalCPU: 3 * time.Second},
		{Name: "[C2 CompilerThread*]", SelfCPU: 590 * ms, TotalCPU: 590 * ms},
		{Name: "com.acme.question.Handler.handle", Total: 118, TotalCPU: 8200 * ms},
	} {
		m.Name = name(m.Name)
		v.Flat = append(v.Flat, m)
	}
	for _, n := range []probes.ProfileNode{
		{Name: "java.lang.Thread.run", Samples: 118, CPU: 8200 * ms}, {Name: "com.acme.question.Handler.handle", Depth: 1, Samples: 118, CPU: 8200 * ms},
		{Name: "com.acme.question.Shuffle.next", Depth: 2, Indent: 1, Samples: 71, CPU: 5200 * ms, Leaf: true}, {Name: "com.acme.question.Json.write", Depth: 2, Indent: 1, Samples: 47, CPU: 3 * time.Second},
		{Name: "java.util.regex.Pattern$CharProperty.match", Depth: 3, Indent: 1, Samples: 30, CPU: 2100 * ms, Leaf: true}, {Name: "[C2 CompilerThread*]", CPU: 590 * ms, Leaf: true},
	} {
		n.Name = name(n.Name)
		v.Down = append(v.Down, n)
		if n.Leaf {
			n.Depth, n.Indent = 0, 0
			v.Up = append(v.Up, n)
		}
	}
	return v
}
