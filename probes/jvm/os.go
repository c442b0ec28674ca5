package jvm

import (
	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
)

// osRelease is the kernel's name and release, and the machine's architecture
// (uname(2)).
func osRelease() (os, arch string) {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "", ""
	}
	text := func(b []byte) string { return probes.Clean(unix.ByteSliceToString(b)) }
	return text(u.Sysname[:]) + " " + text(u.Release[:]), text(u.Machine[:])
}
