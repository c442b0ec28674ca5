// Package live wires what watches JVMs: the list of them, and a session on
// one. The screen and the commands without a screen use the same wiring, so
// that they cannot disagree.
package live

import (
	"context"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/tui"
)

// listEvery is how often the list of JVMs is read.
const listEvery = 1500 * time.Millisecond

// List keeps the list of JVMs current while it runs.
type List struct {
	mu      sync.Mutex
	list    tui.List
	changed chan struct{}
	wanted  time.Time // when somebody last waited
}

// NewList returns a list that Run keeps current.
func NewList() *List { return &List{changed: make(chan struct{})} }

// Run reads the list until the context ends. While nobody waits for it (a JVM
// is being watched) it reads nothing.
func (l *List) Run(ctx context.Context, procRoot string) {
	lister := jvm.NewLister(procRoot)
	defer lister.Close()
	tick := time.NewTicker(listEvery)
	defer tick.Stop()
	for {
		if l.inUse() {
			l.read(lister)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (l *List) inUse() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list.Version == 0 || time.Since(l.wanted) < 3*listEvery
}

func (l *List) read(lister *jvm.Lister) {
	now := time.Now()
	rows, err := lister.List(now)
	next := tui.List{Wall: now, JVMs: rows}
	if err != nil {
		next.Problem = &probes.Problem{What: "the processes of this machine cannot be listed", Why: probes.Clean(err.Error()), Next: "jtop needs /proc"}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	next.Version = l.list.Version + 1
	l.list = next
	close(l.changed)
	l.changed = make(chan struct{})
}

// Wait blocks until the list is newer than version.
func (l *List) Wait(ctx context.Context, version uint64) (tui.List, error) {
	for {
		l.mu.Lock()
		l.wanted = time.Now()
		list, ch := l.list, l.changed
		l.mu.Unlock()
		if list.Version > version {
			return list, nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return tui.List{}, ctx.Err()
		case <-time.After(listEvery):
			// A reader that waits keeps the list in use.
		}
	}
}
