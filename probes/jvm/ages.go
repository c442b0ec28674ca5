package jvm

import (
	"fmt"
	"time"

	"example.com/jtop/probes"
)

// maxAge bounds the ages that are read: HotSpot has four bits for one.
const maxAge = 16

// decodeAges reads the age table and the tenuring policy, nil for collectors
// without survivors. atGC is when the last collection ended.
func decodeAges(r reading, t traits, atGC time.Time) *probes.AgesSample {
	if !t.young {
		return nil
	}
	a := &probes.AgesSample{AsOf: atGC, Threshold: r.num("sun.gc.policy.tenuringThreshold"), MaxThreshold: r.num("sun.gc.policy.maxTenuringThreshold"),
		Desired: r.num("sun.gc.policy.desiredSurvivorSize")}
	if a.Desired.V == 0 {
		a.Desired = probes.None[int64]() // not set before the first collection
	}
	if n := r.num("sun.gc.generation.0.agetable.size"); n.OK {
		for age := int64(1); age < min(n.V, maxAge); age++ {
			b := r.num(fmt.Sprintf("sun.gc.generation.0.agetable.bytes.%02d", age))
			if !b.OK {
				break
			}
			a.Bytes = append(a.Bytes, b.V)
		}
	}
	if a.Bytes == nil && !a.Threshold.OK && !a.Desired.OK {
		return nil
	}
	return a
}
