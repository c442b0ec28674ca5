package hprof

import (
	"cmp"
	"slices"
)

// mostTexts bounds the different texts that are counted at a time: 128 MB.
const mostTexts = 6 << 20

// duplicates counts equal texts by their 64-bit hash: an open-addressing hash
// table of 16 bytes a slot.
type duplicates struct {
	slots  []text
	n      int
	most   int
	purged bool // texts that had occurred once were forgotten
	full   bool // there is no room, and none could be made
	best   map[uint64]*repeated
	top    int
	least  int64 // wasted bytes that are too few to be listed
}

// text counts one text; a count of 0 is a free slot.
type text struct {
	hash  uint64
	count uint32
	bytes uint32 // of each array, in units of 8
}

// repeated is one of the texts that waste most.
type repeated struct {
	hash  uint64
	count int64
	bytes int64 // of each array
	chars int64
	head  string
}

func (r *repeated) wasted() int64 { return (r.count - 1) * r.bytes }

func newDuplicates(top, most int) *duplicates {
	return &duplicates{slots: make([]text, 1024), most: most, top: top, best: map[uint64]*repeated{}}
}

// add counts an array of so many bytes with the text of that hash, and returns
// how many there are now; 0: it could not be counted.
func (d *duplicates) add(hash uint64, bytes int64) int64 {
	t := d.slot(d.slots, hash)
	if t.count == 0 {
		if !d.room() {
			return 0
		}
		t = d.slot(d.slots, hash)
		*t = text{hash: hash, bytes: uint32(min(bytes/8, 1<<32-1))}
		d.n++
	}
	if t.count < 1<<32-1 {
		t.count++
	}
	return int64(t.count)
}

func (d *duplicates) slot(slots []text, hash uint64) *text {
	mask := uint64(len(slots) - 1)
	for i := mix(hash) & mask; ; i = (i + 1) & mask {
		if t := &slots[i]; t.count == 0 || t.hash == hash {
			return t
		}
	}
}

// room makes room for one more text. Where there are too many, those are
// forgotten that have occurred once: if they occur again, that is one copy less
// than is true.
func (d *duplicates) room() bool {
	if 4*(d.n+1) <= 3*len(d.slots) && d.n < d.most {
		return true
	}
	if d.full {
		return false
	}
	if d.n >= d.most {
		return d.purge()
	}
	old := d.slots
	d.slots = make([]text, 2*len(old))
	for _, t := range old {
		if t.count > 0 {
			*d.slot(d.slots, t.hash) = t
		}
	}
	return true
}

// purge forgets the texts that have occurred once, in place: a second table
// would double the memory.
func (d *duplicates) purge() bool {
	var kept []text
	for _, t := range d.slots {
		if t.count > 1 {
			kept = append(kept, t)
		}
	}
	clear(d.slots)
	for _, t := range kept {
		*d.slot(d.slots, t.hash) = t
	}
	d.n, d.purged = len(kept), true
	// To search the whole table again for little would take for ever.
	d.full = d.n > d.most*3/4
	return !d.full
}

// note lists a text that has occurred count times, if it wastes enough. Whoever
// belongs to the list in the end does so when its last copy is counted, so that
// its text is at hand then.
func (d *duplicates) note(hash uint64, count, bytes, chars int64, head func() string) {
	if r := d.best[hash]; r != nil {
		r.count = count
		return
	}
	r := &repeated{hash: hash, count: count, bytes: bytes, chars: chars}
	if r.wasted() <= d.least {
		return
	}
	r.head = head()
	d.best[hash] = r
	if len(d.best) < 2*d.top+16 {
		return
	}
	list := d.sorted()
	for _, r := range list[d.top:] {
		delete(d.best, r.hash)
	}
	d.least = list[d.top-1].wasted()
}

// sorted lists the noted texts, the most wasteful first.
func (d *duplicates) sorted() []*repeated {
	list := make([]*repeated, 0, len(d.best))
	for _, r := range d.best {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *repeated) int {
		return cmp.Or(cmp.Compare(b.wasted(), a.wasted()), cmp.Compare(a.head, b.head), cmp.Compare(a.hash, b.hash))
	})
	return list
}

// totals are the texts that occur more than once, their copies, and the bytes
// of all copies but one of each.
func (d *duplicates) totals() (texts, copies, wasted int64) {
	for _, t := range d.slots {
		if t.count > 1 {
			texts++
			copies += int64(t.count)
			wasted += int64(t.count-1) * int64(t.bytes) * 8
		}
	}
	return texts, copies, wasted
}
