package live

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/cmd/internal/demo"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/view"
)

var record = flag.Bool("record", false, "record the sessions of the goldens anew, on real JVMs")

// recordings are sessions on real JVMs; each screen of them is a golden.
var recordings = []string{"gateway-jdk17-g1-load", "target-jdk8-parallel", "target-jdk25-zgc"}

func recording(name string) string { return filepath.Join("testdata", name+".jtop") }

func TestRecord(t *testing.T) {
	if !*record {
		for _, name := range recordings {
			if _, err := os.Stat(recording(name)); err != nil {
				t.Errorf("%v: go test ./cmd/internal/live -run Record -record", err)
			}
		}
		return
	}
	java, _, err := demo.FindJava()
	if err != nil {
		t.Fatal(err)
	}
	d, err := demo.Start(t.Context(), java, nil, demo.WithChurn(5), demo.WithEphemeralPorts())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Stop()
	make1(t, "gateway-jdk17-g1-load", d.Gateway.PID, func(s *Session) {
		if err := s.StartLoad(probes.LoadConfig{URL: d.Gateway.URL + "/question?page=1&limit=10", Method: "GET", Users: 8, Ramp: 2 * time.Second, Duration: 8 * time.Second}); err != nil {
			t.Fatal(err)
		}
	})
	make1(t, "target-jdk8-parallel", attachtest.StartJVM(t, 8, "-XX:+UseParallelGC", "-Xmn16m", "zoo=1", "deadlock=1", "alloc=40", "classes=5").PID, nil)
	make1(t, "target-jdk25-zgc", attachtest.StartJVM(t, 25, "-XX:+UseZGC", "alloc=30", "virt=20").PID, nil)
}

func make1(t *testing.T, name string, pid int, during func(*Session)) {
	var b bytes.Buffer
	s := open(t, pid, Options{Record: &b, Tool: "jtop"})
	time.Sleep(2 * time.Second)
	if during != nil {
		during(s)
	}
	time.Sleep(4 * time.Second)
	s.SetVisible(true)
	time.Sleep(8 * time.Second)
	if _, err := s.Act(t.Context(), tui.Act{Kind: tui.ActFlags}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recording(name), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every tab of every recorded session, through store, model and views, as it
// was when the recording ended.
func TestRecordedScreens(t *testing.T) {
	for _, name := range recordings {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {39, 11}} {
			for _, tab := range view.Tabs {
				w, h := size[0], size[1]
				id := fmt.Sprintf("%s_%s_%dx%d", name, tab.Title(), w, h)
				if h < 12 && tab != view.TabOverview {
					continue // too small is the same everywhere
				}
				t.Run(id, func(t *testing.T) {
					file, err := os.Open(recording(name))
					if err != nil {
						t.Fatal(err)
					}
					defer file.Close()
					p, err := OpenReplay(file, true)
					if err != nil {
						t.Fatal(err)
					}
					m := tui.New(p.Backend(), tui.Options{Open: p.JVM().PID, Tab: tab, Theme: theme.New(theme.Options{Mode: theme.Dark})})
					d := tuitest.NewDriver(t, m, w, h)
					d.Await("a frame", func() bool { return h < 12 || d.Shows("✓ live") })
					got := d.View()
					if err := m.Close(); err != nil {
						t.Error(err)
					}
					tuitest.Exact(t, id, got, w, h)
					tuitest.Golden(t, id, got)
				})
			}
		}
	}
}
