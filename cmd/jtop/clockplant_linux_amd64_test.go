package main

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hideVDSO makes AT_SYSINFO_EHDR an entry to ignore. At the exec stop the stack
// holds argc, the arguments, nil, the environment, nil, and the vector
// (System V ABI, AMD64, figure 3.9).
func hideVDSO(pid int) error {
	const ignore, sysinfoEHDR = 1, 33
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	at := uintptr(regs.Rsp)
	word := func() (v uint64, err error) {
		err = peek(pid, at, bytesOf(&v))
		at += 8
		return v, err
	}
	if _, err := word(); err != nil {
		return err
	}
	for range 2 {
		for {
			if v, err := word(); err != nil {
				return err
			} else if v == 0 {
				break
			}
		}
	}
	for {
		entry := at
		kind, err := word()
		if err != nil || kind == 0 {
			return err // no vDSO: nothing to hide
		}
		if kind == sysinfoEHDR {
			v := uint64(ignore)
			return poke(pid, entry, bytesOf(&v))
		}
		at += 8
	}
}

// stopAtClock gives the program a seccomp filter that stops it where it asks
// for the wall clock. It is the program that has to make the calls, so they
// are put where it stands and taken away again.
func stopAtClock(pid int) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // seccomp_data.nr
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_RECVMSG, Jt: 4},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_CLOCK_GETTIME, Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 16}, // args[0], its low half
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.CLOCK_REALTIME, Jf: 2},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE | fromRecvmsg},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	// Far below the stack pointer: what the program writes there, it writes later.
	program := uintptr(regs.Rsp) - 1024
	size := len(filter) * int(unsafe.Sizeof(filter[0]))
	head := struct {
		n    uint64
		code uint64
	}{uint64(len(filter)), uint64(program) + 16}
	if err := errors.Join(poke(pid, program, bytesOf(&head)),
		poke(pid, program+16, unsafe.Slice((*byte)(unsafe.Pointer(&filter[0])), size))); err != nil {
		return err
	}
	if err := call(pid, unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0); err != nil {
		return fmt.Errorf("PR_SET_NO_NEW_PRIVS: %w", err)
	}
	if err := call(pid, unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uint64(program)); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}

// call lets the stopped program make one system call and puts it back.
func call(pid int, nr, a, b, c uint64) error {
	var was unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &was); err != nil {
		return err
	}
	at := uintptr(was.Rip)
	text := make([]byte, 8)
	if _, err := unix.PtracePeekText(pid, at, text); err != nil {
		return err
	}
	with := append([]byte{0x0f, 0x05}, text[2:]...) // syscall
	if _, err := unix.PtracePokeText(pid, at, with); err != nil {
		return err
	}
	regs := was
	regs.Rax, regs.Orig_rax, regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8 = nr, ^uint64(0), a, b, c, 0, 0
	if err := unix.PtraceSetRegs(pid, &regs); err != nil {
		return err
	}
	if err := unix.PtraceSingleStep(pid); err != nil {
		return err
	}
	var ws unix.WaitStatus
	if _, err := unix.Wait4(pid, &ws, unix.WALL, nil); err != nil || !ws.Stopped() {
		return fmt.Errorf("the program ended in the call (status %#x): %v", ws, err)
	}
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return err
	}
	_, err := unix.PtracePokeText(pid, at, text)
	if err = errors.Join(err, unix.PtraceSetRegs(pid, &was)); err == nil && int64(regs.Rax) < 0 {
		err = unix.Errno(-int64(regs.Rax))
	}
	return err
}
