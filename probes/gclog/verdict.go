package gclog

import (
	"fmt"
	"math"
	"time"
)

// Level is how grave a finding is.
type Level string

// Levels.
const (
	Bad  Level = "bad"
	Warn Level = "warn"
	Good Level = "good"
	Note Level = "note"
)

// Finding is one plain sentence that the figures of a Summary support.
type Finding struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Limits from which a figure is worth a sentence.
const (
	busyYoung        = 60.0 // young collections a minute
	smallEdenShare   = 50.0 // percent of the pauses' time
	stoppedNotice    = 0.5  // percent of the time: less is nobody's problem
	stoppedWarn      = 5.0
	stoppedBad       = 15.0
	longPause        = 500 * time.Millisecond
	slowSafepoint    = 100 * time.Millisecond
	minSeconds       = 20.0 // below, rates are of a start-up
	fullsPerHourWarn = 6.0
	stopsForReaching = 0.5 // of a safepoint's time
	smallEdenBytes   = 128 << 20
)

// Findings says what stands out, the gravest first, and what to do about it.
// There is always one: a log without trouble says so.
func (s *Summary) Findings() []Finding {
	if s.Pauses.Count == 0 && s.Cycles.Count == 0 {
		return []Finding{{Note, s.nothing()}}
	}
	var bad, warn []Finding
	add := func(l Level, format string, a ...any) {
		f := Finding{l, fmt.Sprintf(format, a...)}
		if l == Bad {
			bad = append(bad, f)
		} else {
			warn = append(warn, f)
		}
	}
	if s.Mixed {
		add(Bad, "several JVMs wrote to this log at the same time: each pause is right, rates and trends cannot be told; give each a file of its own (%%p in its name is the pid)")
	}
	s.failures(add)
	s.leak(add)
	s.time(add)
	s.causesOf(add)
	out := append(bad, warn...)
	if s.Pauses.Count == 0 {
		out = append(out, Finding{Note, "the log has cycles and not their pauses: write it with -Xlog:gc* (or gc,gc+phases)"})
	}
	if len(out) == 0 {
		out = append(out, s.healthy())
	}
	return out
}

type adder func(l Level, format string, a ...any)

func (s *Summary) nothing() string {
	if s.Lines.Used == 0 {
		return "no garbage collection log of HotSpot: no line is understood"
	}
	return "no collection in this log"
}

// failures are what a collector does when it cannot keep up.
func (s *Summary) failures(add adder) {
	if n := s.ConcurrentModeFailures; n > 0 {
		add(Bad, "%s: CMS was too slow and a full collection came instead; start it earlier (-XX:CMSInitiatingOccupancyFraction), or raise -Xmx", plural(n, "concurrent mode failure"))
	}
	if n := s.Degenerated; n > 0 {
		add(Bad, "%s: Shenandoah could not keep up and finished with the application stopped; raise -Xmx or the number of -XX:ConcGCThreads", plural(n, "degenerated collection"))
	}
	if n := s.ToSpaceExhausted; n > 0 {
		add(Bad, "to-space exhausted in %s: G1 had no free regions to evacuate to; raise -Xmx or -XX:G1ReservePercent, or mark earlier (-XX:InitiatingHeapOccupancyPercent)", plural(n, "collection"))
	}
	if s.Stalls.Count > 0 {
		add(Bad, "%s, %s in all, the longest %s: threads waited for memory; raise -Xmx, or -XX:ConcGCThreads", plural(s.Stalls.Count, "allocation stall"), ms(s.Stalls.Total), ms(s.Stalls.Max))
	}
	if n := s.PromotionFailed; n > 0 {
		add(Warn, "promotion failed in %s: the old generation had no room; raise -Xmx or lower -Xmn", plural(n, "young collection"))
	}
	if s.CyclesAborted > 0 {
		add(Warn, "%s given up for a full collection: marking starts too late", plural(s.CyclesAborted, "concurrent cycle"))
	}
}

// leak is a floor that rises.
func (s *Summary) leak(add adder) {
	f := s.Floor
	if !f.Rising {
		return
	}
	text := fmt.Sprintf("what lives in the heap grows by %s an hour (%s to %s over %d collections)", bytesText(int64(f.Slope.V)), bytesText(f.First.V), bytesText(f.Last.V), f.Points)
	if f.TimeToFull.OK {
		text += fmt.Sprintf("; full in %s if it goes on", spanText(f.TimeToFull.V))
	}
	add(Warn, "%s: a leak, or caches that still fill; compare two class histograms", text)
}

// time is how much of it the application stood still.
func (s *Summary) time(add adder) {
	stopped := 100 - s.Throughput.V
	known := s.Throughput.OK && s.Covered.V >= minSeconds
	switch {
	case known && stopped >= stoppedBad:
		add(Bad, "collections stop the application %.0f %% of the time", stopped)
	case known && stopped >= stoppedWarn:
		add(Warn, "collections stop the application %.1f %% of the time", stopped)
	}
	if share := s.share(Young, Mixed); s.PerMinute.OK && s.PerMinute.V >= busyYoung && known && share >= smallEdenShare && stopped >= stoppedNotice && s.Eden.V < smallEdenBytes {
		size := ""
		if s.Eden.OK {
			size = " of " + bytesText(s.Eden.V)
		}
		add(Warn, "small Eden%s: %.0f young collections a minute, %.0f %% of the pauses' time; raise -Xmn%s", size, s.PerMinute.V, share, s.sizing())
	}
	if s.Pauses.Max.V >= millis(longPause) {
		l := s.Longest[0]
		cause := l.Cause
		if cause == "" {
			cause = l.Name
		}
		add(Warn, "the longest pause is %s (%s, %s)", ms(l.MS), l.Kind, cause)
	}
	if s.Reaching.Max >= millis(slowSafepoint) && s.Reaching.Max >= stopsForReaching*s.Safepoints.Max {
		add(Warn, "threads took up to %s to stop for a safepoint: not the collector's time; look for long loops and for memory that is swapped", ms(s.Reaching.Max))
	}
}

func (s *Summary) sizing() string {
	if s.Collector == "G1" {
		return " or -XX:G1NewSizePercent"
	}
	return ""
}

// share is the percentage of the pauses' time that some kinds took.
func (s *Summary) share(kinds ...Kind) float64 {
	if s.Pauses.Total <= 0 {
		return 0
	}
	var sum float64
	for _, k := range s.Kinds {
		for _, want := range kinds {
			if k.Kind == want {
				sum += k.Total
			}
		}
	}
	return 100 * sum / s.Pauses.Total
}

// causesOf are full collections that need not be.
func (s *Summary) causesOf(add adder) {
	explicit, metadata := int64(0), int64(0)
	for _, c := range s.Causes {
		switch c.Cause {
		case "System.gc()", "System":
			explicit += c.Count
		case "Metadata GC Threshold", "Metadata GC Clear Soft References":
			metadata += c.Count
		}
	}
	switch {
	case explicit > 0 && s.Full > 0:
		add(Warn, "%s by System.gc(): if that is not meant, -XX:+DisableExplicitGC", plural(explicit, "collection"))
	case s.Full > 0 && s.Covered.OK && s.Covered.V >= minSeconds && float64(s.Full)/s.Covered.V*3600 >= fullsPerHourWarn:
		add(Warn, "%s in %s: the old generation is too small, or something is held for too long", plural(s.Full, "full collection"), spanText(s.Covered.V))
	}
	if metadata > 2 {
		add(Warn, "%s for metaspace: raise -XX:MetaspaceSize, or classes are loaded without end", plural(metadata, "collection"))
	}
	if n := s.HumongousAllocations; n > 0 && s.Pauses.Count > 0 && float64(n)/float64(s.Pauses.Count) > 0.1 {
		add(Warn, "%s for humongous objects (half a region and more): raise -XX:G1HeapRegionSize", plural(n, "collection"))
	}
}

// healthy says that nothing stands out, and whether the log is enough to say
// so of rates.
func (s *Summary) healthy() Finding {
	f := Finding{Good, fmt.Sprintf("nothing stands out: %s", plural(s.Pauses.Count, "pause"))}
	if s.Throughput.OK {
		f.Text += fmt.Sprintf(", %.2f %% of the time not stopped", math.Floor(s.Throughput.V*100)/100)
	}
	if s.Pauses.Max.OK {
		f.Text += ", the longest " + ms(s.Pauses.Max.V)
	}
	switch {
	case !s.Covered.OK:
		f = Finding{Note, f.Text + "; without a clock in the log there are no rates to judge by"}
	case s.Covered.V < minSeconds:
		f = Finding{Note, f.Text + fmt.Sprintf("; %s are too short to judge rates by", spanText(s.Covered.V))}
	}
	return f
}

// plural counts things in words: "1 pause", "12 pauses".
func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func ms(v float64) string {
	switch {
	case v >= 10_000:
		return fmt.Sprintf("%.1f s", v/1000)
	case v >= 1000:
		return fmt.Sprintf("%.2f s", v/1000)
	case v >= 10:
		return fmt.Sprintf("%.0f ms", v)
	}
	return fmt.Sprintf("%.2g ms", v)
}

func bytesText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
}

func spanText(seconds float64) string {
	switch {
	case seconds >= 2*24*3600:
		return fmt.Sprintf("%.0f days", seconds/24/3600)
	case seconds >= 2*3600:
		return fmt.Sprintf("%.0f h", seconds/3600)
	case seconds >= 120:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.0f s", seconds)
}
