package vmtext

import (
	"strings"

	"example.com/jtop/probes"
)

const heapInfo = "GC.heap_info"

// HeapInfo is the answer to GC.heap_info. Which parts are set depends on the
// collector; a nil part is not in the text.
type HeapInfo struct {
	// GC is the collector as far as the text tells: ZGC, and Shenandoah before
	// JDK 26, do not say here whether they have generations.
	GC probes.Algorithm `json:"gc"`
	// Heap is the whole heap. Max is known for G1, ZGC and Shenandoah without
	// generations; for Serial, Parallel and CMS only Reserved is, the address
	// range of -Xmx, of which one survivor space is never usable.
	Heap Space `json:"heap"`
	// Step is the step in which Heap.Used was printed, in bytes: 1024 as a
	// rule, 1 MiB for ZGC and mostly for Shenandoah. The true figure is less
	// than one step above for each of the (at most two) parts added up.
	Step int64 `json:"step_bytes"`

	Eden  *Space     `json:"eden"`  // Serial, Parallel, CMS: to the byte; G1: whole regions
	From  *Space     `json:"from"`  // the survivor space that holds objects
	To    *Space     `json:"to"`    // the empty one
	Old   *Space     `json:"old"`   // Serial, Parallel, CMS, and generational Shenandoah on JDK 26+
	Young *Space     `json:"young"` // generational Shenandoah on JDK 26+
	G1    *G1Regions `json:"g1"`

	Metaspace  *Space `json:"metaspace"`   // all of it, class space included; nil on JDK 25+
	ClassSpace *Space `json:"class_space"` // nil also without compressed class pointers
}

// G1Regions is how many regions of which kind there are. Young is Eden and
// survivors; kinds that the JDK's text does not name are unknown.
type G1Regions struct {
	Size      int64             `json:"size_bytes"`
	Young     probes.Opt[int64] `json:"young"`
	Eden      probes.Opt[int64] `json:"eden"`
	Survivor  probes.Opt[int64] `json:"survivor"`
	Old       probes.Opt[int64] `json:"old"`
	Humongous probes.Opt[int64] `json:"humongous"`
	Free      probes.Opt[int64] `json:"free"`
}

// ParseHeapInfo reads the answer to GC.heap_info of any collector of JDK 8 to
// 28. It fails when no collector is recognised, when a part that belongs to
// this collector's answer is missing, and when a figure does not fit.
func ParseHeapInfo(b []byte) (*HeapInfo, error) {
	if err := uncut(heapInfo, string(b)); err != nil {
		return nil, err
	}
	p := &heapParser{}
	for raw := range strings.Lines(string(b)) {
		line := strings.TrimSpace(raw)
		if err := p.line(line); err != nil {
			return nil, fail(heapInfo, err.Error(), line)
		}
	}
	return p.finish()
}

// heapParser collects the parts; gens are added up in finish.
type heapParser struct {
	h          HeapInfo
	young, old *Space
	space      *Space // Epsilon's
	section    string // of generational Shenandoah
}

func (p *heapParser) line(line string) error {
	switch {
	case strings.HasPrefix(line, "garbage-first heap"):
		p.h.GC = probes.GCG1
		return p.g1(line)
	case strings.HasPrefix(line, "region size ") && p.h.GC == probes.GCG1:
		return p.regions(line)
	case strings.HasPrefix(line, "def new generation"), strings.HasPrefix(line, "DefNew "):
		p.setGC(probes.GCSerial)
		return p.generation(line, &p.young)
	case strings.HasPrefix(line, "par new generation"):
		p.setGC(probes.GCCMS)
		return p.generation(line, &p.young)
	case strings.HasPrefix(line, "PSYoungGen"):
		p.setGC(probes.GCParallel)
		return p.generation(line, &p.young)
	case strings.HasPrefix(line, "concurrent mark-sweep generation"):
		p.h.GC = probes.GCCMS // also behind "def new" (-XX:-UseParNewGC on 8)
		return p.generation(line, &p.old)
	case strings.HasPrefix(line, "tenured generation"), strings.HasPrefix(line, "Tenured "),
		strings.HasPrefix(line, "ParOldGen"), strings.HasPrefix(line, "PSOldGen"):
		return p.generation(line, &p.old)
	case strings.HasPrefix(line, "eden space "):
		return p.objects(line, &p.h.Eden)
	case strings.HasPrefix(line, "from space "):
		return p.objects(line, &p.h.From)
	case strings.HasPrefix(line, "to ") && strings.Contains(line, " space "):
		return p.objects(line, &p.h.To)
	case strings.HasPrefix(line, "ZHeap "):
		p.h.GC = probes.GCZ
		return p.whole(line, "capacity", "max capacity")
	case line == "Generational Shenandoah Heap":
		p.h.GC = probes.GCShenandoahGen
	case p.h.GC == probes.GCShenandoahGen && p.part(line):
	case p.h.GC == probes.GCShenandoahGen && p.section != "":
		return p.generational(line)
	case line == "Shenandoah Heap":
		p.h.GC = probes.GCShenandoah
	case p.h.GC == probes.GCShenandoah && !p.h.Heap.Used.OK && strings.HasSuffix(line, " used"):
		return p.whole(line, "committed", "max")
	case line == "Epsilon Heap":
		p.h.GC = probes.GCEpsilon
	case p.h.GC == probes.GCEpsilon && strings.HasPrefix(line, "space "):
		return p.objects(line, &p.space)
	case strings.HasPrefix(line, "Metaspace "):
		return metaLine(line, &p.h.Metaspace)
	case strings.HasPrefix(line, "class space "):
		return metaLine(line, &p.h.ClassSpace)
	}
	return nil
}

// setGC does not take back what a more telling line said.
func (p *heapParser) setGC(a probes.Algorithm) {
	if p.h.GC == probes.GCUnknown {
		p.h.GC = a
	}
}

// finish adds the parts up and says what is missing.
func (p *heapParser) finish() (*HeapInfo, error) {
	h := &p.h
	var err error
	switch h.GC {
	case probes.GCUnknown:
		return nil, missing(heapInfo, "line of a known collector")
	case probes.GCG1:
		if h.G1 == nil {
			return nil, missing(heapInfo, "line of region sizes")
		}
	case probes.GCZ, probes.GCShenandoah:
		if !h.Heap.Used.OK {
			return nil, missing(heapInfo, "line of the heap's size")
		}
	case probes.GCShenandoahGen:
		if p.young == nil || p.old == nil || !h.Heap.Committed.OK {
			return nil, missing(heapInfo, "line of a generation or of the entire heap")
		}
		both, err := sum(*p.young, *p.old)
		if err != nil {
			return nil, fail(heapInfo, err.Error(), "the sum of the generations")
		}
		h.Heap.Used, h.Young, h.Old = both.Used, p.young, p.old
	case probes.GCEpsilon:
		if p.space == nil {
			return nil, missing(heapInfo, "line of the allocation space")
		}
		h.Heap, h.Step = *p.space, 1
	default:
		switch {
		case p.young == nil:
			return nil, missing(heapInfo, "young generation")
		case p.old == nil:
			return nil, missing(heapInfo, "old generation")
		case h.Eden == nil || h.From == nil || h.To == nil:
			return nil, missing(heapInfo, "Eden and survivor spaces")
		}
		h.Old = p.old
		if h.Heap, err = sum(*p.young, *p.old); err != nil {
			return nil, fail(heapInfo, err.Error(), "the sum of the generations")
		}
		h.Step = 1 << 10
	}
	return h, nil
}

// sum adds two spaces; a figure is known where both are.
func sum(a, b Space) (Space, error) {
	var s Space
	for _, f := range []struct{ to, a, b *probes.Opt[int64] }{
		{&s.Used, &a.Used, &b.Used}, {&s.Committed, &a.Committed, &b.Committed},
		{&s.Reserved, &a.Reserved, &b.Reserved}, {&s.Max, &a.Max, &b.Max},
	} {
		if !f.a.OK || !f.b.OK {
			continue
		}
		v, err := add(f.a.V, f.b.V)
		if err != nil {
			return Space{}, err
		}
		*f.to = probes.Some(v)
	}
	return s, nil
}
