package jvm

import (
	"testing"

	"example.com/jtop/probes"
)

// Which collectors keep an age table, and which only the policy around it.
func TestAgesOfEveryCollector(t *testing.T) {
	for _, c := range []struct {
		file                     string
		any, table               bool
		threshold, desired, aged int64
	}{
		{"jdk8-serial", true, true, 1, 1671168, 3342336},
		{"jdk8-parallel", true, false, 7, 4194304, 0},
		{"jdk8-cms", true, true, 1, 4456448, -1},
		{"jdk8-g1", true, true, 15, 3145728, 2093448},
		{"jdk11-znogen", false, false, 0, 0, 0},
		{"jdk17-g1", true, true, -1, -1, -1},
		{"jdk17-shen", false, false, 0, 0, 0},
		{"jdk21-zgen", false, false, 0, 0, 0},
		{"jdk21-epsilon", false, false, 0, 0, 0},
		{"jdk25-serial", true, true, 1, 1671168, -1},
		{"jdk25-parallel", true, false, 7, 4194304, 0},
		{"jdk25-g1", true, true, 1, 2621440, 5228648},
		{"jdk25-zgen", false, false, 0, 0, 0},
		{"jdk25-shengen", false, false, 0, 0, 0},
	} {
		l, b := fixture(t, c.file)
		var s probes.Sample
		Decode(l, b, &s)
		a := s.Ages
		if (a != nil) != c.any {
			t.Errorf("%s: %+v", c.file, a)
			continue
		}
		if a == nil {
			continue
		}
		if (a.Bytes != nil) != c.table || c.table && len(a.Bytes) != 15 {
			t.Errorf("%s: %d ages", c.file, len(a.Bytes))
		}
		most := int64(15)
		if c.file == "jdk8-cms" {
			most = 6 // its own default
		}
		if a.MaxThreshold != probes.Some(most) || c.threshold > 0 && a.Threshold.V != c.threshold || c.desired > 0 && a.Desired.V != c.desired {
			t.Errorf("%s: %+v", c.file, a)
		}
		if total := a.Total(); total.OK != c.table || c.aged > 0 && total.V != c.aged {
			t.Errorf("%s: %v of age", c.file, total)
		}
		if a.AsOf.IsZero() {
			t.Errorf("%s: ages without their age", c.file)
		}
	}
}
