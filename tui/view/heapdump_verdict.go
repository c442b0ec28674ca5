package view

import (
	"fmt"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// What a share of the heap must be to be worth a sentence, in percent.
const (
	verdictShare = 10
	wasteShare   = 5
)

// HeapVerdict says in a few plain sentences what takes the memory of a dump;
// the first is the total. It tells known figures only.
func HeapVerdict(d *probes.HeapDump) []string {
	out := []string{fmt.Sprintf("%s in %s objects.", unit.Bytes(d.Bytes), unit.Count(d.Objects))}
	if d.Partial != nil {
		out[0] = "At least " + out[0] + " The dump is not whole."
	}
	if d.Bytes <= 0 {
		return out
	}
	share := func(n int64) float64 { return 100 * float64(n) / float64(d.Bytes) }
	if len(d.Classes) > 0 {
		c := d.Classes[0]
		out = append(out, fmt.Sprintf("The biggest class: %s of %s (%s), in %s.", unit.Bytes(c.Bytes), c.Name, unit.Percent(share(c.Bytes)), instances(c.Instances)))
	}
	if n := d.Strings.Bytes; n.OK && share(n.V) >= verdictShare {
		out = append(out, fmt.Sprintf("Text of strings is %s (%s).", unit.Bytes(n.V), unit.Percent(share(n.V))))
	}
	if n := d.Duplicates.Wasted; n.OK && share(n.V) >= wasteShare {
		least := ""
		if d.Duplicates.LowerBound {
			least = "at least "
		}
		out = append(out, fmt.Sprintf("Copies of equal texts waste %s%s (%s).", least, unit.Bytes(n.V), unit.Percent(share(n.V))))
	}
	if len(d.Arrays) > 0 {
		if a := d.Arrays[0]; share(a.Bytes) >= verdictShare {
			out = append(out, fmt.Sprintf("One array alone is %s (%s): %s %s with %s elements.", unit.Bytes(a.Bytes), unit.Percent(share(a.Bytes)), a.Class, a.ID, unit.Count(a.Length)))
		}
	}
	if len(d.Threads) > 0 {
		if t := d.Threads[0]; share(t.Bytes) >= wasteShare {
			out = append(out, fmt.Sprintf("Locals of thread \"%s\" refer to %s (%s).", heapThreadName(t), unit.Bytes(t.Bytes), unit.Percent(share(t.Bytes))))
		}
	}
	return out
}

func instances(n int64) string {
	if n == 1 {
		return "one object"
	}
	return unit.Count(n) + " objects"
}

// heapThreadName names a thread whose name may not have been found.
func heapThreadName(t probes.HeapThread) string {
	if t.Name.OK {
		return t.Name.V
	}
	return fmt.Sprintf("thread %d", t.Serial)
}
