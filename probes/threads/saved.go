package threads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"example.com/jtop/probes"
)

// savedMark is the key that tells jtop's own JSON from a dump_to_file; its
// value is the version of the form.
const savedMark = `"jtopThreadDump"`

// saved is jtop's own form of a dump: all that was read of it, where the text
// has what the JVM wrote.
type saved struct {
	Version int                `json:"jtopThreadDump"`
	Dump    *probes.ThreadDump `json:"dump"`
}

// JSON writes a dump in jtop's own form; Open reads it back as the same.
func JSON(d *probes.ThreadDump) ([]byte, error) {
	b, err := json.MarshalIndent(saved{1, d}, "", " ")
	if err != nil {
		return nil, fmt.Errorf("the dump cannot be written as JSON: %w", err)
	}
	return append(b, '\n'), nil
}

func isSaved(b []byte) bool { return bytes.Contains(b[:min(len(b), 256)], []byte(savedMark)) }

// parseSaved reads what JSON wrote. A file may have been changed since: its
// text is cleaned like any other, and what no dump has is an error.
func parseSaved(b []byte) (Found, error) {
	var s saved
	if err := json.Unmarshal(b, &s); err != nil {
		return Found{}, fmt.Errorf("%w: %s", ErrMalformed, probes.Clean(err.Error()))
	}
	if s.Version != 1 || s.Dump == nil {
		return Found{}, fmt.Errorf("%w: version %d of jtop's JSON is not known", ErrMalformed, s.Version)
	}
	d := s.Dump
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.NID < 0 || t.Carrying < 0 || t.ID < 0 || t.Priority < 0 || t.Priority > 10 || t.Allocated.V < 0 || !slices.Contains(probes.ThreadStates, t.State) {
			return Found{}, fmt.Errorf("%w: thread %d of the JSON is none that a JVM has", ErrMalformed, i+1)
		}
		cleanThread(t)
	}
	for _, c := range d.Deadlocks {
		for i := range c.Threads {
			m := &c.Threads[i]
			m.Name, m.HeldBy, m.Frame = probes.Clean(m.Name), probes.Clean(m.HeldBy), probes.Clean(m.Frame)
			cleanLock(&m.Lock)
		}
	}
	d.Latency, d.Pause.V = max(d.Latency, 0), max(d.Pause.V, 0)
	return Found{Dump: d, Clock: d.Taken, Daemons: true}, nil
}

func cleanThread(t *probes.Thread) {
	t.Name, t.Detail = probes.Clean(t.Name), probes.Clean(t.Detail)
	for i := range t.Stack {
		f := &t.Stack[i]
		f.Method = probes.Clean(f.Method)
		for k := range f.Locks {
			f.Locks[k] = probes.Clean(f.Locks[k])
		}
	}
	for i := range t.Holds {
		cleanLock(&t.Holds[i])
	}
	if t.WaitsFor != nil {
		cleanLock(t.WaitsFor)
	}
}

func cleanLock(l *probes.Lock) {
	l.ID, l.Class, l.Kind = probes.Clean(l.ID), probes.Clean(l.Class), probes.Clean(l.Kind)
}
