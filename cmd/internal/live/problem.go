package live

import (
	"errors"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
)

// Problem turns why a JVM cannot be watched into what the screen says.
func Problem(err error) error {
	var p *probes.Problem
	if errors.As(err, &p) {
		return p
	}
	var e *attach.Error
	if errors.As(err, &e) {
		why := e.Why
		if why == "" && e.Err != nil {
			why = probes.Clean(e.Err.Error())
		}
		return &probes.Problem{What: "this process cannot be watched", Why: why, Next: e.Fix}
	}
	return &probes.Problem{What: "this process cannot be watched", Why: probes.Clean(err.Error())}
}
