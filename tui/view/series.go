package view

import (
	"example.com/jtop/probes"
	"example.com/jtop/tui/chart"
)

// pools is every pool that a JVM may have.
var pools = []probes.PoolID{probes.PoolEden, probes.PoolSurvivor0, probes.PoolSurvivor1, probes.PoolSurvivor, probes.PoolYoung, probes.PoolOld,
	probes.PoolHeap, probes.PoolMetaspace, probes.PoolClassSpace, probes.PoolCodeCache}

// SeriesFor names the series that a part of a tab draws, for the frame's spec.
func SeriesFor(t Tab, part Part) []probes.SeriesID {
	switch t {
	case TabOverview:
		return []probes.SeriesID{probes.SeriesHeapUsed, probes.SeriesHeapCommitted, probes.SeriesHeapMax, probes.SeriesCPUShare, probes.SeriesCPUHost,
			probes.SeriesThreadsLive, probes.SeriesThreadsDaemon, probes.SeriesGCShare, probes.SeriesAllocation, probes.SeriesLoadRate, probes.SeriesLoadP99}
	case TabMemory:
		out := []probes.SeriesID{probes.SeriesHeapUsed, probes.SeriesHeapCommitted, probes.SeriesHeapMax}
		for _, p := range pools {
			out = append(out, probes.PoolUsed(p), probes.PoolCommitted(p), probes.PoolMax(p))
		}
		if part == MemorySpaces {
			out = append(out, probes.SeriesGCShare, probes.SeriesClassShare, probes.SeriesJITShare)
		}
		return out
	case TabThreads:
		out := []probes.SeriesID{probes.SeriesThreadsLive, probes.SeriesThreadsDaemon}
		for _, p := range probes.ThreadPhases {
			out = append(out, probes.PhaseSeries(p))
		}
		return out
	case TabGC:
		return []probes.SeriesID{probes.SeriesGCPause, probes.SeriesGCShare, probes.SeriesAllocation}
	case TabClasses:
		return []probes.SeriesID{probes.SeriesClasses, probes.SeriesClassRate, probes.SeriesJITShare, probes.SeriesJITRate}
	case TabLoad:
		if part != LoadRun {
			return nil
		}
		return []probes.SeriesID{probes.SeriesLoadRate, probes.SeriesLoadP50, probes.SeriesLoadP95, probes.SeriesLoadP99, probes.SeriesLoadMax,
			probes.SeriesLoadErrors, probes.SeriesLoadUsers, probes.SeriesLoadAsked}
	}
	return nil
}

// WantsGCStats tells a page that draws statistics of collections.
func WantsGCStats(t Tab, part Part) bool { return t == TabGC && part == GCStats }

// BucketsFor tells how many buckets a tab's charts want on a screen w cells
// wide: two to a cell of the plot, for the Overview's charts lie two abreast.
func BucketsFor(t Tab, _ Part, w int) int {
	switch t {
	case TabOverview, TabClasses, TabGC, TabLoad:
		if twoAbreast(w) {
			w /= 2
		}
	}
	iw, _ := inner(w, 10)
	return max(chart.BucketsFor(iw), 2)
}

// twoAbreast tells whether two charts fit side by side.
func twoAbreast(w int) bool { return w >= 72 }
