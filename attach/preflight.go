package attach

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
)

// Status says whether a JVM can be attached to, before anyone tries.
type Status struct {
	// OK: nothing known stands against it.
	OK bool
	// Reason is a few words for a column, without control characters; empty when OK.
	Reason string
	// Fix is the next step; empty when OK.
	Fix string
}

// youngTicks is how long a JVM may need to install its signal handler, 5 s.
const youngTicks = 5 * ticksPerSecond

// Preflight judges a target as it was seen, and sends nothing. caps is the JVM's
// counter sun.rt.jvmCapabilities (its first character is 1 when attach is
// allowed), or "" where it is not known. What is checked first hides what comes
// after, so the order goes from what cannot be changed to what can.
func Preflight(t *Target, caps string) Status {
	no := func(reason, fix string, args ...any) Status {
		return Status{Reason: reason, Fix: fmt.Sprintf(fix, args...)}
	}
	st, err := t.root.stat(t.PID)
	if err != nil || st.start != t.StartTime {
		return no("process has ended", "list the JVMs again; pid %d is gone or another process now", t.PID)
	}
	switch {
	case st.ended():
		return no("process has ended", "list the JVMs again; pid %d waits for its parent", t.PID)
	case st.state == 'T':
		return no("stopped", "let it go on first: kill -CONT %d", t.PID)
	case st.state == 't':
		return no("stopped by a debugger", "detach the debugger from pid %d first", t.PID)
	}
	if s, ok := rightsOf(t); !ok {
		return s
	}
	switch {
	case !t.Proven():
		return no("not proven to be a JVM", "run jtop as root, so that it may read /proc/%d/maps", t.PID)
	case caps != "" && caps[0] != '1', caps == "" && t.AttachDisabled:
		return no("attach is disabled", "start the JVM without %s", disableOn)
	case t.HasSocket:
		return Status{OK: true}
	case t.NoTmp:
		return no("it has no /tmp", "give the JVM a writable /tmp and restart it; it cannot make its socket")
	case t.TmpReadOnly:
		return no("its /tmp is read-only", "mount a writable /tmp for the JVM and restart it; it cannot make its socket")
	case !t.CatchesQuit && t.young():
		return no("still starting", "try again in a moment")
	case !t.CatchesQuit:
		return no("does not catch SIGQUIT", "start the JVM without -Xrs (ReduceSignalUsage) or with -XX:+StartAttachListener")
	}
	return Status{OK: true}
}

// rightsOf checks that this process may act as the target's user in its root.
func rightsOf(t *Target) (Status, bool) {
	me := os.Geteuid()
	switch {
	case me != 0 && t.EUID != me:
		name := userName(t.EUID)
		return Status{
			Reason: "belongs to user " + name,
			Fix:    fmt.Sprintf("run jtop as root or as that user: sudo -u '%s' jtop %d", name, t.PID),
		}, false
	case me != 0 && t.EGID != os.Getegid():
		return Status{
			Reason: fmt.Sprintf("runs with group %d", t.EGID),
			Fix:    fmt.Sprintf("run jtop as root, or with group %d, as the JVM does", t.EGID),
		}, false
	case !t.HasRoot && me == 0:
		return Status{
			Reason: "its root directory is out of reach",
			Fix:    "jtop needs the capability SYS_PTRACE and the host's pid namespace (docker: --cap-add SYS_PTRACE --pid host)",
		}, false
	case !t.HasRoot:
		return Status{
			Reason: "its root directory is out of reach",
			Fix:    "it runs in another user namespace or with file capabilities: run jtop as root, or inside its container",
		}, false
	}
	return Status{}, true
}

func (t *Target) young() bool {
	now, ok := t.root.uptimeTicks()
	return ok && now >= t.StartTime && now-t.StartTime < youngTicks
}

// userName is a user's name, or #UID where it has none, as sudo -u takes it.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return clean(u.Username, 32)
	}
	return "#" + strconv.Itoa(uid)
}
