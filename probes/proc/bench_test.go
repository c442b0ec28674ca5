package proc

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func ptr(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }

func BenchmarkStat(b *testing.B) {
	for b.Loop() {
		if _, err := Host.Stat(os.Getpid()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStatm(b *testing.B) {
	for b.Loop() {
		if _, err := Host.Statm(os.Getpid()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHost(b *testing.B) {
	for b.Loop() {
		if _, err := Host.Host(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTasks50(b *testing.B)   { benchTasks(b, 50) }
func BenchmarkTasks2000(b *testing.B) { benchTasks(b, 2000) }

// benchTasks reads this process after it has grown to n more threads, each waiting in the kernel.
func benchTasks(b *testing.B, n int) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		b.Fatal(err)
	}
	var ready, done sync.WaitGroup
	for range n {
		ready.Add(1)
		done.Go(func() {
			runtime.LockOSThread()
			ready.Done()
			_, _ = unix.Read(p[0], make([]byte, 1)) // blocking: ends when the pipe is closed
		})
	}
	ready.Wait()
	r, err := NewTaskReader(Host, os.Getpid())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	_ = r.Close()
	_ = unix.Close(p[1])
	done.Wait()
	_ = unix.Close(p[0])
}
