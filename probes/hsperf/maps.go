package hsperf

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
)

// mapping is one line of /proc/PID/maps that may hold counters.
type mapping struct {
	start, end uint64
	inode      uint64
	path       string
}

func (m mapping) size() uint64 { return m.end - m.start }

// regions are the places in a process where its counters may be.
type regions struct {
	file []mapping // of a file .../hsperfdata_USER/PID, deleted or not
	anon []mapping // anonymous, readable and writable, private, of a plausible size
}

// Bounds of the search through anonymous memory. The region has 32 KiB by default and is merged
// with at most a few pages of neighbours; larger mappings are thread stacks, arenas and the heap.
const (
	smallMapping  = 64 << 10
	largeMapping  = maxRegion
	maxCandidates = 20000
)

// parseMaps reads /proc/PID/maps as a stream: a JVM with 5000 threads has 10000 lines.
func parseMaps(r io.Reader) (regions, error) {
	var out regions
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 16<<10), 64<<10)
	for sc.Scan() {
		m, private, ok := parseMapping(sc.Bytes())
		if !ok {
			continue
		}
		switch {
		case m.inode != 0 && isCounterPath(m.path):
			out.file = append(out.file, m)
		case m.inode == 0 && private && (m.path == "" || strings.HasPrefix(m.path, "[anon")) &&
			m.size() <= largeMapping && len(out.anon) < maxCandidates:
			out.anon = append(out.anon, m)
		}
	}
	return out, sc.Err()
}

// parseMapping decodes "start-end perms offset dev inode path" where perms begin with rw.
func parseMapping(line []byte) (m mapping, private, ok bool) {
	addr, rest, _ := bytes.Cut(line, []byte(" "))
	// Most lines are not writable data: turn them away before any number is parsed.
	if len(rest) < 5 || rest[0] != 'r' || rest[1] != 'w' {
		return m, false, false
	}
	private = rest[3] == 'p'
	_, rest, _ = bytes.Cut(rest, []byte(" ")) // offset dev inode path
	_, rest, _ = bytes.Cut(rest, []byte(" "))
	_, rest, ok = bytes.Cut(rest, []byte(" "))
	if !ok {
		return m, false, false
	}
	inode, path, _ := bytes.Cut(rest, []byte(" "))
	lo, hi, _ := bytes.Cut(addr, []byte("-"))
	var err [3]error
	m.start, err[0] = strconv.ParseUint(string(lo), 16, 64)
	m.end, err[1] = strconv.ParseUint(string(hi), 16, 64)
	m.inode, err[2] = strconv.ParseUint(string(inode), 10, 64)
	if err[0] != nil || err[1] != nil || err[2] != nil || m.end <= m.start {
		return mapping{}, false, false
	}
	m.path = string(bytes.TrimLeft(path, " "))
	return m, private, true
}

// isCounterPath matches .../hsperfdata_USER/DIGITS, with the kernel's " (deleted)" or without.
func isCounterPath(p string) bool {
	p = strings.TrimSuffix(p, " (deleted)")
	dir, base, ok := cutLast(p)
	if !ok || base == "" || strings.Trim(base, "0123456789") != "" {
		return false
	}
	_, last, _ := cutLast(dir)
	return strings.HasPrefix(last, "hsperfdata_")
}

func cutLast(p string) (dir, base string, ok bool) {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return "", p, false
	}
	return p[:i], p[i+1:], true
}
