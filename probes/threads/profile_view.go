package threads

import (
	"cmp"
	"slices"
	"time"

	"example.com/jtop/probes"
)

// prunedUnder is the share of samples and of CPU, in percent, below which a
// node of a tree is left out.
const prunedUnder = 0.5

// ViewProfile makes the list and the two trees of a profile. What a recording
// may hold that no profile has (indices beyond its methods) is left out.
func ViewProfile(p *probes.Profile) *probes.ProfileView {
	v := &probes.ProfileView{Profile: p, PrunedUnder: prunedUnder}
	down, up := &profileTree{}, &profileTree{}
	flat := make([]probes.ProfileMethod, len(p.Methods))
	seen := make([]int, len(p.Methods)) // the stack that counted a method last, from 1
	for n := range p.Stacks {
		s := &p.Stacks[n]
		if len(s.Frames) == 0 || slices.ContainsFunc(s.Frames, func(f int32) bool { return f < 0 || int(f) >= len(p.Methods) }) {
			continue
		}
		m := &flat[s.Frames[0]]
		m.Self += s.Samples
		m.SelfCPU += s.CPU
		for _, f := range s.Frames {
			if seen[f] != n+1 { // a method that calls itself counts once a stack
				seen[f] = n + 1
				flat[f].Total += s.Samples
				flat[f].TotalCPU += s.CPU
			}
		}
		up.add(s, func(i int) int32 { return s.Frames[i] })
		down.add(s, func(i int) int32 { return s.Frames[len(s.Frames)-1-i] })
	}
	for i := range flat {
		if m := &flat[i]; m.Total > 0 || m.TotalCPU > 0 {
			m.Name = p.Methods[i]
			v.Flat = append(v.Flat, *m)
		}
	}
	slices.SortStableFunc(v.Flat, func(a, b probes.ProfileMethod) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.SelfCPU, a.SelfCPU), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	v.Down, v.Up = down.lines(v), up.lines(v)
	return v
}

// profileTree is a node with what it calls, or what calls it.
type profileTree struct {
	method  int32
	samples int
	cpu     time.Duration
	kids    []*profileTree
	byID    map[int32]*profileTree
}

func (t *profileTree) add(s *probes.ProfileStack, frame func(i int) int32) {
	t.samples += s.Samples
	t.cpu += s.CPU
	for i := range s.Frames {
		id := frame(i)
		kid := t.byID[id]
		if kid == nil {
			kid = &profileTree{method: id}
			if t.byID == nil {
				t.byID = make(map[int32]*profileTree)
			}
			t.byID[id] = kid
			t.kids = append(t.kids, kid)
		}
		kid.samples += s.Samples
		kid.cpu += s.CPU
		t = kid
	}
}

// lines writes the tree out, without its root.
func (t *profileTree) lines(v *probes.ProfileView) []probes.ProfileNode {
	var out []probes.ProfileNode
	var walk func(t *profileTree, depth, indent int)
	keep := func(k *profileTree) bool {
		return float64(k.samples)*100 >= prunedUnder*float64(v.Running) && k.samples > 0 ||
			v.CPU.V > 0 && float64(k.cpu)*100 >= prunedUnder*float64(v.CPU.V)
	}
	walk = func(t *profileTree, depth, indent int) {
		kept := slices.DeleteFunc(slices.Clone(t.kids), func(k *profileTree) bool { return !keep(k) })
		v.Pruned += len(t.kids) - len(kept)
		slices.SortFunc(kept, func(a, b *profileTree) int {
			return cmp.Or(cmp.Compare(b.samples, a.samples), cmp.Compare(b.cpu, a.cpu), cmp.Compare(v.Methods[a.method], v.Methods[b.method]))
		})
		if depth > 0 && len(kept) > 1 {
			indent++
		}
		for _, k := range kept {
			at := len(out)
			out = append(out, probes.ProfileNode{Name: v.Methods[k.method], Depth: depth, Indent: indent, Samples: k.samples, CPU: k.cpu})
			walk(k, depth+1, indent)
			out[at].Leaf = len(out) == at+1
		}
	}
	walk(t, 0, 0)
	return out
}
