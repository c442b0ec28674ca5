package gclog

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func file(name string) Source {
	return Source{Name: filepath.Base(name), Open: func() (io.ReadCloser, error) { return os.Open(name) }}
}

func names(sources []Source) (list []string) {
	for _, s := range sources {
		list = append(list, s.Name)
	}
	return list
}

// The sets that the JVMs of testdata have left: JDK 8's ring of three, of which
// .2.current is the newest, and unified logging's, whose newest has no number.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		given, want []string
		dir         string
	}{
		{[]string{"gc.log.2.current", "gc.log.1.gz", "gc.log.0"}, []string{"gc.log.0", "gc.log.1.gz", "gc.log.2.current"}, "rot8"},
		{[]string{"gc.log", "gc.log.0"}, []string{"gc.log.0", "gc.log"}, "rot21"},
	} {
		var sources []Source
		for _, n := range c.given {
			sources = append(sources, file(filepath.Join("testdata", c.dir, n)))
		}
		if got := names(Order(sources)); !slices.Equal(got, c.want) {
			t.Errorf("%v is ordered %v, want %v", c.given, got, c.want)
		}
		var all []byte
		for _, n := range c.want {
			all = append(all, text(t, filepath.Join(c.dir, n))...)
		}
		l := NewLog(nil)
		for _, s := range Order(sources) {
			if err := l.ReadSource(context.Background(), s, nil); err != nil {
				t.Fatal(err)
			}
		}
		l.End()
		s := l.Summary()
		if want := matches(all, `Pause .*ms$|\[(?:Full )?GC \(`); s.Pauses.Count != int64(want) || s.Runs != 1 || s.Lines.Unknown != 0 || want < 50 {
			t.Errorf("%s: %d pauses in %d runs, grep counts %d; %v", c.dir, s.Pauses.Count, s.Runs, want, s.Lines)
		}
		near(t, c.dir+" allocates", s.Allocation, s.Allocation.V)
	}
}

func TestOrderWithoutStamps(t *testing.T) {
	mem := func(name, text string) Source {
		return Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(text))), nil }}
	}
	gone := Source{Name: "gone", Open: func() (io.ReadCloser, error) { return nil, fs.ErrNotExist }}
	wall := "[2026-12-01T03:40:47.712+0000][info][gc] Using G1\n"
	for _, c := range []struct {
		given []Source
		want  []string
	}{
		{[]Source{gone, mem("b", "[9.0s][gc] GC(1) Pause Remark 1M->1M(2M) 1.0ms\n"), mem("none", "GC(1) Pause Remark 1M->1M(2M) 1.0ms\n"), mem("a", "text\n[8.0s][gc] Using G1\n")}, []string{"a", "b", "gone", "none"}},
		{[]Source{mem("wall", wall), mem("uptime", "[8.0s][gc] Using G1\n")}, []string{"wall", "uptime"}}, // kinds differ: as given
		{nil, nil},
	} {
		if got := names(Order(c.given)); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	if err := NewLog(nil).ReadSource(context.Background(), gone, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
