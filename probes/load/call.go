package load

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// maxKeptBody is how much of a body is kept for assertions and extraction, in
// bytes.
const maxKeptBody = 10 << 20

// call is a request of the plan, ready to be sent again and again.
type call struct {
	name    string
	of      plan.Request
	think   plan.ThinkTime
	origin  *origin  // nil: it is known when the templates are expanded
	fixed   *message // the same every time; nil: it is made from the templates
	wire    []byte   // the fixed message where nothing is added to it, else nil
	texts   *texts
	extract []*plan.Extractor
	checks  []*plan.Checker
	judged  bool // a check on the status replaces the rule of 200-399
	keep    int  // bytes of the body that checks and extraction need
	head    bool // they, or cookies or redirects, need the head
}

// texts are the templates of a request.
type texts struct {
	url        *plan.Template
	headers    []pairTemplate
	body       *plan.Template // or
	raw        []byte         // or
	form       []pairTemplate // or
	parts      []partTemplate
	user, pass *plan.Template
	bearer     *plan.Template
}

type pairTemplate struct {
	name  string
	value *plan.Template
}

type partTemplate struct {
	part  plan.Part
	value *plan.Template
	file  []byte
}

// compileAll prepares the requests of a plan, or the one of a configuration.
func (r *Runner) compileAll() *probes.Problem {
	if r.plan.Spec == nil {
		d, p := draftOf(r.cfg)
		if p != nil {
			return p
		}
		c := &call{name: r.plan.Label}
		return r.settle(c, d)
	}
	if r.isSocket() {
		return r.compileSocket()
	}
	if len(r.spec.Requests) == 0 {
		return bad("the plan has no request", "there is nothing to send", "give at least one under requests")
	}
	for i := range r.spec.Requests {
		c, d, err := r.compile(r.spec.Requests[i])
		if err != nil {
			return bad(fmt.Sprintf("request %d cannot be sent", i+1), probes.Clean(err.Error()), "correct the plan")
		}
		if c.name == "" && i == 0 {
			c.name = r.plan.Label
		}
		if p := r.settle(c, d); p != nil {
			return p
		}
	}
	return nil
}

// settle adds a call to the run. d is the draft with the plan's own values:
// what is wrong with it is wrong with every request.
func (r *Runner) settle(c *call, d *draft) *probes.Problem {
	m, p := d.build()
	if p != nil {
		return p
	}
	if !c.varies() {
		c.fixed = m
		if !r.spec.Cookies && !r.spec.Traceparent {
			c.wire = m.wire(nil)
		}
	}
	if c.name == "" {
		c.name = m.name()
	}
	c.name = probes.Clean(c.name)
	c.head = c.head || r.spec.Cookies || r.spec.Redirects > 0
	if p := r.fits(m.at); p != nil {
		return p
	}
	// The server of the plan's first values is looked up and, where it is not
	// this machine, asked about. Values to come may name another.
	o, err := r.originOf(m.at)
	if err != nil {
		return bad("the plan has too many servers", err.Error(), "use fewer")
	}
	c.origin = o
	r.calls = append(r.calls, c)
	return nil
}

// varies tells whether the request is another one each time.
func (c *call) varies() bool {
	if c.texts == nil {
		return false
	}
	for _, t := range c.texts.all() {
		if _, constant := t.Constant(); !constant && t.Text() != "" {
			return true
		}
	}
	return false
}

func (t *texts) all() []*plan.Template {
	var out []*plan.Template
	for _, one := range []*plan.Template{t.url, t.body, t.user, t.pass, t.bearer} {
		if one != nil {
			out = append(out, one)
		}
	}
	for _, p := range append(append([]pairTemplate{}, t.headers...), t.form...) {
		out = append(out, p.value)
	}
	for _, p := range t.parts {
		if p.value != nil {
			out = append(out, p.value)
		}
	}
	return out
}

// compile prepares one request, and its draft with the plan's first values.
func (r *Runner) compile(q plan.Request) (*call, *draft, error) {
	c := &call{name: q.Name, of: q, think: r.spec.Think}
	if q.Think != nil {
		c.think = *q.Think
	}
	if err := c.compileTexts(&r.spec); err != nil {
		return nil, nil, err
	}
	for _, a := range append(append([]plan.Assert{}, r.spec.Defaults.Assert...), q.Assert...) {
		check, err := a.Compile()
		if err != nil {
			return nil, nil, err
		}
		c.checks = append(c.checks, check)
		c.judged = c.judged || check.JudgesStatus()
		c.head = c.head || a.Header != ""
		if check.NeedsBody() {
			c.keep = maxKeptBody
		}
	}
	for _, x := range q.Extract {
		e, err := x.Compile()
		if err != nil {
			return nil, nil, err
		}
		c.extract = append(c.extract, e)
		if c.head = c.head || x.Header != ""; x.Header == "" {
			c.keep = maxKeptBody
		}
	}
	d, err := c.draft(r.firstScope(), r.spec.Gzip, r.keep == 1)
	return c, d, err
}

func (c *call) compileTexts(spec *plan.Plan) (err error) {
	q, t := &c.of, &texts{}
	c.texts = t
	compile := func(text string) *plan.Template {
		var one *plan.Template
		if err == nil {
			one, err = plan.Compile(text)
		}
		return one
	}
	t.url = compile(spec.URLOf(q))
	for _, h := range mergeHeaders(spec.Defaults.Headers, q.Headers) {
		t.headers = append(t.headers, pairTemplate{h.Name, compile(h.Value)})
	}
	switch {
	case q.BodyFile != "":
		if t.raw, err = readFile(q.BodyFile); err != nil {
			return err
		}
	case q.Body != "":
		t.body = compile(q.Body)
	}
	for _, f := range q.Form {
		t.form = append(t.form, pairTemplate{f.Name, compile(f.Value)})
	}
	for _, p := range q.Multipart {
		one := partTemplate{part: p}
		if p.File != "" {
			if one.file, err = readFile(p.File); err != nil {
				return err
			}
		} else {
			one.value = compile(p.Value)
		}
		t.parts = append(t.parts, one)
	}
	auth := q.Auth
	if auth == nil {
		auth = spec.Defaults.Auth
	}
	switch {
	case auth == nil:
	case auth.Bearer != "":
		t.bearer = compile(auth.Bearer)
	default:
		t.user, t.pass = compile(auth.User), compile(auth.Password)
	}
	return err
}

// thinkTime draws a pause.
func thinkTime(t plan.ThinkTime, uniform, normal func() float64) time.Duration {
	switch t.Kind {
	case plan.ThinkFixed:
		return t.Mean
	case plan.ThinkUniform:
		return t.Min + time.Duration(uniform()*float64(t.Max-t.Min))
	case plan.ThinkGaussian:
		return max(t.Mean+time.Duration(normal()*float64(t.Deviation)), 0)
	}
	return 0
}
