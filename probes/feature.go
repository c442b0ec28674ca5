package probes

import (
	"strconv"
	"strings"
)

// Feature is the feature release of a Java version (JEP 223, and the 1.x of
// before): 8 for "1.8.0_492", 17 for "17.0.15", 25 for "25-ea"; 0 where there
// is none.
func Feature(version string) int {
	version, _ = strings.CutPrefix(version, "1.")
	if end := strings.IndexFunc(version, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		version = version[:end]
	}
	n, err := strconv.Atoi(version)
	if err != nil {
		return 0
	}
	return n
}
