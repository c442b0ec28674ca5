//go:build bench

package main

import (
	"fmt"
	"slices"
	"strings"
)

// median is the middle of the figures, or the mean of the two in the middle.
func median(figures []float64) float64 {
	f := slices.Sorted(slices.Values(figures))
	n := len(f)
	if n == 0 {
		return 0
	}
	return (f[(n-1)/2] + f[n/2]) / 2
}

// spread is the least and the most of the figures, as text.
func spread(format string, figures []float64) string {
	return fmt.Sprintf(format+"-"+format, slices.Min(figures), slices.Max(figures))
}

// each applies f to all results.
func each(rs []result, f func(result) float64) []float64 {
	var out []float64
	for _, r := range rs {
		out = append(out, f(r))
	}
	return out
}

// ratios are those of the rounds: both were measured one soon after the other,
// under the same other work of the machine.
func ratios(of, to []result) []float64 {
	var out []float64
	for i := range min(len(of), len(to)) {
		out = append(out, of[i].per100k()/to[i].per100k())
	}
	return out
}

// printTable prints the results of a kind of run as Markdown; base is what the
// others are compared with.
func printTable(order []string, all map[string][]result, base string) {
	fmt.Printf("| generator | req/s | CPU s/100k | lowest-highest | x %s | lowest-highest | of it system | RSS MB | server CPU s/100k |\n", base)
	fmt.Println("| --- " + strings.Repeat("| ---: ", 8) + "|")
	for _, name := range order {
		rs := all[name]
		if len(rs) == 0 {
			fmt.Printf("| %s | not measured |\n", name)
			continue
		}
		cpu := each(rs, result.per100k)
		x, xs := "", ""
		if r := ratios(rs, all[base]); len(r) > 0 {
			x, xs = fmt.Sprintf("%.2f", median(r)), spread("%.2f", r)
		}
		fmt.Printf("| %s | %.0f | %.3f | %s | %s | %s | %.0f %% | %.0f | %.2f |\n", name, median(each(rs, result.rate)), median(cpu), spread("%.3f", cpu), x, xs,
			median(each(rs, func(r result) float64 { return r.sys / r.cpu * 100 })), median(each(rs, result.megabytes)),
			median(each(rs, func(r result) float64 { return r.server / float64(r.requests) * 1e5 })))
	}
	fmt.Println()
}
