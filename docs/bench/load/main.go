//go:build bench

// Command load measures jtop's load runner beside its peers, by turns, against
// one small server on the loopback interface. docs/bench/load.sh builds it
// and calls it from the root of the tree.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bench is what all kinds of runs share.
type bench struct {
	jtop    string // the program
	dir     string // for files that are not kept
	rounds  int
	lasts   time.Duration // one run
	rate    int           // requests a second of the fixed rate
	samples int64         // of the run that memory is looked at in
	only    []string      // of the generators; empty: all
	fail    func(error)
}

func (b *bench) length() string  { return b.lasts.String() }
func (b *bench) seconds() string { return strconv.Itoa(int(b.lasts.Seconds())) }

func main() {
	b := &bench{fail: func(err error) { fmt.Fprintln(os.Stderr, "load bench:", err); os.Exit(1) }}
	server := flag.Bool("serve", false, "be the server")
	freezes := flag.Bool("freezes", false, "a server that freezes for 2 s of every 6 s")
	only := flag.String("only", "", "generators, separated by commas; all where empty")
	parts := flag.String("parts", "closed,fixed,pause,memory,screen", "kinds of runs, separated by commas")
	flag.StringVar(&b.jtop, "jtop", "bin/jtop", "the program to measure")
	flag.IntVar(&b.rounds, "rounds", 5, "how often each generator has its turn")
	flag.DurationVar(&b.lasts, "d", 5*time.Second, "length of one run")
	flag.IntVar(&b.rate, "rate", 5000, "requests a second of the runs with a fixed rate")
	flag.Int64Var(&b.samples, "samples", 10_000_000, "requests of the run in which memory is looked at")
	flag.Parse()
	if *server {
		if err := serve(*freezes); err != nil {
			b.fail(err)
		}
		return
	}
	if *only != "" {
		b.only = strings.Split(*only, ",")
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	dir, err := os.MkdirTemp("", "jtop-load-bench")
	if err != nil {
		b.fail(err)
	}
	defer os.RemoveAll(dir)
	b.dir, b.fail = dir, func(err error) {
		fmt.Fprintln(os.Stderr, "load bench:", err)
		os.RemoveAll(dir)
		os.Exit(1)
	}
	printMachine("before")
	kinds := map[string]func(context.Context) error{"closed": b.closed, "fixed": b.fixed, "pause": b.pause, "memory": b.memory, "screen": b.screen}
	for _, part := range strings.Split(*parts, ",") {
		run, known := kinds[part]
		if !known {
			b.fail(fmt.Errorf("there is no part %q", part))
		}
		if err := run(ctx); err != nil {
			b.fail(err)
		}
	}
	printMachine("after")
}

// printMachine tells when and where, and what else the machine does.
func printMachine(when string) {
	load, _ := os.ReadFile("/proc/loadavg")
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	cpus, model := 0, "an unnamed processor"
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			cpus, model = cpus+1, strings.TrimSpace(value)
		}
	}
	fmt.Printf("%s: %s, Linux %s, %d x %s, load average %s\n\n", when, time.Now().Format("2006-01-02 15:04"), strings.TrimSpace(string(release)), cpus, model, strings.Join(strings.Fields(string(load))[:3], " "))
}

// turns lets all that can do a kind of run have their turns and prints what
// they took.
func (b *bench) turns(ctx context.Context, base string, call func(peer) func(*bench, string) []string) error {
	srv, err := startServer(ctx)
	if err != nil {
		return err
	}
	defer srv.stop()
	url := "http://" + srv.addr + "/"
	var order []string
	all := map[string][]result{}
	for round := range b.rounds {
		for _, p := range b.peers(url) {
			command := call(p)
			if command == nil || len(b.only) > 0 && !slices.Contains(b.only, p.name) {
				continue
			}
			if round == 0 {
				order = append(order, p.name)
			}
			argv := command(b, url)
			if _, err := exec.LookPath(argv[0]); err != nil {
				fmt.Fprintf(os.Stderr, "%s is not installed\n", argv[0])
				continue
			}
			r, err := srv.measure(ctx, p, argv)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "%d %-12s %8.0f req/s %6.3f CPU s/100k\n", round+1, p.name, r.rate(), r.per100k())
			all[p.name] = append(all[p.name], r)
		}
	}
	printTable(order, all, base)
	return nil
}

func (b *bench) closed(ctx context.Context) error {
	fmt.Printf("closed, %d connections, %s, %d rounds; limit: jtop 1.15 x wrk\n\n", users, b.lasts, b.rounds)
	return b.turns(ctx, "wrk -t2", func(p peer) func(*bench, string) []string { return p.closed })
}

func (b *bench) fixed(ctx context.Context) error {
	fmt.Printf("%d/s, %d connections, %s, %d rounds; limit: jtop 1.1 x h2load\n\n", b.rate, users, b.lasts, b.rounds)
	return b.turns(ctx, "h2load --h1", func(p peer) func(*bench, string) []string { return p.fixed })
}
