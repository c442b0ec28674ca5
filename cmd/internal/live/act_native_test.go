package live

import (
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
	"example.com/jtop/tui"
)

// Nothing is asked before the yes; then there are categories that add up, the
// code cache where the JDK tells it, the stack size, and a baseline for the
// second reading.
func TestActNative(t *testing.T) {
	for _, jdk := range []int{8, 17, 25} {
		j := attachtest.StartJVM(t, jdk, "-XX:+UseG1GC", "-XX:NativeMemoryTracking=summary", "-Xss768k")
		s := open(t, j.PID, Options{})
		until(t, s, "figures", func(f *probes.Frame) bool { return f.Snap != nil && f.Snap.Raw.Proc != nil })
		if p := price(t, s, tui.Act{Kind: tui.ActNative}); !strings.Contains(p.Text, "no pause") || jdk < 25 && !strings.Contains(p.Text, "starts one thread") {
			t.Errorf("JDK %d: the price is %q", jdk, p.Text)
		}
		if jdk < 25 && s.client.Attached() {
			t.Errorf("JDK %d: the price has attached", jdk)
		}
		for range 2 {
			if text, err := s.Act(t.Context(), tui.Act{Kind: tui.ActNative}); err != nil || !strings.Contains(text, "categories") {
				t.Fatalf("JDK %d: %q, %v", jdk, text, err)
			}
		}
		f := until(t, s, "native memory", func(f *probes.Frame) bool { return f.Native != nil && f.Native.NMT != f.NativeBase })
		n := f.Native
		if n.NMT.Total.Committed < 10<<20 || n.StackSize != probes.Some[int64](768<<10) || (n.CodeCache != nil) != (jdk > 8) {
			t.Errorf("JDK %d: %+v", jdk, n)
		}
		if jdk == 8 && (n.CodeProblem == nil || !strings.Contains(n.CodeProblem.Why, "no command")) {
			t.Errorf("JDK 8: %+v", n.CodeProblem)
		}
		if g := probes.CompareNMT(f.NativeBase, n.NMT); len(g) < 8 || !g[0].Change.OK {
			t.Errorf("JDK %d: %+v", jdk, g)
		}
		if a := probes.Account(f.Snap.Raw, n); !a.Gap.OK {
			t.Errorf("JDK %d: no gap: %+v", jdk, a)
		}
	}
}

func TestActNativeUntrackedAndReadOnly(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	s := open(t, j.PID, Options{})
	text, err := s.Act(t.Context(), tui.Act{Kind: tui.ActNative})
	if err != nil || !strings.Contains(text, "does not track it") {
		t.Fatalf("%q, %v", text, err)
	}
	f := until(t, s, "the code cache", func(f *probes.Frame) bool { return f.Native != nil })
	if f.Native.NMT != nil || f.Native.CodeCache == nil || f.NativeBase != nil || f.Native.NMTProblem.Next == "" {
		t.Errorf("%+v", f.Native)
	}
	r := open(t, j.PID, Options{ReadOnly: true})
	if _, err := r.Act(t.Context(), tui.Act{Kind: tui.ActNative}); err == nil {
		t.Error("read-only reads")
	}
}
