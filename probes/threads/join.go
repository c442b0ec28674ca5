package threads

import (
	"cmp"
	"slices"
	"time"

	"example.com/jtop/probes"
)

// Join lays CPU times over a dump by native id. CPUPercent is the share of one
// core over the interval between prev and cur; it is unknown for threads that
// are not in both, for ids that came back with less CPU time (another thread
// now) and without an interval. Native threads that the dump does not have
// (started since, or not the JVM's) follow with InDump false and their comm as
// name. d, prev and cur may be nil. The order is by CPU, the busiest first and
// unknown last, then by name, native id and id.
func Join(d *probes.ThreadDump, prev, cur *probes.ThreadCPUSample, interval time.Duration) []probes.ThreadRow {
	before := byTID(prev)
	now := byTID(cur)
	var rows []probes.ThreadRow
	var used map[int64]bool
	if d != nil {
		rows = make([]probes.ThreadRow, 0, len(d.Threads))
		used = make(map[int64]bool, len(d.Threads))
		for i := range d.Threads {
			r := probes.ThreadRow{Thread: d.Threads[i], InDump: true}
			if t, ok := now[r.NID]; ok && r.NID != 0 && !used[r.NID] {
				shares(&r, before, t, interval)
				used[r.NID] = true
			}
			rows = append(rows, r)
		}
	}
	for tid, t := range now {
		if !used[tid] {
			r := probes.ThreadRow{Thread: probes.Thread{Name: t.Comm, NID: tid, State: probes.StateUnknown}}
			shares(&r, before, t, interval)
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, order)
	return rows
}

func byTID(s *probes.ThreadCPUSample) map[int64]probes.TaskCPU {
	if s == nil {
		return nil
	}
	m := make(map[int64]probes.TaskCPU, len(s.Tasks))
	for _, t := range s.Tasks {
		if _, ok := m[t.TID]; !ok {
			m[t.TID] = t
		}
	}
	return m
}

// shares fills in what a thread used of one core.
func shares(r *probes.ThreadRow, before map[int64]probes.TaskCPU, t probes.TaskCPU, interval time.Duration) {
	was, ok := before[t.TID]
	if !ok || t.CPU < was.CPU {
		return
	}
	r.CPUPercent = share(probes.Some(was.CPU), probes.Some(t.CPU), interval)
	r.User = share(was.User, t.User, interval)
	r.System = share(was.System, t.System, interval)
}

func share(was, is probes.Opt[time.Duration], interval time.Duration) probes.Opt[float64] {
	if !was.OK || !is.OK || is.V < was.V {
		return probes.None[float64]()
	}
	q := probes.Ratio(probes.Some((is.V - was.V).Seconds()), probes.Some(interval.Seconds()))
	if q.OK {
		q.V *= 100
	}
	return q
}

func order(a, b probes.ThreadRow) int {
	if a.CPUPercent.OK != b.CPUPercent.OK {
		if a.CPUPercent.OK {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(b.CPUPercent.V, a.CPUPercent.V),
		cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.NID, b.NID),
		cmp.Compare(a.ID, b.ID),
	)
}
