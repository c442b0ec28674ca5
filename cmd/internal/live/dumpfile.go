package live

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui"
)

// DumpFile is one dump of a file.
type DumpFile struct {
	threads.Found
	File string    // base name
	Wall time.Time // when it was taken, else when the file was written
}

// Dumps is dumps of files on the screen, one at a time with those before it as
// its history. It is a session without a JVM.
type Dumps struct {
	*Replay // refuses what needs a JVM
	list    []DumpFile
	meta    probes.Meta

	mu      sync.Mutex
	at      int // the one shown
	now     *Replay
	base    uint64 // versions of those shown before
	changed chan struct{}
	about   probes.DumpAt
	since   map[sinceKey]probes.Since
	rows    []probes.ThreadRow // of the dump, with since
}

// sinceKey is a thread of one dump.
type sinceKey struct {
	id, nid int64
	name    string
}

// NewDumps shows the last of the dumps, which are in the order of time and at
// least one.
func NewDumps(list []DumpFile, tool string) *Dumps {
	meta := probes.Meta{Started: list[0].Wall, Tool: tool, JVM: probes.JVM{Name: list[0].File}}
	d := &Dumps{Replay: Records(meta, nil, time.Second), list: list, meta: meta, changed: make(chan struct{})}
	d.show(len(list) - 1)
	return d
}

// show makes the session of the dumps up to one. The caller holds the lock, or
// is the only one.
func (d *Dumps) show(at int) {
	var recs []probes.Record
	begin := d.list[0].Wall
	for i := range d.list[:at+1] {
		f := &d.list[i]
		dump := *f.Dump
		dump.Taken = time.Time{}
		if f.timed() {
			dump.Taken = f.Wall
		}
		recs = append(recs, probes.Record{Sample: &probes.Sample{Wall: f.Wall, Elapsed: max(f.Wall.Sub(begin), time.Duration(i)*time.Millisecond), Dump: &dump}})
	}
	if d.now != nil {
		d.base += d.now.store.Version()
	}
	d.at, d.now = at, Records(d.meta, recs, time.Hour)
	d.compare()
}

func (f *DumpFile) timed() bool { return f.Stamp != "" || !f.Dump.Taken.IsZero() }

// compare tells what has become of the threads since the dump before.
func (d *Dumps) compare() {
	f := &d.list[d.at]
	d.about = probes.DumpAt{At: d.at + 1, Of: len(d.list), File: f.File, Line: f.Line, Stamp: f.Stamp, Taken: f.Dump.Taken}
	d.since, d.rows = make(map[sinceKey]probes.Since), nil
	if d.at == 0 {
		return
	}
	spans := make([]threads.Span, d.at+1)
	for i := range spans {
		spans[i] = threads.Span{Dump: d.list[i].Dump, Taken: d.list[i].Clock}
	}
	put := func(s threads.Seen, rank int, text string) {
		d.since[sinceKey{s.ID.V, s.NID.V, s.Name}] = probes.Since{Text: text, Rank: rank}
	}
	a := &d.about
	for _, s := range threads.Compare(spans).Stuck {
		rank, word := 4, "stuck"
		if s.Idle {
			rank, word = 5, "idle"
		} else {
			a.Stuck++
		}
		put(s.Seen, rank, fmt.Sprintf("%s %d dumps", word, s.Dumps))
	}
	last := threads.Compare(spans[d.at-1:])
	a.Compared, a.Seconds, a.Mixed = true, last.Seconds, last.Mixed
	a.New, a.Gone, a.Moved, a.Changed = len(last.New), len(last.Gone), len(last.Moved), len(last.Changes)
	for _, m := range last.Moved {
		put(m.Seen, 3, "moved")
	}
	for _, c := range last.Changes {
		put(c.Seen, 2, "was "+string(c.From))
	}
	for _, s := range last.New {
		put(s, 1, "new")
	}
	for _, s := range last.Gone[:min(len(last.Gone), 5)] {
		a.GoneOf = append(a.GoneOf, s.Name)
	}
}

// Frame builds a frame of the dump that is shown.
func (d *Dumps) Frame(spec probes.FrameSpec) *probes.Frame {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.now.Frame(spec)
	f.Version += d.base
	about := d.about
	f.DumpAt = &about
	if d.rows == nil {
		d.rows = append([]probes.ThreadRow{}, f.Rows...)
		for i := range d.rows {
			r := &d.rows[i]
			r.Since = d.since[sinceKey{r.ID, r.NID, r.Name}]
		}
	}
	f.Rows = d.rows
	return f
}

// Wait blocks until another dump is shown.
func (d *Dumps) Wait(ctx context.Context, version uint64) error {
	for {
		d.mu.Lock()
		v, ch := d.base+d.now.store.Version(), d.changed
		d.mu.Unlock()
		if v > version {
			return nil
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Price knows one act, which costs nothing.
func (d *Dumps) Price(ctx context.Context, a tui.Act) (tui.Price, error) {
	if a.Kind != tui.ActStep {
		return d.Replay.Price(ctx, a)
	}
	return tui.Price{Free: true}, nil
}

// Act goes to another dump: Arg is how many further on.
func (d *Dumps) Act(ctx context.Context, a tui.Act) (string, error) {
	if a.Kind != tui.ActStep {
		return d.Replay.Act(ctx, a)
	}
	n, err := strconv.Atoi(a.Arg)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	to := min(max(d.at+n, 0), len(d.list)-1)
	if to != d.at {
		d.show(to)
		close(d.changed)
		d.changed = make(chan struct{})
	}
	return fmt.Sprintf("dump %d of %d", d.at+1, len(d.list)), nil
}

// Backend gives the screen this one session, and no list of JVMs.
func (d *Dumps) Backend() tui.Backend { return dumpsBackend{d} }

type dumpsBackend struct{ d *Dumps }

func (b dumpsBackend) WaitList(ctx context.Context, _ uint64) (tui.List, error) {
	<-ctx.Done()
	return tui.List{}, ctx.Err()
}

func (b dumpsBackend) Open(context.Context, int) (tui.Session, error) { return b.d, nil }
