package threads

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// TestSavedReadsBackEqual over every fixture, with what a live dump has beside
// its text.
func TestSavedReadsBackEqual(t *testing.T) {
	for name, b := range dumps(t, "jdk*") {
		d, err := Parse(b)
		if err != nil {
			continue // fixtures that are broken on purpose
		}
		d.Taken, d.Latency, d.Pause = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), 3*time.Millisecond, probes.Some(time.Millisecond)
		text, err := JSON(d)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Open(text)
		if err != nil || len(found) != 1 || found[0].Err != nil {
			t.Fatalf("%v: %v %+v", name, err, found)
		}
		// Empty lists come back as such or as none.
		was, _ := json.Marshal(d)
		is, _ := json.Marshal(found[0].Dump)
		if string(was) != string(is) || !found[0].Daemons || !found[0].Dump.Taken.Equal(d.Taken) {
			t.Errorf("%v: %d bytes come back as %d", name, len(was), len(is))
		}
	}
}

func TestSavedIsNotBelieved(t *testing.T) {
	const thread = `{"name":"a","id":1,"nid":2,"daemon":false,"priority":5,"state":"RUNNABLE","allocated_bytes":null}`
	file := func(version, threads string) string {
		return `{"jtopThreadDump": ` + version + `, "dump": {"taken":"2026-01-02T03:04:05Z","threads":[` + threads + `],"deadlocks":[]}}`
	}
	if _, err := Open([]byte(file("1", thread))); err != nil {
		t.Fatal(err)
	}
	for what, b := range map[string]string{
		"another version": file("2", thread), "no dump": `{"jtopThreadDump": 1}`, "cut": file("1", thread)[:120],
		"a state":    file("1", strings.Replace(thread, "RUNNABLE", "\x1b[2J", 1)),
		"no state":   file("1", strings.Replace(thread, "RUNNABLE", "SLEEPY", 1)),
		"native id":  file("1", strings.Replace(thread, `"nid":2`, `"nid":-2`, 1)),
		"priority":   file("1", strings.Replace(thread, `"priority":5`, `"priority":99`, 1)),
		"allocation": file("1", strings.Replace(thread, `null}`, `-5}`, 1)),
	} {
		if f, err := Open([]byte(b)); !errors.Is(err, ErrMalformed) || f != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	dirty := strings.NewReplacer(`"a"`, `"a\u001b[2J"`, `"allocated`, `"stack":[{"method":"m\u0007","locks":["l\u202e"]}],"waits_for":{"id":"i\n","class":"c","kind":"k"},"holds":[{"id":"h\t"}],"allocated`).Replace(thread)
	f, err := Open([]byte(file("1", dirty)))
	if err != nil {
		t.Fatal(err)
	}
	want := probes.Thread{Name: `a\x1b[2J`, ID: 1, NID: 2, Priority: 5, State: probes.StateRunnable, Stack: []probes.StackFrame{{Method: `m\x07`, Locks: []string{`l\u202e`}}},
		WaitsFor: &probes.Lock{ID: `i\n`, Class: "c", Kind: "k"}, Holds: []probes.Lock{{ID: `h\t`}}}
	if got := f[0].Dump.Threads[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
