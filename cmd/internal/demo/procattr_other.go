//go:build !linux

package demo

import "syscall"

// procAttr puts the child into a process group of its own. The end of its parent it notices by its standard input.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
