package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/jstat"
)

// GCLine is one line of `jtop gc PID --json`.
type GCLine struct {
	Time   time.Time `json:"time"`
	Uptime float     `json:"uptime_seconds"`
	PID    int       `json:"pid"`
	Name   string    `json:"name"`
	JDK    string    `json:"jdk"`
	GC     string    `json:"gc"`
	jstat.Sample
	// LastCollection is when the last collection ended, null before the first
	// and where the JVM does not tell.
	LastCollection *time.Time `json:"last_collection"`
	// AsOf names the spaces whose used_bytes are of that moment (before the
	// first collection, of the JVM's start) and not of now.
	AsOf []string `json:"used_as_of_last_collection"`
	// Notes say what figures of this collector mean that one might mistake.
	Notes []string `json:"notes"`
}

// spaceNames are the JSON keys of the spaces that a pool is.
var spaceNames = map[probes.PoolID][]string{
	probes.PoolEden: {"eden"}, probes.PoolSurvivor0: {"survivor0"}, probes.PoolSurvivor1: {"survivor1"}, probes.PoolSurvivor: {"survivor0", "survivor1"},
	probes.PoolYoung: {"eden"}, probes.PoolOld: {"old"}, probes.PoolHeap: {"old"}, probes.PoolMetaspace: {"metaspace"}, probes.PoolClassSpace: {"class_space"},
}

// usedColumns are jstat's columns of -gcutil for the spaces; those of -gc have
// a U behind.
var usedColumns = map[string]string{"survivor0": "S0", "survivor1": "S1", "eden": "E", "old": "O", "metaspace": "M", "class_space": "CCS"}

// NewGCLine builds a line from a reading: its jstat figures, and the same
// snapshot of the counters as decoded for the tabs. Counters that are 0 because
// the JVM has not set them yet (metaspace before the first collection) become
// unknown.
func NewGCLine(row probes.JVM, at time.Time, s jstat.Sample, decoded *probes.Sample) GCLine {
	l := GCLine{Time: at, PID: row.PID, Name: row.Name, JDK: row.JDK, GC: string(row.GC), Sample: s, AsOf: []string{}, Notes: []string{}}
	if up := at.Sub(row.Started); !row.Started.IsZero() && up >= 0 {
		l.Uptime = probes.Some(up.Seconds())
	}
	for _, p := range decoded.Pools {
		if p.Note == "" {
			continue
		}
		if !p.Used.OK {
			for _, name := range spaceNames[p.ID] {
				l.space(name).Used, l.space(name).Percent = probes.None[int64](), probes.None[float64]()
				if !p.Committed.OK {
					l.space(name).Capacity = probes.None[int64]()
				}
			}
			continue
		}
		l.AsOf = append(l.AsOf, spaceNames[p.ID]...)
		if !p.AsOf.IsZero() && l.Young.Collections.V+l.Full.Collections.V+l.Concurrent.Collections.V > 0 {
			l.LastCollection = when(p.AsOf)
		}
	}
	switch row.GC {
	case probes.GCShenandoah, probes.GCShenandoahGen:
		l.Notes = append(l.Notes, "Shenandoah counts phases in FGC and FGCT, concurrent ones too: they are not pauses")
	case probes.GCCMS:
		l.Notes = append(l.Notes, "CMS counts the two pauses of each concurrent cycle in FGC")
	case probes.GCZ, probes.GCZGenerational:
		l.Notes = append(l.Notes, "ZGC counts pauses, several to a collection")
	}
	if row.GC == probes.GCZ || row.GC == probes.GCShenandoah || row.GC == probes.GCEpsilon {
		l.Notes = append(l.Notes, "OC and OU are the whole heap")
	}
	return l
}

func (l *GCLine) space(name string) *jstat.Space {
	return map[string]*jstat.Space{"survivor0": &l.Survivor0, "survivor1": &l.Survivor1, "eden": &l.Eden, "old": &l.Old,
		"metaspace": &l.Metaspace, "class_space": &l.ClassSpace}[name]
}

// Remarks are what a reader of the columns of an option should know, a line
// each.
func (l GCLine) Remarks(o jstat.Option) []string {
	out := slices.Clone(l.Notes)
	var columns []string
	for _, s := range l.AsOf {
		if o == jstat.GC {
			columns = append(columns, usedColumns[s]+"U")
		} else {
			columns = append(columns, usedColumns[s])
		}
	}
	if len(columns) > 0 {
		out = append(out, fmt.Sprintf("%s move only at collections", strings.Join(columns, " ")))
	}
	return out
}
