package vmtext

import (
	"strings"

	"example.com/jtop/probes"
)

const codeCacheCmd = "Compiler.codecache"

// CodeCache is the answer to Compiler.codecache (JDK 11+), sizes in bytes.
type CodeCache struct {
	// Total is the whole: as printed where it is, else the heaps' sum.
	Total CodeHeap   `json:"total"`
	Heaps []CodeHeap `json:"heaps"` // one, "CodeCache", without segments
	// Counts since the JVM's start or now; unknown where not printed.
	Blobs     probes.Opt[int64] `json:"blobs"`
	Methods   probes.Opt[int64] `json:"methods"` // compiled methods now ("nmethods")
	Adapters  probes.Opt[int64] `json:"adapters"`
	FullCount probes.Opt[int64] `json:"full_count"` // how often it was full
	Stopped   probes.Opt[int64] `json:"stopped_count"`
	Restarted probes.Opt[int64] `json:"restarted_count"`
	// Compilation is the compiler's state in HotSpot's words: "enabled",
	// "disabled (not enough contiguous free space left)".
	Compilation string `json:"compilation"`
}

// CodeHeap is one segment of the code cache.
type CodeHeap struct {
	Name    string `json:"name"` // "non-profiled nmethods"; "CodeCache" for the whole
	Size    int64  `json:"size_bytes"`
	Used    int64  `json:"used_bytes"`
	MaxUsed int64  `json:"max_used_bytes"`
	Free    int64  `json:"free_bytes"`
}

// Enabled tells whether the compiler runs.
func (c *CodeCache) Enabled() bool { return strings.HasPrefix(c.Compilation, "enabled") }

// ParseCodeCache reads the answer to Compiler.codecache of JDK 11 to 28.
func ParseCodeCache(b []byte) (*CodeCache, error) {
	if err := uncut(codeCacheCmd, string(b)); err != nil {
		return nil, err
	}
	c := &CodeCache{}
	for raw := range strings.Lines(string(b)) {
		line := strings.TrimSpace(raw)
		if err := c.line(line); err != nil {
			return nil, fail(codeCacheCmd, err.Error(), line)
		}
	}
	if !c.Enabled() && !strings.HasPrefix(c.Compilation, "disabled") {
		return nil, missing(codeCacheCmd, "line of the compiler's state")
	}
	if !c.FullCount.OK {
		return nil, missing(codeCacheCmd, "count of how often it was full")
	}
	if len(c.Heaps) == 0 {
		return nil, missing(codeCacheCmd, "code heap")
	}
	if c.Total.Name == "" {
		c.Total.Name = "CodeCache"
		for _, h := range c.Heaps {
			for _, f := range []struct {
				to *int64
				n  int64
			}{{&c.Total.Size, h.Size}, {&c.Total.Used, h.Used}, {&c.Total.MaxUsed, h.MaxUsed}, {&c.Total.Free, h.Free}} {
				var err error
				if *f.to, err = add(*f.to, f.n); err != nil {
					return nil, fail(codeCacheCmd, err.Error(), "the sum of the code heaps")
				}
			}
		}
	}
	return c, nil
}

func (c *CodeCache) line(line string) error {
	if name, rest, ok := strings.Cut(line, ":"); ok {
		switch {
		case strings.HasPrefix(name, "CodeHeap '"):
			h, err := codeHeap(strings.Trim(strings.TrimPrefix(name, "CodeHeap "), "'"), rest)
			if err != nil {
				return err
			}
			c.Heaps = append(c.Heaps, h)
			return nil
		case name == "CodeCache":
			h, err := codeHeap(name, rest)
			if err != nil {
				return err
			}
			c.Total = h
			if len(c.Heaps) == 0 {
				c.Heaps = append(c.Heaps, h)
			}
			return nil
		case strings.EqualFold(name, "compilation"):
			state, rest, _ := strings.Cut(rest, ",")
			c.Compilation = probes.Clean(strings.TrimSpace(state))
			return c.counts(rest)
		}
	}
	return c.counts(line)
}

// codeHeap reads "size=120036Kb used=48Kb max_used=48Kb free=119987Kb", with
// commas in the line of the whole from JDK 21 on.
func codeHeap(name, text string) (CodeHeap, error) {
	h := CodeHeap{Name: probes.Clean(name)}
	seen := 0
	for f := range strings.FieldsFuncSeq(text, separator) {
		key, value, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		var to *int64
		switch key {
		case "size":
			to = &h.Size
		case "used":
			to = &h.Used
		case "max_used":
			to = &h.MaxUsed
		case "free":
			to = &h.Free
		default:
			continue
		}
		v, rest, err := readSize(value)
		if err != nil {
			return CodeHeap{}, err
		}
		if rest != "" {
			return CodeHeap{}, errNoUnit
		}
		*to = v.bytes
		seen++
	}
	if seen != 4 {
		return CodeHeap{}, errNoField
	}
	return h, nil
}

// counts reads "total_blobs=522 nmethods=199 adapters=237" and the like.
func (c *CodeCache) counts(text string) error {
	for f := range strings.FieldsFuncSeq(text, separator) {
		key, value, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		var to *probes.Opt[int64]
		switch key {
		case "total_blobs":
			to = &c.Blobs
		case "nmethods":
			to = &c.Methods
		case "adapters":
			to = &c.Adapters
		case "full_count":
			to = &c.FullCount
		case "stopped_count":
			to = &c.Stopped
		case "restarted_count":
			to = &c.Restarted
		default:
			continue
		}
		n, err := count(value)
		if err != nil {
			return err
		}
		*to = probes.Some(n)
	}
	return nil
}

func separator(r rune) bool { return r == ' ' || r == ',' || r == '\t' }
