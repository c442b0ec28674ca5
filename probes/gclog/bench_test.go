package gclog

import (
	"bytes"
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"
)

// repeated is a log again and again, its uptimes shifted, until it is long
// enough.
func repeated(tb testing.TB, name string, size int) []byte {
	b := text(tb, name+".log.gz")
	var out bytes.Buffer
	out.Grow(size + len(b))
	for shift := time.Duration(0); out.Len() < size; shift += 3 * time.Second {
		for line := range bytes.Lines(b) {
			if d := decorations(line); d.stamp.uptime.OK {
				i := bytes.IndexByte(line, ']')
				fmt.Fprintf(&out, "[%.3fs]", (d.stamp.uptime.V + shift).Seconds())
				line = line[i+1:]
			} else if v, n, ok := decimal(line); ok && n > 2 && line[n] == ':' {
				fmt.Fprintf(&out, "%.3f", (time.Duration(v) + shift).Seconds())
				line = line[n:]
			}
			out.Write(line)
		}
	}
	return out.Bytes()
}

// cpuTime is what this process has used so far, the Go collector included.
func cpuTime(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"jdk21-g1-fail", "jdk17-parallel", "jdk25-z", "jdk25-shen-short", "jdk8-g1-fail", "jdk8-parallel-heapat"} {
		b.Run(name, func(b *testing.B) {
			log := repeated(b, name, 100<<20)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			began := cpuTime(b)
			for b.Loop() {
				l := NewLog(nil)
				if err := l.Read(context.Background(), bytes.NewReader(log), nil); err != nil {
					b.Fatal(err)
				}
				l.End()
				if s := l.Summary(); s.Pauses.Count < 1000 || s.Runs != 1 || s.Lines.Unknown != 0 {
					b.Fatalf("%d pauses in %d runs, %v", s.Pauses.Count, s.Runs, s.Lines)
				}
			}
			// On a machine that does other things, too, the time is not the parser's.
			b.ReportMetric(float64(len(log))*float64(b.N)/1e6/(cpuTime(b)-began).Seconds(), "MB/cpu-s")
		})
	}
}
