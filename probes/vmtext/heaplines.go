package vmtext

import (
	"errors"
	"strings"

	"example.com/jtop/probes"
)

var errNoField = errors.New("a figure of this line is missing")

// g1 reads "garbage-first heap total 106496K, used 32607K [low, high)" and,
// from JDK 25 on, "total reserved 262144K, committed 100352K, used 43831K".
// The reserved range is the maximum: G1 reserves -Xmx and nothing else.
func (p *heapParser) g1(line string) error {
	fs, err := fields(line)
	if err != nil {
		return err
	}
	used, ok := find(fs, "used")
	if !ok {
		return errNoField
	}
	if c, ok := find(fs, "committed"); ok {
		r, ok := find(fs, "reserved")
		if !ok {
			return errNoField
		}
		p.h.Heap = Space{Committed: probes.Some(c.bytes), Reserved: probes.Some(r.bytes)}
	} else {
		total, ok := find(fs, "total")
		if !ok {
			return errNoField
		}
		p.h.Heap = Space{Committed: probes.Some(total.bytes)}
		a, err := addresses(line)
		if err != nil {
			return err
		}
		if len(a) < 2 {
			return errNoField
		}
		r, err := distance(a[0], a[len(a)-1])
		if err != nil {
			return err
		}
		p.h.Heap.Reserved = probes.Some(r)
	}
	p.h.Heap.Used, p.h.Heap.Max = probes.Some(used.bytes), p.h.Heap.Reserved
	p.h.Step = used.step
	return nil
}

// regions reads "region size 1024K, 4 young (4096K), 0 survivors (0K)" and,
// from JDK 26 on, "region size 1M, 4 eden (4M), 1 survivor (1M), 3 old (3M), ...".
func (p *heapParser) regions(line string) error {
	g := &G1Regions{}
	for i, part := range strings.Split(line, ",") {
		part = strings.TrimSpace(part)
		if i == 0 {
			v, rest, err := readSize(strings.TrimPrefix(part, "region size "))
			if err != nil {
				return err
			}
			if rest != "" || v.bytes <= 0 {
				return errNoUnit
			}
			g.Size = v.bytes
			continue
		}
		num, word := digits(part)
		n, err := count(num)
		if err != nil {
			return err
		}
		word, _, _ = strings.Cut(strings.TrimSpace(word), " ")
		switch word {
		case "young":
			g.Young = probes.Some(n)
		case "survivors", "survivor":
			g.Survivor = probes.Some(n)
		case "eden":
			g.Eden = probes.Some(n)
		case "old":
			g.Old = probes.Some(n)
		case "humongous":
			g.Humongous = probes.Some(n)
		case "free":
			g.Free = probes.Some(n)
		}
	}
	if !g.Survivor.OK || g.Young.OK == g.Eden.OK {
		return errNoField
	}
	if g.Young.OK {
		if g.Young.V < g.Survivor.V { // read without a lock: the two may not belong together
			p.h.G1 = g
			return nil
		}
		g.Eden = probes.Some(g.Young.V - g.Survivor.V)
	} else {
		n, err := add(g.Eden.V, g.Survivor.V)
		if err != nil {
			return err
		}
		g.Young = probes.Some(n)
	}
	if g.Young.V > (1<<62)/g.Size {
		return errTooBig
	}
	p.h.G1 = g
	p.h.Eden = &Space{Used: probes.Some(g.Eden.V * g.Size)}
	return nil
}

// generation reads "def new generation total 29568K, used 27927K [low, high,
// reserved end)". total is what HotSpot calls the capacity: without the empty
// survivor space.
func (p *heapParser) generation(line string, to **Space) error {
	fs, err := fields(line)
	if err != nil {
		return err
	}
	total, ok1 := find(fs, "total")
	used, ok2 := find(fs, "used")
	a, err := addresses(line)
	if err != nil {
		return err
	}
	if !ok1 || !ok2 || len(a) != 3 {
		return errNoField
	}
	r, err := distance(a[0], a[2])
	if err != nil {
		return err
	}
	*to = &Space{Used: probes.Some(used.bytes), Committed: probes.Some(total.bytes), Reserved: probes.Some(r)}
	return nil
}

// objects reads "eden space 26304K,  93% used [bottom, top, end)". The space
// is used up to top: the addresses give it to the byte, the text in percent.
func (p *heapParser) objects(line string, to **Space) error {
	fs, err := fields(line)
	if err != nil {
		return err
	}
	a, err := addresses(line)
	if err != nil {
		return err
	}
	if len(fs) != 1 || len(a) != 3 {
		return errNoField
	}
	used, err := distance(a[0], a[1])
	if err != nil {
		return err
	}
	end, err := distance(a[0], a[2])
	if err != nil {
		return err
	}
	if used > end {
		return errors.New("more used than there is")
	}
	*to = &Space{Used: probes.Some(used), Committed: probes.Some(fs[0].size.bytes)}
	return nil
}

// whole reads the one line of a collector that has no fixed spaces.
func (p *heapParser) whole(line, committed, most string) error {
	fs, err := fields(line)
	if err != nil {
		return err
	}
	used, ok1 := find(fs, "used")
	c, ok2 := find(fs, committed)
	m, ok3 := find(fs, most)
	if !ok1 || !ok2 || !ok3 {
		return errNoField
	}
	p.h.Heap = Space{Used: probes.Some(used.bytes), Committed: probes.Some(c.bytes), Max: probes.Some(m.bytes)}
	p.h.Step = used.step
	return nil
}

// part notes which part of a generational Shenandoah heap follows.
func (p *heapParser) part(line string) bool {
	switch line {
	case "Young:", "Old:", "Entire heap:":
		p.section = line
		return true
	}
	return false
}

// generational reads the line below "Young:" and "Old:", "241M max, 45066K
// used", or below "Entire heap:", "256M soft max, 116M committed". The
// maximum of the whole is not in the text: the soft one may be lower, and
// those of the generations are rounded.
func (p *heapParser) generational(line string) error {
	section := p.section
	p.section = ""
	fs, err := fields(line)
	if err != nil {
		return err
	}
	if section == "Entire heap:" {
		c, ok := find(fs, "committed")
		if !ok {
			return errNoField
		}
		p.h.Heap.Committed = probes.Some(c.bytes)
		return nil
	}
	m, ok1 := find(fs, "max")
	used, ok2 := find(fs, "used")
	if !ok1 || !ok2 {
		return errNoField
	}
	s := &Space{Used: probes.Some(used.bytes), Max: probes.Some(m.bytes)}
	if section == "Young:" {
		p.young = s
	} else {
		p.old = s
	}
	p.h.Step = max(p.h.Step, used.step)
	return nil
}

// metaLine reads "Metaspace used 6227K, capacity 6925K, committed 7296K,
// reserved 1056768K" (JDK 17 and later write no capacity).
func metaLine(line string, to **Space) error {
	fs, err := fields(line)
	if err != nil {
		return err
	}
	used, ok1 := find(fs, "used")
	c, ok2 := find(fs, "committed")
	r, ok3 := find(fs, "reserved")
	if !ok1 || !ok2 || !ok3 {
		return errNoField
	}
	*to = &Space{Used: probes.Some(used.bytes), Committed: probes.Some(c.bytes), Reserved: probes.Some(r.bytes)}
	return nil
}
