package attach

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// procStatus is what this package uses of /proc/PID/status (proc_pid_status(5)).
type procStatus struct {
	uid, gid, euid, egid int
	groups               []int
	nspid                int // innermost pid
	sigCgt               uint64
}

// catchesQuit: bit 2 is SIGQUIT (3).
func (s procStatus) catchesQuit() bool { return s.sigCgt&(1<<2) != 0 }

func (r ProcRoot) status(pid int) (procStatus, error) {
	b, err := r.read(smallFile+4<<20, pid, "status") // Groups may list 65536 ids
	if err != nil {
		return procStatus{}, err
	}
	return parseStatus(b)
}

// parseStatus needs Uid, Gid and SigCgt. NSpid is absent before Linux 4.1 and
// without pid namespaces; then the pid is the same everywhere and Pid stands in.
func parseStatus(b []byte) (procStatus, error) {
	var s procStatus
	var seen struct{ uid, gid, cgt bool }
	pid := 0
	for line := range bytes.Lines(b) {
		key, rest, ok := strings.Cut(string(line), ":")
		if !ok {
			continue
		}
		var err error
		switch key {
		case "Uid":
			s.uid, s.euid, err = idPair(rest)
			seen.uid = true
		case "Gid":
			s.gid, s.egid, err = idPair(rest)
			seen.gid = true
		case "Groups":
			s.groups, err = numbers(rest)
		case "Pid":
			pid, err = lastNumber(rest)
		case "NSpid":
			s.nspid, err = lastNumber(rest)
		case "SigCgt":
			s.sigCgt, err = strconv.ParseUint(strings.TrimSpace(rest), 16, 64)
			seen.cgt = true
		}
		if err != nil {
			return procStatus{}, fmt.Errorf("status line %s: %w", key, err)
		}
	}
	if s.nspid == 0 {
		s.nspid = pid
	}
	if !seen.uid || !seen.gid || !seen.cgt || s.nspid <= 0 {
		return procStatus{}, fmt.Errorf("status lacks Uid, Gid, SigCgt or a pid: %q", clip(b))
	}
	return s, nil
}

// idPair reads the real and the effective id of "real effective saved fs".
func idPair(s string) (real, effective int, err error) {
	n, err := numbers(s)
	if err != nil {
		return 0, 0, err
	}
	if len(n) < 2 {
		return 0, 0, fmt.Errorf("want 4 ids, have %q", clip([]byte(s)))
	}
	return n[0], n[1], nil
}

func lastNumber(s string) (int, error) {
	n, err := numbers(s)
	if err != nil {
		return 0, err
	}
	if len(n) == 0 {
		return 0, fmt.Errorf("no number in %q", clip([]byte(s)))
	}
	return n[len(n)-1], nil
}

func numbers(s string) ([]int, error) {
	var out []int
	for f := range strings.FieldsSeq(s) {
		n, err := strconv.ParseUint(f, 10, 32)
		if err != nil {
			return nil, err
		}
		out = append(out, int(n))
	}
	return out, nil
}
