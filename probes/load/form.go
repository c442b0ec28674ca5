package load

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// FromConfig makes a plan of what the form of the Load tab says. It reads the
// plan's file where it names one, and then the plan says all of the run: of a
// command line of curl only the request is taken. The error is a
// *probes.Problem.
func FromConfig(cfg probes.LoadConfig) (Plan, error) {
	p := Plan{LoadConfig: cfg, WarmUp: cfg.WarmUp}
	s, notes, err := specOf(cfg)
	p.Notes = notes
	if err != nil {
		return Plan{}, bad("the plan cannot be run", probes.Clean(err.Error()), "correct it, or name another one")
	}
	if s != nil && !isCurl(cfg.Plan) {
		p.Spec = s
		return p, nil
	}
	if _, ws := httpURL(cfg.URL); ws {
		if cfg.Rate != "" || cfg.Think != "" {
			return Plan{}, bad("connections of WebSockets cannot be run like this", "they are held open, and have neither a rate of requests nor a think time", "leave both empty; a plan says how often messages are sent")
		}
		return p, nil
	}
	stages, err := plan.ParseStages(cfg.Rate)
	if err != nil && cfg.Rate != "" {
		return Plan{}, bad("the rate cannot be run", err.Error(), "write it as 500/s, or as 50/s for 5m, then 500/s for 30m")
	}
	think, err := plan.ParseThink(cfg.Think)
	if err != nil && cfg.Think != "" {
		return Plan{}, bad("the think time cannot be used", err.Error(), "write it as 1s, 1s to 3s, or 1s +- 200ms")
	}
	if len(stages) == 1 && stages[0].From == stages[0].To && stages[0].For == 0 {
		p.Rate, stages = float64(stages[0].To), nil
	}
	if cfg.Rate == "" {
		stages = nil
	}
	if s == nil && think.Kind == "" && stages == nil && !strings.Contains(cfg.URL+strings.Join(cfg.Headers, "\n")+cfg.Body, "${") {
		return p, nil
	}
	if s == nil {
		if s, err = PlanOf(p); err != nil {
			return Plan{}, err
		}
	}
	s.Users, s.Ramp, s.Loops, s.Duration, s.WarmUp, s.Timeouts.Total = cfg.Users, cfg.Ramp, cfg.Loops, cfg.Duration, cfg.WarmUp, cfg.Timeout
	s.Rate, s.Stages, s.Think = plan.Rate(p.Rate), stages, think
	if stages != nil {
		s.Ramp = 0 // the stages say how the rate rises
	}
	if err := plan.Validate(s); err != nil {
		return Plan{}, bad("the run cannot be started", probes.Clean(err.Error()), "correct the form")
	}
	p.Spec = s
	return p, nil
}

// isCurl tells a command line of curl from the path of a plan.
func isCurl(text string) bool { return strings.HasPrefix(text, "curl ") }

// specOf reads the plan that takes the place of the request; nil where there
// is none.
func specOf(cfg probes.LoadConfig) (s *plan.Plan, notes []string, err error) {
	var left []plan.Unsupported
	switch name := cfg.Plan; {
	case name == "":
		return nil, nil, nil
	case isCurl(name):
		s, left, err = plan.FromCurl(name, readFile)
	default:
		var data []byte
		if data, err = readPlan(name); err != nil {
			return nil, nil, err
		}
		if strings.EqualFold(filepath.Ext(name), ".jmx") {
			s, left, err = plan.FromJMX(name, data, FirstLine)
		} else {
			s, err = plan.Parse(name, data)
		}
	}
	for _, n := range left {
		notes = append(notes, probes.Clean(n.String()))
	}
	return s, notes, err
}

// readPlan reads a plan's file.
func readPlan(name string) ([]byte, error) {
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case st.Size() > plan.MaxJMX:
		return nil, fmt.Errorf("%s is larger than %d MB", name, plan.MaxJMX>>20)
	}
	return os.ReadFile(name)
}

// FirstLine is the first line of a file with data, up to 64 KB.
func FirstLine(name string) (string, error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 64<<10)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return line, err
}

// planName is how a sample names the plan: a command line of curl may hold
// credentials.
func planName(text string) string {
	if isCurl(text) {
		return "curl"
	}
	return probes.Clean(text)
}
