package gclog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// following is a follower that a test moves by hand.
type following struct {
	t      *testing.T
	path   string
	f      *follower
	events []Event
	told   []string
	broken error
}

func follow(t *testing.T, o FollowOptions) *following {
	t.Helper()
	g := &following{t: t, path: filepath.Join(t.TempDir(), "gc.log")}
	o.Problem = func(p *probes.Problem) {
		if p == nil {
			g.told = append(g.told, "over")
		} else {
			g.told = append(g.told, p.What)
		}
	}
	open := func() (File, error) {
		if g.broken != nil {
			return nil, g.broken
		}
		return os.Open(g.path)
	}
	g.f = newFollower(open, o, func(e *Event, _ Facts) { g.events = append(g.events, *e) })
	t.Cleanup(g.f.close)
	return g
}

func (g *following) write(text string) {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		g.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		g.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		g.t.Fatal(err)
	}
}

// look is three looks at the file: the second finds nothing new and flushes,
// or finds a new file, and then the third flushes.
func (g *following) look() []int64 {
	for range 3 {
		g.f.step(context.Background())
	}
	var ids []int64
	for _, e := range g.events {
		ids = append(ids, e.ID.V)
	}
	g.events = nil
	return ids
}

func (g *following) want(ids ...int64) {
	g.t.Helper()
	if got := g.look(); fmt.Sprint(got) != fmt.Sprint(ids) {
		g.t.Errorf("collections %v, want %v", got, ids)
	}
}

func pause(id int) string {
	return fmt.Sprintf("[%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(30M) 1.000ms\n", id+1, id)
}

func TestFollowFromTheEnd(t *testing.T) {
	g := follow(t, FollowOptions{})
	g.write("[0.001s][info][gc] Using G1\n" + pause(0) + pause(1))
	g.want()
	g.write(pause(2))
	g.f.step(context.Background())
	g.want(2)
	if c := g.f.p.Facts().Collector; c != "G1" {
		t.Errorf("the collector is %q: the beginning was not read", c)
	}
	half := pause(3)
	g.write(half[:40])
	g.want()
	g.write(half[40:])
	g.want(3)
	// Beyond what is read of a large file: the beginning and the end.
	large := follow(t, FollowOptions{})
	large.write("[0.001s][info][gc] Using G1\n" + strings.Repeat("[0.5s][info][gc,init] x\n", 40000) + pause(0))
	large.want()
	large.write(pause(1))
	large.want(1)
	if l := large.f.p.Lines(); l.Total > 20000 {
		t.Errorf("%d lines were read to get to the end", l.Total)
	}
}

func TestFollowFromTheStart(t *testing.T) {
	g := follow(t, FollowOptions{FromStart: true})
	g.write(pause(0) + pause(1))
	g.want(0, 1)
	if err := os.Truncate(g.path, 0); err != nil {
		t.Fatal(err)
	}
	g.write(pause(2))
	g.want(2)
}

// Unified logging renames FILE to FILE.0 and makes a new one.
func TestFollowRotation(t *testing.T) {
	g := follow(t, FollowOptions{})
	g.write(pause(0))
	g.want()
	g.write(pause(1))
	if err := os.Rename(g.path, g.path+".0"); err != nil {
		t.Fatal(err)
	}
	g.write(pause(2))
	g.want(1, 2)
	// Nothing is there for a moment: no problem yet. What is written to the
	// renamed file meanwhile counts.
	if err := os.Rename(g.path, g.path+".1"); err != nil {
		t.Fatal(err)
	}
	g.f.step(context.Background())
	f, err := os.OpenFile(g.path+".1", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(pause(3)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	g.f.step(context.Background())
	g.write(pause(4))
	g.want(3, 4)
	if len(g.told) != 0 {
		t.Errorf("told %v", g.told)
	}
}

func TestFollowTellsProblems(t *testing.T) {
	g := follow(t, FollowOptions{})
	g.want() // not there yet
	g.want()
	g.write(pause(0))
	g.want(0) // new, so all of it
	if err := os.Remove(g.path); err != nil {
		t.Fatal(err)
	}
	g.want()
	g.want()
	g.want()
	g.write(pause(1))
	g.want(1)
	g.broken = fmt.Errorf("open: %w", fs.ErrPermission)
	g.want()
	g.want()
	g.broken = nil
	g.want()
	if got, want := strings.Join(g.told, ", "), "the GC log is not there, over, the GC log is not there any more, over, the GC log cannot be opened, over"; got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
}

// A log that cannot be read any more is opened again, and tells nothing twice.
func TestFollowSurvivesReadErrors(t *testing.T) {
	g := follow(t, FollowOptions{FromStart: true})
	g.write(pause(0))
	g.want(0)
	g.f.file.Close()
	g.f.step(context.Background())
	g.want()
	g.write(pause(1))
	g.want(1)
	if len(g.told) != 2 || g.told[1] != "over" {
		t.Errorf("told %v", g.told)
	}
}

func TestFollowLongLines(t *testing.T) {
	g := follow(t, FollowOptions{FromStart: true})
	g.write(strings.Repeat("x", 10*mostLine))
	g.want()
	if cap(g.f.partial) > 4*mostLine {
		t.Errorf("%d bytes of a line are kept", cap(g.f.partial))
	}
	g.write("\n" + pause(0))
	g.want(0)
}

// The follower ends with its context, and what it saw came in time.
func TestFollowEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gc.log")
	if err := os.WriteFile(path, []byte(pause(0)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	seen := make(chan int64, 10)
	done := make(chan struct{})
	go func() {
		defer close(done)
		Follow(ctx, func() (File, error) { return os.Open(path) }, FollowOptions{FromStart: true, Every: time.Millisecond}, func(e *Event, f Facts) {
			if f.Format == Unified {
				seen <- e.ID.V
			}
		})
	}()
	select {
	case id := <-seen:
		if id != 0 {
			t.Errorf("saw %d", id)
		}
	case <-time.After(30 * time.Second):
		t.Error("nothing is seen")
	}
	cancel()
	<-done
	if !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("ended by itself")
	}
}
