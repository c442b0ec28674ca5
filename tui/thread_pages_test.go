package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// withThreads is a session on the Threads tab whose frames have all that
// dumps tell.
func withThreads(t *testing.T, o tuitest.Options) *rig {
	r := watching(t, Options{Tab: view.TabThreads})
	r.s.next(func(f *probes.Frame) {
		v := f.Version
		*f = *tuitest.Frame(o)
		f.Version = v + 1
	})
	r.Await("threads", func() bool { return r.m.watch.latest.Threads != nil })
	return r
}

func (r *rig) wants(t *testing.T, want probes.ThreadsWant) {
	t.Helper()
	r.Await("the frame that the page asks for", func() bool {
		return r.m.sess.spec.Load().Threads == want
	})
}

func TestEachPageAsksForItsOwn(t *testing.T) {
	r := withThreads(t, tuitest.Options{Threads: 40})
	for _, c := range []struct {
		part view.Part
		want probes.ThreadsWant
		says string
	}{
		{view.ThreadsTimeline, probes.WantTimeline, "BLOCK %"},
		{view.ThreadsLocks, probes.WantLocks, "WHO BLOCKS WHOM"},
		{view.ThreadsGroups, probes.WantGroups, "SAME STACK"},
	} {
		r.Keys("]")
		r.wants(t, c.want)
		if p := r.m.watch.part[view.TabThreads]; p != c.part || !strings.Contains(ansi.Strip(r.View()), c.says) {
			t.Errorf("page %d, want %d:\n%s", p, c.part, ansi.Strip(r.View()))
		}
	}
	r.Keys("1")
	r.wants(t, 0)
}

func TestTimelineOpensTheStackAndComesBack(t *testing.T) {
	r := withThreads(t, tuitest.Options{Threads: 40})
	r.Keys("]", "j", "enter")
	w := &r.m.watch
	if !w.threads.Detail || !strings.Contains(ansi.Strip(r.View()), "http-worker-16") {
		t.Fatalf("enter opens no stack:\n%s", ansi.Strip(r.View()))
	}
	r.Keys("esc")
	if w.threads.Detail || w.part[view.TabThreads] != view.ThreadsTimeline || r.m.screen != screenWatch {
		t.Error("esc does not go back to the timeline")
	}
	r.Keys("s", "S")
	if c := w.threads.Timeline.Table.SortCol; c != "running" {
		t.Errorf("sorted by %s after blocked, want running", c)
	}
	for range 3 {
		r.Keys("s")
	}
	if c := w.threads.Timeline.Table.SortCol; c != "state" {
		t.Errorf("sorted by %s, want state", c)
	}
	r.Keys("s")
	if c := w.threads.Timeline.Table.SortCol; c != "blocked" {
		t.Errorf("the strip has no order, yet it is sorted by %s", c)
	}
}

func TestPagesFoldAndFilter(t *testing.T) {
	r := withThreads(t, tuitest.Options{Threads: 40})
	r.Keys("]", "]")
	if s := ansi.Strip(r.View()); strings.Contains(s, "http-worker-6 ") || !strings.Contains(s, "enter shows them") {
		t.Fatalf("a preview shows five victims:\n%s", s)
	}
	r.Keys("enter")
	if s := ansi.Strip(r.View()); !strings.Contains(s, "http-worker-6 ") {
		t.Errorf("unfolded, every victim is shown:\n%s", s)
	}
	r.Keys("enter")
	if s := ansi.Strip(r.View()); strings.Contains(s, "http-worker-36") || !strings.Contains(s, "8 waiters") {
		t.Errorf("folded, none is:\n%s", s)
	}
	r.Keys("]", "/")
	r.Type("Pool.next")
	s := ansi.Strip(r.View())
	if !strings.Contains(s, "8 http-worker-*") || strings.Contains(s, "scheduler") {
		t.Errorf("filtered by a frame:\n%s", s)
	}
	r.Keys("esc")
	if f := r.m.watch.threads.Groups.Table.Filter; f != "" || r.m.screen != screenWatch {
		t.Errorf("the filter is %q after esc", f)
	}
}

func TestFrozenViewKeepsItsDump(t *testing.T) {
	r := withThreads(t, tuitest.Options{Threads: 40})
	r.Keys("space")
	r.wants(t, probes.WantTimeline|probes.WantLocks|probes.WantGroups)
	// A later dump, without contention.
	r.s.next(func(f *probes.Frame) {
		v := f.Version
		*f = *tuitest.Frame(tuitest.Options{Threads: 3})
		f.Version = v + 1
		f.Threads.Locks = nil
	})
	r.Await("the later frame", func() bool { return len(r.m.watch.latest.Dump.Threads) == 3 })
	r.Keys("]", "]")
	if s := ansi.Strip(r.View()); !strings.Contains(s, "9 blocked") {
		t.Errorf("what was frozen has changed:\n%s", s)
	}
	if n := len(r.m.watch.frozen.Threads.Locks); n != 3 {
		t.Errorf("%d locks, want the 3 that were frozen", n)
	}
}

func TestDeadlockIsOnEveryTab(t *testing.T) {
	r := withThreads(t, tuitest.Options{Threads: 40, Deadlock: true})
	for _, tab := range view.Tabs {
		r.Keys(string(rune('1' + int(tab))))
		s := ansi.Strip(r.View())
		if !strings.Contains(s, "DEADLOCK of 2 threads, dump 1.2 s old") || strings.Count(s, "\n") != r.m.h-1 {
			t.Errorf("%s:\n%s", tab.Title(), s)
		}
	}
}
