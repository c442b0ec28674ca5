package probes

import "time"

// DumpAt is which of several dumps in files a frame shows, and what has become
// of its threads since the dump before.
type DumpAt struct {
	At, Of int    // from 1
	File   string // base name
	Line   int    // of the file, where it begins
	Stamp  string // its time as the text has it, local time of the JVM; "" where Taken tells, or nothing does
	Taken  time.Time

	Compared bool         // there is a dump before, and the following is known
	Seconds  Opt[float64] // since that
	New      int
	Gone     int
	GoneOf   []string // names of the first few
	Moved    int
	Changed  int  // of state
	Stuck    int  // at the same innermost frames, without idle workers
	Mixed    bool // the two are of two kinds, so that new and gone hold what only one kind lists
}

// Since is what has become of a thread since the dump before.
type Since struct {
	Text string
	Rank int // the more telling the lower
}
