package hsperf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// live are figures that every JVM has from the start.
func checkLive(t *testing.T, r *Reader, jdk int) {
	t.Helper()
	live, version := r.Handle("java.threads.live"), r.Handle("java.property.java.vm.specification.version")
	v, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := v.Int(live); !ok || n < 3 || n > 200 {
		t.Errorf("live threads = %d, %v", n, ok)
	}
	want := strconv.Itoa(jdk)
	if jdk == 8 {
		want = "1.8"
	}
	if s, ok := v.String(version); !ok || s != want {
		t.Errorf("specification version = %q, %v; want %q", s, ok, want)
	}
}

// TestLiveChain opens running JVMs of each JDK by each of the ways.
func TestLiveChain(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("map_files needs root: run the tests as root")
	}
	for jdk := range jdks {
		t.Run(fmt.Sprint("jdk", jdk), func(t *testing.T) {
			t.Parallel()
			j := startJVM(t, jdk)
			r, err := Open("/proc", j.pid, j.pid, "root")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.Via() != "file" {
				t.Errorf("via %s", r.Via())
			}
			checkLive(t, r, jdk)
			path := fmt.Sprintf("/tmp/hsperfdata_root/%d", j.pid)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			checkLive(t, r, jdk) // an open file survives its name
			m, err := Open("/proc", j.pid, j.pid)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if m.Via() != "map_files" {
				t.Errorf("deleted file: via %s", m.Via())
			}
			checkLive(t, m, jdk)
			p, err := OpenMem("/proc", j.pid)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			checkLive(t, p, jdk)
			if p.Via() != "memory" {
				t.Errorf("via %s", p.Via())
			}
			j.stop()
			for _, r := range []*Reader{r, m, p} {
				if v, err := r.Read(); !errors.Is(err, ErrGone) || v.Bytes() != nil {
					t.Errorf("%s after the JVM's death: %v", r.Via(), err)
				}
			}
			if _, err := Open("/proc", j.pid, j.pid); !errors.Is(err, ErrGone) {
				t.Errorf("Open of a dead process: %v", err)
			}
		})
	}
}

// TestLiveMemory finds counters that were never in a file.
func TestLiveMemory(t *testing.T) {
	for jdk := range jdks {
		t.Run(fmt.Sprint("jdk", jdk), func(t *testing.T) {
			t.Parallel()
			j := startJVM(t, jdk, "-XX:+PerfDisableSharedMem")
			r, err := Open("/proc", j.pid, j.pid)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.Via() != "memory" {
				t.Errorf("via %s", r.Via())
			}
			checkLive(t, r, jdk)
		})
	}
}

func TestLiveLargeRegion(t *testing.T) {
	j := startJVM(t, 17, "-XX:+PerfDisableSharedMem", "-XX:PerfDataMemorySize=262144")
	r, err := Open("/proc", j.pid, j.pid)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	checkLive(t, r, 17)
}

func TestLiveNoPerfData(t *testing.T) {
	j := startJVM(t, 21, "-XX:-UsePerfData")
	_, err := Open("/proc", j.pid, j.pid)
	if !errors.Is(err, ErrNoData) || !strings.Contains(err.Error(), "UsePerfData") {
		t.Errorf("error %v", err)
	}
}

// TestLiveStaleFile: a file with the right name that the process does not map is not its own.
func TestLiveStaleFile(t *testing.T) {
	j := startJVM(t, 17, "-XX:-UsePerfData")
	dir := "/tmp/hsperfdata_jtoptest"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, strconv.Itoa(j.pid))
	for _, c := range []struct {
		content []byte
		want    error
	}{
		{fixture(t, "jdk17-g1"), ErrStale},
		{make([]byte, 32768), ErrZeroed},
	} {
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open("/proc", j.pid, j.pid, "jtoptest")
		if !errors.Is(err, c.want) || !errors.Is(err, ErrNoData) || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v; want %v", err, c.want)
		}
	}
}

// TestLiveStart: from exec on, every answer is either "not there yet" or right. Before the JVM
// makes its counters the process is just a program without any.
func TestLiveStart(t *testing.T) {
	for jdk := range jdks {
		t.Run(fmt.Sprint("jdk", jdk), func(t *testing.T) { checkStart(t, jdk) })
	}
}

func checkStart(t *testing.T, jdk int) {
	j, _ := launchJVM(t, jdk)
	deadline := time.Now().Add(20 * time.Second)
	for {
		r, err := Open("/proc", j.pid, j.pid)
		if err == nil {
			v, err := r.Read()
			for _, name := range []string{"sun.rt.createVmBeginTime", "sun.os.hrt.frequency", "sun.rt.createVmEndTime"} {
				if n, ok := v.Int(r.Handle(name)); err != nil || !ok || n <= 0 {
					t.Errorf("ready, but %s = %d, %v, %v", name, n, ok, err)
				}
			}
			if s, ok := v.String(r.Handle("sun.rt.jvmCapabilities")); !ok || !strings.HasPrefix(s, "1") {
				t.Errorf("ready, but capabilities %q, %v", s, ok)
			}
			_ = r.Close()
			return
		}
		early := errors.Is(err, ErrNotReady) || errors.Is(err, ErrNoData) || errors.Is(err, ErrStale) || errors.Is(err, ErrZeroed)
		if !early || time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// TestLiveOtherUser: a user without rights gets told so, and what to do.
func TestLiveOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("changing the user needs root: run the tests as root")
	}
	j := startJVM(t, 17)
	errs := make(chan error, 1)
	go func() {
		// The thread is never unlocked, so it ends with the goroutine and its user with it.
		runtime.LockOSThread()
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, 65534, 65534, 65534); e != 0 {
			errs <- e
			return
		}
		r, err := Open("/proc", j.pid, j.pid, "root")
		if err == nil {
			_ = r.Close()
		}
		errs <- err
	}()
	if err := <-errs; !errors.Is(err, ErrPermission) || !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "as root") {
		t.Errorf("error %v", err)
	}
}

func BenchmarkReadFile(b *testing.B)   { benchRead(b, "file") }
func BenchmarkReadMemory(b *testing.B) { benchRead(b, "memory") }

func benchRead(b *testing.B, via string) {
	var flags []string
	if via == "memory" {
		flags = []string{"-XX:+PerfDisableSharedMem"}
	}
	j := startJVM(b, 17, flags...)
	r, err := Open("/proc", j.pid, j.pid)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	if r.Via() != via {
		b.Fatalf("via %s, want %s", r.Via(), via)
	}
	h := r.Handle("java.threads.live")
	b.ReportAllocs()
	for b.Loop() {
		v, err := r.Read()
		if err != nil {
			b.Fatal(err)
		}
		if _, ok := v.Int(h); !ok {
			b.Fatal("no value")
		}
	}
}

func BenchmarkOpenMemory(b *testing.B) {
	j := startJVM(b, 17, "-XX:+PerfDisableSharedMem")
	for b.Loop() {
		r, err := Open("/proc", j.pid, j.pid)
		if err != nil {
			b.Fatal(err)
		}
		_ = r.Close()
	}
}
