package hprof

// idTable numbers ids in the order in which they come: an open-addressing hash
// table, of 12 bytes a slot. A map would take four times as much.
type idTable struct {
	keys []uint64
	vals []uint32 // number + 1; 0: free
	n    int
}

// mix spreads addresses, of which the low bits are always zero.
func mix(v uint64) uint64 {
	v *= 0x9e3779b97f4a7c15
	return v ^ v>>32
}

// find returns the number of an id.
func (t *idTable) find(id uint64) (int, bool) {
	if t.n == 0 {
		return 0, false
	}
	for i := mix(id) & uint64(len(t.keys)-1); ; i = (i + 1) & uint64(len(t.keys)-1) {
		switch {
		case t.vals[i] == 0:
			return 0, false
		case t.keys[i] == id:
			return int(t.vals[i] - 1), true
		}
	}
}

// put numbers an id that find does not know.
func (t *idTable) put(id uint64) int {
	if 4*(t.n+1) > 3*len(t.keys) {
		old := *t
		size := max(64, 2*len(old.keys))
		t.keys, t.vals = make([]uint64, size), make([]uint32, size)
		for i, v := range old.vals {
			if v != 0 {
				t.set(old.keys[i], v)
			}
		}
	}
	t.n++
	t.set(id, uint32(t.n))
	return t.n - 1
}

func (t *idTable) set(id uint64, v uint32) {
	i := mix(id) & uint64(len(t.keys)-1)
	for t.vals[i] != 0 {
		i = (i + 1) & uint64(len(t.keys)-1)
	}
	t.keys[i], t.vals[i] = id, v
}

// mostNameBytes and mostNames bound the names that are kept: a big service has
// 20 MB and 400,000.
const (
	mostNameBytes = 64 << 20
	mostNames     = 2 << 20
)

// names keeps the texts of UTF8 records, one behind the other.
type names struct {
	ids  idTable
	ends []uint32
	text []byte
	lost bool // some were not kept
}

func (n *names) add(id uint64, text []byte) {
	if len(n.text)+len(text) > mostNameBytes || n.ids.n >= mostNames {
		n.lost = true
		return
	}
	if _, known := n.ids.find(id); known {
		return
	}
	n.ids.put(id)
	n.text = append(n.text, text...)
	n.ends = append(n.ends, uint32(len(n.text)))
}

// raw returns a name as the file has it; "" where it is not known.
func (n *names) raw(id uint64) string {
	i, ok := n.ids.find(id)
	if !ok {
		return ""
	}
	from := uint32(0)
	if i > 0 {
		from = n.ends[i-1]
	}
	return string(n.text[from:n.ends[i]])
}
