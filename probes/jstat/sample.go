package jstat

import (
	"math"

	"example.com/jtop/probes"
	"example.com/jtop/probes/hsperf"
)

// Sample is one reading. A figure whose counters the JVM does not have is
// unknown, where jstat prints "-".
type Sample struct {
	Survivor0  Space `json:"survivor0"`
	Survivor1  Space `json:"survivor1"`
	Eden       Space `json:"eden"`
	Old        Space `json:"old"` // the whole heap, of a collector without generations
	Metaspace  Space `json:"metaspace"`
	ClassSpace Space `json:"class_space"`

	Young      Collector           `json:"young"`
	Full       Collector           `json:"full"`       // CMS: two pauses a cycle; Shenandoah: phases, concurrent ones too
	Concurrent Collector           `json:"concurrent"` // the pauses of concurrent cycles
	Seconds    probes.Opt[float64] `json:"total_seconds"`

	LastCause probes.Opt[string] `json:"last_cause"`
	Cause     probes.Opt[string] `json:"cause"` // "No GC" between collections
}

// Space is a part of the heap, or of metaspace.
type Space struct {
	Capacity probes.Opt[int64]   `json:"capacity_bytes"` // committed
	Used     probes.Opt[int64]   `json:"used_bytes"`
	Percent  probes.Opt[float64] `json:"used_percent"` // of the capacity; unknown where that is 0
}

// Collector is the totals of one collector since the JVM's start.
type Collector struct {
	Collections probes.Opt[int64]   `json:"collections"`
	Seconds     probes.Opt[float64] `json:"seconds"`
}

// Read computes a sample from one snapshot of the counters. It is pure.
func Read(l *hsperf.Layout, b []byte) Sample {
	c := counters{l, b}
	s := Sample{
		Survivor0: c.space("sun.gc.generation.0.space.1."), Survivor1: c.space("sun.gc.generation.0.space.2."),
		Eden: c.space("sun.gc.generation.0.space.0."), Old: c.space("sun.gc.generation.1.space.0."),
		Metaspace: c.space("sun.gc.metaspace."), ClassSpace: c.space("sun.gc.compressedclassspace."),
		LastCause: c.text("sun.gc.lastCause"), Cause: c.text("sun.gc.cause"),
	}
	frequency := probes.Float(c.number("sun.os.hrt.frequency"))
	sum, any := 0.0, false
	for name, to := range map[string]*Collector{"0": &s.Young, "1": &s.Full, "2": &s.Concurrent} {
		to.Collections = c.number("sun.gc.collector." + name + ".invocations")
		ticks := probes.Float(c.number("sun.gc.collector." + name + ".time"))
		to.Seconds = probes.Ratio(ticks, frequency)
		sum, any = sum+ticks.V, any || ticks.OK
	}
	// jstat takes a collector that is not there for 0, and prints 0.000 where
	// there is none at all (ZGC of JDK 11, Epsilon): that is not known.
	if any {
		s.Seconds = probes.Ratio(probes.Some(sum), frequency)
	}
	return s
}

type counters struct {
	l *hsperf.Layout
	b []byte
}

// number is a counter; a negative one is a torn reading or a lie.
func (c counters) number(name string) probes.Opt[int64] {
	if v, ok := c.l.Int(c.b, name); ok && v >= 0 {
		return probes.Some(v)
	}
	return probes.None[int64]()
}

func (c counters) text(name string) probes.Opt[string] {
	if s, ok := c.l.String(c.b, name); ok {
		return probes.Some(probes.Clean(s))
	}
	return probes.None[string]()
}

func (c counters) space(prefix string) Space {
	s := Space{Capacity: c.number(prefix + "capacity"), Used: c.number(prefix + "used")}
	if s.Capacity.OK && s.Used.OK && s.Capacity.V > 0 {
		capacity, used := float64(s.Capacity.V), float64(s.Used.V)
		// In jstat's own order of operations, so that the last digit agrees.
		if p := (1 - (capacity-used)/capacity) * 100; !math.IsNaN(p) && !math.IsInf(p, 0) {
			s.Percent = probes.Some(p)
		}
	}
	return s
}
