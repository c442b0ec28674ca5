package attach

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Cache remembers what ListJVMs has found out about every process, so that its
// mappings are read once. The zero value is ready; it is safe for use by many
// goroutines.
type Cache struct {
	mu      sync.Mutex
	entries map[int]*entry
	now     func() time.Time // nil: time.Now
}

// entry is one process. The kernel's name is part of its identity: a shell that
// has waited and then execs java keeps its pid and its start time.
type entry struct {
	start   uint64
	comm    string
	since   time.Time // when this program began, as far as we know
	checked time.Time // when its mappings were read
	kernel  bool      // a kernel thread, for ever
	target  *Target   // nil: not a JVM
}

const (
	// settled is how old a program is when its libraries are mapped: the
	// launcher maps libjvm.so a moment after exec.
	settled = 5 * time.Second
	// recheck finds programs that load a JVM late, as scripting hosts do.
	recheck = 30 * time.Second
)

// ListJVMs finds every HotSpot JVM of the machine by its mapped libjvm.so,
// whatever its launcher is called, in the order of pids. Those of other users,
// of which we may not read the mappings, are listed when they call themselves
// java; their LibJVM is empty. cache may be nil. It costs about 15 microseconds
// a process, and nothing in any target.
func ListJVMs(root ProcRoot, cache *Cache) ([]*Target, error) {
	if cache == nil {
		cache = &Cache{}
	}
	pids, err := root.pids()
	if err != nil {
		return nil, err
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	now := time.Now()
	if cache.now != nil {
		now = cache.now()
	}
	uptime, haveUptime := root.uptimeTicks()

	next := make(map[int]*entry, len(pids))
	var found []*Target
	for _, pid := range pids {
		st, err := root.stat(pid)
		if err != nil || st.ended() {
			continue // it ended while we looked, as processes do
		}
		e := cache.entries[pid]
		if e == nil || e.start != st.start {
			e = &entry{start: st.start, comm: st.comm, since: now, kernel: st.flags&flagKThread != 0}
			if haveUptime && uptime > st.start {
				e.since = now.Add(-time.Duration(uptime-st.start) * time.Second / ticksPerSecond)
			}
		} else if e.comm != st.comm {
			e = &entry{start: st.start, comm: st.comm, since: now}
		}
		next[pid] = e
		if t := e.look(root, pid, st, now); t != nil {
			found = append(found, t)
		}
	}
	cache.entries = next
	return found, nil
}

// look gives the JVM behind an entry, or nil, and reads no more than needed.
func (e *entry) look(root ProcRoot, pid int, st procStat, now time.Time) *Target {
	if e.kernel {
		return nil
	}
	if e.target == nil || !e.target.Proven() {
		// Spread the second looks over time by pid.
		due := recheck + time.Duration(pid%16)*time.Second
		if e.checked.IsZero() || now.Sub(e.since) < settled || now.Sub(e.checked) >= due {
			e.checked = now
			e.target, _ = inspect(root, pid, st) // no JVM, or none that we may see
			return e.target
		}
	}
	if e.target == nil {
		return nil
	}
	t, err := e.target.refreshed(st)
	if err != nil {
		return nil // it ends now
	}
	e.target = t
	return t
}

// pids lists the processes under the root in order.
func (r ProcRoot) pids() ([]int, error) {
	d, err := os.Open(r.dir())
	if err != nil {
		return nil, listError(r, err)
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil, listError(r, err)
	}
	pids := make([]int, 0, len(names))
	for _, n := range names {
		if n[0] < '1' || n[0] > '9' {
			continue
		}
		if pid, err := strconv.ParseUint(n, 10, 31); err == nil {
			pids = append(pids, int(pid))
		}
	}
	if len(pids) == 0 {
		return nil, listError(r, errors.New("it holds no process"))
	}
	slices.Sort(pids)
	return pids, nil
}

func listError(r ProcRoot, err error) error {
	return fmt.Errorf("list processes: %s is not readable as procfs: %w; mount it (mount -t proc proc /proc)", r.dir(), err)
}
