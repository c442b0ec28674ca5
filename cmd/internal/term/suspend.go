package term

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// CanSuspend tells whether ctrl+z would hand the terminal to a shell. In an
// orphaned process group (ssh host jtop, the first process of a container) the
// kernel drops a terminal stop, and a program that waits for its end hangs.
func CanSuspend() bool {
	group, err := unix.Getpgid(0)
	if err != nil {
		return false
	}
	session, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	// The first ancestor outside our group must be of our session: that is the
	// shell. Ancestors inside it are wrappers such as make or sudo.
	for pid := os.Getppid(); pid > 0; {
		g, err := unix.Getpgid(pid)
		if err != nil {
			return false
		}
		if g != group {
			sid, err := unix.Getsid(pid)
			return err == nil && sid == session
		}
		pid = parentOf(pid)
	}
	return false
}

// parentOf reads the parent from /proc/PID/stat (proc(5)): the second field
// behind the name, which is in brackets and may hold anything. 0: unknown.
func parentOf(pid int) int {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	i := bytes.LastIndexByte(b, ')')
	f := bytes.Fields(b[i+1:])
	if i < 0 || len(f) < 2 {
		return 0
	}
	n, err := strconv.Atoi(string(f[1]))
	if err != nil {
		return 0
	}
	return n
}
