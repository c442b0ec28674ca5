package threads

import (
	"fmt"
	"testing"

	"example.com/jtop/probes"
)

func TestParseScheduler(t *testing.T) {
	n, none := probes.Some[int64], probes.None[int64]()
	for text, want := range map[string]probes.VirtualScheduler{
		"java.util.concurrent.ForkJoinPool@197ad3de[Running, parallelism = 2, size = 3, active = 1, running = 0, steals = 2002, tasks = 4, submissions = 2, delayed = 1333]\n": {
			Parallelism: n(2), Size: n(3), Active: n(1), Queued: n(6), Delayed: n(1333)},
		"x.Own@1[tasks = 4]": {Queued: none},
		"":                   {},
		"parallelism = 99999999999999999999, size = -1": {},
		"\x1b[2J parallelism = 2":                       {Parallelism: n(2)},
	} {
		got := ParseScheduler([]byte(text))
		if probes.Clean(got.Text) != got.Text {
			t.Errorf("not clean: %q", got.Text)
		}
		got.Text = ""
		if *got != want {
			t.Errorf("%q: %+v, want %+v", text, *got, want)
		}
	}
}

func TestVirtualOf(t *testing.T) {
	virtual := func(frame string) probes.Thread {
		return probes.Thread{Name: "v", Virtual: true, State: probes.StateWaiting, Stack: []probes.StackFrame{{Method: frame}}}
	}
	f := Found{Virtual: probes.Some(303), Dump: &probes.ThreadDump{Threads: []probes.Thread{{Name: "main"}}}}
	for i := range 301 {
		f.Dump.Threads = append(f.Dump.Threads, virtual(fmt.Sprint("f", i)))
	}
	f.Dump.Threads = append(f.Dump.Threads, virtual("f7"), virtual("f7"))
	v := VirtualOf(f)
	if v.Platform != 1 || v.Virtual.V != 303 || len(v.Groups) != virtualGroups || v.More != 1 || v.Groups[0].Count != 3 || v.Groups[0].Stack[0] != "f7" {
		t.Errorf("%d platform, %d groups and %d more, first %+v", v.Platform, len(v.Groups), v.More, v.Groups[0])
	}
}
