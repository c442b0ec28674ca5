package main

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes/load"
	"example.com/jtop/probes/load/plan"
)

const loadMoreHelp = `
More of the request and the connection (URL, headers and body may then hold
${uuid}, ${counter}, ${random(1,100)}, ${user}, ${iteration}, ${now} and --var's):

  --think T         pause before each request: 1s, '1s to 3s', '1s +- 200ms'
  --stages S        open model: '50/s for 5m, then 500/s for 30m', '0/s to 100/s for 1m'
  --var NAME=VALUE  a variable; as often as needed
  --csv FILE        rows for ${csv.COLUMN}; the first line names the columns
  --form NAME=VALUE a field of a form; as often as needed
  --part NAME=VALUE|NAME=@FILE
                    a part of a multipart form; as often as needed
  --user NAME:PASS  basic credentials
  --bearer TOKEN    a bearer token
  --assert EXPR     a failure where it does not hold: status=200-299,
                    contains=TEXT, not-contains=TEXT, matches=REGEXP, max-time=300ms,
                    max-size=BYTES, min-size=BYTES, json=PATH==VALUE; as often as needed
  --cookies         each user keeps its cookies
  --redirects N     follow up to N redirects (0)
  --gzip            ask for gzip; both sizes are told
  --traceparent     a W3C trace for each request; the slowest are told with --tree
  --tree N          with --json: the first N, the slowest N and 2 of each kind of failure
  --apdex T         satisfied up to T, tolerated up to 4 T (500ms)
  --keepalive K     on, off, or 'every N' for a new connection after N requests
  --connect-timeout D, --first-byte-timeout D
  --cacert FILE, --cert FILE, --key FILE, --insecure, --servername NAME
  --unix SOCKET     connect to a unix socket
  --connect-to HOST1:PORT1:HOST2:PORT2
                    connect to the second where the URL names the first
  --seed N          of random choices: the same each run
`

// moreOptions are the flags that only a plan in full can say.
type moreOptions struct {
	spec  plan.Plan
	form  []plan.Pair
	parts []plan.Part
	auth  *plan.Auth
	ass   []plan.Assert

	socket plan.WebSocket
}

// register adds the flags.
func (m *moreOptions) register(f *flag.FlagSet) {
	s := &m.spec
	f.Func("think", "", func(v string) (err error) { s.Think, err = plan.ParseThink(v); return err })
	f.Func("stages", "", func(v string) (err error) { s.Stages, err = plan.ParseStages(v); return err })
	f.Func("keepalive", "", func(v string) (err error) { s.KeepAlive, err = plan.ParseKeepAlive(v); return err })
	f.Func("var", "", pair(&s.Vars))
	f.Func("csv", "", func(v string) error { s.CSV = append(s.CSV, plan.CSVData{File: v}); return nil })
	f.Func("form", "", pair(&m.form))
	f.Func("part", "", m.part)
	f.Func("user", "", func(v string) error {
		name, pass, _ := strings.Cut(v, ":")
		m.auth = &plan.Auth{User: name, Password: pass}
		return nil
	})
	f.Func("bearer", "", func(v string) error { m.auth = &plan.Auth{Bearer: v}; return nil })
	f.Func("assert", "", func(v string) error {
		a, err := parseAssert(v)
		m.ass = append(m.ass, a)
		return err
	})
	f.BoolVar(&s.Cookies, "cookies", false, "")
	f.IntVar(&s.Redirects, "redirects", 0, "")
	f.BoolVar(&s.Gzip, "gzip", false, "")
	f.BoolVar(&s.Traceparent, "traceparent", false, "")
	f.Func("tree", "", m.tree)
	timeVar(f, &s.Apdex.Satisfied, "apdex", 0, 1)
	timeVar(f, &s.Timeouts.Connect, "connect-timeout", 0, 0)
	timeVar(f, &s.Timeouts.FirstByte, "first-byte-timeout", 0, 0)
	f.StringVar(&s.TLS.CAFile, "cacert", "", "")
	f.StringVar(&s.TLS.CertFile, "cert", "", "")
	f.StringVar(&s.TLS.KeyFile, "key", "", "")
	f.StringVar(&s.TLS.ServerName, "servername", "", "")
	f.BoolVar(&s.TLS.Insecure, "insecure", false, "")
	f.StringVar(&s.UnixSocket, "unix", "", "")
	f.Func("connect-to", "", func(v string) error {
		_, err := plan.ParseConnectTo(v)
		s.ConnectTo = append(s.ConnectTo, v)
		return err
	})
	f.Uint64Var(&s.Seed, "seed", 0, "")
	m.registerWire(f)
}

// moreFlags are the names that register adds.
func moreFlags() map[string]bool {
	names := map[string]bool{}
	f := newFlags("")
	(&moreOptions{}).register(f)
	f.VisitAll(func(fl *flag.Flag) { names[fl.Name] = true })
	return names
}

func pair(to *[]plan.Pair) func(string) error {
	return func(v string) error {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return fmt.Errorf("write it as NAME=VALUE")
		}
		*to = append(*to, plan.Pair{Name: name, Value: value})
		return nil
	}
}

func (m *moreOptions) part(v string) error {
	name, value, ok := strings.Cut(v, "=")
	if !ok || name == "" {
		return fmt.Errorf("write it as NAME=VALUE or NAME=@FILE")
	}
	p := plan.Part{Name: name, Value: value}
	if file, isFile := strings.CutPrefix(value, "@"); isFile {
		p.Value, p.File = "", file
	}
	m.parts = append(m.parts, p)
	return nil
}

func (m *moreOptions) tree(v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 1000 {
		return fmt.Errorf("write how many to keep, from 1 to 1000")
	}
	m.spec.Tree = plan.Tree{First: n, Slowest: n, PerError: 2}
	return nil
}

// parseAssert reads one condition on every answer.
func parseAssert(v string) (a plan.Assert, err error) {
	name, value, ok := strings.Cut(v, "=")
	if !ok {
		return a, fmt.Errorf("write it as status=200-299 or contains=TEXT")
	}
	texts := map[string]*string{"status": &a.Status, "contains": &a.Contains, "not-contains": &a.NotContains, "matches": &a.Matches, "not-matches": &a.NotMatches}
	sizes := map[string]**int64{"max-size": &a.MaxSize, "min-size": &a.MinSize}
	if to := texts[name]; to != nil {
		*to = value
	} else if to := sizes[name]; to != nil {
		n, err := strconv.ParseInt(value, 10, 64)
		if *to = &n; err != nil || n < 0 {
			return a, fmt.Errorf("%s is a number of bytes", name)
		}
	} else if name == "max-time" {
		a.MaxTime, err = time.ParseDuration(value)
	} else if name == "json" {
		path, want, compared := strings.Cut(value, "==")
		if a.JSON = path; compared {
			a.Value = &want
		}
	} else {
		return a, fmt.Errorf("%s is nothing that can be asserted: status, contains, not-contains, matches, not-matches, max-time, max-size, min-size, json", name)
	}
	if err != nil {
		return a, err
	}
	_, err = a.Compile()
	return a, err
}

// templated tells whether a text of the command line holds a template.
func (o *loadOptions) templated() bool {
	return strings.Contains(o.plan.URL+strings.Join(o.plan.Headers, "\n")+o.plan.Body, "${")
}

// inFull puts what the flags say into a plan in full, where they say more than
// the one request.
func (o *loadOptions) inFull() error {
	if !o.moreSet && !o.templated() && !isSocketURL(o.plan.URL) {
		return nil
	}
	s, err := load.PlanOf(o.plan)
	if err != nil {
		return usageError{err.Error()}
	}
	own, m := *s, &o.more
	*s = m.spec
	s.Users, s.Ramp, s.Loops, s.Total, s.Duration, s.Rate, s.MaxUsers, s.WarmUp, s.Requests = own.Users, own.Ramp, own.Loops, own.Total, own.Duration, own.Rate, own.MaxUsers, own.WarmUp, own.Requests
	s.Timeouts.Total = own.Timeouts.Total
	q := &s.Requests[0]
	q.Form, q.Multipart, q.Auth, q.Assert = m.form, m.parts, m.auth, m.ass
	if o.bodyFile != "" {
		q.Body, q.BodyFile = "", o.bodyFile
	}
	if s.Tree == (plan.Tree{}) {
		s.Tree = noTree
	}
	o.plan.Spec = s
	return o.socketOf(s)
}

// noTree keeps no requests.
var noTree = plan.Tree{First: -1, Slowest: -1, PerError: -1, Body: -1}
