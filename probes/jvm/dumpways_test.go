package jvm

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
)

// moving are the threads whose place differs from one dump to the next.
var moving = []string{"spinner", "allocator", "eliminated", "Attach Listener", "Signal Dispatcher", "timer", "Common-Cleaner", "class-init", "pool-x", "Finalizer", "Reference Handler"}

// describe is all that must be the same of one JVM by every way of asking: the
// addresses of objects are not, a collection moves them.
func describe(d *probes.ThreadDump) []string {
	var out []string
	for i := range d.Threads {
		t := &d.Threads[i]
		if t.State == probes.StateVM || slices.ContainsFunc(moving, func(m string) bool { return strings.Contains(t.Name, m) }) {
			continue
		}
		text := fmt.Sprintf("%q #%d nid %d daemon %v prio %d %s (%s)", t.Name, t.ID, t.NID, t.Daemon, t.Priority, t.State, t.Detail)
		for _, f := range t.Stack {
			text += " < " + f.Method
		}
		for _, h := range t.Holds {
			text += " holds " + h.Class
		}
		if t.WaitsFor != nil {
			text += " waits for " + t.WaitsFor.Class
		}
		out = append(out, text)
	}
	for _, c := range d.Deadlocks {
		text := "deadlock"
		var members []string
		for _, m := range c.Threads {
			members = append(members, m.Name+" waits for "+m.HeldBy)
		}
		slices.Sort(members)
		out = append(out, text+" "+strings.Join(members, ", "))
	}
	slices.Sort(out)
	return out
}

// TestDumpsAreEqualByEveryWay takes a dump by the attach operation, as jcmd's
// and jstack's file have it, and by SIGQUIT in the program's own output.
func TestDumpsAreEqualByEveryWay(t *testing.T) {
	for _, jdk := range attachtest.JDKs {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			j := attachtest.StartJVM(t, jdk, "zoo=1", "deadlock=1")
			tg, err := attach.Inspect("/proc", j.PID)
			if err != nil {
				t.Fatal(err)
			}
			c := attach.NewClient(tg)
			parsed := func(b []byte, err error) *probes.ThreadDump {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				d, err := threads.Parse(b)
				if err != nil {
					t.Fatal(err)
				}
				return d
			}
			var socket []string
			for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
				d := parsed(c.ThreadDump(t.Context(), "-e"))
				if socket = describe(d); len(d.Deadlocks) == 2 {
					break
				}
				if time.Now().After(end) {
					t.Fatal("the program has no two deadlocks")
				}
			}
			if len(socket) < 25 {
				t.Fatalf("%d threads are compared:\n%s", len(socket), strings.Join(socket, "\n"))
			}
			// jstack prints what the operation answers; a file of it is read as any other.
			text, err := c.ThreadDump(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			file := t.TempDir() + "/jstack.txt"
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found, err := threads.Open(b)
			if err != nil || len(found) != 1 || found[0].Err != nil {
				t.Fatalf("%v %+v", err, found)
			}
			j.Signal(t, syscall.SIGQUIT)
			for end := time.Now().Add(30 * time.Second); !strings.Contains(j.Output(), "\nHeap\n"); time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("no dump by SIGQUIT:\n%s", j.Output())
				}
			}
			logged, err := threads.ParseAll([]byte(j.Output()))
			if err != nil || len(logged) != 1 || logged[0].Err != nil {
				t.Fatalf("%v %+v", err, logged)
			}
			for way, d := range map[string]*probes.ThreadDump{"a file of jstack": found[0].Dump, "jcmd Thread.print": parsed(c.Jcmd(t.Context(), "Thread.print")), "SIGQUIT": logged[0].Dump} {
				got := describe(d)
				if slices.Equal(got, socket) {
					continue
				}
				for _, l := range got {
					if !slices.Contains(socket, l) {
						t.Errorf("%s has\n%s", way, l)
					}
				}
				for _, l := range socket {
					if !slices.Contains(got, l) {
						t.Errorf("%s lacks\n%s", way, l)
					}
				}
			}
		})
	}
}
