package gclog

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Every prefix of a log of each format is read, and what is complete in it
// counts.
func TestCutShort(t *testing.T) {
	for _, name := range []string{"jdk8-serial", "jdk8-g1-short", "jdk8-cms-fail", "jdk17-parallel", "jdk25-g1-short", "jdk25-z-short"} {
		b := text(t, name+".log.gz")
		b = b[:min(len(b), 12<<10)]
		last := int64(0)
		for n := 0; n <= len(b); n += 37 {
			_, s := parse(t, b[:n])
			if s.Pauses.Count+s.Cycles.Count < last-1 { // a line cut in its number may be read as another number
				t.Fatalf("%s: %d pauses and cycles in %d bytes, %d in fewer", name, s.Pauses.Count+s.Cycles.Count, n, last)
			}
			last = s.Pauses.Count + s.Cycles.Count
		}
		if last == 0 {
			t.Errorf("%s: nothing", name)
		}
	}
}

func TestNotLogs(t *testing.T) {
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	for name, b := range map[string][]byte{
		"empty": nil, "zeros": make([]byte, 1<<20), "noise": noise, "lines": bytes.Repeat([]byte("\n"), 1000), "one line": bytes.Repeat([]byte("x"), 3<<20),
		"application": []byte("2026-01-01 GC is fine\n12.5: starting\n[main] INFO Pause Young (x) 1M->2M(3M) 4ms\n{\"gc\": 1}\nGC(x) y\n[GC(1)] z\n"),
	} {
		events, s := parse(t, b)
		if len(events) != 0 || s.Pauses.Count != 0 || s.Throughput.OK || s.Pauses.P50.OK || s.Allocation.OK {
			t.Errorf("%s: %d events, %+v", name, len(events), s)
		}
		if f := s.Findings(); len(f) != 1 || f[0].Level != Note {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// endless is a reader of one line without an end.
type endless struct {
	left int64
	fill byte
}

func (e *endless) Read(p []byte) (int, error) {
	n := min(int64(len(p)), e.left)
	if n == 0 {
		return 0, io.EOF
	}
	for i := range p[:n] {
		p[i] = e.fill
	}
	e.left -= n
	return int(n), nil
}

// A gigantic line, a record that never ends and a thousand million names cost
// a few megabytes.
func TestBoundedMemory(t *testing.T) {
	var names, records, ids, ages strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&names, "[%d.000s][info][gc] GC(%d) Pause Young (Cause %d) 1M->1M(2M) 1.000ms\n", i, i, i)
		fmt.Fprintf(&records, "0.1: [GC (Cause) [[[%d\n", i)
		fmt.Fprintf(&ids, "[%d.000s][info][gc] GC(%d) Concurrent Mark Cycle\n", i, i*7)
		fmt.Fprintf(&ages, "[1.000s][trace][gc,age] GC(1) - age %d: 12 bytes, 12 total\n", i)
	}
	for name, r := range map[string]io.Reader{
		"line": &endless{48 << 20, 'x'}, "decoration": io.MultiReader(strings.NewReader("[1.0s][gc] GC(1) "), &endless{24 << 20, '('}), "brackets": io.MultiReader(strings.NewReader("0.1: [GC "), &endless{24 << 20, '['}),
		"names": strings.NewReader(names.String()), "records": strings.NewReader(records.String()), "ids": strings.NewReader(ids.String()), "ages": strings.NewReader(ages.String()),
	} {
		l := NewLog(nil)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		if err := l.Read(context.Background(), r, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
			t.Errorf("%s: %d MB are kept", name, grown>>20)
		}
		l.End()
		runtime.KeepAlive(l)
	}
}

// What is not understood is shown safely.
func TestUnknownLines(t *testing.T) {
	_, s := parse(t, []byte("[0.1s][info][gc] Using G1\n[0.2s][info][gc] GC(1) \x1b[31mBrand new thing\n0.3: [weird]\n[0.4s][info][gc] GC(2) Other new thing\n"))
	if s.Lines.Unknown != 2 || len(s.Lines.Samples) != 2 || s.Lines.Samples[0] != `[0.2s][info][gc] GC(1) \x1b[31mBrand new thing` {
		t.Errorf("%+v", s.Lines)
	}
	events, _ := parse(t, []byte("[0.2s][info][gc] GC(1) Pause Young (\x1b]0;x\a) 1M->1M(2M) 1.000ms\n"))
	if len(events) != 1 || events[0].Cause != `\x1b]0;x\x07` {
		t.Errorf("%+v", events)
	}
}

func TestGzip(t *testing.T) {
	b := text(t, "jdk25-g1-short.log.gz")
	_, want := parse(t, b)
	var z bytes.Buffer
	for _, part := range [][]byte{b[:500], b[500:]} { // members, as appending makes them
		w := gzip.NewWriter(&z)
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, got := parse(t, z.Bytes())
	if got.Pauses != want.Pauses || got.Lines.Total != want.Lines.Total {
		t.Errorf("%+v, want %+v", got.Pauses, want.Pauses)
	}
	l := NewLog(nil)
	if err := l.Read(context.Background(), bytes.NewReader(z.Bytes()[:z.Len()-30]), nil); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "past byte") {
		t.Errorf("cut: %v", err)
	}
	if l.Summary().Pauses.Count == 0 {
		t.Error("what could be read is lost")
	}
	if err := NewLog(nil).Read(context.Background(), strings.NewReader("\x1f\x8bxxxxxxxxxxxx"), nil); err == nil {
		t.Error("broken gzip is read")
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := io.MultiReader(strings.NewReader(strings.Repeat("x\n", 20000)), readerFunc(func([]byte) (int, error) { cancel(); return 0, nil }), strings.NewReader(strings.Repeat("x\n", 1<<20)))
	p := NewParser(func(*Event) {})
	var told int64
	if err := p.Read(ctx, r, func(n int64) { told = n }); !errors.Is(err, context.Canceled) || told == 0 || told > 1<<20 {
		t.Errorf("%v after %d bytes", err, told)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) {
	if n, err := f(p); n > 0 || err != nil {
		return n, err
	}
	return 0, io.EOF
}

// A container's output holds several starts of its JVM.
func TestRestarts(t *testing.T) {
	one := "[0.010s][info][gc] Using Serial\n[1.000s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->1M(30M) 10.000ms\n[10.000s][info][gc] GC(1) Pause Full (System.gc()) 9M->2M(30M) 20.000ms\n"
	two := strings.ReplaceAll(strings.Replace(one, "Using Serial", "Using G1", 1), "Pause Young (A", "Pause Young (Normal) (A")
	events, s := parse(t, []byte(one+two))
	if s.Runs != 2 || len(events) != 4 || events[3].Run != 1 || events[1].Collector != "Serial" || events[3].Collector != "G1" {
		t.Errorf("runs %d, %+v", s.Runs, events)
	}
	if s.Covered.V != 20 || s.Pauses.Total != 60 || s.Throughput.V < 99.69 || s.Throughput.V > 99.71 {
		t.Errorf("covered %v, total %v, %v", s.Covered, s.Pauses.Total, s.Throughput)
	}
	// By the machine's clock the banner tells.
	wall := func(text string) string {
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, stamp := range []string{"[0.010s]", "[1.000s]", "[10.000s]"} {
			at = at.Add(time.Second)
			text = strings.Replace(text, stamp, "["+at.Format("2006-01-02T15:04:05.000+0000")+"]", 1)
		}
		return text
	}
	if _, s := parse(t, []byte(wall(one)+strings.ReplaceAll(wall(two), "2026-01-01T00", "2026-01-01T01"))); s.Runs != 2 || s.Covered.V > 10 {
		t.Errorf("runs %d, covered %v", s.Runs, s.Covered)
	}
}

// Something put a prefix before each line.
func TestPrefixed(t *testing.T) {
	b := text(t, "jdk25-g1-short.log.gz")
	b = bytes.ReplaceAll(b, []byte("ms] "), []byte("ms][info][gc] "))
	_, want := parse(t, b)
	var prefixed bytes.Buffer
	for line := range bytes.Lines(b) {
		prefixed.WriteString("Dec 01 03:41:34 node7 gateway-1 | ")
		prefixed.Write(line)
	}
	if _, got := parse(t, prefixed.Bytes()); got.Pauses != want.Pauses || want.Pauses.Count == 0 {
		t.Errorf("%+v, want %+v", got.Pauses, want.Pauses)
	}
}

// A log that is cut off at its start while it is written begins with a hole.
func TestHole(t *testing.T) {
	b := append(make([]byte, 5000), "[1.000s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->1M(30M) 10.000ms\r\n"...)
	if events, _ := parse(t, b); len(events) != 1 || events[0].Heap.After.V != mb {
		t.Errorf("%+v", events)
	}
}
