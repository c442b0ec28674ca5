package proc

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"example.com/jtop/probes"
)

// IDs are the four ids of a process: real, effective, saved, file system.
type IDs struct{ Real, Effective, Saved, FS int }

// Status is /proc/PID/status, as far as it is of use here.
type Status struct {
	UID, GID IDs
	NSpid    []int // the pid in each namespace, outermost first; one element without namespaces
	SigCgt   uint64
	Threads  int
	// Sizes in bytes; unknown for a kernel thread or a zombie, which have no memory.
	VSZ, RSS, Swap probes.Opt[uint64]
}

// Catches reports whether the process handles a signal.
func (s Status) Catches(sig int) bool { return sig > 0 && sig <= 64 && s.SigCgt&(1<<(sig-1)) != 0 }

// InnerPID is the pid in the process's own namespace, 0 where the kernel does not say.
func (s Status) InnerPID() int {
	if len(s.NSpid) == 0 {
		return 0
	}
	return s.NSpid[len(s.NSpid)-1]
}

// Status reads /proc/PID/status: 10-100 us, so not for a fast timer (see Statm).
func (f FS) Status(pid int) (s Status, err error) {
	err = withFile(f.path(pid, "status"), func(b []byte) error {
		s, err = parseStatus(b)
		return err
	})
	return s, err
}

func parseStatus(b []byte) (Status, error) {
	var s Status
	seen := 0
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		key, v, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			return Status{}, format("no colon", line)
		}
		good := true
		switch string(key) {
		case "Uid":
			s.UID, good = parseIDs(v)
			seen++
		case "Gid":
			s.GID, good = parseIDs(v)
			seen++
		case "NSpid":
			s.NSpid, good = parseInts(v)
		case "Threads":
			s.Threads, good = parseInt(v)
			seen++
		case "SigCgt":
			x, err := strconv.ParseUint(string(bytes.TrimSpace(v)), 16, 64)
			s.SigCgt, good = x, err == nil
			seen++
		case "VmSize":
			s.VSZ, good = parseKB(v)
		case "VmRSS":
			s.RSS, good = parseKB(v)
		case "VmSwap":
			s.Swap, good = parseKB(v)
		}
		if !good {
			return Status{}, format("bad value", line)
		}
	}
	if seen < 4 {
		return Status{}, format("Uid, Gid, Threads or SigCgt is missing", nil)
	}
	return s, nil
}

func parseInt(b []byte) (int, bool) {
	n, ok := number(bytes.TrimSpace(b))
	if !ok || n > math.MaxUint32 {
		return 0, false
	}
	return int(n), true
}

func parseInts(b []byte) ([]int, bool) {
	var out []int
	for _, f := range bytes.Fields(b) {
		n, ok := parseInt(f)
		if !ok {
			return nil, false
		}
		out = append(out, n)
	}
	return out, len(out) > 0
}

func parseIDs(b []byte) (IDs, bool) {
	n, ok := parseInts(b)
	if !ok || len(n) != 4 {
		return IDs{}, false
	}
	return IDs{n[0], n[1], n[2], n[3]}, true
}

// parseKB decodes "  123 kB" into bytes.
func parseKB(b []byte) (probes.Opt[uint64], bool) {
	v, unit := field(b)
	n, ok := number(v)
	if !ok || n > math.MaxUint64>>10 || string(bytes.TrimSpace(unit)) != "kB" {
		return probes.None[uint64](), false
	}
	return probes.Some(n << 10), true
}

// Statm are the sizes of /proc/PID/statm in bytes: the cheap way to the resident set.
type Statm struct{ VSZ, RSS, Shared uint64 }

// Statm reads /proc/PID/statm. A zombie has zero sizes; ask Stat for the state.
func (f FS) Statm(pid int) (m Statm, err error) {
	err = withFile(f.path(pid, "statm"), func(b []byte) error {
		m, err = parseStatm(b, uint64(os.Getpagesize()))
		return err
	})
	return m, err
}

func parseStatm(b []byte, page uint64) (Statm, error) {
	var v [3]uint64
	rest := b
	for i := range v {
		var f []byte
		f, rest = field(rest)
		n, ok := number(f)
		if !ok || n > math.MaxUint64/page {
			return Statm{}, format("bad size", b)
		}
		v[i] = n * page
	}
	return Statm{v[0], v[1], v[2]}, nil
}
