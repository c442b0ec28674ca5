package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
)

const threadsHelp = `jtop threads PID|NAME [flags]    of a JVM, by one thread dump: a pause of about 17 us a thread
jtop threads FILE... [flags]     of dumps in files; several dumps are compared

States, deadlocks, the locks that threads wait for with who holds them, pools by
name, and the N threads that use most CPU, with their stacks.

FILE is the output of jstack or jcmd Thread.print, an application's log with what
kill -3 left in it (every dump counts), or a jcmd Thread.dump_to_file of JDK 21 to
28, JSON or text; gzipped, too. A number is a pid; name a file of that name ./NUMBER.

  --top N         threads and groups to list (5)
  --state STATE   only threads in that state: RUNNABLE, BLOCKED, WAITING, ...
  --filter TEXT   only threads with TEXT in the name or the stack
  --deadlocks     only the deadlocks; exit 1 when there is one, 0 when none
  --groups        only the groups of threads at identical stacks
  --locks         only the locks that threads wait for, all of them
  --json          everything, as JSON; --state and --filter choose threads[]
Of files:
  --screen        on the screen, in the tab of a live JVM; n and p step through them
Of a JVM:
  --interval D    time over which CPU is measured (1s)
  --dumps N       take N dumps and compare them (1 to 100)
  --every D       time between dumps, 2s at least (5s); more where dumps are slow:
                  the JVM is not stopped for more than --stop-budget
  --stop-budget P percent of the time that dumps may stop the JVM, 0.01 to 5 (0.5)
  --save FILE     write the dumps to FILE, as jstack does; it must not exist yet
`

// threadsOptions are the flags of jtop threads.
type threadsOptions struct {
	json      bool
	top       int
	topSet    bool
	state     string
	filter    string
	deadlocks bool
	groups    bool
	locks     bool
	interval  time.Duration
	dumps     int
	every     time.Duration
	save      string
	budget    float64
	screen    bool
}

// leastEvery is the schedule's own least time between dumps.
const leastEvery = 2 * time.Second

func runThreads(ctx context.Context, e *env, args []string) error {
	var o threadsOptions
	f := e.opts.flags("threads") // --screen has the screen's own flags
	f.BoolVar(&o.json, "json", false, "")
	f.IntVar(&o.top, "top", 5, "")
	f.StringVar(&o.state, "state", "", "")
	f.StringVar(&o.filter, "filter", "", "")
	f.BoolVar(&o.deadlocks, "deadlocks", false, "")
	f.BoolVar(&o.groups, "groups", false, "")
	f.BoolVar(&o.locks, "locks", false, "")
	timeVar(f, &o.interval, "interval", time.Second, 0)
	f.IntVar(&o.dumps, "dumps", 1, "")
	timeVar(f, &o.every, "every", 5*time.Second, 0)
	f.StringVar(&o.save, "save", "", "")
	f.BoolVar(&o.screen, "screen", false, "")
	words, err := parse(f, args)
	o.budget = e.opts.budget
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, threadsHelp)
		return nil
	}
	if err != nil {
		return err
	}
	set := make(map[string]bool)
	f.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	o.topSet = set["top"]
	if err := o.check(); err != nil {
		return err
	}
	if err := screenFlags(o.screen, set); err != nil {
		return err
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	files, err := areFiles(words)
	if err != nil {
		return err
	}
	if !files && o.screen {
		return usagef("--screen is for files, and %q is a JVM: jtop %s", words[0], words[0])
	}
	if !files {
		return liveThreads(ctx, e, words[0], o)
	}
	for _, name := range []string{"interval", "dumps", "every", "save", "stop-budget"} {
		if set[name] {
			return usagef("--%s is for a JVM, and %q is a file", name, words[0])
		}
	}
	return fileThreads(ctx, e, words, o)
}

// screenFlags refuses the screen's flags where there is no screen, and what a
// screen of files has nothing to do with: a flag that is ignored in silence is
// a promise that is broken.
func screenFlags(screen bool, set map[string]bool) error {
	switch {
	case screen && set["json"]:
		return usagef("--json prints, and --screen does not: leave out one of them")
	case !screen && set["readonly"]:
		return usagef("--readonly is for the screen: without it jtop threads takes a dump of a JVM, which acts on it, and only reads files")
	}
	for _, name := range []string{"record", "replay", "version"} {
		if set[name] {
			return usagef("--%s is not for jtop threads; --save FILE keeps dumps", name)
		}
	}
	for _, name := range []string{"color", "light", "ascii", "no-mouse", "log"} {
		if !screen && set[name] {
			return usagef("--%s is for the screen: jtop threads FILE --screen", name)
		}
	}
	return nil
}

func (o *threadsOptions) check() error {
	o.state = strings.ToUpper(o.state)
	switch {
	case o.top < 0:
		return usagef("--top is not negative")
	case o.dumps < 1 || o.dumps > 100:
		return usagef("--dumps is 1 to 100")
	case o.every < leastEvery:
		return usagef("--every is %v at least: each dump stops the JVM", leastEvery)
	case o.interval < 0:
		return usagef("--interval is not negative")
	case o.state == "":
		return nil
	}
	var known []string
	for _, s := range probes.ThreadStates {
		if string(s) == o.state {
			return nil
		}
		known = append(known, string(s))
	}
	return usagef("--state is one of %s", strings.Join(known, ", "))
}

// areFiles tells whether the words are files, or one that means a JVM.
func areFiles(words []string) (bool, error) {
	if len(words) == 0 {
		return false, usagef("threads takes one pid or name, or files")
	}
	for _, w := range words {
		if _, err := strconv.Atoi(w); err == nil {
			if len(words) > 1 {
				return false, usagef("%q is a pid: threads takes one JVM, or files (a file of that name is ./%s)", w, w)
			}
			return false, nil
		}
		st, err := os.Stat(w)
		switch {
		case err == nil && st.IsDir():
			return false, usagef("%q is a directory: name the files with dumps in it", w)
		case err == nil:
		case len(words) > 1 || strings.ContainsRune(w, os.PathSeparator):
			return false, usagef("%q is neither a pid nor a file that can be read: %v", w, err)
		default:
			return false, nil
		}
	}
	return true, nil
}

// keep is the choice of --state and --filter; nil is all.
func (o *threadsOptions) keep() func(*probes.Thread) bool {
	if o.state == "" && o.filter == "" {
		return nil
	}
	text := strings.ToLower(o.filter)
	return func(t *probes.Thread) bool {
		if o.state != "" && string(t.State) != o.state {
			return false
		}
		if text == "" || strings.Contains(strings.ToLower(t.Name), text) {
			return true
		}
		for _, f := range t.Stack {
			if strings.Contains(strings.ToLower(f.Method), text) {
				return true
			}
		}
		return false
	}
}

// print writes the report; with --deadlocks a deadlock is an error, for the
// exit code.
func (o *threadsOptions) print(e *env, in report.ThreadsInput) error {
	in.Keep = o.keep()
	r := report.NewThreads(in)
	if o.json {
		if err := writeJSON(e.out, r); err != nil {
			return err
		}
	} else {
		v := report.ThreadsView{Top: o.top, Filtered: in.Keep != nil, Deadlocks: o.deadlocks, Groups: o.groups, Locks: o.locks}
		if v.Filtered && !o.topSet {
			v.Top = len(r.Threads) // chosen on purpose
		}
		if err := report.WriteThreads(e.out, r, v); err != nil {
			return err
		}
	}
	if n := len(r.Deadlocks); o.deadlocks && n > 0 {
		return fmt.Errorf("deadlocks: %d", n)
	}
	return nil
}
