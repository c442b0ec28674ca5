package hsperf

import (
	"errors"
	"fmt"
	"os"
)

const (
	pageSize = 4 << 10
	// maxPages bounds one search: about 20 ms of small reads.
	maxPages = 20000
)

// scan searches the memory of a process for the region: at the start of the mapping of a counters
// file, else at the page starts of small anonymous mappings, else of larger ones.
func (o opener) scan(reg regions) (Source, error) {
	f, err := os.Open(procPath(o.procRoot, o.pid, "mem"))
	if err != nil {
		return nil, classify(err, o.procRoot, o.pid)
	}
	s := scanner{f: f, budget: maxPages}
	base, ok := s.search(reg)
	if ok {
		return memSource{f: f, base: base}, nil
	}
	_ = f.Close()
	if errors.Is(s.err, ErrNotReady) {
		return nil, s.err
	}
	hint := "the JVM was probably started with -XX:-UsePerfData; live figures need attach"
	if s.err != nil {
		return nil, fmt.Errorf("%w: pid %d: %w; %s", ErrNoData, o.pid, s.err, hint)
	}
	return nil, fail(ErrNoData, "pid %d has none in %d pages of memory; %s", o.pid, maxPages-s.budget, hint)
}

type scanner struct {
	f      *os.File
	budget int
	err    error // of the last place that had the magic but no valid region
}

func (s *scanner) search(reg regions) (int64, bool) {
	for _, m := range reg.file {
		if s.check(int64(m.start), m) {
			return int64(m.start), true
		}
	}
	for _, large := range []bool{false, true} {
		// From high addresses down: the JVM maps its counters early and the kernel maps downwards,
		// so that thread stacks come after.
		for i := len(reg.anon) - 1; i >= 0; i-- {
			m := reg.anon[i]
			if (m.size() > smallMapping) != large {
				continue
			}
			for at := m.start; at < m.end && s.budget > 0; at += pageSize {
				if s.check(int64(at), m) {
					return int64(at), true
				}
			}
		}
	}
	return 0, false
}

// check reads one page start, and where the magic stands verifies the whole region by parsing it:
// the magic may be part of a copy, or of chance.
func (s *scanner) check(at int64, m mapping) bool {
	s.budget--
	var head [prologueSize]byte
	if n, _ := s.f.ReadAt(head[:], at); n < prologueSize || [4]byte(head[:]) != magic {
		return false
	}
	h, err := parseHeader(head[:])
	if err != nil {
		s.err = err
		return false
	}
	if at+int64(h.used) > int64(m.end) {
		s.err = fail(ErrOverrun, "used=%d at %#x, the mapping ends at %#x", h.used, at, m.end)
		return false
	}
	b := make([]byte, h.used)
	n, _ := s.f.ReadAt(b, at)
	if _, err := Parse(b[:n]); err != nil {
		s.err = err
		return false
	}
	return true
}
