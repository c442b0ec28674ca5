package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// jtlLines are n samples, so many ms apart from the start on, that each take so
// long.
func jtlLines(start, step, elapsed int64, n int, label, code string) string {
	var b strings.Builder
	for i := range n {
		l := Line{Start: start + int64(i)*step, Elapsed: elapsed, Label: label, Code: code, OK: code == "200", Bytes: 100, Sent: 50, Group: 4, All: 4, Thread: "t"}
		b.Write(l.append(nil))
	}
	return b.String()
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// followed begins to follow a file, and ends with the test.
func followed(t *testing.T, path string) (*Follower, chan error) {
	t.Helper()
	f, err := NewFollower(path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- f.Run(context.Background()) }()
	t.Cleanup(f.Stop)
	return f, done
}

func TestFollowerTellsTheBacklogApart(t *testing.T) {
	const t0 = 1_700_000_000_000
	path := write(t, "r.jtl", jtlHeader+"\n"+jtlLines(t0, 10, 5, 1000, "a", "200"))
	f, done := followed(t, path)
	now := time.Now()
	until(t, "the backlog", func() bool { return f.Sample(now).Total.Samples == 1000 && f.tail.Caught() })
	s := f.Sample(now)
	if s.Phase != probes.LoadFollowing || s.Interval.Samples != 0 || s.Latency != nil || s.File != "r.jtl" || s.Users != 4 || len(s.Warnings) != 0 {
		t.Errorf("after the backlog: %+v", s)
	}
	if s.RunTime != 9995*time.Millisecond || !s.Started.Equal(time.UnixMilli(t0)) || s.Total.P50.V != 5 || len(s.Requests) != 0 {
		t.Errorf("%+v", s)
	}
	// 20 samples in one block, 50 ms apart: 20 a second, however they came.
	appendTo(t, path, jtlLines(t0+10_000, 50, 45, 20, "b", "500"))
	until(t, "the block", func() bool {
		if s = f.Sample(now); s.Interval.Samples > 0 {
			return true
		}
		return false
	})
	if s.Interval.Samples != 20 || s.Interval.Failed != 20 || s.Interval.Rate.V != 20 || s.Interval.P50.V != 45 {
		t.Errorf("the interval: %+v", s.Interval)
	}
	if s.Latency == nil || s.Latency.First != probes.LatencyClass(45) || s.Latency.Counts[0] != 20 {
		t.Errorf("latency %+v", s.Latency)
	}
	if s.Total.Samples != 1020 || s.Status[500] != 20 || s.Status[200] != 1000 || len(s.Requests) != 2 || s.Requests[1].Stats.Failed != 20 || len(s.Aggregate) != 3 {
		t.Errorf("%+v", s)
	}
	if s = f.Sample(now.Add(11 * time.Second)); len(s.Warnings) != 1 || s.Warnings[0].State != probes.LoadQuiet || s.Interval.Rate.OK {
		t.Errorf("after 11 s of silence: %+v", s)
	}
	f.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if s = f.Sample(now.Add(20 * time.Second)); s.Phase != probes.LoadDone || !s.Stopped || s.Total.Samples != 1020 || len(s.Warnings) != 0 {
		t.Errorf("at the end: %+v", s)
	}
}

func TestFollowerOfWhatIsNoJTL(t *testing.T) {
	if _, err := NewFollower("/no/such/file"); err == nil {
		t.Error("a file that is not there")
	}
	if _, err := NewFollower(t.TempDir()); err == nil {
		t.Error("a directory")
	}
	f, done := followed(t, write(t, "x.jtl", "this,is,nothing\n1,2,3\n"))
	if err := <-done; err == nil {
		t.Fatal("no error")
	}
	if s := f.Sample(time.Now()); s.Problem == nil || s.Phase != probes.LoadDone || s.Stopped {
		t.Errorf("%+v", s)
	}
	// One that was begun anew is not read on as if it had grown.
	path := write(t, "y.jtl", jtlHeader+"\n"+jtlLines(1_700_000_000_000, 10, 5, 100, "a", "200"))
	f, done = followed(t, path)
	until(t, "the backlog", func() bool { return f.Sample(time.Now()).Total.Samples == 100 })
	if err := os.Truncate(path, 20); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "became shorter") {
		t.Errorf("a file that was cut: %v", err)
	}
	if s := f.Sample(time.Now()); s.Problem == nil || s.Total.Samples != 100 {
		t.Errorf("its figures are gone: %+v", s)
	}
}

// A file in which nothing is yet is no error: JMeter has just begun.
func TestFollowerOfAnEmptyFile(t *testing.T) {
	path := write(t, "e.jtl", "")
	f, done := followed(t, path)
	s := f.Sample(time.Now())
	if s.Total.Samples != 0 || s.Total.Rate.OK || s.Total.P99.OK || s.Problem != nil || s.Users != 0 {
		t.Errorf("%+v", s)
	}
	appendTo(t, path, jtlHeader+"\n"+jtlLines(1_700_000_000_000, 10, 0, 3, "a", "what"))
	until(t, "samples", func() bool { s = f.Sample(time.Now()); return s.Total.Samples == 3 })
	if len(s.Status) != 0 || !strings.Contains(fmt.Sprint(s.Notes), "3 samples with a code that is no HTTP status") {
		t.Errorf("%+v", s)
	}
	f.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	empty, done := followed(t, write(t, "e2.jtl", ""))
	empty.Stop()
	if err := <-done; err != nil {
		t.Errorf("left before anything came: %v", err)
	}
}

// What becomes of a file that is renamed, removed or begun anew is said.
func TestFollowerOfAFileThatIsMoved(t *testing.T) {
	lines := jtlHeader + "\n" + jtlLines(1_700_000_000_000, 10, 5, 100, "a", "200")
	path := write(t, "r.jtl", lines)
	f, done := followed(t, path)
	until(t, "the backlog", func() bool { return f.Sample(time.Now()).Total.Samples == 100 && f.tail.Caught() })
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	gone := func() bool {
		w := f.Sample(time.Now()).Warnings
		return len(w) == 1 && w[0].State == probes.LoadGone
	}
	until(t, "the rename", gone)
	appendTo(t, path+".1", jtlLines(1_700_000_001_000, 10, 5, 10, "a", "200")) // by who has it open
	until(t, "what is still written", func() bool { return f.Sample(time.Now()).Total.Samples == 110 })
	if err := os.Rename(path+".1", path); err != nil {
		t.Fatal(err)
	}
	until(t, "its return", func() bool { return !gone() })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	until(t, "the removal", gone)
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "another file has its name now") {
		t.Errorf("a file that was begun anew: %v", err)
	}
	if s := f.Sample(time.Now()); s.Problem == nil || s.Total.Samples != 110 || len(s.Warnings) != 0 {
		t.Errorf("its figures are gone: %+v", s)
	}
}
