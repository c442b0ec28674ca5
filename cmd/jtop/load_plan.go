package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load"
	"example.com/jtop/probes/load/plan"
)

const loadPlanHelp = `
A plan in place of a URL (flags of when, how often and how to connect go before
what it says; see docs/plans.md):

  --plan FILE       a YAML plan: several requests, data, extraction, assertions
  --curl 'curl ...' a command line of curl, as browsers copy it
  --jmx FILE        a test plan of JMeter; what does not come over is listed
  --check           say what would be done, and do nothing
  --export FILE     write the plan as JMeter's .jmx, and do nothing (-: to stdout)
  --export-plan FILE
                    write it as YAML, and do nothing (-: to stdout)
`

// planOptions are the flags of plans.
type planOptions struct {
	file, curl, jmx    string
	check              bool
	export, exportPlan string
}

func (p *planOptions) register(f *flag.FlagSet) {
	f.StringVar(&p.file, "plan", "", "")
	f.StringVar(&p.curl, "curl", "", "")
	f.StringVar(&p.jmx, "jmx", "", "")
	f.BoolVar(&p.check, "check", false, "")
	f.StringVar(&p.export, "export", "", "")
	f.StringVar(&p.exportPlan, "export-plan", "", "")
}

// given tells whether a plan takes the place of the URL.
func (p *planOptions) given() bool { return p.file != "" || p.curl != "" || p.jmx != "" }

// dry tells whether nothing is to be sent.
func (p *planOptions) dry() bool { return p.check || p.export != "" || p.exportPlan != "" }

// ofOneRequest are the flags that say what one request is: a plan says that
// itself.
var ofOneRequest = []string{"m", "H", "body", "label", "form", "part", "user", "bearer", "csv"}

// readPlan reads the plan that the flags name, with what other flags say put
// before it.
func (o *loadOptions) readPlan(e *env, words []string) error {
	p := &o.from
	if n := len(slices.DeleteFunc([]string{p.file, p.curl, p.jmx, strings.Join(words, " ")}, func(s string) bool { return s == "" })); n > 1 {
		return usagef("load takes one of a URL, --plan, --curl and --jmx")
	}
	for _, name := range ofOneRequest {
		if o.given[name] {
			return usagef("-%s is of one request: write it into the plan", name)
		}
	}
	s, err := p.read(e)
	if err != nil {
		return err
	}
	if err := o.overlay(s); err != nil {
		return err
	}
	if err := plan.Validate(s); err != nil {
		return planError(e, "the plan with these flags", err)
	}
	o.plan.Spec = s
	return nil
}

// read reads the plan from where the flags say.
func (p *planOptions) read(e *env) (*plan.Plan, error) {
	switch {
	case p.file != "":
		data, err := readUpTo("--plan", p.file, plan.MaxFile)
		if err != nil {
			return nil, err
		}
		s, err := plan.Parse(p.file, data)
		return s, planError(e, p.file, err)
	case p.jmx != "":
		data, err := readUpTo("--jmx", p.jmx, plan.MaxJMX)
		if err != nil {
			return nil, err
		}
		s, notes, err := plan.FromJMX(p.jmx, data, load.FirstLine)
		tell(e, p.jmx, notes)
		return s, planError(e, p.jmx, err)
	}
	s, notes, err := plan.FromCurl(p.curl, func(name string) ([]byte, error) { return readUpTo("--curl", name, maxBody) })
	tell(e, "curl", notes)
	if err == nil {
		s.Users = 10 // as with a URL
	}
	return s, planError(e, "--curl", err)
}

// readUpTo reads a file that has at most so many bytes.
func readUpTo(flagName, name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("%s: %v", flagName, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, usagef("%s: %v", flagName, err)
	case int64(len(b)) > most:
		return nil, usagef("%s: %s is larger than %d MB", flagName, name, most>>20)
	}
	return b, nil
}

// tell prints what did not come over.
func tell(e *env, source string, notes []plan.Unsupported) {
	for _, n := range notes {
		fmt.Fprintln(e.err, probes.Clean(source+": "+n.String()))
	}
}

// planError prints the mistakes of a plan, one a line, and is the error of the
// command.
func planError(e *env, source string, err error) error {
	if err == nil {
		return nil
	}
	var list plan.Errors
	if !errors.As(err, &list) {
		return usageError{err.Error()}
	}
	if len(list) == 1 {
		return usageError{list[0].Error()}
	}
	for _, one := range list {
		fmt.Fprintln(e.err, one.Error())
	}
	return usagef("%s has %d mistakes", source, len(list))
}

// overlay puts what the flags say before what the plan says.
func (o *loadOptions) overlay(s *plan.Plan) error {
	p, m := &o.plan, &o.more.spec
	rate := plan.Rate(p.Rate)
	for name, put := range map[string]func(){
		"c": func() { s.Users = p.Users }, "ramp": func() { s.Ramp = p.Ramp }, "loops": func() { s.Loops = p.Loops }, "n": func() { s.Total = p.Total },
		"d": func() { s.Duration = p.Duration }, "rate": func() { s.Rate, s.Stages = rate, nil }, "max-users": func() { s.MaxUsers = p.MaxUsers },
		"warmup": func() { s.WarmUp = p.WarmUp }, "timeout": func() { s.Timeouts.Total = p.Timeout }, "think": func() { s.Think = m.Think },
		"stages": func() { s.Rate, s.Ramp, s.Stages = 0, 0, m.Stages }, "keepalive": func() { s.KeepAlive = m.KeepAlive }, "cookies": func() { s.Cookies = m.Cookies },
		"redirects": func() { s.Redirects = m.Redirects }, "gzip": func() { s.Gzip = m.Gzip }, "traceparent": func() { s.Traceparent = m.Traceparent },
		"tree": func() { s.Tree = m.Tree }, "apdex": func() { s.Apdex = m.Apdex }, "connect-timeout": func() { s.Timeouts.Connect = m.Timeouts.Connect },
		"first-byte-timeout": func() { s.Timeouts.FirstByte = m.Timeouts.FirstByte }, "cacert": func() { s.TLS.CAFile = m.TLS.CAFile },
		"cert": func() { s.TLS.CertFile = m.TLS.CertFile }, "key": func() { s.TLS.KeyFile = m.TLS.KeyFile }, "servername": func() { s.TLS.ServerName = m.TLS.ServerName },
		"insecure": func() { s.TLS.Insecure = m.TLS.Insecure }, "unix": func() { s.UnixSocket = m.UnixSocket }, "connect-to": func() { s.ConnectTo = m.ConnectTo },
		"http2": func() { s.Protocol = m.Protocol }, "h2c": func() { s.Protocol = m.Protocol }, "streams": func() { s.Streams = m.Streams },
		"seed": func() { s.Seed = m.Seed }, "assert": func() { s.Defaults.Assert = append(s.Defaults.Assert, o.more.ass...) }, "var": func() { setVars(s, m.Vars) },
	} {
		if o.given[name] {
			put()
		}
	}
	if err := o.overlaySocket(s); err != nil {
		return err
	}
	if s.Total == 0 && s.Loops == 0 && s.Duration == 0 && !o.given["d"] && !o.from.dry() {
		s.Duration = endOf(s.Stages) // as with a URL
	}
	return nil
}

// setVars gives variables of the plan other values, and adds new ones.
func setVars(s *plan.Plan, vars []plan.Pair) {
	for _, v := range vars {
		if i := slices.IndexFunc(s.Vars, func(old plan.Pair) bool { return old.Name == v.Name }); i >= 0 {
			s.Vars[i] = v
		} else {
			s.Vars = append(s.Vars, v)
		}
	}
}

// dryRun does what --check and --export ask for.
func dryRun(e *env, o *loadOptions) error {
	s := o.plan.Spec
	if s.Tree == noTree { // of a URL, whose report has none
		s.Tree = plan.Tree{}
	}
	if err := plan.Validate(s); err != nil {
		return planError(e, "the plan", err)
	}
	if o.from.check {
		fmt.Fprint(e.out, plan.Describe(s))
		p := o.plan
		p.Confirmed = true // nothing is sent
		r, err := load.NewGenerator(p)
		if err != nil {
			return usageError{err.Error()}
		}
		r.Stop()
	}
	if name := o.from.export; name != "" {
		data, notes, err := plan.ToJMX(s, load.FirstLine)
		if err != nil {
			return planError(e, "the plan", err)
		}
		tell(e, "JMeter", notes)
		if err := writeNew(e, "--export", name, data); err != nil {
			return err
		}
	}
	if name := o.from.exportPlan; name != "" {
		data, err := plan.Marshal(s)
		if err != nil {
			return err
		}
		return writeNew(e, "--export-plan", name, data)
	}
	return nil
}

// writeNew writes a file that does not hold anything yet; - is the standard
// output.
func writeNew(e *env, flagName, name string, data []byte) error {
	if name == "-" {
		_, err := e.out.Write(data)
		return err
	}
	f, err := newResults(flagName, name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
