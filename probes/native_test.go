package probes

import (
	"strings"
	"testing"
)

func TestAccount(t *testing.T) {
	s := &Sample{Proc: &ProcSample{RSS: Some[int64](300)}, Heap: &HeapSample{Committed: Some[int64](100)},
		Pools: []PoolSample{{ID: PoolOld, Committed: Some[int64](50)}, {ID: PoolMetaspace, Committed: Some[int64](20)}, {ID: PoolClassSpace, Committed: Some[int64](5)}}}
	code := &NativeSample{CodeCache: &CodeCache{Total: CodeSegment{Size: 240, Used: 7, MaxUsed: 8}}}
	for _, c := range []struct {
		name  string
		s     *Sample
		n     *NativeSample
		bytes Opt[int64]
		by    string
		gap   Opt[int64]
	}{
		{"counters alone", s, nil, Some[int64](120), "heap, metaspace", Some[int64](180)},
		{"with the code cache", s, code, Some[int64](128), "heap, metaspace, code cache", Some[int64](172)},
		{"NMT has it all", s, &NativeSample{NMT: &NMT{Total: NMTAmount{Committed: 310}}, CodeCache: code.CodeCache}, Some[int64](310), "native memory tracking", Some[int64](-10)},
		{"nothing known", &Sample{}, nil, None[int64](), "", None[int64]()},
		{"RSS unknown", &Sample{Heap: s.Heap}, nil, Some[int64](100), "heap", None[int64]()},
		{"heap unknown", &Sample{Heap: &HeapSample{}, Proc: s.Proc}, nil, None[int64](), "", None[int64]()},
	} {
		got := Account(c.s, c.n)
		if got.Bytes != c.bytes || got.Gap != c.gap || strings.Join(got.By, ", ") != c.by {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestCompareNMT(t *testing.T) {
	category := func(name string, committed int64) NMTCategory {
		return NMTCategory{Name: name, NMTAmount: NMTAmount{Committed: committed}}
	}
	base := &NMT{Categories: []NMTCategory{category("Java Heap", 100), category("Thread", 40), category("GC", 9)}}
	now := &NMT{Categories: []NMTCategory{category("GC", 9), category("Java Heap", 100), category("Thread", 70), category("Arena Chunk", 80)}}
	got := CompareNMT(base, now)
	want := []struct {
		name   string
		change Opt[int64]
	}{{"Java Heap", Some[int64](0)}, {"Arena Chunk", None[int64]()}, {"Thread", Some[int64](30)}, {"GC", Some[int64](0)}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].Name != w.name || got[i].Change != w.change {
			t.Errorf("%d: %s %v, want %s %v", i, got[i].Name, got[i].Change, w.name, w.change)
		}
	}
	if CompareNMT(base, nil) != nil || CompareNMT(nil, now)[0].Change.OK {
		t.Error("a change without a baseline")
	}
}
