package live

import (
	"fmt"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// A dump by schedule does not know who holds the java.util.concurrent locks;
// one that the user asks for does, on every JDK, and is charged to the budget.
func TestActOwners(t *testing.T) {
	for _, jdk := range []int{8, 11, 17, 21, 25} {
		t.Run(fmt.Sprint(jdk), func(t *testing.T) {
			t.Parallel()
			j := attachtest.StartJVM(t, jdk, "zoo=1")
			s := open(t, j.PID, Options{})
			s.SetVisible(true)
			owner := func() string {
				for _, l := range s.Frame(allThreads).Threads.Locks {
					for _, w := range l.Waiters {
						if w.Name == "parked-on-reentrantlock" && l.Owner != nil {
							return l.Owner.Name
						}
					}
				}
				return ""
			}
			until(t, s, "the first dump", func(f *probes.Frame) bool { return f.Dump != nil && len(f.Dump.Threads) > 20 })
			if got := owner(); got != "" {
				t.Errorf("a dump without -l says that %q holds the lock", got)
			}
			before, _ := s.threads.Cost()
			price(t, s, tui.Act{Kind: tui.ActOwners})
			if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActOwners}); err != nil {
				t.Fatal(err)
			}
			if got := owner(); got != "owner-reentrantlock" {
				t.Errorf("the owner is %q, want owner-reentrantlock", got)
			}
			if after, _ := s.threads.Cost(); after <= before {
				t.Errorf("%d dumps counted before, %d after", before, after)
			}
		})
	}
}
