package load

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// stepBy is the share by which a step changes a run.
const stepBy = 0.1

// Step makes a running load a tenth more, or as much less as takes such a step
// back: the users of a closed run, at least 1, or the rate of an open one as
// it is now. It says what there is then. The error is a *probes.Problem.
func (r *Runner) Step(up bool) (string, error) {
	if p := r.changeable(); p != nil {
		return "", p
	}
	if r.plan.open() {
		now := r.schedule.shape.Load().rate(time.Since(r.began))
		if now <= 0 {
			return "", bad("the rate cannot be changed by a tenth", "it is 0 at this moment", "wait for the next stage")
		}
		next := stepRate(now, up)
		return plainRate(next) + "/s, was " + plainRate(now) + "/s", r.SetRate(next)
	}
	now := int(r.asked.Load())
	next := stepUsers(now, up)
	if next == now {
		return "", bad("the users cannot be fewer", "one is left", "x stops the run")
	}
	return fmt.Sprintf("%s, were %d", plural(int64(next), "user"), now), r.SetUsers(next)
}

// stepUsers is a tenth more users, or as many fewer as that was.
func stepUsers(n int, up bool) int {
	if up {
		return n + max(1, int(math.Round(float64(n)*stepBy)))
	}
	return max(n-max(1, int(math.Round(float64(n)*stepBy/(1+stepBy)))), min(n, 1))
}

// stepRate is the rate a tenth higher or lower, with four digits.
func stepRate(v float64, up bool) float64 {
	if up {
		v *= 1 + stepBy
	} else {
		v /= 1 + stepBy
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		return v
	}
	return min(rounded, maxRate)
}
