package main

import (
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// A run that nothing ends takes 30 s, also where its last stage has no time: a
// script must not wait for ever. Stages that end, and other limits, are kept.
func TestLoadEnds(t *testing.T) {
	for _, c := range []struct {
		name, stages string
		flags        []string
		total        int64
		want         time.Duration
	}{
		{name: "no stages", want: 30 * time.Second},
		{name: "one without a time", stages: "100/s", want: 30 * time.Second},
		{name: "the last without a time", stages: "50/s for 5m, then 100/s", want: 5*time.Minute + 30*time.Second},
		{name: "stages that end", stages: "50/s for 5m, then 100/s for 1m"},
		{name: "until ctrl+c", stages: "50/s for 5m, then 100/s", flags: []string{"-d", "0"}},
		{name: "so many", stages: "100/s", total: 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stages plan.Stages
			if c.stages != "" {
				var err error
				if stages, err = plan.ParseStages(c.stages); err != nil {
					t.Fatal(err)
				}
			}
			o, _, err := parseLoad(c.flags)
			if err != nil {
				t.Fatal(err)
			}
			s := &plan.Plan{Stages: stages, Total: c.total}
			if err := o.overlay(s); err != nil {
				t.Fatal(err)
			}
			if s.Duration != c.want {
				t.Errorf("it lasts %s, want %s", s.Duration, c.want)
			}
		})
	}
}
