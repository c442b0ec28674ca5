package load

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.com/jtop/probes"
)

// Follower shows a JTL that another program is writing as if it were a run of
// jtop's own. Run reads it once; Sample and Stop may be
// called from any goroutine.
type Follower struct {
	name string
	path string
	tail *Tail
	j    *JTLReader
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex // guards what follows
	phase   probes.LoadPhase
	problem *probes.Problem
	live    bool      // the backlog is read, so that what comes is new
	grew    time.Time // when a sample was last seen to come
	samples int64     // by then
}

// NewFollower looks whether a JTL can be read; Run opens it. The error is a *probes.Problem.
func NewFollower(path string) (*Follower, error) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("it is no regular file")
	}
	if err == nil {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			err = f.Close() // only whether it can be
		}
	}
	if err != nil {
		return nil, bad("the JTL cannot be followed", probes.Clean(err.Error()), "give the file that JMeter's -l names, once JMeter has begun to write it")
	}
	ctx, stop := context.WithCancel(context.Background())
	fo := &Follower{name: probes.Clean(filepath.Base(path)), path: path, ctx: ctx, stop: stop, phase: probes.LoadFollowing}
	fo.tail = NewTail(ctx, nil)
	fo.j = NewJTLReader(fo.tail)
	fo.j.recent = newGroup()
	return fo, nil
}

// Name is the file's, as the samples have it.
func (f *Follower) Name() string { return f.name }

// Stop ends Run.
func (f *Follower) Stop() { f.stop() }

// Run reads until Stop or the end of the context. The error is a
// *probes.Problem: it is no JTL, or became shorter.
func (f *Follower) Run(ctx context.Context) error {
	defer context.AfterFunc(ctx, f.stop)()
	file, err := os.Open(f.path)
	if err == nil {
		defer file.Close()
		f.tail.f = file
		err = f.j.Read()
	} else {
		err = bad("the JTL cannot be followed", probes.Clean(err.Error()), "was it removed?")
	}
	stopped := f.ctx.Err() != nil
	f.stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.phase = probes.LoadDone
	if err != nil && (!stopped || f.j.count() != 0) { // a file in which nothing came is no error when it is left
		errors.As(err, &f.problem)
		return err
	}
	return nil
}

// unwritten is the time without a new sample from which on it is told.
const unwritten = 10 * time.Second

// Sample is what the file tells so far; its interval is what was read since
// the last call. What was in the file before it was followed is in the totals
// alone.
func (f *Follower) Sample(now time.Time) *probes.LoadSample {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &probes.LoadSample{Phase: f.phase, File: f.name, Problem: f.problem, Stopped: f.phase == probes.LoadDone && f.problem == nil}
	f.j.fill(s, f.name, f.live && f.phase != probes.LoadDone)
	if f.live = f.live || f.tail.Caught(); !f.live {
		return s
	}
	if s.Total.Samples > f.samples || f.grew.IsZero() {
		f.grew, f.samples = now, s.Total.Samples
	}
	if gone := f.tail.Gone(); gone != "" && f.phase == probes.LoadFollowing {
		s.Warnings = []probes.LoadWarning{{State: probes.LoadGone, Text: gone}}
	} else if d := now.Sub(f.grew); f.phase == probes.LoadFollowing && d >= unwritten {
		s.Warnings = []probes.LoadWarning{{State: probes.LoadQuiet, Text: "nothing was written for " + d.Truncate(time.Second).String() + ": JMeter has ended, or waits, or writes in blocks (jmeter.save.saveservice.autoflush)"}}
	}
	return s
}
