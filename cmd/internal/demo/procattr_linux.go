package demo

import "syscall"

// procAttr puts the child into a process group of its own and has the kernel kill it when its parent dies.
func procAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
