package plan

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// maxRequests is the most requests that a plan may have; variables and files
// too.
const maxRequests = 1000

// Validate looks at a plan from whatever source: bounds, what goes together,
// templates and the variables that they use. An error is Errors, each with the
// path of its field.
func Validate(p *Plan) error {
	c := checker{plan: p}
	for name, n := range map[string]int{"requests": len(p.Requests), "vars": len(p.Vars), "csv": len(p.CSV)} {
		if n > maxRequests {
			c.fail(name, fmt.Sprintf("%d of them", n), fmt.Sprintf("at most %d", maxRequests))
			return c.errs
		}
	}
	c.bounds(reflect.ValueOf(p).Elem(), "")
	if len(p.Groups) > 0 {
		c.groups()
		return c.errs.orNil()
	}
	c.content()
	return c.errs.orNil()
}

// content checks what a plan without groups says, beyond bounds.
func (c *checker) content() {
	p := c.plan
	if len(p.Requests) == 0 {
		c.fail("requests", "missing", "give requests: what is sent")
	}
	c.model()
	c.variables()
	for i := range p.Requests {
		c.request(&p.Requests[i], index("requests", i))
	}
	c.requestDefaults()
	c.connection()
	c.webSocket()
}

type checker struct {
	plan  *Plan
	errs  Errors
	known map[string]bool // variables; "csv." for a file whose columns are in it
	names []string        // the same as a list, for hints
}

func (c *checker) fail(path, what, next string) {
	c.add(Error{Path: path, What: what, Next: next})
}

func (c *checker) add(e Error) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, e)
	}
}

// wrap notes an error of a part of the plan that is at path.
func (c *checker) wrap(path string, err error) {
	var e Error
	switch {
	case err == nil:
		return
	case !errors.As(err, &e):
		e.What = err.Error()
	}
	if e.Path != "" {
		path = join(path, e.Path)
	}
	e.Path = path
	c.add(e)
}

// bounds checks what the tags say of every field: required, least and
// greatest value, the words that are known; and that every text is one.
func (c *checker) bounds(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.bounds(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.bounds(v.Index(i), index(path, i))
		}
	case reflect.String:
		if s := v.String(); !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			c.fail(path, "this is no text", "write it in UTF-8, without NUL; send other bytes from a file")
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Pair]() {
			c.bounds(v.Field(0), path)
			c.bounds(v.Field(1), path)
			return
		}
		for _, f := range fieldsOf(v.Type()) {
			c.field(v.Field(f.index), &f, join(path, f.name))
		}
	}
}

func (c *checker) field(v reflect.Value, f *field, path string) {
	if f.required && v.IsZero() {
		c.fail(path, "missing", "give "+f.name+": "+f.about)
		return
	}
	if s := v.String(); f.enum != nil && s != "" && !slices.Contains(f.enum, s) {
		c.fail(path, short(s)+" is not known", "choose one of "+strings.Join(f.enum, ", ")+didYouMean(s, f.enum))
		return
	}
	var x float64
	switch k := v.Kind(); {
	case v.Type() == durationType:
		if d := time.Duration(v.Int()); d < 0 || d > maxDuration {
			c.fail(path, fmt.Sprintf("a time of %s cannot be", d), "choose one from 0 to a year")
		}
		return
	case v.Type() == rateType:
		if x = v.Float(); !(x >= 0 && x <= float64(MaxRate)) {
			c.fail(path, fmt.Sprintf("a rate of %g/s cannot be", x), fmt.Sprintf("choose one from 0/s to %d/s", int64(MaxRate)))
		}
		return
	case k == reflect.Float64:
		x = v.Float()
	case k == reflect.Int || k == reflect.Int64:
		x = float64(v.Int())
	case k == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Int64:
		x = float64(v.Elem().Int())
	default:
		c.bounds(v, path)
		return
	}
	switch {
	case !f.bounded:
	case f.max == 0 && !(x >= f.min):
		c.fail(path, fmt.Sprintf("%g is too little", x), fmt.Sprintf("at least %.0f", f.min))
	case f.max != 0 && !(x >= f.min && x <= f.max):
		c.fail(path, fmt.Sprintf("%s cannot be", plain(x)), fmt.Sprintf("choose one from %.0f to %.0f", f.min, f.max))
	}
}

// plain writes a number without an exponent where it has a sensible length.
func plain(x float64) string {
	if math.Abs(x) < 1e15 && x == math.Trunc(x) {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%g", x)
}

// model checks that what says when to send goes together.
func (c *checker) model() {
	p := c.plan
	switch {
	case p.Rate > 0 && len(p.Stages) > 0:
		c.fail("stages", "rate and stages both say how many arrive", "keep one of them")
	case len(p.Stages) > 0 && p.Ramp > 0:
		c.fail("ramp", "stages and a ramp both say how the rate rises", "leave out ramp, or begin with a stage 0/s to 50/s for 1m")
	}
	if p.Open() {
		if p.Think.Kind != "" {
			c.fail("think", "in the open model nobody thinks: arrivals follow the schedule", "leave it out, or leave out rate and stages")
		}
		if p.MaxUsers > 0 && p.Users > p.MaxUsers {
			c.fail("max_users", fmt.Sprintf("%d is less than users, %d", p.MaxUsers, p.Users), "raise it, or begin with fewer")
		}
	} else if p.MaxUsers > 0 {
		c.fail("max_users", "it is the cap of the open model, and this is the closed one", "leave it out, or give rate or stages")
	}
	if p.Duration > 0 && p.WarmUp >= p.Duration {
		c.fail("warm_up", fmt.Sprintf("nothing would be counted in a run of %s", FormatDuration(p.Duration)), "choose a longer run or a shorter warm-up")
	}
	if p.Apdex.Tolerated > 0 && p.Apdex.Tolerated < p.Apdex.Satisfied {
		c.fail("apdex.tolerated", "it is less than satisfied", "choose a longer time, such as four times as long")
	}
	c.think(p.Think, "think")
	c.stages()
}

func (c *checker) stages() {
	highest := Rate(0)
	for i, s := range c.plan.Stages {
		path := index("stages", i)
		highest = max(highest, s.From, s.To)
		switch last := i == len(c.plan.Stages)-1; {
		case !(s.From >= 0 && s.To >= 0 && s.From <= MaxRate && s.To <= MaxRate) || s.For < 0 || s.For > maxDuration:
			c.fail(path, "a rate or time of "+s.String()+" cannot be", "choose rates from 0/s and a time up to a year")
		case s.For == 0 && !last:
			c.fail(path, s.String()+" has no end, and a stage follows it", "say for how long: for 5m")
		case s.For == 0 && s.From != s.To:
			c.fail(path, "a rate that moves needs a time", "say for how long: for 5m")
		}
	}
	if len(c.plan.Stages) > 0 && highest == 0 {
		c.fail("stages", "nothing is ever sent", "give one stage a rate above 0/s")
	}
	if len(c.plan.Stages) > maxStages {
		c.fail("stages", fmt.Sprintf("%d stages", len(c.plan.Stages)), fmt.Sprintf("at most %d", maxStages))
	}
}

func (c *checker) think(t ThinkTime, path string) {
	kind := string(t.Kind)
	for _, f := range []struct {
		name  string
		value time.Duration
		kinds []ThinkKind
	}{
		{"mean", t.Mean, []ThinkKind{ThinkFixed, ThinkGaussian}}, {"deviation", t.Deviation, []ThinkKind{ThinkGaussian}},
		{"min", t.Min, []ThinkKind{ThinkUniform}}, {"max", t.Max, []ThinkKind{ThinkUniform}},
	} {
		if f.value != 0 && !slices.Contains(f.kinds, t.Kind) {
			c.fail(join(path, f.name), "a think time of the kind "+or(kind, "none")+" has no "+f.name, "fixed has mean, uniform min and max, gaussian mean and deviation")
		}
	}
	if t.Kind == ThinkUniform && t.Max < t.Min {
		c.fail(join(path, "max"), "it is less than min", "swap them")
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Open tells whether arrivals follow a schedule, whatever is answered.
func (p *Plan) Open() bool { return p.Rate > 0 || len(p.Stages) > 0 }
