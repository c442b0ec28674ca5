package proc

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// child starts a process that sleeps until the test ends.
func child(t testing.TB, attr *syscall.SysProcAttr, argv ...string) int {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.SysProcAttr = attr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Process.Pid
}

func TestLiveSelf(t *testing.T) {
	me := os.Getpid()
	s, err := Host.Stat(me)
	if err != nil || s.PID != me || s.PPID != os.Getppid() || s.Threads < 1 || s.StartTime == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	st, err := Host.Status(me)
	if err != nil || st.UID.Effective != os.Geteuid() || st.GID.Real != os.Getgid() || !st.RSS.OK || !st.Catches(int(unix.SIGQUIT)) {
		t.Errorf("%+v, %v", st, err)
	}
	m, err := Host.Statm(me)
	if err != nil || m.RSS < 1<<20 || m.VSZ < m.RSS {
		t.Errorf("%+v, %v", m, err)
	}
	h, err := Host.Host()
	if err != nil || h.Busy <= 0 || h.Total < h.Busy || h.Cores < 1 || h.MemTotal.V < h.MemAvail.V {
		t.Errorf("%+v, %v", h, err)
	}
	if at := StartWall(h.Boot, s.StartTime); time.Since(at) < -2*time.Second || time.Since(at) > time.Hour {
		t.Errorf("this process started at %v", at)
	}
	if args, err := Host.Cmdline(me); err != nil || !reflect.DeepEqual(args, os.Args) {
		t.Errorf("%q, %v", args, err)
	}
	exe, _ := os.Executable()
	if got, err := Host.Exe(me); err != nil || got != exe {
		t.Errorf("%q, %v; want %q", got, err, exe)
	}
	cwd, _ := os.Getwd()
	if got, err := Host.Cwd(me); err != nil || got != cwd {
		t.Errorf("%q, %v", got, err)
	}
	before, err1 := Host.FDCount(me)
	f, err2 := os.Open(exe)
	after, err3 := Host.FDCount(me)
	if err := errors.Join(err1, err2, err3); err != nil || after.V != before.V+1 {
		t.Errorf("%v then %v descriptors, %v", before, after, err)
	}
	_ = f.Close()
	if n := UserName(0); n != "root" {
		t.Errorf("uid 0 is %q", n)
	}
	if n := UserName(3999999); n != "3999999" || UserName(3999999) != n {
		t.Errorf("a uid without a name is %q", n)
	}
}

func TestLiveGone(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	_, errs := Host.Stat(pid)
	for _, f := range []func() error{
		func() error { _, err := Host.Status(pid); return err }, func() error { _, err := Host.Statm(pid); return err },
		func() error { _, err := Host.Cmdline(pid); return err }, func() error { _, err := Host.Exe(pid); return err },
		func() error { _, err := Host.FDCount(pid); return err }, func() error { _, err := Host.ListeningPorts(pid); return err },
		func() error { _, err := NewTaskReader(Host, pid); return err },
		func() error { return Host.ListeningPortsAll([]int{pid})[pid].Err }, func() error { return errs },
	} {
		if err := f(); !errors.Is(err, ErrGone) {
			t.Errorf("error %v", err)
		}
	}
}

func TestLiveTasks(t *testing.T) {
	r, err := NewTaskReader(Host, os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stop, tids := make(chan struct{}), make(chan int)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		name := append([]byte("burn (er) \x1b"), 0)
		_ = unix.Prctl(unix.PR_SET_NAME, uintptr(ptr(name)), 0, 0, 0)
		tids <- unix.Gettid()
		for x := 0; ; x++ {
			select {
			case <-stop:
				close(tids)
				return
			default:
			}
		}
	}()
	tid := <-tids
	var last Task
	for round := range 5 {
		tasks, err := r.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, k := range tasks {
			if k.TID != tid {
				continue
			}
			found = true
			if k.Comm != `burn (er) \x1b` || k.Inner != tid || k.CPU < last.CPU || round > 1 && k.CPU == last.CPU {
				t.Errorf("round %d: %+v after %+v", round, k, last)
			}
			last = k
		}
		if !found {
			t.Fatalf("thread %d is missing in %+v", tid, tasks)
		}
		time.Sleep(20 * time.Millisecond)
	}
	close(stop)
	<-tids
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestTasksMadeUp: more threads than keepAbove, one without scheduler statistics, one that exits,
// one whose number is used again.
func TestTasksMadeUp(t *testing.T) {
	status, err := os.ReadFile("testdata/jdk8-status.txt")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"proc/9/status": string(status)}
	stat := " (x) S 1 2 3 0 -1 4 5 6 7 8 150 50 0 0 20 0 7 0 99 4096 3 1\n"
	for tid := 1000; tid < 1000+keepAbove+100; tid++ {
		d := "proc/9/task/" + strconv.Itoa(tid)
		files[d+"/comm"], files[d+"/stat"] = "T"+strconv.Itoa(tid)+"\n", strconv.Itoa(tid)+stat
		files[d+"/schedstat"] = strconv.Itoa(tid*1000) + " 1 1\n"
	}
	files["proc/9/task/1005/schedstat"] = "0 0 0\n"
	delete(files, "proc/9/task/1006/schedstat")
	f := tree(t, files)
	r, err := NewTaskReader(f, 9)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tasks, err := r.Read(t.Context())
	if err != nil || len(tasks) != keepAbove+100 || tasks[0] != (Task{1000, 1000, "T1000", 1000000, 1500 * time.Millisecond, 500 * time.Millisecond}) {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	if tasks[5].CPU != 2*time.Second || tasks[6].CPU != 2*time.Second {
		t.Errorf("from stat: %v %v, want 2s", tasks[5].CPU, tasks[6].CPU)
	}
	if r.kept != keepAbove+100-1 {
		t.Errorf("%d descriptors kept", r.kept)
	}
	if err := os.RemoveAll(filepath.Join(f.Root, "9/task/1001")); err != nil {
		t.Fatal(err)
	}
	reused := filepath.Join(f.Root, "9/task/1002")
	err1 := os.WriteFile(reused+"/schedstat", []byte("7 1 1\n"), 0o644)
	err2 := os.WriteFile(reused+"/comm", []byte("new\n"), 0o644)
	tasks, err = r.Read(t.Context())
	if err := errors.Join(err, err1, err2); err != nil || len(tasks) != keepAbove+99 || tasks[1] != (Task{1002, 1002, "new", 7, 1500 * time.Millisecond, 500 * time.Millisecond}) {
		t.Fatalf("%d tasks, %+v, %v", len(tasks), tasks[1], err)
	}
	_ = r.Close()
	if r.kept != 0 || len(r.known) != 0 {
		t.Errorf("%d descriptors left open", r.kept)
	}
	if err := os.RemoveAll(filepath.Join(f.Root, "9")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("process gone: %v", err)
	}
}

func TestLiveNamespace(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("a pid namespace needs root: run the tests as root")
	}
	pid := child(t, &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNET}, "sleep", "60")
	st, err := Host.Status(pid)
	if err != nil || st.InnerPID() != 1 || len(st.NSpid) < 2 {
		t.Fatalf("%+v, %v", st, err)
	}
	r, err := NewTaskReader(Host, pid)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tasks, err := r.Read(t.Context())
	if err != nil || len(tasks) != 1 || tasks[0].TID != pid || tasks[0].Inner != 1 {
		t.Errorf("%+v, %v", tasks, err)
	}
	// Its network namespace has none of our listeners.
	l := listen(t, "tcp", "127.0.0.1:0")
	all := Host.ListeningPortsAll([]int{pid, os.Getpid()})
	if p := all[pid]; p.Err != nil || len(p.Ports) != 0 {
		t.Errorf("other namespace: %+v", p)
	}
	if p := all[os.Getpid()]; p.Err != nil || len(p.Ports) != 1 || p.Ports[0].Port != l {
		t.Errorf("own namespace: %+v, want port %d", p, l)
	}
}

func listen(t *testing.T, network, addr string) int {
	t.Helper()
	l, err := net.Listen(network, addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

func TestLivePorts(t *testing.T) {
	me := os.Getpid()
	if p, err := Host.ListeningPorts(me); err != nil || len(p) != 0 {
		t.Fatalf("%v, %v before listening", p, err)
	}
	want := map[int]Scope{listen(t, "tcp4", "127.0.0.1:0"): Loopback}
	two := listen(t, "tcp4", "127.0.0.1:0")
	listen(t, "tcp4", fmt.Sprint("127.0.0.2:", two))
	want[two] = Loopback
	got, err := Host.ListeningPorts(me)
	if err != nil || len(got) != len(want) || got[0].Port >= got[1].Port {
		t.Fatalf("%+v, %v; want %v", got, err, want)
	}
	for _, p := range got {
		if s, ok := want[p.Port]; !ok || s != p.Scope || !p.Addr.IsLoopback() {
			t.Errorf("%+v", p)
		}
	}
}

// TestLiveOtherUser: without rights a figure is unknown or the error says so; never zero.
func TestLiveOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("changing the user needs root: run the tests as root")
	}
	pid := child(t, nil, "sleep", "60")
	listen(t, "tcp4", "127.0.0.1:0") // else there is nothing to look for
	errs := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread and its user end with the goroutine
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, 65534, 65534, 65534); e != 0 {
			errs <- e
			return
		}
		n, err1 := Host.FDCount(pid)
		_, err2 := Host.ListeningPorts(pid)
		_, err3 := Host.Exe(pid)
		_, err4 := Host.Stat(pid)
		r, err5 := NewTaskReader(Host, pid)
		var tasks []Task
		if err5 == nil {
			tasks, err5 = r.Read(context.Background())
		}
		if n.OK || err1 != nil || !errors.Is(err2, ErrPermission) || !errors.Is(err3, ErrPermission) || err4 != nil || err5 != nil || len(tasks) != 1 {
			errs <- fmt.Errorf("descriptors %+v %v, ports %v, exe %v, stat %v, tasks %v %v", n, err1, err2, err3, err4, tasks, err5)
			return
		}
		errs <- nil
	}()
	if err := <-errs; err != nil {
		t.Error(err)
	}
	if !strings.Contains(ErrPermission.Error(), "as root") {
		t.Error("no next step")
	}
}
