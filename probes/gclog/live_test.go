package gclog

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes/hsperf"
)

// A log that is found from a real JVM's command line and followed as it is
// written has exactly the collections that the JVM's own counters have at its
// end.
func TestFollowedIsCounted(t *testing.T) {
	for _, c := range []struct {
		jdk  int
		args []string
	}{
		{8, []string{"-XX:+UseParallelGC", "-Xloggc:gc-%p.log", "-XX:+PrintGCDetails"}},
		{8, []string{"-XX:+UseG1GC", "-Xloggc:gc.log", "-XX:+PrintGCDetails", "-XX:+PrintGCDateStamps"}},
		{8, []string{"-XX:+UseSerialGC", "-Xloggc:gc.log", "-XX:+PrintGCDetails", "-XX:+UseGCLogFileRotation", "-XX:NumberOfGCLogFiles=5", "-XX:GCLogFileSize=8K"}},
		{11, []string{"-XX:+UseG1GC", "-Xlog:gc:gc-%p-%t.log:uptime"}},
		{17, []string{"-XX:+UseSerialGC", "-Xlog:gc*,safepoint:file=gc.log"}},
		{21, []string{"-XX:+UseParallelGC", "-Xlog:gc*:file=gc.log:time:filecount=2,filesize=16k"}},
		{25, []string{"-XX:+UseG1GC", "-Xlog:gc*:file=gc.log:uptime,tags"}},
	} {
		t.Run(fmt.Sprint(c.jdk, c.args[0]), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			j := attachtest.Start(t, attachtest.Config{JDK: c.jdk, Dir: dir, Args: append(c.args, "-Xmx40m", "-Xmn8m", "-XX:+PerfDataSaveToFile", "alloc=60", "gc=300", "secs=2")})
			cmdline, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(j.PID), "cmdline"))
			if err != nil {
				t.Fatal(err)
			}
			var args []string
			for _, a := range bytes.Split(cmdline, []byte{0}) {
				args = append(args, string(a))
			}
			where, ok := FindLog(args, j.PID, j.PID, time.Now())
			if !ok {
				t.Fatalf("no log in %q", args)
			}
			file, err := where.Open()
			if err != nil {
				t.Fatal(err)
			}
			file.Close()
			// The process is gone at its end, and its root with it.
			open := func() (File, error) {
				if f, err := where.Open(); err == nil {
					return f, nil
				}
				return newestIn(dir)
			}
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var mu sync.Mutex
			counts := map[Kind]int64{}
			of := func(kinds []Kind) (n int64) {
				mu.Lock()
				defer mu.Unlock()
				for _, k := range kinds {
					n += counts[k]
				}
				return n
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				Follow(ctx, open, FollowOptions{FromStart: true, Every: 20 * time.Millisecond}, func(e *Event, _ Facts) {
					mu.Lock()
					defer mu.Unlock()
					counts[e.Kind]++
				})
			}()
			<-j.Ended()
			b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("hsperfdata_%d", j.PID)))
			if err != nil {
				t.Fatal(err)
			}
			layout, err := hsperf.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			late := time.Now().Add(30 * time.Second)
			for n, kinds := range [][]Kind{{Young, Mixed}, {Full}, {Remark, Cleanup}} {
				want, ok := layout.Int(b, fmt.Sprintf("sun.gc.collector.%d.invocations", n))
				if !ok {
					continue // Serial and Parallel have two collectors, G1 of JDK 8 and 11 too
				}
				for of(kinds) < want && time.Now().Before(late) {
					time.Sleep(20 * time.Millisecond)
				}
				if got := of(kinds); got != want || n == 0 && want < 5 {
					t.Errorf("%v: %d in the log, %d in the counters", kinds, got, want)
				}
			}
			cancel()
			<-done
		})
	}
}

// newestIn opens the log in a directory that was written last.
func newestIn(dir string) (File, error) {
	names, err := filepath.Glob(filepath.Join(dir, "gc*.log*"))
	if err != nil {
		return nil, err
	}
	newest, at := filepath.Join(dir, "gc.log"), time.Time{}
	for _, n := range names {
		if st, err := os.Stat(n); err == nil && st.ModTime().After(at) {
			newest, at = n, st.ModTime()
		}
	}
	return os.Open(newest)
}
