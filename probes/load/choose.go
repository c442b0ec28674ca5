package load

import (
	"math"

	"example.com/jtop/probes/load/plan"
)

// maxCycle is the longest order in which weighted requests are sent before it
// begins again.
const maxCycle = 10_000

// cycle is the order in which requests of these weights are sent: each comes
// as often as its weight says, evenly spread (smooth weighted round robin), so
// that of two halves each is exactly a half of any even number of requests.
func cycle(weights []float64) []int {
	whole, sum := wholeWeights(weights)
	current := make([]int, len(whole))
	out := make([]int, 0, sum)
	for range sum {
		best := 0
		for i, w := range whole {
			if current[i] += w; current[i] > current[best] {
				best = i
			}
		}
		current[best] -= sum
		out = append(out, best)
	}
	return out
}

// wholeWeights are the weights as small whole numbers. One above 0 stays above
// 0; negative ones and what is no number count as 0, and all 0 as all 1.
func wholeWeights(weights []float64) (whole []int, sum int) {
	total := 0.0
	for _, w := range weights {
		if w > 0 && !math.IsInf(w, 0) {
			total += w
		}
	}
	whole = make([]int, len(weights))
	scale := 1000.0
	if total*scale > 1e9 || total*scale/float64(gcdOf(weights, scale)) > maxCycle {
		scale = maxCycle / total
	}
	g := 0
	for i, w := range weights {
		switch {
		case total == 0:
			whole[i] = 1
		case w > 0 && !math.IsInf(w, 0):
			whole[i] = max(int(math.Round(w*scale)), 1)
		}
		g = gcd(g, whole[i])
	}
	for i := range whole {
		whole[i] /= max(g, 1)
		sum += whole[i]
	}
	return whole, sum
}

func gcdOf(weights []float64, scale float64) int {
	g := 0
	for _, w := range weights {
		if w > 0 && w < 1e6+1 {
			g = gcd(g, max(int(math.Round(w*scale)), 1))
		}
	}
	return max(g, 1)
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// scenario tells whether an iteration sends all requests in their order.
func (r *Runner) scenario() bool { return r.spec.Order == plan.Scenario }

// pick is the next request by weight.
func (r *Runner) pick() int {
	if len(r.calls) == 1 {
		return 0
	}
	return r.order[(r.picked.Add(1)-1)%int64(len(r.order))]
}
