package main

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes/vmtext"
)

// space finds a space of heapinfo's JSON by id.
func spaceOf(t *testing.T, list any, id string) any {
	t.Helper()
	for _, s := range list.([]any) {
		if at(t, s, "id") == id {
			return s
		}
	}
	t.Fatalf("no space %s in %v", id, list)
	return nil
}

// TestHeapInfoAgainstJcmd: settings, sizes and native memory are those that
// the JDK's own tool prints.
func TestHeapInfoAgainstJcmd(t *testing.T) {
	for _, c := range []struct {
		jdk    int
		gc     string
		spaces []string
	}{
		{8, "-XX:+UseParallelGC", []string{"eden", "survivor0", "survivor1", "old"}}, {17, "-XX:+UseG1GC", []string{"eden", "survivor", "old"}},
		{25, "-XX:+UseSerialGC", []string{"eden", "survivor0", "survivor1", "old"}}, {21, "-XX:+UseShenandoahGC", []string{"heap"}},
	} {
		t.Run(fmt.Sprint(c.jdk, c.gc), func(t *testing.T) {
			j := attachtest.StartJVM(t, c.jdk, c.gc, "-XX:NativeMemoryTracking=summary", "-Xmn20m", "live=4")
			pid := fmt.Sprint(j.PID)
			time.Sleep(300 * time.Millisecond) // Shenandoah's counter moves every 100 ms
			v := jsonOf(t, 0, "heapinfo", pid, "--json")
			jcmd := func(command ...string) []byte {
				out, err := exec.Command(attachtest.Tool(t, "jcmd"), append([]string{pid}, command...)...).Output()
				if err != nil {
					t.Fatal(err)
				}
				_, answer, _ := strings.Cut(string(out), "\n") // the pid
				return []byte(answer)
			}
			flags, err := vmtext.ParseFlags(jcmd("VM.flags", "-all"))
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, f := range flags {
				want[f.Name] = f.Value
			}
			config := at(t, v, "configuration").([]any)
			for _, f := range config {
				if name := at(t, f, "name").(string); at(t, f, "value") != want[name] {
					t.Errorf("%s: %v, jcmd says %s", name, at(t, f, "value"), want[name])
				}
			}
			if len(config) < 20 {
				t.Errorf("%d settings: %v", len(config), config)
			}
			if at(t, v, "heap.max_bytes") == nil || at(t, v, "heap.used_bytes").(float64) < 4<<20 {
				t.Errorf("heap %v", at(t, v, "heap"))
			}
			for _, id := range c.spaces {
				s := spaceOf(t, at(t, v, "spaces"), id)
				used, capacity, free := at(t, s, "used_bytes").(float64), at(t, s, "capacity_bytes").(float64), at(t, s, "free_bytes").(float64)
				if used+free != capacity || used < 0 || free < 0 {
					t.Errorf("%s: %v used and %v free of %v", id, used, free, capacity)
				}
			}
			nmt, err := vmtext.ParseNMT(jcmd("VM.native_memory", "summary"))
			if err != nil {
				t.Fatal(err)
			}
			own := at(t, v, "native.native_memory_tracking.categories").([]any)
			if at(t, own[0], "name") != nmt.Categories[0].Name || at(t, own[0], "reserved_bytes") != float64(nmt.Categories[0].Reserved) {
				t.Errorf("%v, jcmd says %+v", own[0], nmt.Categories[0])
			}
			if total := at(t, v, "native.accounted_bytes").(float64); total != at(t, v, "native.native_memory_tracking.total.committed_bytes") ||
				at(t, v, "native.rss_gap_bytes") != at(t, v, "native.rss_bytes").(float64)-total {
				t.Errorf("native %v", at(t, v, "native"))
			}
			if (at(t, v, "native.code_cache") == nil) != (c.jdk == 8) || at(t, v, "native.direct_buffers_bytes") != nil {
				t.Errorf("code cache %v", at(t, v, "native.code_cache"))
			}
			if c.jdk > 8 {
				code, err := vmtext.ParseCodeCache(jcmd("Compiler.codecache"))
				if err != nil {
					t.Fatal(err)
				}
				if got := at(t, v, "native.code_cache.total.size_bytes"); got != float64(code.Total.Size) {
					t.Errorf("code cache of %v, jcmd says %d", got, code.Total.Size)
				}
			}
			meta := spaceOf(t, at(t, v, "native.spaces"), "metaspace")
			if at(t, meta, "used_bytes") == nil && at(t, meta, "note") == "" {
				t.Errorf("metaspace %v", meta)
			}
		})
	}
}

// Without counters the JVM itself is asked; without attach the counters tell.
func TestHeapInfoOfHalfAJVM(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:-UsePerfData", "-XX:+UseSerialGC", "live=4")
	v := jsonOf(t, 0, "heapinfo", fmt.Sprint(j.PID), "--json")
	if at(t, v, "heap.used_bytes") == nil || at(t, v, "heap.max_bytes") != float64(128<<20) || len(at(t, v, "configuration").([]any)) < 20 || at(t, v, "native.native_memory_tracking") != nil {
		t.Errorf("without counters: %v", v)
	}
	wants(t, "the problems", fmt.Sprint(at(t, v, "sources")), "-XX:NativeMemoryTracking=summary")

	j = attachtest.StartJVM(t, 17, "-XX:+DisableAttachMechanism", "-XX:+UseSerialGC", "live=4")
	v = jsonOf(t, 4, "heapinfo", fmt.Sprint(j.PID), "--json")
	if at(t, v, "heap.max_bytes") != float64(128<<20) || len(at(t, v, "configuration").([]any)) != 0 || at(t, v, "native.rss_bytes") == nil {
		t.Errorf("without attach: %v", v)
	}
	if strings.Contains(j.Output(), "Full thread dump") {
		t.Error("the JVM was made to print a thread dump")
	}
	code, out, errs := jtop(t, "heapinfo", fmt.Sprint(j.PID))
	if code != 4 {
		t.Errorf("exit %d", code)
	}
	wants(t, "the text", out, "HEAP USAGE", "Eden", "not read", "Control group")
	wants(t, "the reason", errs, "attach is disabled")
}

func TestHeapInfoErrors(t *testing.T) {
	for _, c := range []struct {
		code int
		says string
		args []string
	}{{2, "one pid or name", nil}, {2, "one pid or name", []string{"a", "b"}}, {3, "no such process", []string{"4194303"}}, {3, "no JVM here", []string{"no-such-name"}}, {2, "not defined", []string{"--histo", "1"}}} {
		code, out, errs := jtop(t, append([]string{"heapinfo"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%v: exit %d %q, want %d %q", c.args, code, errs, c.code, c.says)
		}
	}
	_, out, _ := jtop(t, "heapinfo", "--help")
	wants(t, "the help", out, "--json", "no pause", "exit 4")
}
