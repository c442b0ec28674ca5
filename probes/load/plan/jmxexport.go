package plan

import (
	"encoding/base64"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ToJMX writes a plan as a test plan of JMeter, and lists what JMeter cannot
// do, or does otherwise. Versions 2.13 to 5.6 load it; JSON extractors and
// assertions need 3.0 and 4.0. heading gives the first line of a CSV file where
// only that names the columns; nil: nobody can.
func ToJMX(p *Plan, heading Heading) ([]byte, []Unsupported, error) {
	if err := Validate(p); err != nil {
		return nil, nil, err
	}
	x := &jmxExport{plan: p, heading: heading}
	whole := x.inParts(p)
	x.w.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	x.w.open("jmeterTestPlan", "version", "1.2", "properties", "2.8", "jmeter", "2.13")
	x.w.open("hashTree")
	x.w.element("TestPlan", "TestPlanGui", or(p.Name, "jtop"), func() {
		x.w.str("TestPlan.comments", "")
		x.w.bool("TestPlan.functional_mode", false)
		x.w.bool("TestPlan.serialize_threadgroups", p.Sequence)
		x.w.arguments("TestPlan.user_defined_variables", "ArgumentsPanel", func() {
			for _, v := range p.Vars {
				x.argument(v, false, "vars."+v.Name)
			}
		})
	}, func() { x.threadGroups(whole) })
	x.w.close("hashTree")
	x.w.close("jmeterTestPlan")
	x.plan = p
	x.unsupported()
	for i := range p.Groups {
		x.plan = p.Group(i)
		x.unsupported()
	}
	return []byte(x.w.b.String()), x.notes, nil
}

// jmxExport is a test plan that is being written.
type jmxExport struct {
	plan    *Plan
	heading Heading
	w       jmxWriter
	notes   []Unsupported
}

func (x *jmxExport) note(where, why string) {
	n := Unsupported{Name: where, Why: why}
	if !slices.Contains(x.notes, n) {
		x.notes = append(x.notes, n)
	}
}

// argument writes a variable or a parameter.
func (x *jmxExport) argument(v Pair, http bool, where string) {
	class := "Argument"
	if http {
		class = "HTTPArgument"
	}
	x.w.part(v.Name, class, func() {
		if http {
			x.w.bool("HTTPArgument.always_encode", v.Name != "")
			x.w.bool("HTTPArgument.use_equals", true)
		}
		if v.Name != "" {
			x.w.str("Argument.name", v.Name)
		}
		x.w.str("Argument.value", x.template(v.Value, where))
		x.w.str("Argument.metadata", "=")
	})
}

// inParts is the plan with its stages, or those of its groups, as groups one after the
// other: JMeter's timer has one rate. Where something else than time ends a
// run its stages stay.
func (x *jmxExport) inParts(p *Plan) *Plan {
	groups := p.Groups
	if len(groups) == 0 {
		if len(p.Stages) < 2 {
			return p
		}
		groups = []Group{{Name: p.Name, Users: p.Users, Loops: p.Loops, Total: p.Total, Duration: p.Duration, Stages: p.Stages, MaxUsers: p.MaxUsers, Order: p.Order, Requests: p.Requests}}
	}
	q := *p
	q.Groups, q.Users, q.Loops, q.Total, q.Duration, q.Stages, q.MaxUsers, q.Order, q.Requests = nil, 0, 0, 0, 0, nil, 0, "", nil
	if len(p.Groups) > 0 {
		q.Duration = p.Duration
	}
	for i, g := range groups {
		if len(g.Stages) < 2 || g.Loops > 0 || g.Total > 0 || p.Sequence {
			q.Groups = append(q.Groups, g)
			continue
		}
		x.note("stages", "each is a thread group with its own threads: users do not keep connections, cookies and variables from one to the next")
		name, delay, left := or(g.Name, fmt.Sprintf("group %d", i+1)), g.Delay, g.Duration
		for k, s := range g.Stages {
			part := g
			part.Name, part.Stages, part.Rate, part.Delay, part.Duration = fmt.Sprintf("%s, stage %d", name, k+1), nil, (s.From+s.To)/2, delay, s.For
			if g.Duration > 0 {
				if left <= 0 {
					break
				}
				if part.Duration == 0 || part.Duration > left {
					part.Duration = left
				}
				left -= part.Duration
			}
			if s.From != s.To {
				x.note("stages", fmt.Sprintf("JMeter's timer has one rate: the mean of %s is written", s))
			}
			if delay += s.For; part.Rate > 0 { // at 0/s nothing is sent
				q.Groups = append(q.Groups, part)
			}
		}
	}
	if len(p.Groups) == 0 && len(q.Groups) == 1 && len(q.Groups[0].Stages) > 0 {
		return p // they stayed
	}
	return &q
}

// threadGroups writes the groups, and before them what they share.
func (x *jmxExport) threadGroups(p *Plan) {
	if len(p.Groups) == 0 {
		x.threadGroup("ThreadGroup", 0)
		return
	}
	for i := range p.CSV {
		x.csv(&p.CSV[i])
	}
	for i, g := range p.Groups {
		x.plan = p.Group(i)
		x.plan.CSV = nil
		if p.Duration > 0 && g.When == "" {
			if left := p.Duration - g.Delay; x.plan.Duration == 0 || x.plan.Duration > left {
				x.plan.Duration = max(left, time.Second)
			}
		}
		class := "ThreadGroup"
		switch g.When {
		case Before:
			class = "SetupThreadGroup"
		case After:
			class = "PostThreadGroup"
		}
		x.threadGroup(class, g.Delay)
	}
}

// threadGroup writes the users and when they send.
func (x *jmxExport) threadGroup(class string, delay time.Duration) {
	p := x.plan
	users := max(p.Users, 1)
	if p.Open() {
		users = max(users, p.MaxUsers)
		if p.MaxUsers == 0 {
			x.note("max_users", fmt.Sprintf("JMeter needs a number of threads: %d are written", users))
		}
	}
	x.w.element(class, class+"Gui", or(p.Name, "Users"), func() {
		x.w.str("ThreadGroup.on_sample_error", "continue")
		x.w.open("elementProp", "name", "ThreadGroup.main_controller", "elementType", "LoopController", "guiclass", "LoopControlPanel", "testclass", "LoopController", "testname", "Loop Controller", "enabled", "true")
		x.w.bool("LoopController.continue_forever", false)
		x.w.str("LoopController.loops", strconv.FormatInt(x.loops(users), 10))
		x.w.close("elementProp")
		x.w.str("ThreadGroup.num_threads", strconv.Itoa(users))
		x.w.str("ThreadGroup.ramp_time", seconds0(p.Ramp))
		x.w.prop("longProp", "ThreadGroup.start_time", "0")
		x.w.prop("longProp", "ThreadGroup.end_time", "0")
		x.w.bool("ThreadGroup.scheduler", x.length() > 0 || delay > 0)
		length, wait := seconds0(x.length()), ""
		if delay > 0 {
			wait = seconds0(delay)
		}
		if delay > 0 && x.length() == 0 {
			length = strconv.FormatInt(int64(maxDuration/time.Second), 10) // a thread group that begins late has to end some time
		}
		x.w.str("ThreadGroup.duration", length)
		x.w.str("ThreadGroup.delay", wait)
	}, x.group)
	for name, d := range map[string]time.Duration{"ramp": p.Ramp, "duration": x.length(), "delay": delay} {
		if d%time.Second != 0 {
			x.note(name, FormatDuration(d)+" becomes "+seconds0(d)+" s: JMeter has whole seconds")
		}
	}
}

// seconds0 is a time in whole seconds, rounded up.
func seconds0(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

// length is how long the run takes; 0: no limit.
func (x *jmxExport) length() time.Duration {
	if x.plan.Duration > 0 || len(x.plan.Stages) == 0 {
		return x.plan.Duration
	}
	var sum time.Duration
	for _, s := range x.plan.Stages {
		if s.For == 0 {
			return 0
		}
		sum += s.For
	}
	return min(sum, maxDuration)
}

// loops is iterations per thread; -1: no limit.
func (x *jmxExport) loops(users int) int64 {
	p := x.plan
	loops := int64(-1)
	if p.Loops > 0 {
		loops = int64(p.Loops)
	}
	if p.Total > 0 {
		each := int64(users)
		if p.Order == Scenario {
			each *= int64(len(p.Requests))
		}
		n := (p.Total + each - 1) / each
		if p.Total%each != 0 {
			x.note("total", fmt.Sprintf("%d requests cannot be shared evenly by %d users: JMeter sends %d", p.Total, users, n*each))
		}
		if loops < 0 || n < loops {
			loops = n
		}
	}
	return loops
}

// group writes what holds for all requests, and the requests.
func (x *jmxExport) group() {
	p := x.plan
	if p.Defaults.URL != "" {
		x.httpDefaults()
	}
	x.headerManager("Headers", p.Defaults.Headers, p.Defaults.Auth, "defaults", p.Gzip)
	if p.Cookies {
		x.w.element("CookieManager", "CookiePanel", "Cookies", func() {
			x.w.list("CookieManager.cookies", func() {})
			x.w.bool("CookieManager.clearEachIteration", false)
		}, nil)
	}
	for i := range p.CSV {
		x.csv(&p.CSV[i])
	}
	if p.Open() {
		x.throughput()
	}
	own := slices.ContainsFunc(p.Requests, func(r Request) bool { return r.Think != nil })
	if !own {
		x.timer(p.Think)
	}
	for i, a := range p.Defaults.Assert {
		x.assert(a, index("defaults.assert", i))
	}
	sum := 0.0
	for _, r := range p.Requests {
		sum += weightOf(r)
	}
	for i := range p.Requests {
		r := &p.Requests[i]
		think := r.Think
		if think == nil && own {
			think = &p.Think
		}
		write := func() { x.sampler(r, index("requests", i), think) }
		if p.Order == Scenario || len(p.Requests) == 1 {
			write()
			continue
		}
		share := strconv.FormatFloat(weightOf(*r)/sum*100, 'f', -1, 64)
		x.w.element("ThroughputController", "ThroughputControllerGui", "share of "+x.label(r), func() {
			x.w.int("ThroughputController.style", 1)
			x.w.bool("ThroughputController.perThread", false)
			x.w.int("ThroughputController.maxThroughput", 1)
			x.w.open("FloatProperty")
			x.w.line("<name>ThroughputController.percentThroughput</name>")
			x.w.line("<value>" + share + "</value>")
			x.w.line("<savedValue>0.0</savedValue>")
			x.w.close("FloatProperty")
		}, write)
	}
}

func weightOf(r Request) float64 {
	if r.Weight > 0 {
		return r.Weight
	}
	return 1
}

func (x *jmxExport) label(r *Request) string {
	return or(r.Name, methodOf(r)+" "+r.URL)
}

func methodOf(r *Request) string {
	switch {
	case r.Method != "":
		return strings.ToUpper(r.Method)
	case r.Body != "" || r.BodyFile != "" || len(r.Form) > 0 || len(r.Multipart) > 0:
		return "POST"
	}
	return "GET"
}

// unsupported lists the settings of the plan that JMeter has not.
func (x *jmxExport) unsupported() {
	p := x.plan
	for _, f := range []struct {
		name string
		set  bool
		why  string
	}{
		{"stages", len(p.Stages) > 0 && (len(p.Stages) < 2 || p.Loops > 0 || p.Total > 0), fmt.Sprintf("JMeter's timer has one rate: the highest of %s is written", p.Stages)},
		{"rate", p.Open(), "JMeter's threads wait for answers: a server that stalls makes fewer requests, not late ones"},
		{"warm_up", p.WarmUp > 0, "JMeter counts from the first request"},
		{"seed", p.Seed != 0, "JMeter draws other numbers"},
		{"keep_alive", p.KeepAlive > 1, "JMeter keeps connections, or does not"},
		{"tls", p.TLS != (TLS{}), "JMeter takes certificates from system.properties"},
		{"protocol", p.Protocol != "" && p.Protocol != HTTP1, "JMeter's sampler speaks HTTP/1.1"},
		{"streams", p.Streams > 1, "JMeter's sampler speaks HTTP/1.1"},
		{"websocket", p.WebSocket != nil, "JMeter needs a plugin for WebSockets"},
		{"unix_socket", p.UnixSocket != "", "JMeter connects by address"},
		{"connect_to", len(p.ConnectTo) > 0, "JMeter has its DNS Cache Manager for this"},
		{"redirects", p.Redirects > 0 && p.Redirects != 20, "JMeter follows up to 20"},
		{"traceparent", p.Traceparent, "JMeter sends none"},
		{"apdex", p.Apdex != (Apdex{}), "JMeter takes it from user.properties"},
		{"tree", p.Tree != (Tree{}), "JMeter's listeners keep what they are told to"},
		{"control characters", x.w.lost, "XML 1.0 cannot hold them: they become U+FFFD"},
		{"timeouts.total", p.Timeouts.Total > 0, "JMeter has no limit for a whole request"},
	} {
		if f.set {
			x.note(f.name, f.why)
		}
	}
}

// throughput writes the timer that holds the threads to a rate.
func (x *jmxExport) throughput() {
	rate := x.plan.Rate
	for _, s := range x.plan.Stages {
		rate = max(rate, s.From, s.To)
	}
	x.w.element("ConstantThroughputTimer", "TestBeanGUI", "Rate", func() {
		x.w.int("calcMode", 4) // all active threads in current thread group (shared)
		x.w.number("throughput", float64(rate)*60)
	}, nil)
}

func (x *jmxExport) timer(t ThinkTime) {
	ms := func(d time.Duration) string {
		return strconv.FormatInt(int64(math.Round(float64(d)/float64(time.Millisecond))), 10)
	}
	switch t.Kind {
	case ThinkFixed:
		x.w.element("ConstantTimer", "ConstantTimerGui", "Think time", func() { x.w.str("ConstantTimer.delay", ms(t.Mean)) }, nil)
	case ThinkUniform:
		x.w.element("UniformRandomTimer", "UniformRandomTimerGui", "Think time", func() {
			x.w.str("ConstantTimer.delay", ms(t.Min))
			x.w.str("RandomTimer.range", ms(t.Max-t.Min))
		}, nil)
	case ThinkGaussian:
		x.w.element("GaussianRandomTimer", "GaussianRandomTimerGui", "Think time", func() {
			x.w.str("ConstantTimer.delay", ms(t.Mean))
			x.w.str("RandomTimer.range", ms(t.Deviation))
		}, nil)
	}
}

func (x *jmxExport) csv(d *CSVData) {
	columns, skip := d.Columns, d.SkipFirst
	if len(columns) == 0 {
		var err error
		if columns, err = d.heading(x.heading); err != nil {
			x.note("csv "+d.Prefix(), "name its columns: those of the first line ("+err.Error()+") have no "+d.Prefix()+". before them in JMeter")
		}
		skip = err == nil
	}
	var names []string
	for _, c := range columns {
		names = append(names, d.Prefix()+"."+c)
	}
	if skip {
		x.note("csv "+d.Prefix(), "old versions of JMeter, such as 2.13, take the heading for a row")
	}
	x.w.element("CSVDataSet", "TestBeanGUI", d.Prefix(), func() {
		x.w.str("filename", d.File)
		x.w.str("fileEncoding", "UTF-8")
		x.w.str("variableNames", strings.Join(names, ","))
		x.w.bool("ignoreFirstLine", skip)
		x.w.str("delimiter", or(d.Delimiter, ","))
		x.w.bool("quotedData", true)
		x.w.bool("recycle", d.AtEnd != StopEnd)
		x.w.bool("stopThread", d.AtEnd == StopEnd)
		share := "shareMode.all"
		if d.Share == ShareUser {
			share = "shareMode.thread"
		}
		x.w.str("shareMode", share)
	}, nil)
}

// headerManager writes headers and credentials.
func (x *jmxExport) headerManager(title string, headers []Pair, auth *Auth, where string, gzip bool) {
	headers = slices.Clone(headers)
	if gzip {
		headers = append(headers, Pair{"Accept-Encoding", "gzip"})
	}
	if auth != nil {
		if v, ok := basicHeader(auth); ok {
			headers = append(headers, Pair{"Authorization", v})
		} else {
			x.note(where+".auth", "JMeter's AuthManager needs the variables' values: add it there")
		}
	}
	if len(headers) == 0 {
		return
	}
	x.w.element("HeaderManager", "HeaderPanel", title, func() {
		x.w.list("HeaderManager.headers", func() {
			for _, h := range headers {
				x.w.part("", "Header", func() {
					x.w.str("Header.name", h.Name)
					x.w.str("Header.value", x.template(h.Value, where+".headers."+h.Name))
				})
			}
		})
	}, nil)
}

// basicHeader is what credentials are sent as; false where it is not known
// before the run.
func basicHeader(a *Auth) (string, bool) {
	if a.Bearer != "" {
		return "Bearer " + a.Bearer, true
	}
	t, err := Compile(a.User + ":" + a.Password)
	if err != nil {
		return "", false
	}
	c, ok := t.Constant()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(c)), ok
}

var hostPort = regexp.MustCompile(`^([^/?#]*?)(?::(\d+|\$\{[^}]*\}))?([/?#].*)?$`)

// splitURL gives the parts of a URL that JMeter has in fields of their own.
func splitURL(u string) (protocol, host, port, path string) {
	s := scheme(u)
	protocol = strings.TrimSuffix(s, "://")
	m := hostPort.FindStringSubmatch(strings.ReplaceAll(strings.TrimPrefix(u, s), "\n", "%0A"))
	if m == nil {
		return protocol, strings.TrimPrefix(u, s), "", ""
	}
	return protocol, m[1], m[2], m[3]
}

func (x *jmxExport) httpDefaults() {
	protocol, host, port, _ := splitURL(x.plan.Defaults.URL)
	x.w.element("ConfigTestElement", "HttpDefaultsGui", "HTTP Request Defaults", func() {
		x.w.arguments("HTTPsampler.Arguments", "HTTPArgumentsPanel", func() {})
		x.w.str("HTTPSampler.domain", x.template(host, "defaults.url"))
		x.w.str("HTTPSampler.port", x.template(port, "defaults.url"))
		x.w.str("HTTPSampler.protocol", protocol)
	}, nil)
}
