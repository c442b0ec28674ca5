// Package jvm turns what a JVM offers (its counters, attach commands, /proc)
// into samples and events. Decoding is pure and works on bytes from any
// source; the sources around it read, poll and keep the rules about what may
// be asked of a target, and when.
package jvm

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
)

// reading is one snapshot of the counters, by name.
type reading struct {
	l     *hsperf.Layout
	b     []byte
	freq  float64   // ticks a second
	start time.Time // of the JVM, where it is known better than by its own account
}

func newReading(l *hsperf.Layout, b []byte) reading {
	r := reading{l: l, b: b, freq: 1e9}
	if f, ok := l.Int(b, "sun.os.hrt.frequency"); ok && f > 0 {
		r.freq = float64(f)
	}
	return r
}

func (r reading) num(name string) probes.Opt[int64] {
	// No counter that is read here can be negative or beyond 2^60 (a quintillion
	// bytes, 36 years of nanoseconds): such a value is a lie or a torn reading.
	if v, ok := r.l.Int(r.b, name); ok && v >= 0 && v <= 1<<60 {
		return probes.Some(v)
	}
	return probes.None[int64]()
}

func (r reading) text(name string) string {
	s, _ := r.l.String(r.b, name)
	return probes.Clean(s)
}

func (r reading) has(name string) bool {
	_, ok := r.l.Lookup(name)
	return ok
}

// span reads a counter in ticks as a duration.
func (r reading) span(name string) probes.Opt[time.Duration] {
	v := r.num(name)
	if !v.OK {
		return probes.None[time.Duration]()
	}
	return probes.Some(r.ticks(v.V))
}

func (r reading) ticks(v int64) time.Duration {
	if r.freq == 1e9 {
		return time.Duration(v)
	}
	return time.Duration(float64(v) / r.freq * 1e9)
}

// began is the JVM's start by its own account, to the millisecond; the tick
// counters count from within a few milliseconds of it.
func (r reading) began() time.Time {
	if !r.start.IsZero() {
		return r.start
	}
	if v := r.num("sun.rt.createVmBeginTime"); v.OK && v.V > 0 {
		return time.UnixMilli(v.V)
	}
	return time.Time{}
}

// add is the sum of known figures; unknown when one is.
func add(vs ...probes.Opt[int64]) probes.Opt[int64] {
	var sum int64
	for _, v := range vs {
		if !v.OK {
			return probes.None[int64]()
		}
		sum += v.V
	}
	return probes.Some(sum)
}
