package live

import (
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/tui"
)

// The price of a flag attaches to no JVM that nothing has attached to: the
// first attach starts a thread in it, and there was no yes yet.
func TestPriceOfAFlagDoesNotAttach(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "-XX:+UseG1GC")
	s := open(t, j.PID, Options{})
	a := tui.Act{Kind: tui.ActSetFlag, Arg: "+HeapDumpOnOutOfMemoryError"}
	p := price(t, s, a)
	if s.commands.Attached() {
		t.Error("the price attached to the JVM")
	}
	if !strings.Contains(p.Text, "not read before your yes") || !strings.Contains(p.Text, "becomes true") {
		t.Errorf("the price is %q", p.Text)
	}
	if text, err := s.Act(t.Context(), a); err != nil || text != "-XX:+HeapDumpOnOutOfMemoryError is set" {
		t.Fatalf("%q, %v", text, err)
	}
	if p := price(t, s, tui.Act{Kind: tui.ActSetFlag, Arg: "-HeapDumpOnOutOfMemoryError"}); !strings.HasPrefix(p.Text, "It is -XX:+HeapDumpOnOutOfMemoryError now and becomes false") {
		t.Errorf("once attached the price is %q", p.Text)
	}
}
