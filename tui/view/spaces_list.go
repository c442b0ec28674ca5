package view

import (
	"time"

	"example.com/jtop/probes"
)

// space is a column of the Spaces page and a row of its table.
type space struct {
	id                   probes.PoolID
	name, short          string // as the table and as the map name it
	used, committed, max probes.Opt[int64]
	size                 probes.Opt[int64] // what it is drawn as: max, or committed where max is shared or far away
	asOf                 time.Time
	source               string
	inHeap               bool
	rest                 bool // what spaces share and none has: address space alone
}

// shortNames fit under a column of four cells.
var shortNames = map[probes.PoolID]string{probes.PoolEden: "Eden", probes.PoolSurvivor0: "S0", probes.PoolSurvivor1: "S1", probes.PoolSurvivor: "Surv",
	probes.PoolYoung: "Young", probes.PoolOld: "Old", probes.PoolHeap: "Heap", probes.PoolMetaspace: "Meta", probes.PoolClassSpace: "Class", probes.PoolCodeCache: "Code"}

// spacesOf is the spaces that this JVM really has, heap first, with what they
// share between them.
func spacesOf(f *probes.Frame) []space {
	var out []space
	for _, p := range f.Snap.Raw.Pools {
		s := space{id: p.ID, name: p.Name, short: shortNames[p.ID], used: p.Used, committed: p.Committed, max: p.Max, size: p.Max, asOf: p.AsOf, source: p.Source, inHeap: p.InHeap}
		if s.short == "" {
			s.short = p.Name
		}
		if !s.size.OK || !s.inHeap && farAbove(p.Max, p.Committed) {
			s.size = p.Committed
		}
		if s.used.OK && s.committed.OK && s.used.V > s.committed.V && s.size == s.committed {
			s.size = s.used // two readings of different ages
		}
		out = append(out, s)
	}
	return shareRoom(f, out)
}

// shareRoom draws spaces that may each grow into the same room as large as they
// are, and the room that none of them has as one of its own: the whole heap of
// G1 and generational ZGC, the young generation of Parallel.
func shareRoom(f *probes.Frame, all []space) []space {
	h := f.Snap.Raw.Heap
	if h == nil || !h.Max.OK {
		return all
	}
	var young, heap, old []int
	for i, s := range all {
		switch {
		case !s.inHeap || s.id == probes.PoolHeap:
		case s.id == probes.PoolOld:
			old, heap = append(old, i), append(heap, i)
		default:
			young, heap = append(young, i), append(heap, i)
		}
	}
	if len(old) != 1 || len(young) == 0 {
		return all
	}
	room, members, name := h.Max, heap, "heap"
	if o := all[old[0]]; o.max.OK && o.max.V < h.Max.V {
		room, members, name = probes.Some(h.Max.V-o.max.V), young, "young"
		if sum := sizes(all, young); !sum.OK || sum.V <= room.V+room.V/50 {
			return all // each has its own maximum: Serial, CMS
		}
	}
	var committed int64
	for _, i := range members {
		if !all[i].committed.OK {
			return all
		}
		all[i].size = all[i].committed
		committed += all[i].committed.V
	}
	left := room.V - committed
	if left <= 0 {
		return all
	}
	last := members[len(members)-1] + 1
	rest := space{name: "not committed (" + name + ")", short: "free", size: probes.Some(left), max: probes.Some(left), inHeap: true, rest: true}
	out := append([]space(nil), all[:last]...)
	return append(append(out, rest), all[last:]...)
}

func sizes(all []space, of []int) probes.Opt[int64] {
	var sum int64
	for _, i := range of {
		if !all[i].max.OK {
			return probes.None[int64]()
		}
		sum += all[i].max.V
	}
	return probes.Some(sum)
}
