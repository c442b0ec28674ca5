package live

import (
	"fmt"
	"os"
	"testing"

	"example.com/jtop/tui"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

// The pages of the Threads tab, of the recorded program with every state and
// two deadlocks.
func TestRecordedThreadPages(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for i, page := range []string{"Timeline", "Locks", "Groups"} {
			id := fmt.Sprintf("target-jdk8-parallel_Threads_%s_%dx%d", page, size[0], size[1])
			t.Run(id, func(t *testing.T) {
				file, err := os.Open(recording("target-jdk8-parallel"))
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				p, err := OpenReplay(file, true)
				if err != nil {
					t.Fatal(err)
				}
				m := tui.New(p.Backend(), tui.Options{Open: p.JVM().PID, Tab: view.TabThreads, Theme: theme.New(theme.Options{Mode: theme.Dark})})
				d := tuitest.NewDriver(t, m, size[0], size[1])
				d.Await("a frame", func() bool { return d.Shows("✓ live") })
				for range i + 1 {
					d.Keys("]")
				}
				d.Await("the page", func() bool { return d.Shows([]string{"BLOCK %", "WHO BLOCKS WHOM", "SAME STACK"}[i]) })
				got := d.View()
				if err := m.Close(); err != nil {
					t.Error(err)
				}
				tuitest.Exact(t, id, got, size[0], size[1])
				tuitest.Golden(t, id, got)
			})
		}
	}
}
