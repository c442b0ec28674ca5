package attach

import (
	"fmt"
	"testing"

	"example.com/jtop/attach/attachtest"
)

func BenchmarkListJVMs(b *testing.B) {
	attachtest.StartJVM(b, 17)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			if _, err := ListJVMs("", nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cached", func(b *testing.B) {
		cache := &Cache{}
		for b.Loop() {
			if _, err := ListJVMs("", cache); err != nil {
				b.Fatal(err)
			}
		}
	})
	pids, err := ProcRoot("").pids()
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d processes", len(pids))
}

func BenchmarkScanMaps(b *testing.B) {
	j := attachtest.StartJVM(b, 17, "extra=2000")
	for b.Loop() {
		if lib, err := ProcRoot("").libjvm(j.PID); err != nil || lib == "" {
			b.Fatal(lib, err)
		}
	}
}

// BenchmarkRequest is one request of a client: GC.heap_info, the most frequent
// one, and thread dumps.
func BenchmarkRequest(b *testing.B) {
	for _, jdk := range []int{17, 25} {
		for _, threads := range []int{50, 500} {
			j := attachtest.StartJVM(b, jdk, fmt.Sprintf("extra=%d", threads))
			target, err := Inspect("", j.PID)
			if err != nil {
				b.Fatal(err)
			}
			c := NewClient(target)
			name := fmt.Sprintf("jdk=%d/threads=%d", jdk, threads)
			b.Run(name+"/heap_info", func(b *testing.B) {
				for b.Loop() {
					if _, err := c.Jcmd(b.Context(), "GC.heap_info"); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(name+"/threaddump", func(b *testing.B) {
				for b.Loop() {
					dump, err := c.ThreadDump(b.Context(), "-l")
					if err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(len(dump)))
				}
			})
			j.Stop()
		}
	}
}
