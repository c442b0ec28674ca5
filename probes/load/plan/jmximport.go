package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// FromJMX reads a test plan of JMeter (.jmx, 2.9 to 5.6). What has no
// counterpart is listed with its name and line, never dropped in silence;
// disabled elements too. Several thread groups become groups of the plan. Scopes are JMeter's: a header, timer or assertion holds for every
// sampler beside and below it. heading gives the first line of a CSV file where
// only that names the columns; nil: nobody can. An error is an Error, or the Errors
// of Validate; the list then tells what was found before it.
func FromJMX(name string, data []byte, heading Heading) (*Plan, []Unsupported, error) {
	top, err := parseJMX(name, data)
	if err != nil {
		return nil, nil, err
	}
	m := &jmxImport{heading: heading, plan: &Plan{Order: Scenario}, names: map[string]string{}, fixed: map[string]string{}}
	err = m.testPlan(name, top)
	slices.SortStableFunc(m.notes, func(a, b Unsupported) int { return a.Line - b.Line })
	if err != nil {
		return nil, m.notes, err
	}
	m.plan.Defaults.URL = shareURL(m.plan.Requests)
	for i := range m.plan.Groups {
		m.plan.Groups[i].Defaults.URL = shareURL(m.plan.Groups[i].Requests)
	}
	if err := Validate(m.plan); err != nil {
		return nil, m.notes, fmt.Errorf("%s: what was read from it cannot be run: %w", name, err)
	}
	return m.plan, m.notes, nil
}

// jmxImport is a test plan that is being read.
type jmxImport struct {
	heading Heading
	plan    *Plan
	notes   []Unsupported
	names   map[string]string // variable of JMeter: template
	fixed   map[string]string // variable of JMeter: value that is known before the run
	depth   int               // of constant

	base    jmxScope      // what holds for the whole thread group
	perUser bool          // the rate is that of one user
	delay   time.Duration // of the thread group
	visits  int           // of controllers: loops in loops are many
}

// note lists what does not come over as it is. what is a part of the element,
// or "" for the whole.
func (m *jmxImport) note(e *element, what, why string) {
	if len(m.notes) >= maxNotes {
		return
	}
	name := e.title()
	if what != "" {
		name += ": " + what
	}
	n := Unsupported{Name: name, Line: e.line, Why: why}
	if !slices.Contains(m.notes, n) {
		m.notes = append(m.notes, n)
	}
}

const maxNotes = 1000

// scope is what holds for the samplers of one place in the tree.
type jmxScope struct {
	defaults map[string]string
	query    []*element // arguments of the HTTP defaults
	headers  []Pair
	auth     *Auth
	timers   []*element
	asserts  []Assert
	extracts []Extract
}

func (m *jmxImport) testPlan(name string, top []*element) error {
	var groups []*element
	var at jmxScope
	level := top
	for len(level) == 1 && level[0].class == "TestPlan" {
		m.variables(level[0].list("TestPlan.user_defined_variables", "Arguments.arguments"))
		m.plan.Sequence = level[0].bool("TestPlan.serialize_threadgroups")
		m.plan.Name = level[0].name
		level = level[0].children
	}
	m.collect(level)
	at = m.settings(level, at)
	for _, e := range level {
		switch {
		case e.disabled || !strings.HasSuffix(e.class, "ThreadGroup"):
			if !isSetting(e) {
				m.leftOut(e, "stands outside of a thread group")
			}
		default:
			groups = append(groups, e)
		}
	}
	switch len(groups) {
	case 0:
		return Error{File: name, What: "no thread group is enabled", Next: "enable one in JMeter"}
	case 1:
		m.plan.Sequence = false
		m.threadGroup(groups[0], at)
		if m.delay > 0 {
			m.note(groups[0], "ThreadGroup.delay", "the run begins at once")
		}
	default:
		m.groups(groups, at)
	}
	if len(m.plan.Requests) == 0 && len(m.plan.Groups) == 0 {
		return Error{File: name, Line: groups[0].line, What: groups[0].title() + " has no HTTP request that can be sent", Next: "the notes say why"}
	}
	return nil
}

// groups reads several thread groups, each as a plan that what is common has
// then been taken from.
func (m *jmxImport) groups(list []*element, at jmxScope) {
	whole := m.plan
	rate := whole.Rate
	whole.Rate, whole.Order = 0, ""
	var owns []*Plan
	var from []*element
	for _, e := range list {
		if len(whole.Groups) >= maxGroups {
			m.leftOut(e, fmt.Sprintf("a plan has %d groups at most", maxGroups))
			continue
		}
		own := &Plan{Order: Scenario, Rate: rate, CSV: whole.CSV, Vars: whole.Vars, Cookies: whole.Cookies, Gzip: whole.Gzip}
		m.plan, m.perUser, m.delay = own, false, 0
		m.threadGroup(e, at)
		if len(own.Requests) == 0 {
			m.leftOut(e, "it has no HTTP request that can be sent")
			continue
		}
		owns, from = append(owns, own), append(from, e)
		g := Group{Name: own.Name, Users: own.Users, Ramp: own.Ramp, Loops: own.Loops, Total: own.Total, Duration: own.Duration, Think: own.Think, Rate: own.Rate,
			MaxUsers: own.MaxUsers, Order: own.Order, Defaults: own.Defaults, Requests: own.Requests}
		switch e.class {
		case "SetupThreadGroup":
			g.When = Before
		case "PostThreadGroup":
			g.When = After
		}
		if g.Delay = m.delay; g.Delay > 0 && whole.Sequence {
			m.note(e, "ThreadGroup.delay", "a group that runs after another begins at once")
			g.Delay = 0
		}
		whole.Groups = append(whole.Groups, g)
	}
	m.plan = whole
	m.common(owns, from)
}

// common takes into the plan what is one for all groups here, and in JMeter each
// sampler's own: as the group with the most users has it.
func (m *jmxImport) common(owns []*Plan, from []*element) {
	if len(owns) == 0 {
		return
	}
	main := slices.MaxFunc(owns, func(a, b *Plan) int { return a.Users - b.Users })
	whole := m.plan
	whole.Redirects, whole.KeepAlive, whole.Timeouts = main.Redirects, main.KeepAlive, main.Timeouts
	for i, own := range owns {
		whole.Cookies, whole.Gzip = whole.Cookies || own.Cookies, whole.Gzip || own.Gzip
		for _, f := range []struct {
			what    string
			differs bool
		}{
			{"HTTPSampler.follow_redirects", whole.Redirects != own.Redirects}, {"HTTPSampler.use_keepalive", whole.KeepAlive != own.KeepAlive},
			{"HTTPSampler.connect_timeout and response_timeout", whole.Timeouts != own.Timeouts},
		} {
			if f.differs {
				m.note(from[i], f.what, "is for all groups that of the one with the most users, "+short(main.Name))
			}
		}
	}
}

// samplers counts the HTTP samplers below an element.
func samplers(e *element) int {
	n := 0
	for _, c := range e.children {
		if isHTTP(c) {
			n++
		}
		n += samplers(c)
	}
	return n
}

func isHTTP(e *element) bool {
	return e.class == "HTTPSamplerProxy" || e.class == "HTTPSampler" || e.class == "HTTPSampler2"
}

// leftOut lists an element that is not run.
func (m *jmxImport) leftOut(e *element, why string) {
	if e.disabled {
		why = "it is disabled"
	}
	if n := samplers(e); n > 0 {
		why += fmt.Sprintf("; its %d samplers with it", n)
	}
	m.note(e, "", "is left out: "+why)
}

// collect finds the variables that are defined anywhere, for they may be used
// before the place where they are.
func (m *jmxImport) collect(level []*element) {
	for _, e := range level {
		if e.disabled {
			continue
		}
		switch e.class {
		case "Arguments":
			m.variables(e.lists["Arguments.arguments"])
		case "CSVDataSet":
			m.csv(e)
		case "CounterConfig":
			m.counter(e)
		case "RandomVariableConfig":
			m.random(e)
		case "RegexExtractor":
			m.define(e.str("RegexExtractor.refname"))
		case "BoundaryExtractor":
			m.define(e.str("BoundaryExtractor.refname"))
		case "JSONPostProcessor":
			for v := range strings.SplitSeq(e.str("JSONPostProcessor.referenceNames"), ";") {
				m.define(v)
			}
		}
		m.collect(e.children)
	}
}

// define makes a variable of JMeter one of the plan, under a name that can be
// one here.
func (m *jmxImport) define(name string) string {
	name = strings.TrimSpace(name)
	if name == "" {
		return ""
	}
	if _, known := m.names[name]; !known {
		m.names[name] = "${" + planName(name) + "}"
	}
	return planName(name)
}

// planName is a name with what cannot be in one replaced, and that is no
// function's.
func planName(s string) string {
	if s = plainName(s); slices.Contains(callNames(), s) {
		s += "_"
	}
	return s
}

// plainName is a name with what cannot be in one replaced.
func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(strings.TrimSpace(s), "_"))
}

// variables reads user defined variables. One whose value has functions is
// evaluated once, as in JMeter.
func (m *jmxImport) variables(list []*element) {
	for _, a := range list {
		name, value := strings.TrimSpace(a.str("Argument.name")), a.str("Argument.value")
		if name == "" {
			continue
		}
		a.name = name
		t := m.text(value, a)
		if tpl, err := Compile(t); err == nil && len(tpl.Names()) > 0 {
			m.note(a, "", "its value uses another variable, and that one's first value is taken")
			t = Literal(m.constantText(value))
		}
		m.fixed[name] = value
		p := Pair{m.define(name), t}
		if i := slices.IndexFunc(m.plan.Vars, func(v Pair) bool { return v.Name == p.Name }); i >= 0 {
			m.plan.Vars[i] = p // the later one counts, as in JMeter
		} else {
			m.plan.Vars = append(m.plan.Vars, p)
		}
	}
}

// constantText puts fixed values into a text that has other things around its
// variables.
func (m *jmxImport) constantText(s string) string {
	var b strings.Builder
	ends := braces(s)
	for i := 0; i < len(s); i++ {
		end := 0
		if strings.HasPrefix(s[i:], "${") {
			end = int(ends[i+1])
		}
		if end == 0 {
			b.WriteByte(s[i])
			continue
		}
		b.WriteString(m.constant(s[i : end+1]))
		i = end
	}
	return b.String()
}

// threadGroup reads the one that is run.
func (m *jmxImport) threadGroup(e *element, at jmxScope) {
	p := m.plan
	p.Name = e.name
	switch e.class {
	case "ThreadGroup", "SetupThreadGroup", "PostThreadGroup":
	default:
		m.note(e, "", "is read as a plain thread group")
	}
	p.Users = int(min(max(m.number(e, "ThreadGroup.num_threads", 1), 1), 20_000))
	p.Ramp = bounded(m.number(e, "ThreadGroup.ramp_time", 0))
	loops := int64(1)
	if main := e.parts["ThreadGroup.main_controller"]; main != nil {
		loops = m.number(main, "LoopController.loops", 1)
		if main.bool("LoopController.continue_forever") && main.str("LoopController.loops") == "" {
			loops = -1
		}
	}
	if loops > 0 {
		p.Loops = int(min(loops, 1_000_000_000))
	}
	if e.bool("ThreadGroup.scheduler") {
		p.Duration = bounded(m.number(e, "ThreadGroup.duration", 0))
		m.delay = bounded(m.number(e, "ThreadGroup.delay", 0))
	}
	if on := e.str("ThreadGroup.on_sample_error"); on != "" && on != "continue" {
		m.note(e, "ThreadGroup.on_sample_error", "a failure does not stop anything here: "+short(on)+" becomes continue")
	}
	if s := e.str("ThreadGroup.same_user_on_next_iteration"); s == "false" {
		m.note(e, "ThreadGroup.same_user_on_next_iteration", "users keep their cookies and connections")
	}
	at = m.settings(e.children, at)
	m.level(at)
	m.order(e.children)
	m.controllers(e.children, at)
	m.model(e)
}

// model makes the run an open one where a timer has given it a rate.
func (m *jmxImport) model(e *element) {
	p := m.plan
	if !p.Open() {
		return
	}
	if m.perUser {
		p.Rate *= Rate(p.Users)
	}
	p.Rate = min(p.Rate, MaxRate)
	p.MaxUsers = p.Users
	m.note(e, "", fmt.Sprintf("becomes an open run of %s over at most %d connections: what is late is sent all the same", p.Rate, p.Users))
	thinks := p.Think.Kind != ""
	p.Think = ThinkTime{}
	for i := range p.Requests {
		thinks = thinks || p.Requests[i].Think != nil
		p.Requests[i].Think = nil
	}
	if thinks {
		m.note(e, "", "think times are left out: with a rate nobody thinks")
	}
}

// bounded is seconds as a time that a plan can have.
func bounded(seconds int64) time.Duration {
	return time.Duration(min(max(seconds, 0), int64(maxDuration/time.Second))) * time.Second
}

// level takes what holds for the whole thread group as the plan's own.
func (m *jmxImport) level(at jmxScope) {
	m.plan.Defaults.Headers = at.headers
	m.plan.Defaults.Auth = at.auth
	m.plan.Defaults.Assert = at.asserts
	m.plan.Think = m.think(at.timers)
	m.base = at
}

// order tells a weighted plan from a scenario: random and interleave
// controllers, and throughput controllers that share by percent, with samplers
// only.
func (m *jmxImport) order(level []*element) {
	var chosen []*element
	for _, e := range level {
		if !e.disabled && !isSetting(e) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 1 && (chosen[0].class == "RandomController" || chosen[0].class == "InterleaveControl") && onlySamplers(chosen[0]) {
		m.plan.Order = Weighted
		if chosen[0].class == "InterleaveControl" {
			m.note(chosen[0], "", "becomes a choice by equal weights")
		}
		return
	}
	for _, e := range chosen {
		if e.class != "ThroughputController" || e.str("ThroughputController.style") != "1" || !onlySamplers(e) || samplers(e) != 1 {
			return
		}
	}
	if len(chosen) > 0 {
		m.plan.Order = Weighted
	}
}

func onlySamplers(e *element) bool {
	return !slices.ContainsFunc(e.children, func(c *element) bool { return !c.disabled && !isSetting(c) && !isHTTP(c) })
}

// shareURL takes the scheme and host that all of several requests have from
// them, and gives it; "" where there is none.
func shareURL(list []Request) string {
	base := ""
	for i, r := range list {
		s := scheme(r.URL)
		host, _, _ := strings.Cut(strings.TrimPrefix(r.URL, s), "/")
		if b := s + host; i == 0 {
			base = b
		} else if b != base {
			return ""
		}
	}
	if len(list) < 2 || scheme(base) == "" {
		return ""
	}
	for i := range list {
		list[i].URL = or(strings.TrimPrefix(list[i].URL, base), "/")
	}
	return base
}
