package store

import (
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/series"
)

// Frame builds what one paint reads. It may be called from any goroutine; the
// result is the caller's and never changes.
func (s *Store) Frame(spec probes.FrameSpec) *probes.Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &probes.Frame{
		Version: s.version, Meta: s.meta, Snap: s.snap, VM: s.vm, Load: s.load, Job: s.job, Histograms: s.hist, Loaders: s.loader, HeapDump: s.look, Native: s.native, NativeBase: s.nmt,
		Dump: s.dump, Profile: s.profile, Virtual: s.virtual, Rows: s.threadRows(), Columns: spec.Columns,
		Lost: s.lost, LostAt: s.lostAt, Steps: s.steps,
	}
	if s.last != nil {
		f.Stop = s.stops.share(s.last.Elapsed)
		f.Wall, f.Elapsed = s.last.Wall, s.last.Elapsed
	}
	f.From, f.To = axis(spec.To.Or(f.Elapsed), spec.Window, spec.Columns)
	f.Series = make(map[probes.SeriesID][]series.Bucket, len(spec.Series))
	for _, id := range spec.Series {
		if r := s.rings[id]; r != nil {
			f.Series[id] = r.Reduce(f.From, f.To, spec.Columns)
		}
	}
	f.Heat = s.heat.reduce(f.From, f.To, spec.Heat)
	f.Threads = s.threadView(f, spec)
	n := len(s.events)
	f.Events = append([]probes.Event(nil), s.events[max(0, n-MaxEvents):]...)
	for _, name := range s.order {
		f.Health = append(f.Health, s.health[name])
	}
	s.recent(f)
	f.Live = s.gcs.live()
	if spec.GCStats && s.snap != nil {
		f.GCStats = s.gcs.stats(s.snap, f.From, f.To, min(spec.To.Or(f.Elapsed), f.Elapsed))
	}
	return f
}

// axis puts the right edge on the next whole multiple of a bucket's width, so
// that between two such edges the picture stands still.
func axis(now, window time.Duration, columns int) (from, to time.Duration) {
	if columns <= 0 || window <= 0 {
		return 0, 0
	}
	w := max(window/time.Duration(columns), time.Millisecond)
	to = (now/w + 1) * w
	return to - w*time.Duration(columns), to
}

// recent counts collections over the last minute, or over as much of it as
// was watched; under three seconds a rate per minute would be a guess.
func (s *Store) recent(f *probes.Frame) {
	f.Recent = map[int]probes.Opt[float64]{}
	now := f.Elapsed
	perMinute := func(id probes.SeriesID) (probes.Opt[float64], float64) {
		r := s.rings[id]
		if r == nil {
			return probes.None[float64](), 0
		}
		t0, v0, ok0 := r.First(now - recent)
		t1, v1, ok1 := r.Last()
		sec := (t1 - t0).Seconds()
		if !ok0 || !ok1 || sec < 3 || v1 < v0 {
			return probes.None[float64](), 0
		}
		return probes.Some((v1 - v0) * 60 / sec), sec
	}
	f.RecentPauses, f.RecentSeconds = perMinute(probes.SeriesGCCount)
	if s.snap == nil {
		return
	}
	for _, c := range s.snap.GC.Collectors {
		v, sec := perMinute(probes.CollectorCount(c.Index))
		f.Recent[c.Index] = v
		f.RecentSeconds = max(f.RecentSeconds, sec)
	}
}
