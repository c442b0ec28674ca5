package store

import "example.com/jtop/probes"

// MaxHistograms is how many class histograms are kept: the very first, which
// growth is measured from, and the newest.
const MaxHistograms = 20

// results keeps what the user asked for.
func (s *Store) results(c *probes.Sample) {
	if c.Histogram != nil {
		// A new slice: frames that were handed out keep theirs.
		h := append([]*probes.Histogram(nil), s.hist...)
		if len(h) == MaxHistograms {
			h = append(h[:1], h[2:]...)
		}
		s.hist = append(h, c.Histogram)
	}
	if c.HeapDump != nil {
		s.look = c.HeapDump
	}
	if c.Loaders != nil {
		s.loader = c.Loaders
	}
	if n := c.Native; n != nil {
		if s.native = n; s.nmt == nil {
			s.nmt = n.NMT
		}
	}
}
