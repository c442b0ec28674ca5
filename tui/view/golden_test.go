package view_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/jtop/tui/theme"
	"example.com/jtop/tui/tuitest"
	"example.com/jtop/tui/tuitest/screens"
)

// TestGoldens holds every screen at 80x24 and 120x40, the tabs at 200x60, and
// what a terminal that is too small shows. One of each tab keeps its colours.
func TestGoldens(t *testing.T) {
	th := theme.New(theme.Options{})
	tabs := map[string]bool{"overview": true, "memory": true, "threads": true, "gc": true, "classes": true, "vm": true, "load_running": true, "picker": true, "threads_timeline": true, "threads_locks": true, "threads_groups": true}
	for _, s := range screens.All() {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {38, 9}} {
			w, h := size[0], size[1]
			if w == 200 && !tabs[s.Name] || w == 38 && s.Name != "too_small" || w != 80 && strings.HasSuffix(s.Name, "_hostile") {
				continue
			}
			t.Run(fmt.Sprintf("%s_%dx%d", s.Name, w, h), func(t *testing.T) {
				got := s.Draw(th, w, h)
				tuitest.Golden(t, fmt.Sprintf("%s_%dx%d", s.Name, w, h), got)
				if tabs[s.Name] && w == 80 {
					tuitest.GoldenStyled(t, s.Name, got)
				}
			})
		}
	}
}

// TestEveryItemIsOnItsTab is the list of what each tab owes at 120x40, and of
// what must still be there at 80x24.
func TestEveryItemIsOnItsTab(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono})
	owed := map[string]struct{ full, small []string }{
		"overview": {[]string{"MB used", "committed", "max", "% core", "of 2 cores", "Host CPU", "live", "daemon", "peak", "Classes", "▼ GC pause", "of time", "pauses/min", "Alloc", "MB/s", "RSS"},
			[]string{"MB used", "% core", "Host CPU", "live", "GC ", "Alloc", "RSS", "Classes", "▼"}},
		"memory": {[]string{"Heap", "Eden", "Survivor 0", "Survivor 1", "Old", "Metaspace", "Class space", "USED", "COMMIT", "MAX", "COLLECTIONS", "as of last GC"},
			[]string{"Heap", "Eden", "Old", "Metaspace", "USED", "COMMIT", "MAX", "GCs", "s old"}},
		"threads": {[]string{"live", "daemon", "peak", "started", "R runnable", "B blocked", "W waiting", "T timed waiting", "CPU %", "STATE", "NAME", "NID", "HEX", "DAEMON", "dump 1.2 s old", "next in", "Java threads by state"},
			[]string{"live", "B blocked", "CPU %", "STATE", "NAME", "NID", "dump 1.2 s old"}},
		"gc": {[]string{"COUNT", "TIME", "AVERAGE", "SHARE", "/MIN", "Copy", "MSC", "PAUSES", "CAUSE", "DURATION", "BEFORE -> AFTER", "longest per column", "2x "},
			[]string{"COUNT", "AVERAGE", "Copy", "MSC", "CAUSE", "DURATION", "->"}},
		"classes": {[]string{"Loaded", "Unloaded", "Total loaded", "Load time", "Compilations", "JIT time", "/s"}, []string{"Loaded", "Compilations"}},
		"load_running": {[]string{"Throughput", "p50", "p90", "p95", "p99", "errors", "200:", "503:", "timeout (answer)", "failed", "running"},
			[]string{"Throughput", "p99", "errors", "200:", "running"}},
		"load_form": {[]string{"URL", "Method", "Users", "Ramp-up", "Loops", "Duration", "Timeout", "enter starts"}, []string{"URL", "Users", "enter starts"}},
		"picker":    {[]string{"PID", "USER", "NAME", "JDK", "GC", "UPTIME", "CPU %", "HEAP USED / MAX", "THR", "RSS", "PORTS", "ATTACH", "-Xmx256m"}, []string{"PID", "NAME", "CPU %", "HEAP", "RSS", "ATTACH", "-Xmx256m"}},
	}
	for _, s := range screens.All() {
		o, ok := owed[s.Name]
		if !ok {
			continue
		}
		full, small := s.Draw(th, 120, 40), s.Draw(th, 80, 24)
		for _, want := range o.full {
			if !strings.Contains(full, want) {
				t.Errorf("%s at 120x40 lacks %q:\n%s", s.Name, want, full)
			}
		}
		for _, want := range o.small {
			if !strings.Contains(small, want) {
				t.Errorf("%s at 80x24 lacks %q:\n%s", s.Name, want, small)
			}
		}
	}
}

// TestUnknownIsNeverZero draws a sample that holds nothing: no figure may
// appear that was not read.
func TestUnknownIsNeverZero(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono, ASCII: true})
	for _, s := range screens.All() {
		if !strings.HasSuffix(s.Name, "_unknown") || strings.HasPrefix(s.Name, "load") {
			continue
		}
		body := strings.SplitN(s.Draw(th, 120, 40), "\n", 3)[2]
		for _, bad := range []string{"0.0 %", "0 B", "NaN", "Inf", "0/s", " 0 live", "-1"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s shows %q though nothing was read:\n%s", s.Name, bad, body)
			}
		}
	}
}

func TestShenandoahPhasesAreNeverCalledPauses(t *testing.T) {
	th := theme.New(theme.Options{Mode: theme.Mono})
	for _, s := range screens.All() {
		if !strings.HasSuffix(s.Name, "_shenandoah") {
			continue
		}
		got := s.Draw(th, 120, 40)
		if !strings.Contains(got, "phases") || strings.Contains(got, "pauses/min") || strings.Contains(got, "time stopped") {
			t.Errorf("%s calls phases pauses:\n%s", s.Name, got)
		}
	}
}
