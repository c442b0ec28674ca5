package proc

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// HostSample is the machine as a whole.
type HostSample struct {
	Busy, Total time.Duration // CPU time over all cores since boot; steal and iowait are not busy
	Cores       int           // online
	Boot        time.Time     // to the second
	MemTotal    probes.Opt[uint64]
	MemAvail    probes.Opt[uint64] // bytes that can be had without swapping
	Load        [3]float64         // average over 1, 5 and 15 minutes
}

// Host reads /proc/stat, meminfo and loadavg.
func (f FS) Host() (HostSample, error) {
	var h HostSample
	for _, part := range []struct {
		name  string
		parse func(*HostSample, []byte) error
	}{{"stat", parseHostStat}, {"meminfo", parseMeminfo}, {"loadavg", parseLoadavg}} {
		err := withFile(filepath.Join(f.Root, part.name), func(b []byte) error { return part.parse(&h, b) })
		if err != nil {
			return HostSample{}, fmt.Errorf("host figures: %w", err)
		}
	}
	return h, nil
}

func parseHostStat(h *HostSample, b []byte) error {
	var out HostSample
	haveCPU, haveBoot := false, false
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		key, rest := field(line)
		switch {
		case string(key) == "cpu":
			// user nice system idle iowait irq softirq steal; guest times are within user and nice.
			var sum, idle uint64
			for i := range 8 {
				var v []byte
				v, rest = field(rest)
				n, ok := number(v)
				if !ok || n > math.MaxInt64/uint64(tick)/16 {
					return format("cpu times", line)
				}
				sum += n
				if i == 3 || i == 4 || i == 7 {
					idle += n
				}
			}
			out.Total, out.Busy, haveCPU = time.Duration(sum)*tick, time.Duration(sum-idle)*tick, true
		case bytes.HasPrefix(key, []byte("cpu")):
			out.Cores++
		case string(key) == "btime":
			v, _ := field(rest)
			n, ok := signed(v)
			if !ok || n > math.MaxInt32*16 {
				return format("btime", line)
			}
			out.Boot, haveBoot = time.Unix(n, 0), true
		}
	}
	if !haveCPU || !haveBoot || out.Cores == 0 {
		return format("cpu, cpu0 or btime is missing", nil)
	}
	h.Busy, h.Total, h.Cores, h.Boot = out.Busy, out.Total, out.Cores, out.Boot
	return nil
}

func parseMeminfo(h *HostSample, b []byte) error {
	var total, avail probes.Opt[uint64]
	for len(b) > 0 {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		key, v, _ := bytes.Cut(line, []byte(":"))
		ok := true
		switch string(key) {
		case "MemTotal":
			total, ok = parseKB(v)
		case "MemAvailable":
			avail, ok = parseKB(v)
		}
		if !ok {
			return format("size", line)
		}
	}
	h.MemTotal, h.MemAvail = total, avail
	return nil
}

func parseLoadavg(h *HostSample, b []byte) error {
	var out [3]float64
	rest := b
	for i := range out {
		var v []byte
		v, rest = field(rest)
		x, err := strconv.ParseFloat(string(v), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return format("load average", b)
		}
		out[i] = x
	}
	h.Load = out
	return nil
}
