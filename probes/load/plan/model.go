package plan

import "time"

// Rate is requests a second.
type Rate float64

// MaxRate is the highest rate that a plan may name, far beyond what one
// machine sends.
const MaxRate Rate = 10_000_000

// Stage is a part of an open run. The rate goes evenly From to To.
type Stage struct {
	From Rate
	To   Rate
	For  time.Duration
}

// Stages is an open run in parts, one after the other. Text form:
// "50/s for 5m, then 50/s to 500/s for 1m, then 500/s for 30m".
type Stages []Stage

// ThinkKind is the distribution of a think time.
type ThinkKind string

// Kinds of think time. The empty one is none.
const (
	ThinkFixed    ThinkKind = "fixed"    // Mean
	ThinkUniform  ThinkKind = "uniform"  // evenly between Min and Max
	ThinkGaussian ThinkKind = "gaussian" // normal around Mean, with Deviation; below 0 it is 0
)

// ThinkTime is the pause of a user before a request.
type ThinkTime struct {
	Kind      ThinkKind     `plan:"kind" enum:"fixed,uniform,gaussian" about:"distribution"`
	Mean      time.Duration `plan:"mean" about:"of fixed and gaussian"`
	Deviation time.Duration `plan:"deviation" about:"of gaussian: standard deviation"`
	Min       time.Duration `plan:"min" about:"of uniform"`
	Max       time.Duration `plan:"max" about:"of uniform"`
}

// Apdex has the thresholds of the Apdex figure (Apdex Alliance, technical
// specification 1.1).
type Apdex struct {
	Satisfied time.Duration `plan:"satisfied" about:"T: answers up to so long satisfy (default 500ms)"`
	Tolerated time.Duration `plan:"tolerated" about:"F: answers up to so long are tolerated (default 4*T)"`
}

// Tree limits what the results tree keeps; -1 keeps none.
type Tree struct {
	First    int `plan:"first" min:"-1" max:"1000" about:"the first so many samples (default 10)"`
	Slowest  int `plan:"slowest" min:"-1" max:"1000" about:"the slowest so many (default 10)"`
	PerError int `plan:"per_error" min:"-1" max:"100" about:"so many of each class of error (default 2)"`
	Body     int `plan:"body" min:"-1" max:"1048576" about:"bytes of each body that are kept (default 4096)"`
}

// Length is how long the stages that have a time last together. Open tells
// whether nothing ends the run after that: the last has no time, or there are
// none.
func (s Stages) Length() (length time.Duration, open bool) {
	for _, one := range s {
		length += one.For
	}
	return length, len(s) == 0 || s[len(s)-1].For == 0
}
