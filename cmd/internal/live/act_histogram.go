package live

import (
	"context"
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActHistogram] = actor{
		price: func(_ context.Context, s *Session, _ string) (tui.Price, error) { return priceHistogram(s, false) },
		do:    func(ctx context.Context, s *Session, _ string) (string, error) { return histogram(ctx, s, false) },
	}
	actors[tui.ActHistogramLive] = actor{
		price: func(_ context.Context, s *Session, _ string) (tui.Price, error) { return priceHistogram(s, true) },
		do:    func(ctx context.Context, s *Session, _ string) (string, error) { return histogram(ctx, s, true) },
	}
	actors[tui.ActLoaders] = actor{price: priceLoaders, do: loaders}
}

func priceHistogram(s *Session, live bool) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	text := "Every object in the heap is counted, garbage too, without a collection. "
	if live {
		text = "A FULL COLLECTION is run first, so that only reachable objects are counted. "
	}
	used, a := s.heapNow()
	if used.OK {
		e := probes.EstimateHistogramPause(used.V, a)
		takes := e.All
		if live {
			takes = e.Live
		}
		text += fmt.Sprintf("With %s in use the JVM stands for about %s, longer on a busy machine.", megabytes(used.V), takes)
	} else {
		text += "The JVM stands meanwhile; for how long cannot be said, since the heap's use is not known."
	}
	return tui.Price{Title: "Take a class histogram?", Text: text + " A load run's figures will show it."}, nil
}

func histogram(ctx context.Context, s *Session, live bool) (string, error) {
	s.progress(probes.Job{Title: "class histogram", Started: time.Now(), Text: "the JVM stands"})
	h, err := s.commands.Histogram(ctx, live)
	if err != nil {
		return "", err
	}
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Histogram = h }); err != nil {
		return "", err
	}
	text := fmt.Sprintf("%d classes counted", len(h.Rows))
	if h.Pause.OK {
		text += fmt.Sprintf("; the JVM stood for %s", h.Pause.V.Round(time.Millisecond))
	}
	return text, nil
}

// TakeHistogram is the act for a command, which has no screen to deliver to.
func (s *Session) TakeHistogram(ctx context.Context, live bool) (*probes.Histogram, error) {
	return s.commands.Histogram(ctx, live)
}

func priceLoaders(_ context.Context, s *Session, _ string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	return tui.Price{Title: "Read the class loaders?", Text: "VM.classloader_stats: one attach request; the JVM stands for 0.1 to 0.6 ms, more with tens of thousands of loaders."}, nil
}

func loaders(ctx context.Context, s *Session, _ string) (string, error) {
	taken := time.Now()
	b, _, err := s.commands.Do(ctx, "the class loaders could not be read", "jcmd", "VM.classloader_stats")
	if err != nil {
		return "", err
	}
	l, err := vmtext.ParseClassLoaders(b)
	if err != nil {
		return "", &probes.Problem{What: "the class loaders were not understood", Why: probes.Clean(err.Error())}
	}
	l.Taken = taken
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Loaders = l }); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d class loaders read", len(l.Rows)), nil
}
