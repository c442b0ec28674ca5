package load

import (
	"math/rand/v2"
	"sync/atomic"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// dataset is a CSV file of the plan in memory.
type dataset struct {
	names []string // the variables: file.column
	rows  [][]string
	share plan.Share
	atEnd plan.AtEnd
	next  atomic.Int64 // of the shared cursor
}

// set writes row k into the variables; false where there is no such row.
func (d *dataset) set(vars map[string]string, k int64) bool {
	if k >= int64(len(d.rows)) {
		if d.atEnd == plan.StopEnd {
			return false
		}
		k %= int64(len(d.rows))
	}
	for i, n := range d.names {
		vars[n] = d.rows[k][i]
	}
	return true
}

// readData reads the plan's files of rows, and checks the plan with them.
func (r *Runner) readData() *probes.Problem {
	if r.plan.Spec == nil {
		return nil
	}
	var all []*plan.Rows
	for i := range r.spec.CSV {
		d := &r.spec.CSV[i]
		text, err := readFile(d.File)
		if err != nil {
			return bad("a CSV file of the plan cannot be read", probes.Clean(err.Error()), "give the path from where jtop is started")
		}
		rows, err := d.Read(text)
		if err != nil {
			return bad("a CSV file of the plan cannot be used", probes.Clean(err.Error()), "correct the file or the plan")
		}
		set := &dataset{rows: rows.Rows, share: d.Share, atEnd: d.AtEnd}
		for _, c := range rows.Columns {
			set.names = append(set.names, d.Prefix()+"."+c)
		}
		r.data, all = append(r.data, set), append(all, rows)
	}
	if err := r.spec.CheckColumns(all); err != nil {
		return bad("the plan cannot be run", probes.Clean(err.Error()), "correct the plan")
	}
	return nil
}

// firstScope is what the first request would be made with.
func (r *Runner) firstScope() *plan.Scope {
	s := r.scope(1)
	for _, d := range r.data {
		d.set(s.Vars, 0)
	}
	s.Iteration, s.Counter = 1, 1
	return s
}

// scope is a user's, before the first iteration.
func (r *Runner) scope(number int) *plan.Scope {
	s := &plan.Scope{Vars: make(map[string]string, len(r.spec.Vars)), User: int64(number), Rand: rand.New(rand.NewPCG(r.seed, uint64(number)))}
	for _, v := range r.spec.Vars {
		s.Vars[v.Name] = string(mustExpand(v.Value, s))
	}
	return s
}

// mustExpand expands a text that was compiled once before.
func mustExpand(text string, s *plan.Scope) []byte {
	t, err := plan.Compile(text)
	if err != nil {
		return []byte(text)
	}
	return t.Expand(nil, s)
}
