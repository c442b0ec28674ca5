package live

import (
	"context"
	"fmt"
	"path"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/gclog"
	"example.com/jtop/tui"
)

func init() { actors[tui.ActGCLog] = actor{price: priceGCLog, do: switchGCLog} }

// findGCLog follows the log that the JVM's own flags name, if it can be read.
// Nothing is asked of the target for it.
func (s *Session) findGCLog() {
	if name, ok := s.leftGCLog(); ok {
		s.follow(s.ourGCLog(name), name, gclog.FollowOptions{}, switchedOnBefore)
		return
	}
	args := append(s.counters.JVMArgs(), s.row.Args...)
	loc, ok := gclog.FindLog(args, s.target.PID, s.target.NSPID, s.row.Started)
	if !ok || s.opt.ProcRoot != "/proc" {
		return
	}
	s.follow(loc, loc.Names[0], gclog.FollowOptions{}, itsOwn)
}

// follow makes a log the source of collections.
func (s *Session) follow(loc gclog.Location, name string, o gclog.FollowOptions, by switchedBy) {
	l := followLog(s.ctx, loc.Open, name, o, s.clock, s.row.Started, s.event)
	l.by = by
	s.mu.Lock()
	s.gclog = l
	s.mu.Unlock()
}

// collection is an event of the counters.
func (s *Session) collection(e probes.Event) {
	s.mu.Lock()
	l := s.gclog
	s.mu.Unlock()
	if l == nil || e.Kind != probes.EventGC || !l.offer(e) {
		s.event(e)
	}
}

// gcLogSource carries the state of the log into the samples' health.
type gcLogSource Session

func (g *gcLogSource) Name() string          { return "gc log" }
func (g *gcLogSource) Period() time.Duration { return time.Second }
func (g *gcLogSource) Collect(context.Context, *probes.Sample) error {
	p := (*Session)(g)
	p.mu.Lock()
	l := p.gclog
	p.mu.Unlock()
	if l == nil {
		return nil
	}
	l.flush(time.Now())
	if bad := l.state(); bad != nil {
		return bad
	}
	return nil
}

const noLog = "the GC log was not switched on"

func priceGCLog(_ context.Context, s *Session, _ string) (tui.Price, error) {
	s.mu.Lock()
	l := s.gclog
	s.mu.Unlock()
	switch {
	case l != nil && l.by == switchedOnBefore:
		return tui.Price{Title: "Switch the GC log off that an earlier jtop left on?", Text: "The JVM still writes to " + l.name + ": a jtop that was killed could not switch it off, or another one is at work. VM.log switches it off; the file stays. Collections come from the counters then."}, nil
	case l != nil && l.by == switchedOn:
		return tui.Price{Title: "Switch the GC log off again?", Text: "VM.log for " + l.name + ", which stays where it is. Collections come from the counters then."}, nil
	case l != nil && l.state() == nil:
		return tui.Price{}, &probes.Problem{What: "the JVM writes a GC log already", Why: l.name + " is followed", Next: "nothing needs to be switched on"}
	}
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	if v := probes.Feature(s.row.JDK); v != 0 && v < 9 {
		return tui.Price{}, &probes.Problem{What: noLog, Why: fmt.Sprintf("JDK %d cannot switch one on while it runs", v), Next: "start it with -Xloggc:FILE -XX:+PrintGCDetails; until then the counters tell"}
	}
	return tui.Price{Title: "Switch a GC log on?", Text: "VM.log with gc*=info into " + s.gcLogPath() + ", as the JVM sees it: a few KB for each collection, at most 120 MB. " +
		"Two attach requests, no pause. Collections are exact then. It is switched off again by the same key, and when jtop leaves this JVM; the file stays."}, nil
}

// gcLogPath is where a log goes that jtop switches on.
func (s *Session) gcLogPath() string {
	return s.gcLogPrefix() + s.clock.Start().Format("20060102-150405") + ".log"
}

func switchGCLog(ctx context.Context, s *Session, _ string) (string, error) {
	s.mu.Lock()
	l := s.gclog
	s.mu.Unlock()
	if l != nil && l.by != itsOwn {
		if err := s.gcLogOff(ctx, l); err != nil {
			return "", err
		}
		s.findGCLog() // its own, which it may have beside
		return "the GC log is off; it stays in " + l.name, nil
	}
	file := s.gcLogPath()
	if p := s.checkTarget(noLog, path.Join(path.Dir(file), "x"+path.Base(file))); p != nil {
		return "", p
	}
	b, _, err := s.commands.Do(ctx, noLog, "jcmd", "VM.log output="+file+" what=gc*=info decorators=time,uptime,level,tags")
	if err != nil {
		return "", err
	}
	// It is silent when all is well, and says what is wrong.
	if text := probes.Clean(string(b)); text != "" && text != `Command executed successfully\n` {
		return "", &probes.Problem{What: noLog, Why: "the JVM says: " + text}
	}
	if l != nil {
		l.close()
	}
	s.follow(s.ourGCLog(file), file, gclog.FollowOptions{FromStart: true}, switchedOn)
	return "the GC log is on: " + file, nil
}

// gcLogOff ends a log that jtop switched on.
func (s *Session) gcLogOff(ctx context.Context, l *gcLog) error {
	_, _, err := s.commands.Do(ctx, "the GC log was not switched off", "jcmd", "VM.log output="+l.name+" what=all=off")
	if err != nil {
		return err
	}
	l.close()
	s.mu.Lock()
	s.gclog = nil
	s.mu.Unlock()
	return nil
}

// closeGCLog leaves the target as it was found.
func (s *Session) closeGCLog() {
	s.mu.Lock()
	l := s.gclog
	s.mu.Unlock()
	if l == nil {
		return
	}
	if l.by == switchedOn {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if s.gcLogOff(ctx, l) == nil {
			return
		}
	}
	l.close()
}
