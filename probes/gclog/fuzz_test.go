package gclog

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
)

// Whatever the bytes, every line is counted once, every figure that is known
// is one that can be, and the same text in pieces is the same text.
func FuzzParser(f *testing.F) {
	files, err := filepath.Glob("testdata/*.log.gz")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, name := range files {
		b := text(f, filepath.Base(name))
		f.Add(b[:min(len(b), 4000)])
		f.Add(b[max(0, len(b)-3000):])
	}
	f.Add([]byte("0.1: [GC (x) [ParNew (promotion failed): 1K->1K(2K), 0.1 secs]0.1: [CMS (concurrent mode failure): 1K->1K(2K), 0.1 secs] 1K->1K(2K), 0.2 secs]\n[1.0s][gc] GC(1) Pause Young (("))
	f.Add([]byte("GC(0)Pause 0s\nGC(0)Pause () 0s\nGC(0) Major Collection (0s\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := NewLog(func(e *Event) {
			if e.Kind == "" || e.Kind.Pause() && !e.Duration.OK {
				t.Errorf("%+v", e)
			}
			if e.Duration.V < 0 || e.Start.V < 0 || e.Promoted.V < 0 {
				t.Errorf("negative: %+v", e)
			}
			for _, s := range []Space{e.Heap, e.Young, e.Old, e.Eden, e.Survivor, e.Metaspace} {
				if s.Before.V < 0 || s.After.V < 0 || s.Capacity.V < 0 {
					t.Errorf("negative: %+v", e)
				}
			}
		})
		if err := l.Read(context.Background(), bytes.NewReader(b), nil); err != nil {
			return // it begins as gzip does
		}
		l.End()
		s := l.Summary()
		if n := s.Lines; n.Used < 0 || n.Unknown < 0 || n.Used+n.Skipped+n.Other+n.Unknown != n.Total {
			t.Errorf("lines %+v", n)
		}
		if s.Throughput.OK && (s.Throughput.V < 0 || s.Throughput.V > 100) || s.Allocation.V < 0 || s.Covered.V < 0 {
			t.Errorf("%+v", s)
		}
		if len(s.Findings()) == 0 {
			t.Error("no finding")
		}
		pieces := newFollower(nil, FollowOptions{}, func(*Event, Facts) {})
		for i := 0; i < len(b); i += 7 {
			pieces.feed(b[i:min(len(b), i+7)])
		}
		if bytes.HasSuffix(b, []byte("\n")) && pieces.p.lines.Total != s.Lines.Total {
			t.Errorf("%d lines in pieces, %d", pieces.p.lines.Total, s.Lines.Total)
		}
	})
}
