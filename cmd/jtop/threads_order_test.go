package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
)

// TestDumpOrder: by time where all have one of the same kind; no differences
// between a clock of an unknown zone and another.
func TestDumpOrder(t *testing.T) {
	at := func(minute int) time.Time { return time.Date(2026, 12, 1, 1, minute, 0, 0, time.UTC) }
	dump := func(file string, zoned bool, minute int) report.Dump {
		d := report.Dump{File: file}
		if minute < 0 {
			return d
		}
		d.Clock = at(minute)
		if zoned {
			d.Taken = at(minute)
		} else {
			d.Stamp = fmt.Sprint(minute)
		}
		return d
	}
	for what, c := range map[string]struct {
		in    []report.Dump
		want  string
		clock bool // of the ones without a zone
	}{
		"local":      {[]report.Dump{dump("a", false, 9), dump("b", false, 3), dump("c", false, 5)}, "b c a", true},
		"zoned":      {[]report.Dump{dump("a", true, 9), dump("b", true, 3)}, "b a", false},
		"mixed":      {[]report.Dump{dump("a", true, 9), dump("b", false, 3)}, "a b", false},
		"one lacks":  {[]report.Dump{dump("a", false, 9), dump("b", false, -1), dump("c", false, 1)}, "a b c", true},
		"none known": {[]report.Dump{dump("a", false, -1), dump("b", false, -1)}, "a b", false},
	} {
		inOrder(c.in)
		var got []string
		for _, d := range c.in {
			got = append(got, d.File)
			if d.Stamp != "" && d.Clock.IsZero() == c.clock {
				t.Errorf("%s: the clock of %s is %v", what, d.File, d.Clock)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %v, want %s", what, got, c.want)
		}
	}
}

func TestReadBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := readBounded(file, 5); err != nil || string(b) != "12345" {
		t.Errorf("got %q, %v", b, err)
	}
	if b, err := readBounded(file, 4); err == nil || b != nil || !strings.Contains(err.Error(), "cut the dumps out") {
		t.Errorf("too large: %q, %v", b, err)
	}
}

// TestKeep: --state and --filter together.
func TestKeep(t *testing.T) {
	list := []probes.Thread{
		{Name: "Worker-1", State: probes.StateBlocked}, {Name: "x", State: probes.StateBlocked, Stack: []probes.StackFrame{{Method: "a.WORKER.run(W.java:1)"}}},
		{Name: "worker-2", State: probes.StateRunnable}, {Name: "y", State: probes.StateBlocked},
	}
	for _, c := range []struct {
		o    threadsOptions
		want []string
	}{
		{threadsOptions{state: "BLOCKED"}, []string{"Worker-1", "x", "y"}},
		{threadsOptions{filter: "worker"}, []string{"Worker-1", "x", "worker-2"}},
		{threadsOptions{filter: "worker", state: "BLOCKED"}, []string{"Worker-1", "x"}},
	} {
		var got []string
		for i := range list {
			if c.o.keep()(&list[i]) {
				got = append(got, list[i].Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %q, want %q", c.o, got, c.want)
		}
	}
	if (&threadsOptions{}).keep() != nil {
		t.Error("nothing chosen is not all")
	}
}
