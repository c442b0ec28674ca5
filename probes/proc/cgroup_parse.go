package proc

import (
	"bytes"
	"path/filepath"

	"example.com/jtop/probes"
)

// noLimitV1 is from where on a memory limit of version 1 means "none": the kernel writes the largest
// signed number, rounded down to its page size (at most 64 KiB).
const noLimitV1 = 1<<63 - 1<<16

// parseCPUMax decodes "quota period" or "max period" into cores.
func parseCPUMax(b []byte) (probes.Opt[float64], error) {
	q, rest := field(b)
	p, _ := field(rest)
	period, ok := number(p)
	if !ok || period == 0 {
		return probes.None[float64](), format("cpu.max", b)
	}
	if string(q) == "max" {
		return probes.None[float64](), nil
	}
	quota, ok := number(q)
	if !ok || quota == 0 {
		return probes.None[float64](), format("cpu.max", b)
	}
	return probes.Some(float64(quota) / float64(period)), nil
}

// readQuota joins the two files of version 1; a quota of -1 is none.
func readQuota(dir string) (limit probes.Opt[float64], err error) {
	var text []byte
	err = withFile(filepath.Join(dir, "cpu.cfs_quota_us"), func(b []byte) error {
		if b = bytes.TrimSpace(b); string(b) == "-1" {
			b = []byte("max")
		}
		text = append(append(text, b...), ' ')
		return nil
	})
	if err != nil {
		return limit, err
	}
	err = withFile(filepath.Join(dir, "cpu.cfs_period_us"), func(b []byte) (err error) {
		limit, err = parseCPUMax(append(text, b...))
		return err
	})
	return limit, err
}

func parseMemLimit(b []byte) (probes.Opt[uint64], error) {
	b = bytes.TrimSpace(b)
	if string(b) == "max" {
		return probes.None[uint64](), nil
	}
	n, ok := number(b)
	if !ok {
		return probes.None[uint64](), format("memory limit", b)
	}
	if n >= noLimitV1 {
		return probes.None[uint64](), nil
	}
	return probes.Some(n), nil
}

// keys are lines "name number", as in cpu.stat and memory.events.
type keys map[string]uint64

func (k keys) get(name string) probes.Opt[uint64] {
	if v, ok := k[name]; ok {
		return probes.Some(v)
	}
	return probes.None[uint64]()
}

// readKeys is empty where the file cannot be read: its figures are unknown then.
func readKeys(path string) (k keys) {
	_ = withFile(path, func(b []byte) error {
		k = parseKeys(b)
		return nil
	})
	return k
}

func parseKeys(b []byte) keys {
	k := keys{}
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		name, rest := field(line)
		v, _ := field(rest)
		if n, ok := number(v); ok && len(name) > 0 {
			k[string(name)] = n
		}
	}
	return k
}
