package load

import (
	"fmt"
	"runtime"
	"time"

	"example.com/jtop/probes"
)

// lookEvery is how often the run looks at itself.
const lookEvery = 50 * time.Millisecond

// watch is what the run sees of itself; guarded by the runner's lock.
type watch struct {
	looks    int64
	inFlight int64 // the sum over the looks
	stage    int   // of a staged run
	clock    probes.StepWatch
	steps    []probes.ClockStep
}

// monitor looks at the run until it stops: how many requests are in flight,
// and which stage it has come to.
func (r *Runner) monitor() {
	t := time.NewTicker(lookEvery)
	defer t.Stop()
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-t.C:
		}
		after := time.Since(r.began)
		r.mu.Lock()
		r.watch.lookAtClock(r.readClock)
		if after < r.plan.WarmUp {
			r.mu.Unlock()
			continue
		}
		r.watch.looks++
		r.watch.inFlight += r.inFlight()
		r.mu.Unlock()
		r.stageAt(after)
	}
}

// stageAt tells when a staged run comes to its next stage.
func (r *Runner) stageAt(after time.Duration) {
	if len(r.spec.Stages) == 0 {
		return
	}
	on := r.schedule.shape.Load()
	r.mu.Lock()
	at, changed := on.pieceAt(after), r.rateSet
	next := at > r.watch.stage && !changed
	if next {
		r.watch.stage = at
	}
	r.mu.Unlock()
	if next {
		r.tell(fmt.Sprintf("load: stage %d of %d, %s", at+1, len(on.pieces), on.pieces[at].String()))
	}
}

// Little's law says little about few looks, and about ones of a moment.
const (
	leastLooks = 40
	littleOff  = 0.25 // share by which the two may differ
	littleFew  = 0.5  // requests by which they may
	// In an open run a look comes when the timers wake this program, as the
	// arrivals do: it sees those of about so long together.
	littleWake = 2 * time.Millisecond
)

// little compares the requests in flight that were seen with throughput times
// mean time.
func (w *watch) little(s *probes.LoadSample, served Dist) *probes.LoadLittle {
	if w.looks == 0 {
		return nil
	}
	l := &probes.LoadLittle{InFlight: probes.Some(float64(w.inFlight) / float64(w.looks))}
	perSecond := probes.Ratio(probes.Some(float64(s.Total.Samples)), probes.Ratio(probes.Some(float64(s.Total.Answered)), s.Total.Rate))
	if !perSecond.OK || !served.Mean.OK {
		return l
	}
	l.Law = probes.Some(perSecond.V * served.Mean.V / 1000)
	if w.looks >= leastLooks {
		off := l.InFlight.V - l.Law.V
		may := max(littleOff*max(l.InFlight.V, l.Law.V), littleFew)
		if s.Arrivals != nil {
			may += perSecond.V * littleWake.Seconds()
		}
		l.Fits = probes.Some(max(off, -off) <= may)
	}
	return l
}

// fewSamples is how many requests must have failed before all are said to.
const fewSamples = 10

// warnings are the states of the run that must not be overlooked; r.mu is held.
func (r *Runner) warnings(s *probes.LoadSample) []probes.LoadWarning {
	var out []probes.LoadWarning
	warn := func(state probes.LoadState, format string, a ...any) {
		out = append(out, probes.LoadWarning{State: state, Text: fmt.Sprintf(format, a...)})
	}
	if a := s.Arrivals; a != nil && a.Dropped > 0 && float64(a.Dropped) > 0.01*float64(a.Count+a.Dropped) {
		why := "jtop is late"
		if int(r.active.Load()) >= r.plan.cap() || !r.ended.IsZero() && len(r.users) >= r.plan.cap() {
			why = "all " + plural(int64(r.plan.cap()), "connection") + " wait for answers"
		}
		warn(probes.LoadRateMissed, "%s of %d not sent: %s", plural(a.Dropped, "arrival"), a.Count+a.Dropped, why)
	}
	if s.CPU.OK && s.CPU.V >= starved*float64(runtime.NumCPU()) {
		warn(probes.LoadStarved, "jtop uses %.0f %% of %s: times are its own too", s.CPU.V, plural(int64(runtime.NumCPU()), "core"))
	} else if a := s.Arrivals; a != nil && a.Lag.P50.V > milliseconds(late) && int(r.active.Load()) < r.plan.cap() {
		warn(probes.LoadStarved, "half of the requests go out %s after their time or later", millis(a.Lag.P50))
	}
	lately := s.Interval
	if !r.ended.IsZero() {
		lately = s.Total
	}
	if lately.Samples >= fewSamples && lately.Failed == lately.Samples {
		what, hint := worst(s)
		warn(probes.LoadAllFailing, "%s failed: %s%s", all(lately.Samples, "request"), what, hint)
	}
	if n := r.backing.Load(); n > 0 {
		what := "connections fail"
		if len(s.Errors) > 0 {
			what = s.Errors[0].Class
		}
		warn(probes.LoadBackingOff, "%s: %d of %s wait, up to %s each", what, n, plural(int64(s.Users), "user"), lastWait)
	}
	if text := r.socketsReport().text(); text != "" {
		warn(probes.LoadDropped, "%s", text)
	}
	if text := r.shortOfPorts(); text != "" {
		warn(probes.LoadPorts, "%s", text)
	}
	for _, step := range r.watch.newestSteps() {
		warn(probes.LoadClock, "%s: no figure has it, and time stamps go on by the clock of the start", step)
	}
	if l := s.Little; l != nil && l.Fits.OK && !l.Fits.V && s.CutOff == 0 {
		warn(probes.LoadLawBroken, "%.1f requests were in flight, throughput times time makes %.1f: the times or the load are uneven", l.InFlight.V, l.Law.V)
	}
	return out
}
