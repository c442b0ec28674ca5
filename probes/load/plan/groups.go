package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Group is a part of a run with its own users, model and requests: a thread
// group of JMeter. All groups begin with the run, each after its delay.
type Group struct {
	Name  string        `plan:"name" about:"what the reports call it (default: group 1, 2, ...)"`
	When  When          `plan:"when" enum:"before,after" about:"before: the others wait until it has ended; after: it waits for the others"`
	Delay time.Duration `plan:"delay" about:"it begins so long after the run"`

	Users    int           `plan:"users" min:"0" max:"20000" about:"as of a plan"`
	Ramp     time.Duration `plan:"ramp" about:"as of a plan"`
	Loops    int           `plan:"loops" min:"0" max:"1000000000" about:"as of a plan"`
	Total    int64         `plan:"total" min:"0" max:"1000000000000" about:"as of a plan"`
	Duration time.Duration `plan:"duration" about:"time to run, from its own beginning; 0: until the plan's is over"`
	Think    ThinkTime     `plan:"think" about:"in place of the plan's"`
	Rate     Rate          `plan:"rate" about:"as of a plan"`
	Stages   Stages        `plan:"stages" about:"as of a plan"`
	MaxUsers int           `plan:"max_users" min:"0" max:"20000" about:"as of a plan"`
	Order    Order         `plan:"order" enum:"weighted,scenario" about:"as of a plan"`
	Defaults Defaults      `plan:"defaults" about:"before the plan's: url and auth replace, headers of the same name too, assertions are added"`
	Requests []Request     `plan:"requests" required:"true" about:"what is sent"`
}

// When is when a group runs.
type When string

// Times of a group; the empty one is with the others.
const (
	Before When = "before"
	After  When = "after"
)

// maxGroups is the most groups of a plan.
const maxGroups = 100

// GroupName is what group i is called.
func (p *Plan) GroupName(i int) string {
	return or(p.Groups[i].Name, fmt.Sprintf("group %d", i+1))
}

// Group is group i as a plan of its own.
func (p *Plan) Group(i int) *Plan {
	g, q := &p.Groups[i], *p
	q.Groups, q.Sequence, q.Name = nil, false, p.GroupName(i)
	q.Users, q.Ramp, q.Loops, q.Total, q.Rate, q.Stages, q.MaxUsers, q.Order, q.Requests = g.Users, g.Ramp, g.Loops, g.Total, g.Rate, g.Stages, g.MaxUsers, g.Order, g.Requests
	if g.Think.Kind != "" {
		q.Think = g.Think
	} else if q.Open() {
		q.Think = ThinkTime{}
	}
	q.Duration = g.Duration
	if q.WarmUp = max(p.WarmUp-g.Delay, 0); g.When != "" || p.Sequence {
		q.WarmUp = 0
	}
	if p.Seed != 0 {
		q.Seed = p.Seed + uint64(i)
	}
	q.Defaults = Defaults{
		URL: or(g.Defaults.URL, p.Defaults.URL), Headers: mergePairs(p.Defaults.Headers, g.Defaults.Headers), Auth: p.Defaults.Auth,
		Assert: slices.Concat(p.Defaults.Assert, g.Defaults.Assert),
	}
	if g.Defaults.Auth != nil {
		q.Defaults.Auth = g.Defaults.Auth
	}
	return &q
}

// mergePairs is all headers, without those of below that above replaces.
func mergePairs(below, above []Pair) []Pair {
	return slices.Concat(slices.DeleteFunc(slices.Clone(below), func(b Pair) bool {
		return slices.ContainsFunc(above, func(a Pair) bool { return strings.EqualFold(a.Name, b.Name) })
	}), above)
}

// groups checks a plan of several groups: each as a plan of its own.
func (c *checker) groups() {
	p := c.plan
	if len(p.Groups) > maxGroups {
		c.fail("groups", fmt.Sprintf("%d of them", len(p.Groups)), fmt.Sprintf("at most %d", maxGroups))
		return
	}
	own := map[string]bool{}
	for _, f := range fieldsOf(reflect.TypeFor[Group]()) {
		own[f.name] = true
	}
	whole := reflect.ValueOf(*p)
	for _, f := range fieldsOf(whole.Type()) {
		switch f.name {
		case "name", "duration", "think", "defaults", "groups":
			continue
		}
		if own[f.name] && !whole.Field(f.index).IsZero() {
			c.fail(f.name, "each of the groups says it for itself", "move it into the groups")
		}
	}
	if p.WebSocket != nil || p.Protocol == WebSocketWire {
		c.fail("groups", "a run of WebSockets has no groups", "make a plan of its own")
	}
	if p.Sequence {
		for i, g := range p.Groups {
			if g.Delay > 0 {
				c.fail(join(index("groups", i), "delay"), "with sequence a group begins when the last has ended", "leave out one of them")
			}
		}
	}
	for i := range p.Groups {
		part := checker{plan: p.Group(i)}
		part.content()
		for _, e := range part.errs {
			first, _, _ := strings.Cut(strings.ReplaceAll(e.Path, "[", "."), ".")
			if own[first] && (first != "defaults" || !reflect.ValueOf(p.Groups[i].Defaults).IsZero()) && (first != "think" || p.Groups[i].Think.Kind != "") {
				e.Path = join(index("groups", i), e.Path)
			}
			if !slices.ContainsFunc(c.errs, func(o Error) bool { return o.Path == e.Path && o.What == e.What }) {
				c.add(e)
			}
		}
	}
}
