package live

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/jtop/probes/gclog"
)

// switchedBy is who switched a GC log on.
type switchedBy int

const (
	itsOwn           switchedBy = iota // the JVM's flags; jtop leaves it as it is
	switchedOn                         // this session, which switches it off again at its end
	switchedOnBefore                   // a jtop that was killed, or another one: l switches it off
)

// gcLogPrefix is how the logs begin that jtop switches on in this JVM.
func (s *Session) gcLogPrefix() string { return fmt.Sprintf("/tmp/jtop-gc-%d-", s.target.NSPID) }

// ourGCLog is where a log is that jtop switched on.
func (s *Session) ourGCLog(name string) gclog.Location {
	return gclog.Location{PID: s.target.PID, Names: []string{name}, Detail: true, Started: s.row.Started}
}

// leftGCLog is the log that an earlier jtop switched on in this JVM and that
// the JVM still has open, as its descriptors tell. It costs the JVM nothing;
// where they may not be read there is none.
func (s *Session) leftGCLog() (name string, ok bool) {
	dir := filepath.Join(s.opt.ProcRoot, strconv.Itoa(s.target.PID), "fd")
	fds, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	for _, fd := range fds {
		to, err := os.Readlink(filepath.Join(dir, fd.Name()))
		to = strings.TrimSuffix(to, " (deleted)")
		if err == nil && strings.HasPrefix(to, s.gcLogPrefix()) && ourGCLogName(to[len(s.gcLogPrefix()):]) {
			return to, true
		}
	}
	return "", false
}

// ourGCLogName tells whether the end of a name is one that jtop gives,
// "20060102-150405.log": it is sent to the JVM as part of a command.
func ourGCLogName(s string) bool {
	digits := strings.TrimSuffix(s, ".log")
	return len(s) == len("20060102-150405.log") && len(digits) == len(s)-len(".log") && digits[8] == '-' &&
		strings.Trim(digits[:8]+digits[9:], "0123456789") == ""
}
