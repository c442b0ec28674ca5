package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/probes/load/plan"
)

const loadHelp = `jtop load URL [flags]            send requests and report (http, https, ws, wss)
jtop load --plan FILE [flags]    the same from a plan: --plan, --curl or --jmx
jtop load --jtl FILE [flags]     report on a JTL that JMeter or --out has written

Closed model (default): each of the users sends its next request when the last
one is answered. Open model (--rate): requests start on schedule, answered or
not, and their times count from when they were to start.

  -c USERS          users, one connection each (10); with --rate those to begin with
  --ramp D          user i of N starts at i*D/N; with --rate: it rises from 0 in D
  --loops N         requests per user; with --rate: USERS times N in all
  -n TOTAL          requests of all users together, exactly
  -d DURATION       time to run (30s where nothing else limits; 0: until ctrl+c)
  --rate N[/s|/m]   open model: N requests a second
  --max-users N     cap of connections with --rate (10000, or what ulimit -n allows)
  --warmup D        the first D of the run is sent and not counted
  --timeout D       of a whole request (30s)
  -m METHOD         GET, or POST where there is a body
  -H 'NAME: VALUE'  a header; as often as needed
  --body TEXT|@FILE what to send
  --label NAME      the request's name in the tables (method and path)
  --json            the report as JSON
  --out FILE        write JMeter's CSV JTL to FILE, which must be new or empty
  --fail-if EXPR    exit 1 when it holds at the end: 'p95>300ms', 'errors>1%',
                    'throughput<100/s'; min mean p50 p90 p95 p99 p99.9 max, also
                    service.p95 and lag.p95; as often as needed
  --pid PID|NAME    sample that JVM meanwhile: CPU, heap, GC, threads
  --yes             the target need not be this machine
  --follow          with --jtl: read on while it is written, until ctrl+c
  --screen          with --jtl and --follow: in the Load tab, with --pid beside
                    that JVM; takes jtop's flags of the screen too
` + loadMoreHelp + loadWireHelp + loadPlanHelp + `
ctrl+c ends the run early: the report is printed within two seconds and tells
what was cut off. Exit codes: 0 ok, 1 a condition broken or a file incomplete,
2 usage, 6 nothing succeeded.
`

// loadOptions are the flags of jtop load.
type loadOptions struct {
	plan   load.Plan
	body   string
	json   bool
	out    string
	jtl    string
	follow bool
	screen bool
	look   options // of the screen
	pid    string
	checks []load.Check
	dSet   bool

	more     moreOptions
	moreSet  bool
	bodyFile string // what --body @FILE names

	from  planOptions
	given map[string]bool // flags of the command line
}

// defaultLength is how long a run lasts that nothing else ends, after the
// stages that have a time.
const defaultLength = 30 * time.Second

// endOf is the duration of a run that only its stages may end; 0 where they do.
func endOf(stages plan.Stages) time.Duration {
	length, open := stages.Length()
	if !open {
		return 0
	}
	return length + defaultLength
}

// nothingError says that no request succeeded.
type nothingError struct{ text string }

func (n nothingError) Error() string { return n.text }

// register adds the flags.
func (o *loadOptions) register(f *flag.FlagSet) {
	p := &o.plan
	f.IntVar(&p.Users, "c", 10, "")
	timeVar(f, &p.Ramp, "ramp", 0, 0)
	f.IntVar(&p.Loops, "loops", 0, "")
	f.Int64Var(&p.Total, "n", 0, "")
	timeVar(f, &p.Duration, "d", 0, 0)
	f.Func("rate", "", func(s string) (err error) { p.Rate, err = parseRate(s); return err })
	f.IntVar(&p.MaxUsers, "max-users", 0, "")
	timeVar(f, &p.WarmUp, "warmup", 0, 0)
	timeVar(f, &p.Timeout, "timeout", 0, 1)
	f.StringVar(&p.Method, "m", "", "")
	f.Func("H", "", func(s string) error { p.Headers = append(p.Headers, s); return nil })
	f.StringVar(&o.body, "body", "", "")
	f.StringVar(&p.Label, "label", "", "")
	f.BoolVar(&o.json, "json", false, "")
	f.StringVar(&o.out, "out", "", "")
	f.StringVar(&o.jtl, "jtl", "", "")
	f.BoolVar(&o.follow, "follow", false, "")
	f.BoolVar(&o.screen, "screen", false, "")
	o.look.look(f)
	f.StringVar(&o.pid, "pid", "", "")
	f.BoolVar(&p.Confirmed, "yes", false, "")
	f.Func("fail-if", "", func(s string) error {
		c, err := load.ParseCheck(s)
		o.checks = append(o.checks, c)
		return err
	})
	o.more.register(f)
	o.from.register(f)
}

func parseLoad(args []string) (o loadOptions, words []string, err error) {
	f := newFlags("load")
	o.register(f)
	if words, err = parse(f, args); err != nil {
		return o, nil, err
	}
	o.given = map[string]bool{}
	f.Visit(func(fl *flag.Flag) { o.given[fl.Name] = true })
	for name := range moreFlags() {
		o.moreSet = o.moreSet || given(f, name)
	}
	for name, flag := range map[string]bool{"n": true, "loops": true, "c": true, "max-users": true} {
		if v := f.Lookup(name); flag && given(f, name) && (v.Value.String() == "0" || strings.HasPrefix(v.Value.String(), "-")) {
			return o, nil, usagef("load: -%s is 1 or more", name)
		}
	}
	o.dSet = given(f, "d")
	return o, words, nil
}

func runLoad(ctx context.Context, e *env, args []string) error {
	o, words, err := parseLoad(args)
	if errors.Is(err, errHelp) {
		fmt.Fprint(e.out, loadHelp)
		return nil
	}
	if err != nil {
		return err
	}
	for name := range lookFlags() {
		if o.given[name] && !o.screen {
			return usagef("--%s is of the screen: it goes with --jtl FILE --follow --screen", name)
		}
	}
	if o.jtl != "" {
		if len(words) > 0 || o.from.given() || o.from.dry() {
			return usagef("load takes a URL or --jtl, not both")
		}
		if o.screen && o.follow && o.out == "" && !o.json && len(o.checks) == 0 {
			e.opts = o.look
			return jtlScreen(ctx, e, &o)
		}
		if o.screen {
			return usagef("--screen goes with --jtl and --follow, and shows no report")
		}
		if o.pid != "" || o.out != "" {
			return usagef("--jtl reports on what is over: --pid and --out go with a URL")
		}
		return reportJTL(ctx, e, &o)
	}
	p := &o.plan
	switch {
	case o.screen:
		return usagef("--screen goes with --jtl and --follow; jtop PID has a Load tab that sends requests")
	case o.follow:
		return usagef("--follow goes with --jtl")
	case o.from.given():
		if err := o.readPlan(e, words); err != nil {
			return err
		}
		return start(ctx, e, &o)
	case len(words) != 1:
		return usagef("load takes one URL")
	}
	p.URL, p.NoTree = words[0], true
	if p.Total == 0 && p.Loops == 0 && !o.dSet {
		p.Duration = endOf(o.more.spec.Stages)
	}
	if p.Body, err = loadBody(o.body); err != nil {
		return err
	}
	o.bodyFile, _ = strings.CutPrefix(o.body, "@")
	if o.bodyFile == o.body {
		o.bodyFile = ""
	}
	if p.Method == "" && p.Body != "" {
		p.Method = "POST"
	}
	o.moreSet = o.moreSet || o.from.dry()
	if err := o.inFull(); err != nil {
		return err
	}
	return start(ctx, e, &o)
}

// start runs what the flags say, after a yes where it goes to another machine.
func start(ctx context.Context, e *env, o *loadOptions) error {
	if o.from.dry() {
		return dryRun(e, o)
	}
	p := &o.plan
	p.Grace = 1800 * time.Millisecond // with what comes after, two seconds
	if ask, why := load.NeedsYes(*p); ask && !p.Confirmed {
		if !confirm(e, why+". Send load there") {
			return usagef("%s: give --yes if load may be sent there", why)
		}
		p.Confirmed = true
	}
	return fire(ctx, e, o)
}

// confirm asks on the terminal; without one the answer is no.
func confirm(e *env, question string) bool {
	if !isTerminal(e.err) || e.in == nil || !isatty.IsTerminal(e.in.Fd()) {
		return false
	}
	fmt.Fprintf(e.err, "%s? [y/N] ", question)
	answer, err := bufio.NewReader(e.in).ReadString('\n')
	if err != nil {
		fmt.Fprintln(e.err)
	}
	return strings.EqualFold(strings.TrimSpace(answer), "y") || strings.EqualFold(strings.TrimSpace(answer), "yes")
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// finish prints a report and turns it into the exit code.
func finish(e *env, o *loadOptions, rep *load.Report) error {
	var broken []string
	for _, c := range o.checks {
		if c = c.Judge(rep); c.Broken {
			broken = append(broken, c.String())
		}
		rep.Checks = append(rep.Checks, c)
	}
	var err error
	if o.json {
		err = writeJSON(e.out, rep)
	} else {
		_, err = io.WriteString(e.out, rep.Text())
	}
	switch {
	case err != nil:
		return fmt.Errorf("the report cannot be written: %w", err)
	case rep.Samples == rep.Errors:
		return nothingError{"nothing succeeded: " + rep.Verdict}
	case len(broken) > 0:
		return errors.New(probes.Clean(strings.Join(broken, "; ")))
	}
	return nil
}
