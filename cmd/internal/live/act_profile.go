package live

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActProfile] = actor{price: priceProfile, do: profile}
	actors[tui.ActStop] = actor{
		price: free,
		do:    func(_ context.Context, s *Session, _ string) (string, error) { return s.endAct() }, beside: true,
	}
}

const (
	profileDefault = 10 * time.Second
	profileLongest = 10 * time.Minute
)

// profileTime reads "10", "10s" or "2m".
func profileTime(arg string) (time.Duration, error) {
	arg = strings.TrimSpace(arg)
	d, err := time.ParseDuration(arg)
	if n, nerr := strconv.ParseFloat(arg, 64); err != nil && nerr == nil && n <= profileLongest.Seconds() {
		d, err = time.Duration(n*float64(time.Second)), nil
	}
	if err != nil || d < time.Second || d > profileLongest {
		return 0, &probes.Problem{What: fmt.Sprintf("%q is no time to sample for", probes.Clean(arg)), Why: "it is 1 s to 10 m", Next: "try 10s"}
	}
	return d, nil
}

// priceProfile asks for how long, then whether: with what a dump of this JVM
// costs, once one was taken.
func priceProfile(_ context.Context, s *Session, arg string) (tui.Price, error) {
	if s.client == nil {
		return tui.Price{}, &probes.Problem{What: "no hot methods", Why: "a thread dump needs attach: " + s.row.Attach.Reason, Next: s.row.Attach.Fix}
	}
	if arg == "" {
		return tui.Price{Title: "Sample hot methods", Prompt: "for how long: 10s, 2m", Arg: profileDefault.String()}, nil
	}
	d, err := profileTime(arg)
	if err != nil {
		return tui.Price{}, err
	}
	stop, every := s.threads.SampleCost()
	text := fmt.Sprintf("Thread dumps for %v, as often as --stop-budget allows: %v %% of the time stopped at most. ", d, s.threads.Budget())
	if stop.OK {
		n := max(int(d/every.V), 1)
		text += fmt.Sprintf("The last one stopped the JVM for %s, so one comes every %s, about %d in all: %.2f %% of the time. ",
			stop.V.Round(10*time.Microsecond), every.V.Round(time.Millisecond), n, 100*stop.V.Seconds()/every.V.Seconds())
	} else {
		text += "What one costs is not known yet: about 17 us a thread. "
	}
	return tui.Price{Title: "Sample hot methods?", Text: text + "x stops it and keeps what there is."}, nil
}

func profile(ctx context.Context, s *Session, arg string) (string, error) {
	d, err := profileTime(arg)
	if err != nil {
		return "", err
	}
	sampling, stop := context.WithCancel(ctx)
	defer stop()
	s.mu.Lock()
	s.stopAct = stop
	s.mu.Unlock()
	begun := time.Now()
	tell := func(dumps int) {
		done := int64(min(time.Since(begun), d) / time.Second)
		s.progress(probes.Job{Title: "hot methods", Started: begun, Done: probes.Some(done), Total: probes.Some(int64(d / time.Second)), Unit: "s", Text: fmt.Sprintf("%d dumps; x stops", dumps)})
	}
	tell(0)
	p, err := s.threads.Profile(sampling, d, tell)
	if err != nil {
		return "", err
	}
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Profile = p }); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d running samples of %d dumps", p.Running, p.Dumps), nil
}

// endAct ends the act under way where it can keep what it has.
func (s *Session) endAct() (string, error) {
	s.mu.Lock()
	stop := s.stopAct
	s.mu.Unlock()
	if stop == nil {
		return "", &probes.Problem{What: "nothing to stop", Why: "no sampling is under way"}
	}
	stop()
	return "stopping", nil
}
