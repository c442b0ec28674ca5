package hsperf

import "hash/maphash"

var seed = maphash.MakeSeed()

// index finds an entry by name: an open-addressed table of entry numbers plus one, half empty. It
// takes a third of the time of a built-in map to make, and making it is most of Parse.
type index []uint32

func newIndex(n int) index {
	size := 8
	for size < 2*n {
		size *= 2
	}
	return make(index, size)
}

// slot is where name is, or else the free place for it.
func (x index) slot(name string, entries []Entry) int {
	mask := len(x) - 1
	at := int(maphash.String(seed, name)) & mask
	for x[at] != 0 && entries[x[at]-1].Name != name {
		at = (at + 1) & mask
	}
	return at
}
