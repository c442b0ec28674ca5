package jvm

import (
	"strconv"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// flagBytes finds a size among the flags that VM.flags prints.
func flagBytes(b []byte, name string) probes.Opt[int64] {
	flags, err := vmtext.ParseFlags(b)
	if err != nil {
		return probes.None[int64]()
	}
	for _, f := range flags {
		if f.Name == name {
			if n, err := strconv.ParseInt(f.Value, 10, 64); err == nil && n > 0 {
				return probes.Some(n)
			}
		}
	}
	return probes.None[int64]()
}
