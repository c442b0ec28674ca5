package tuitest

import (
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// threadView is what dumps every two seconds of the last two minutes tell of
// the threads of a frame's dump: a lock that http-worker-0 holds, its victims,
// a lock behind it, pools, and a thread that has ended.
func threadView(f *probes.Frame) *probes.ThreadView {
	if f.Dump == nil {
		return nil
	}
	v := &probes.ThreadView{Dumps: 60, Reach: 118 * time.Second, Has: probes.WantTimeline | probes.WantLocks | probes.WantGroups,
		Growing: []probes.ThreadGrowth{{Pattern: "pool-*-thread-*", From: 3, To: 14}}}
	for range f.Dump.Deadlocks {
		v.Deadlocks = append(v.Deadlocks, 24*time.Second)
	}
	v.Timeline = timeline(f)
	v.Locks = locks(f)
	v.Groups, v.Pools = groups(f)
	return v
}

func timeline(f *probes.Frame) *probes.Timeline {
	t := &probes.Timeline{From: f.From, To: f.To}
	const n = 60
	for i := range n {
		at := f.Elapsed - time.Duration(2*(n-i))*time.Second
		t.Dumps = append(t.Dumps, probes.DumpSpan{At: at, Until: at + 2*time.Second})
	}
	for i := range f.Dump.Threads {
		d := &f.Dump.Threads[i]
		if d.State == probes.StateVM {
			continue
		}
		r := probes.TimelineRow{Name: d.Name, ID: d.ID, NID: d.NID, Daemon: d.Daemon, Phase: d.Phase(), First: i % 7, Same: 1 + i%4*5, Idle: d.Phase() == probes.PhaseParked}
		if i == 8 {
			r.Ended, r.Same = true, 0
		}
		r.SameFor = time.Duration(2*max(r.Same-1, 0)) * time.Second
		for k := r.First; k < n-10*boolInt(r.Ended); k++ {
			p := d.Phase()
			if (k+3*i)%11 < 4 {
				p = probes.PhaseRunning
			}
			r.Phases = append(r.Phases, byte(p))
		}
		for _, p := range probes.ThreadPhases {
			share := float64(strings.Count(string(r.Phases), string(rune(p)))) / float64(len(r.Phases))
			r.Share[p] = probes.Some(share)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func locks(f *probes.Frame) []probes.Contended {
	var out []probes.Contended
	for i := range f.Dump.Threads {
		d := &f.Dump.Threads[i]
		if d.State != probes.StateBlocked {
			continue
		}
		p := probes.Party{Thread: i, Name: d.Name, ID: probes.Some(d.ID), State: d.State, Frame: d.Stack[0].Method, Waits: probes.Some(time.Duration(2*i) * time.Second)}
		if out == nil {
			owner := probes.Party{Name: f.Dump.Threads[0].Name, ID: probes.Some[int64](1), State: probes.StateTimedWaiting, Frame: "java.lang.Thread.sleep(Native Method)"}
			out = append(out, probes.Contended{Lock: *d.WaitsFor, Owner: &owner, LockedAt: "com.acme.question.Pool.fill(Pool.java:51)", Behind: -1})
		}
		out[0].Waiters = append(out[0].Waiters, p)
	}
	if len(out) == 0 {
		return nil
	}
	owner := out[0].Waiters[0]
	waiter := owner
	waiter.Name, waiter.State, waiter.Waits = "audit-writer", probes.StateWaiting, probes.None[time.Duration]()
	out[0].Blocked = len(out[0].Waiters) + 1
	return append(out,
		probes.Contended{Lock: probes.Lock{ID: "0x000000076ab00002", Class: "java.lang.Object", Kind: "monitor"}, Owner: &owner, Waiters: []probes.Party{waiter}, Blocked: 1, Behind: 0, BehindLock: out[0].Lock.ID},
		probes.Contended{Lock: probes.Lock{ID: "0x000000076ab000f0", Class: "java.util.concurrent.locks.ReentrantLock$NonfairSync", Kind: "synchronizer"}, Waiters: []probes.Party{waiter}, Blocked: 1, Behind: -1})
}

func groups(f *probes.Frame) ([]probes.StackGroup, []probes.PoolUse) {
	at := map[string]int{}
	var out []probes.StackGroup
	pools := map[string]int{}
	var use []probes.PoolUse
	for i := range f.Dump.Threads {
		d := &f.Dump.Threads[i]
		pattern := strings.TrimRight(d.Name, "0123456789") + "*"
		top := ""
		if len(d.Stack) > 0 {
			top = d.Stack[0].Method
		}
		k, ok := at[string(d.State)+top]
		if !ok {
			k = len(out)
			at[string(d.State)+top] = k
			g := probes.StackGroup{Group: probes.Group{State: d.State}, Names: []probes.NameCount{{Pattern: pattern}}, Idle: d.Detail == "parking"}
			for _, s := range d.Stack {
				g.Stack = append(g.Stack, s.Method)
			}
			out = append(out, g)
		}
		out[k].Count++
		out[k].Names[0].Count++
		out[k].Threads = append(out[k].Threads, i)
		if d.State == probes.StateVM {
			continue
		}
		n, ok := pools[pattern]
		if !ok {
			n = len(use)
			pools[pattern] = n
			use = append(use, probes.PoolUse{Pool: probes.Pool{Pattern: pattern}, Busy: make([]series.Bucket, f.Columns), Sizes: make([]series.Bucket, f.Columns)})
		}
		p := &use[n].Pool
		p.Size++
		p.Threads = append(p.Threads, i)
		switch d.State {
		case probes.StateRunnable:
			p.Running++
		case probes.StateBlocked:
			p.Blocked++
		case probes.StateWaiting:
			p.Idle++
		default:
			p.Waiting++
		}
	}
	for n := range use {
		for c := f.Columns / 2; c < f.Columns; c++ {
			v := float64(use[n].Size * (c%9 + n) / 12)
			use[n].Busy[c] = series.Bucket{N: 1, Min: v, Max: v, Last: v}
		}
	}
	return out, use
}

// Leak makes a frame's live threads rise from 40 to 240 over the time shown.
func Leak(f *probes.Frame) {
	b := make([]series.Bucket, f.Columns)
	for i := range b {
		v := 40 + 200*float64(i)/float64(len(b))
		b[i] = series.Bucket{N: 1, Min: v, Max: v, Last: v}
	}
	all := make(map[probes.SeriesID][]series.Bucket, len(f.Series))
	for id, s := range f.Series {
		all[id] = s
	}
	all[probes.SeriesThreadsLive] = b
	f.Series = all
}
