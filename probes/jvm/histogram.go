package jvm

import (
	"context"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// Histogram counts the objects of every class: all that lie in the heap, or
// with live those that a full collection leaves. The JVM stands meanwhile, see
// probes.EstimateHistogramPause.
func (c *Commands) Histogram(ctx context.Context, live bool) (*probes.Histogram, error) {
	command := "GC.class_histogram -all"
	if live {
		command = "GC.class_histogram"
	}
	taken := time.Now()
	b, pause, err := c.Do(ctx, "no class histogram was taken", "jcmd", command)
	if err != nil {
		return nil, err
	}
	h, err := vmtext.ParseHistogram(b)
	if err != nil {
		return nil, &probes.Problem{What: "the class histogram was not understood", Why: errText(err), Next: "take it again"}
	}
	h.Taken, h.Live, h.Pause = taken, live, pause
	return h, nil
}
