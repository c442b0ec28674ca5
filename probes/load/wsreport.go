package load

import (
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
)

// sockets is what a run counts of its WebSockets beside the samples.
type sockets struct {
	opened, open atomic.Int64
	unasked      atomic.Int64 // messages that answered none

	mu     sync.Mutex
	drops  int64
	causes map[string]*probes.ErrorClass
}

// dropped counts a connection that ended though nobody here closed it.
func (s *sockets) dropped(class string, err error) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drops++
	if s.causes == nil {
		s.causes = map[string]*probes.ErrorClass{}
	}
	if s.causes[class] == nil && len(s.causes) >= maxClasses {
		class = otherNames
	}
	c := s.causes[class]
	if c == nil {
		c = &probes.ErrorClass{Class: class, Sample: probes.Clean(err.Error()), First: now}
		s.causes[class] = c
	}
	c.Count++
	c.Last = now
}

// Sockets is what a report has of WebSockets beside the rows connect and
// message.
type Sockets struct {
	Opened  int64               `json:"opened"`           // handshakes that succeeded
	Drops   int64               `json:"drops"`            // connections that ended though jtop did not close them
	Causes  []probes.ErrorClass `json:"drop_classes"`     // why
	Unasked int64               `json:"unasked_messages"` // that came and answered none
	Late    probes.Opt[int64]   `json:"late_messages"`    // sent more than 2 ms after their time; with a rate
}

// figures is what was counted so far.
func (s *sockets) figures() *Sockets {
	out := &Sockets{Opened: s.opened.Load(), Unasked: s.unasked.Load(), Causes: []probes.ErrorClass{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Drops = s.drops
	for _, c := range s.causes {
		out.Causes = append(out.Causes, *c)
	}
	sort.Slice(out.Causes, func(i, j int) bool {
		a, b := out.Causes[i], out.Causes[j]
		return a.Count > b.Count || a.Count == b.Count && a.Class < b.Class
	})
	return out
}

// socketsReport is the report's; nil where the run has none.
func (r *Runner) socketsReport() *Sockets {
	if r.ws == nil {
		return nil
	}
	s := r.sockets.figures()
	if r.paced() {
		s.Late = probes.Some(r.schedule.late.Load())
	}
	return s
}

// text is the drops in words; "": none.
func (s *Sockets) text() string {
	if s == nil || s.Drops == 0 {
		return ""
	}
	var why []string
	for _, c := range s.Causes[:min(len(s.Causes), 3)] {
		why = append(why, fmt.Sprintf("%d x %s", c.Count, c.Class))
	}
	return plural(s.Drops, "connection") + " lost: " + strings.Join(why, ", ")
}

// lines are those of the report in words.
func (s *Sockets) lines(line func(name, format string, a ...any)) {
	if s == nil {
		return
	}
	line("connections", "%d opened, %d lost, %d messages came that answered none", s.Opened, s.Drops, s.Unasked)
	for _, c := range s.Causes {
		line("lost", "%d x %s", c.Count, c.Class)
	}
	if s.Late.OK {
		line("messages", "%d sent more than 2 ms late", s.Late.V)
	}
}
