package tuitest

import "example.com/jtop/probes"

// AsFile makes a frame one of a dump in a file, the second of three.
func AsFile(f *probes.Frame) {
	f.DumpAt = &probes.DumpAt{At: 2, Of: 3, File: "app.log", Line: 1204, Stamp: "2026-05-06 15:09:25", Compared: true, Seconds: probes.Some(12.0),
		New: 1, Gone: 7, GoneOf: []string{"http-worker-3", "http-worker-8"}, Moved: 2, Changed: 1, Stuck: 3}
	f.Stop, f.Profile = nil, nil
	for i := range f.Rows {
		r := &f.Rows[i]
		none := probes.None[float64]()
		r.CPUPercent, r.User, r.System, r.AllocRate = none, none, none, probes.None[probes.Rate]()
		r.Since = []probes.Since{{Text: "stuck 2 dumps", Rank: 4}, {Text: "moved", Rank: 3}, {Text: "was RUNNABLE", Rank: 2}, {Text: "new", Rank: 1}, {}}[i%5]
	}
}
