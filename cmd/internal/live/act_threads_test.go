package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui"
)

// TestActSaveDump: both forms read back as the dump that was on the screen,
// and no file is written over.
func TestActSaveDump(t *testing.T) {
	j := attachtest.StartJVM(t, 21, "zoo=1", "deadlock=1")
	s := open(t, j.PID, Options{})
	if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActSaveDump}); err == nil || !strings.Contains(err.Error(), "no thread dump to save") {
		t.Errorf("without a dump: %v", err)
	}
	s.SetVisible(true)
	until(t, s, "a dump", func(f *probes.Frame) bool { return f.Dump != nil })
	p, err := s.Price(t.Context(), tui.Act{Kind: tui.ActSaveDump})
	if err != nil || p.Prompt == "" || !strings.HasSuffix(p.Arg, ".txt") {
		t.Fatalf("%+v %v", p, err)
	}
	dir := t.TempDir()
	var read []*probes.ThreadDump
	for _, name := range []string{"a.txt", "a.json"} {
		file := filepath.Join(dir, name)
		a := tui.Act{Kind: tui.ActSaveDump, Arg: file}
		if p, err := s.Price(t.Context(), a); err != nil || !p.Free {
			t.Fatalf("%+v %v", p, err)
		}
		if text, err := s.Act(t.Context(), a); err != nil || !strings.Contains(text, file) {
			t.Fatalf("%q %v", text, err)
		}
		if _, err := s.Act(t.Context(), a); err == nil || !strings.Contains(err.Error(), "does not exist yet") {
			t.Errorf("over a file: %v", err)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := threads.Open(b)
		if err != nil || len(found) != 1 || found[0].Err != nil {
			t.Fatalf("%s: %v %+v", name, err, found)
		}
		read = append(read, found[0].Dump)
	}
	if read[1].Taken.IsZero() || len(read[0].Deadlocks) != 2 || len(read[0].Threads) < 20 {
		t.Errorf("taken %v, %d deadlocks, %d threads", read[1].Taken, len(read[0].Deadlocks), len(read[0].Threads))
	}
	// The dumps may be of two instants: what names and states they have is the program's.
	names := func(d *probes.ThreadDump) (out []string) {
		for i := range d.Threads {
			out = append(out, d.Threads[i].Name)
		}
		return out
	}
	if a, b := names(read[0]), names(read[1]); !reflect.DeepEqual(a, b) {
		t.Errorf("text %q\nJSON %q", a, b)
	}
}

// TestActProfile asks for how long, then with the cost, and x keeps what there
// is.
func TestActProfile(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "zoo=1")
	s := open(t, j.PID, Options{StopBudget: 5})
	s.SetVisible(true)
	until(t, s, "a dump", func(f *probes.Frame) bool { return f.Dump != nil })
	if p := price(t, s, tui.Act{Kind: tui.ActProfile}); p.Prompt == "" || p.Arg != "10s" {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{"0", "-5", "3h", "x", "1e9", "\x1b[2J"} {
		if _, err := s.Price(t.Context(), tui.Act{Kind: tui.ActProfile, Arg: bad}); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	p := price(t, s, tui.Act{Kind: tui.ActProfile, Arg: "60"})
	for _, want := range []string{"for 1m0s", "5 % of the time", "one comes every", "x stops it"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("the price lacks %q: %s", want, p.Text)
		}
	}
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActStop}); err == nil {
		t.Error("stops what is not under way")
	}
	done := make(chan error, 1)
	go func() {
		_, err := s.Act(t.Context(), tui.Act{Kind: tui.ActProfile, Arg: "60s"})
		done <- err
	}()
	f := until(t, s, "progress", func(f *probes.Frame) bool { return f.Job != nil && !strings.HasPrefix(f.Job.Text, "0 dumps") })
	if f.Job.Unit != "s" || f.Job.Total.V != 60 || !strings.Contains(f.Job.Text, "x stops") {
		t.Errorf("progress %+v", f.Job)
	}
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActStop}); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	f = until(t, s, "the profile", func(f *probes.Frame) bool { return f.Profile != nil })
	if f.Profile.Note != "stopped early" || f.Profile.Dumps < 1 || f.Profile.Took > 50*time.Second {
		t.Errorf("%+v", f.Profile.Profile)
	}
	if f.Stop == nil || f.Stop.Percent > 5 || f.Stop.Budget != probes.Some(5.0) {
		t.Errorf("%+v", f.Stop)
	}
}

// TestHeldKeyStaysInTheBudget asks for dumps without a pause, as a key that is
// held down does.
func TestHeldKeyStaysInTheBudget(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "extra=300")
	s := open(t, j.PID, Options{})
	s.SetVisible(true)
	end := time.Now().Add(6 * time.Second)
	until(t, s, "six seconds", func(*probes.Frame) bool {
		s.threads.Request()
		return time.Now().After(end)
	})
	f := until(t, s, "the cost", func(f *probes.Frame) bool { return f.Stop != nil && f.Stop.Dumps > 0 })
	if f.Stop.Percent > f.Stop.Budget.V {
		t.Errorf("stopped for %.3f %% of a minute, the budget is %v", f.Stop.Percent, f.Stop.Budget.V)
	}
	if f.Stop.Dumps > 4 {
		t.Errorf("%d dumps in six seconds, one in two at most", f.Stop.Dumps)
	}
}

// TestDumpThatTheBudgetForbids is told at once with when it will be allowed,
// and not as a reading that failed.
func TestDumpThatTheBudgetForbids(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "extra=300")
	s := open(t, j.PID, Options{StopBudget: 0.01})
	s.SetVisible(true)
	until(t, s, "a dump", func(f *probes.Frame) bool { return f.Dump != nil })
	// 300 threads stop it for milliseconds: ten thousand times that is longer than a second.
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := s.Act(ctx, tui.Act{Kind: tui.ActDump})
	var p *probes.Problem
	if !errors.As(err, &p) || p.What != "no thread dump yet" || !strings.Contains(p.Why, "the stop budget of 0.01 % allows the next one in ") || ctx.Err() != nil {
		t.Errorf("%v", err)
	}
}
