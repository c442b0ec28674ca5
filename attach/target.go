package attach

import (
	"errors"
	"fmt"
	"path"
)

// Target is one process as the kernel showed it at one moment. It is never
// changed after it was made; Inspect and ListJVMs make new ones.
type Target struct {
	// PID is the pid in our namespace, NSPID the one the process itself sees
	// (the last field of NSpid in its status): its files are named by NSPID.
	PID, NSPID int
	// UID, GID are real ids, EUID, EGID effective ones, in our user namespace.
	UID, GID, EUID, EGID int
	// Groups are the supplementary groups.
	Groups []int
	// StartTime is /proc/PID/stat field 22, in ticks of 10 ms after boot. PID
	// and StartTime together name a process for good.
	StartTime uint64
	// State is stat field 3: R, S, D, T (stopped), t (traced), Z, X.
	State byte
	// Comm is the kernel's name of the process: raw bytes, clean it before it
	// is shown.
	Comm string
	// LibJVM is the path of the mapped libjvm.so in the target's own root, raw
	// bytes. It is empty when we may not read the mappings of a process that
	// calls itself java: then the process is listed, but never attached to.
	LibJVM string
	// CatchesQuit: the process has a handler for SIGQUIT.
	CatchesQuit bool
	// HasRoot: we may look into the process's root directory (/proc/PID/root).
	HasRoot bool
	// HasSocket: a socket file of this JVM is in its /tmp. It may be stale.
	HasSocket bool
	// TmpReadOnly, NoTmp: its /tmp is mounted read-only, or is not there.
	TmpReadOnly, NoTmp bool
	// AttachDisabled: command line or environment say -XX:+DisableAttachMechanism.
	AttachDisabled bool

	root ProcRoot
}

// Inspect looks at one process. It changes nothing and sends nothing. Errors are
// *Error around ErrNoProcess, ErrZombie, ErrNotJVM or ErrDenied.
func Inspect(root ProcRoot, pid int) (*Target, error) {
	st, err := root.stat(pid)
	if err != nil {
		return nil, inspectError(pid, err)
	}
	t, err := inspect(root, pid, st)
	if err != nil {
		return nil, inspectError(pid, err)
	}
	// All of it was one process only if it is still the same one.
	again, err := root.stat(pid)
	if err != nil {
		return nil, inspectError(pid, err)
	}
	if again.start != st.start {
		return nil, inspectError(pid, ErrNoProcess)
	}
	return t, nil
}

func inspect(root ProcRoot, pid int, st procStat) (*Target, error) {
	if st.ended() {
		return nil, ErrZombie
	}
	if st.flags&flagKThread != 0 {
		return nil, ErrNotJVM
	}
	lib, err := root.libjvm(pid)
	if errors.Is(err, ErrDenied) {
		if !root.looksLikeJava(pid, st) {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	} else if lib == "" {
		return nil, ErrNotJVM
	}
	t := &Target{PID: pid, StartTime: st.start, LibJVM: lib, root: root}
	t.AttachDisabled = root.attachDisabled(pid)
	return t.refreshed(st)
}

// refreshed is a copy of t with everything read again that can change.
func (t *Target) refreshed(st procStat) (*Target, error) {
	s, err := t.root.status(t.PID)
	if err != nil {
		return nil, err
	}
	n := *t
	n.State, n.Comm = st.state, st.comm
	n.NSPID, n.Groups = s.nspid, s.groups
	n.UID, n.GID, n.EUID, n.EGID = s.uid, s.gid, s.euid, s.egid
	n.CatchesQuit = s.catchesQuit()
	n.HasRoot, n.HasSocket, n.TmpReadOnly, n.NoTmp = false, false, false, false
	if tmp, err := t.root.openTmp(t.PID); err == nil {
		n.HasRoot = true
		n.HasSocket = tmp.hasSocket(socketName(n.NSPID))
		n.TmpReadOnly = tmp.readOnly()
		tmp.close()
	} else if !errors.Is(err, ErrDenied) {
		n.HasRoot, n.NoTmp = true, true
	}
	return &n, nil
}

// Alive says whether the process that t was made of is still running: the same
// start time under the same pid, and neither a zombie nor on its way out.
func (t *Target) Alive() bool {
	st, err := t.root.stat(t.PID)
	return err == nil && st.start == t.StartTime && !st.ended()
}

// Proven says whether the mapping of libjvm.so was seen.
func (t *Target) Proven() bool { return t.LibJVM != "" }

// looksLikeJava is for processes of other users, of which we see little more
// than a name.
func (r ProcRoot) looksLikeJava(pid int, st procStat) bool {
	if st.comm == "java" {
		return true
	}
	args, err := r.args(pid)
	return err == nil && len(args) > 0 && path.Base(args[0]) == "java"
}

func inspectError(pid int, err error) error {
	e := &Error{Op: "inspect", PID: pid, Err: err}
	switch {
	case errors.Is(err, ErrNoProcess):
		e.Why = "there is no such process"
		e.Fix = "list the JVMs again"
	case errors.Is(err, ErrZombie):
		e.Why = "the process has ended and waits for its parent"
		e.Fix = "list the JVMs again"
	case errors.Is(err, ErrNotJVM):
		e.Why = "it is not a HotSpot JVM (no libjvm.so is mapped); nothing was sent to it"
		e.Fix = "pick another process; one that was just started may need a moment"
	case errors.Is(err, ErrDenied):
		e.Why = "the process belongs to another user, its mappings cannot be read"
		e.Fix = "run jtop as root"
	default:
		e.Why = clean(err.Error(), maxText)
		e.Fix = fmt.Sprintf("look at /proc/%d", pid)
	}
	return e
}
