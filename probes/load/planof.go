package load

import (
	"example.com/jtop/probes/load/plan"
)

// PlanOf is a run of one request as a plan in full, to be added to: its texts
// are templates. The error is a *probes.Problem.
func PlanOf(p Plan) (*plan.Plan, error) {
	headers, problem := splitHeaders(p.Headers)
	if problem != nil {
		return nil, problem
	}
	q := plan.Request{Name: p.Label, Method: p.Method, URL: withScheme(p.URL), Headers: headers, Body: p.Body}
	s := &plan.Plan{Users: p.Users, Ramp: p.Ramp, Loops: p.Loops, Total: p.Total, Duration: p.Duration, Rate: plan.Rate(p.Rate), MaxUsers: p.MaxUsers,
		WarmUp: p.WarmUp, Requests: []plan.Request{q}}
	s.Timeouts.Total = p.Timeout
	return s, nil
}
