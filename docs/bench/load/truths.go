//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// figures are those of jtop's report that are compared with what is true.
type figures struct {
	Samples  int64 `json:"samples"`
	Errors   int64 `json:"errors"`
	CutOff   int64 `json:"cut_off"`
	Response struct {
		P50, P90, P99, Max float64
	} `json:"response_ms"`
	Verdict string `json:"verdict"`
}

// report runs jtop load and reads its report.
func (b *bench) report(ctx context.Context, srv *target, flags ...string) (result, figures, error) {
	var f figures
	argv := append([]string{b.jtop, "load", "http://" + srv.addr + "/", "--json"}, flags...)
	r, err := srv.measure(ctx, peer{quiet: true}, argv)
	if err == nil {
		err = json.Unmarshal(r.out, &f)
	}
	return r, f, err
}

// pause asks 200/s of a server that freezes. A third of the requests come
// while it is frozen and wait for up to 2 s, evenly: a tenth of all wait for
// more than 1.4 s, a hundredth for more than 1.94 s.
func (b *bench) pause(ctx context.Context) error {
	const p90, p99 = 1400, 1940
	fmt.Print("the server freezes 2 s of every 6 s, 200/s asked for 12 s; true: p90 1.4 s, p99 1.94 s; limit: 2 %\n\n")
	fmt.Println("| round | p50 ms | p90 ms | off by | p99 ms | off by | verdict |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
	for round := range b.rounds {
		srv, err := startServer(ctx, "-freezes")
		if err != nil {
			return err
		}
		_, f, err := b.report(ctx, srv, "--rate", "200", "-c", "10", "-d", "12s")
		srv.stop()
		if err != nil {
			return err
		}
		off := func(is, should float64) float64 { return math.Abs(is-should) / should * 100 }
		fmt.Printf("| %d | %.1f | %.0f | %.1f %% | %.0f | %.1f %% | %s |\n", round+1, f.Response.P50, f.Response.P90, off(f.Response.P90, p90), f.Response.P99, off(f.Response.P99, p99), f.Verdict)
	}
	fmt.Println()
	return nil
}

// memory looks at the resident size, once a second, of a run of many samples.
func (b *bench) memory(ctx context.Context) error {
	srv, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer srv.stop()
	r, f, err := b.report(ctx, srv, "-c", strconv.Itoa(users), "-n", strconv.FormatInt(b.samples, 10))
	if err != nil {
		return err
	}
	if f.Samples != b.samples || r.requests != b.samples {
		return fmt.Errorf("asked for %d requests: jtop counted %d, the server %d", b.samples, f.Samples, r.requests)
	}
	fmt.Printf("%d samples, %d counted by the server, in %.0f s; limit: 80 MB, flat\n\n", f.Samples, r.requests, r.wall.Seconds())
	fmt.Println("| resident MB | |\n| --- | ---: |")
	mb := func(v int64) float64 { return float64(v) / (1 << 20) }
	fmt.Printf("| highest | %.1f |\n", mb(r.rss))
	n := len(r.bySecond)
	for i := range 4 {
		if part := r.bySecond[i*n/4 : (i+1)*n/4]; len(part) > 0 {
			fmt.Printf("| quarter %d, by second | %.1f-%.1f |\n", i+1, mb(slices.Min(part)), mb(slices.Max(part)))
		}
	}
	fmt.Println()
	return nil
}
