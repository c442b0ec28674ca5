package gclog

import (
	"fmt"
	"strings"
	"testing"
)

// pauseLine is a young collection at an uptime in seconds.
func pauseLine(at float64, id int) string {
	return fmt.Sprintf("[%.3fs][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(64M) 2.000ms", at, id)
}

func TestLogsOfSeveralJVMs(t *testing.T) {
	alone := func(from, step float64, n int) []string {
		out := []string{fmt.Sprintf("[%.3fs][info][gc] Using G1", from)}
		for i := range n {
			out = append(out, pauseLine(from+step*float64(i+1), i))
		}
		return out
	}
	weaved := func(a, b []string) []string {
		var out []string
		for i := range a {
			out = append(out, a[i], b[i])
		}
		return out
	}
	var loops []string // killed every 600 s, two collections each: the worst that is no mixture
	for i := range 8 {
		loops = append(loops, alone(0.01, 300+float64(i%3), 2)...)
	}
	for _, c := range []struct {
		name  string
		lines []string
		mixed bool
		runs  int
	}{
		{"one", alone(0.01, 30, 20), false, 1},
		{"one after another", append(alone(0.01, 2, 20), alone(0.01, 2, 20)...), false, 2},
		{"a crash loop", loops, false, 8},
		{"two at once", weaved(alone(0.01, 2, 20), alone(500, 3, 20)), true, 0},
		{"two, the older first", weaved(alone(500, 2, 20), alone(0.01, 3, 20)), true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := NewLog(nil)
			for _, s := range c.lines {
				l.Line([]byte(s))
			}
			l.End()
			s := l.Summary()
			if s.Mixed != c.mixed || !c.mixed && s.Runs != c.runs {
				t.Fatalf("mixed %v with %d starts, want %v and %d", s.Mixed, s.Runs, c.mixed, c.runs)
			}
			f := s.Findings()[0]
			if !c.mixed {
				if !s.Throughput.OK || strings.Contains(f.Text, "several JVMs") {
					t.Errorf("throughput %v, %v", s.Throughput, f)
				}
				return
			}
			if s.Covered.OK || s.Throughput.OK || s.PerMinute.OK || s.Allocation.OK || s.Promotion.OK || s.Floor.Points != 0 {
				t.Errorf("rates of a mixture: %+v", s)
			}
			if s.Pauses.Count != 40 || s.Pauses.Total != 80 || f.Level != Bad || !strings.Contains(f.Text, "several JVMs") {
				t.Errorf("%d pauses of %v ms, first finding %v", s.Pauses.Count, s.Pauses.Total, f)
			}
		})
	}
}

// Lines of JDK 8 amid unified logging are another JVM's, and not passed over.
func TestJDK8AmidUnifiedLogging(t *testing.T) {
	p := NewParser(func(*Event) {})
	for _, s := range []string{
		"[0.100s][info][gc] Using Serial",
		"2026-12-01T04:50:45.656+0000: 1.807: [GC (Allocation Failure) [PSYoungGen: 33280K->5120K(38400K)] 33280K->19920K(125952K), 0.0906265 secs]",
		"1.807: [Full GC (Ergonomics)  33280K->19920K(125952K), 0.0906265 secs]",
		"1.807: [GC pause (G1 Evacuation Pause) (young), 0.0017630 secs]",
		"the application says [hello]",
	} {
		p.Line([]byte(s))
	}
	if l := p.Lines(); l.Used != 1 || l.Unknown != 3 || l.Other != 1 || len(l.Samples) != 3 {
		t.Errorf("%+v", l)
	}
}
