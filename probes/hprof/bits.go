package hprof

// A page of bits covers 2^19 bits, which is 4 MB of a heap with 8-byte
// alignment.
const (
	pageShift = 19
	pageWords = 1 << pageShift / 64
	// mostPages bounds a set to 128 MB, enough for all the objects of an 8 GB heap
	// that lie one beside the other.
	mostPages = 128 << 20 / (pageWords * 8)
)

// bits is a set of object ids, one bit for each address at which an object can
// begin. Objects of one heap lie close together, so that few pages are in use.
type bits struct {
	shift uint // of the alignment
	pages map[uint64]*[pageWords]uint64
	last  uint64
	page  *[pageWords]uint64
	lost  bool // some could not be kept: no room, or no address
}

func newBits(ids int) *bits {
	b := &bits{shift: 3, pages: map[uint64]*[pageWords]uint64{}}
	if ids == 4 {
		b.shift = 2
	}
	return b
}

func (b *bits) find(id uint64) *[pageWords]uint64 {
	key := id >> (b.shift + pageShift)
	if b.page == nil || key != b.last {
		p := b.pages[key]
		if p == nil {
			return nil
		}
		b.last, b.page = key, p
	}
	return b.page
}

// add puts an id into the set.
func (b *bits) add(id uint64) {
	p := b.find(id)
	if id&(1<<b.shift-1) != 0 || p == nil && len(b.pages) >= mostPages {
		b.lost = true
		return
	}
	if p == nil {
		p = new([pageWords]uint64)
		b.pages[id>>(b.shift+pageShift)] = p
	}
	i := id >> b.shift & (1<<pageShift - 1)
	p[i/64] |= 1 << (i % 64)
}

// has tells whether an id is in the set.
func (b *bits) has(id uint64) bool {
	p := b.find(id)
	if p == nil || id&(1<<b.shift-1) != 0 {
		return false
	}
	i := id >> b.shift & (1<<pageShift - 1)
	return p[i/64]&(1<<(i%64)) != 0
}
