package hsperf

import (
	"strings"
	"testing"
)

func TestParseMaps(t *testing.T) {
	const text = `f8000000-ffe00000 rw-p 00000000 00:00 0 
55cb1ddd1000-55cb1ddd2000 r--p 00000000 fe:00 10283332                   /usr/bin/java
7f0000000000-7f0000008000 rw-s 00000000 fe:00 77    /tmp/hsperfdata_a b/42
7f0000010000-7f0000018000 rw-s 00000000 fe:00 78    /tmp/hsperfdata_root/43 (deleted)
7f0000020000-7f0000028000 rw-s 00000000 fe:00 79    /tmp/hsperfdata_root/notapid
7f0000030000-7f0000038000 rw-p 00000000 00:00 0 
7f0000040000-7f0000048000 rw-p 00000000 00:00 0                          [anon:perf]
7f0000050000-7f0000058000 ---p 00000000 00:00 0 
7ffd00000000-7ffd00008000 rw-p 00000000 00:00 0                          [stack]
garbage
zzz-yyy rw-p 0 0 0
7f0000060000-7f0000060000 rw-p 00000000 00:00 0 
`
	got, err := parseMaps(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.file) != 2 || got.file[0].inode != 77 || got.file[1].inode != 78 ||
		got.file[0].start != 0x7f0000000000 || got.file[0].end != 0x7f0000008000 {
		t.Errorf("files %+v", got.file)
	}
	if len(got.anon) != 2 || got.anon[0].start != 0x7f0000030000 || got.anon[1].path != "[anon:perf]" {
		t.Errorf("anonymous %+v", got.anon)
	}
}

func TestParseMapsIsBounded(t *testing.T) {
	line := "7f0000030000-7f0000038000 rw-p 00000000 00:00 0 \n"
	got, err := parseMaps(strings.NewReader(strings.Repeat(line, maxCandidates+10)))
	if err != nil || len(got.anon) != maxCandidates {
		t.Errorf("%d candidates, %v", len(got.anon), err)
	}
	if _, err := parseMaps(strings.NewReader(strings.Repeat("x", 1<<20))); err == nil {
		t.Error("an endless line is no error")
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add([]byte("7f00-7f01 rw-s 00000000 fe:00 77    /tmp/hsperfdata_root/42 (deleted)"))
	f.Add([]byte("- rw-p"))
	f.Add([]byte("1-2 rw-p 0 0 0"))
	f.Fuzz(func(t *testing.T, line []byte) {
		m, _, ok := parseMapping(line)
		if ok != (m.end > m.start) || !ok && m != (mapping{}) && m.end > m.start {
			t.Fatalf("%q: %+v, %v", line, m, ok)
		}
		_ = isCounterPath(m.path)
	})
}
