package probes

import (
	"math"
	"time"
)

// TrendPoint is one figure of a trend: a fill in bytes, on the session's clock.
type TrendPoint struct {
	At    time.Duration `json:"at_ns"`
	Bytes int64         `json:"bytes"`
}

// Trend is a straight line through points, by least squares.
type Trend struct {
	N       int           `json:"n"`
	Span    time.Duration `json:"span_ns"`        // from the first point to the last
	PerHour Opt[float64]  `json:"bytes_per_hour"` // slope; unknown with fewer than three points or no span
	Now     Opt[float64]  `json:"bytes_now"`      // the line at its last point
	// Rising tells that the slope stands out of the points' scatter (three
	// standard errors), is no trifle (a hundredth of the limit over Span) and has
	// lasted for TrendSpan.
	Rising bool `json:"rising"`
	// Full is how long until the line meets the limit, counted from the last
	// point; known only where Rising.
	Full Opt[time.Duration] `json:"time_to_full_ns"`
}

// Numbers of points that a trend needs: a slope at all, and one to warn of.
const (
	trendLeast  = 3
	risingLeast = 5
	trendMost   = 30 // newest points: what a cache did while it filled is not how it goes on
)

// TrendSpan is how long points must go on before their slope means anything.
const TrendSpan = 2 * time.Minute

// FitTrend fits the newest points of a series in order of time. limit is what
// they may grow to, in bytes; unknown: no time to full is told.
func FitTrend(points []TrendPoint, limit Opt[int64]) Trend {
	p := points[max(len(points)-trendMost, 0):]
	t := Trend{N: len(p)}
	if len(p) == 0 {
		return t
	}
	t.Span = p[len(p)-1].At - p[0].At
	if len(p) < trendLeast || t.Span <= 0 {
		return t
	}
	n := float64(len(p))
	var mx, my float64
	for _, q := range p {
		mx += (q.At - p[0].At).Hours() / n
		my += float64(q.Bytes) / n
	}
	var sxx, sxy float64
	for _, q := range p {
		x, y := (q.At-p[0].At).Hours()-mx, float64(q.Bytes)-my
		sxx += x * x
		sxy += x * y
	}
	slope := sxy / sxx
	if math.IsNaN(slope) || math.IsInf(slope, 0) {
		return t
	}
	t.PerHour, t.Now = Some(slope), Some(my+slope*(t.Span.Hours()-mx))
	var rss float64
	for _, q := range p {
		e := float64(q.Bytes) - my - slope*((q.At-p[0].At).Hours()-mx)
		rss += e * e
	}
	deviation := math.Sqrt(rss / (n - 2) / sxx)
	rise := slope * t.Span.Hours()
	t.Rising = len(p) >= risingLeast && t.Span >= TrendSpan && slope > 0 && slope > 3*deviation && (!limit.OK || rise >= float64(limit.V)/100) && rise >= 1<<20
	if left := float64(limit.V) - t.Now.V; t.Rising && limit.OK {
		if h := max(left, 0) / slope; h < 24*365 {
			t.Full = Some(time.Duration(h * float64(time.Hour)))
		}
	}
	return t
}
