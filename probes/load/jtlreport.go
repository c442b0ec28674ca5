package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// Limits of what is kept of a JTL apart; the rest is told together.
const (
	maxLabels  = 1000
	maxCodes   = 200
	otherNames = "(others)"
)

// JTLReader reads a JTL bit by bit; it keeps counts, not samples. Report may be
// called while Read reads.
type JTLReader struct {
	c     *records
	cols  columns
	begun bool

	mu      sync.Mutex // guards what follows
	all     *group
	names   []string // in the order of their first samples, as JMeter lists them
	byName  map[string]*group
	skipped int64
	first   string // what was wrong with the first skipped record
	torn    bool   // the file ends inside a record
	open    bool   // it ends without a line end
	users   int    // threads active at the last sample
	apdex   plan.Apdex
	parts   jtlParts
	recent  *group // since fill was called last; nil: it is not
	clock   jtlClock
	ran     int64 // of clock by then
}

// NewJTLReader reads from r, which should be a plain file: it is read in
// blocks of 64 KB.
func NewJTLReader(r io.Reader) *JTLReader {
	j := &JTLReader{c: newRecords(r), all: newGroup(), byName: map[string]*group{}}
	j.SetApdex(plan.Apdex{})
	return j
}

// SetApdex sets up to which times users are satisfied and tolerate; 0: the
// defaults of a run. Call it before Read.
func (j *JTLReader) SetApdex(a plan.Apdex) { j.apdex = apdexOf(a) }

// begin reads the header line, or the first sample where there is none.
func (j *JTLReader) begin() error {
	j.begun = true
	// What is there now: a file that is still being written may have no more
	// than its first bytes.
	if _, err := j.c.r.Peek(1); err != nil {
		return err
	}
	head, err := j.c.r.Peek(j.c.r.Buffered())
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) {
		return bad("the JTL is XML", "jtop reads JMeter's CSV", "run JMeter with -Jjmeter.save.saveservice.output_format=csv")
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	j.c.sep = separator(line)
	first, err := j.c.read()
	if err != nil {
		return err
	}
	if isHeader(first) {
		j.cols, err = named(first)
	} else if j.cols, err = unnamed(first); err == nil {
		j.sample(first)
	}
	if err != nil {
		return bad("the file is no JTL that can be read", err.Error(), "have JMeter write CSV with a header, times in milliseconds since the epoch")
	}
	return nil
}

// Read reads all there is. The error is a *probes.Problem: it is no JTL, it
// cannot be read, or it has no sample.
func (j *JTLReader) Read() error {
	for {
		var err error
		if !j.begun {
			if err = j.begin(); err == nil {
				continue
			}
		} else {
			var f [][]byte
			if f, err = j.c.read(); err == nil {
				j.sample(f)
				continue
			}
		}
		var p *probes.Problem
		switch {
		case errors.As(err, &p):
			return p
		case errors.Is(err, errTorn):
			j.mu.Lock()
			j.torn = true
			j.mu.Unlock()
		case errors.Is(err, errShrunk), errors.Is(err, errReplaced):
			return bad("the JTL is not the one that was followed", err.Error(), "follow it again")
		case !errors.Is(err, io.EOF):
			return bad("the JTL cannot be read to its end", fmt.Sprintf("line %d: %s", j.c.line, probes.Clean(err.Error())), "repair the file there, or write it again")
		}
		if j.all.table.n == 0 {
			why := "it is empty, or has only a header"
			if j.skipped > 0 {
				why = j.first
			}
			return bad("the JTL has no sample", why, "give a file that JMeter or jtop load --out has written")
		}
		return nil
	}
}

func (j *JTLReader) sample(f [][]byte) {
	var l Line
	err := j.cols.parse(f, &l)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.open = j.c.open
	if err != nil && j.open {
		j.torn = true
		return
	}
	if err != nil {
		if j.skipped++; j.skipped == 1 {
			j.first = fmt.Sprintf("line %d: %s", j.c.line, err)
		}
		return
	}
	j.all.add(&l)
	j.clock.add(l.Start, l.Start+max(l.Elapsed, 0))
	j.parts.add(&l)
	j.parts.noConnect = j.cols.connect < 0
	if j.users = l.All; j.recent != nil {
		j.recent.add(&l)
	}
	g := j.byName[l.Label]
	if g == nil {
		if len(j.names) >= maxLabels {
			l.Label = otherNames
			g = j.byName[l.Label]
		}
		if g == nil {
			g = newGroup()
			j.byName[l.Label] = g
			j.names = append(j.names, l.Label)
		}
	}
	g.add(&l)
}

// Report is what was read so far, of the file of that name.
func (j *JTLReader) Report(name string) *Report {
	rep := &Report{File: probes.Clean(name), Model: "jtl", Checks: []Check{}, Notes: []string{}, Warnings: []probes.LoadWarning{}}
	j.mu.Lock()
	defer j.mu.Unlock()
	rep.Figures, rep.Parts = j.all.figures(j.apdex), j.parts.figures()
	t := &j.all.table
	if t.n > 0 {
		at := time.UnixMilli(t.start)
		rep.Started, rep.Seconds = &at, probes.Some(float64(t.end-t.start)/1000)
	}
	for _, n := range j.names {
		g := j.byName[n]
		rep.Requests = append(rep.Requests, Request{Name: n, Figures: g.figures(j.apdex)})
		rep.Aggregate = append(rep.Aggregate, g.row(n))
	}
	rep.Aggregate = append(rep.Aggregate, j.all.row(totalLabel))
	if j.skipped > 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("%s left out that cannot be read; the first: %s", plural(j.skipped, "record"), j.first))
	}
	if j.open && !j.torn {
		rep.Notes = append(rep.Notes, "the last record has no line end; it is taken as complete")
	}
	if j.torn {
		rep.Notes = append(rep.Notes, "the last record is incomplete and left out: the file is still being written, or was cut")
	}
	if j.byName[otherNames] != nil && len(j.names) > maxLabels {
		rep.Notes = append(rep.Notes, fmt.Sprintf("more than %d labels: the rest is together in %s", maxLabels, otherNames))
	}
	if j.parts.noConnect && j.parts.wait.n > 0 {
		rep.Notes = append(rep.Notes, "the file has no Connect: the first byte's time has connecting in it")
	}
	rep.Notes = append(rep.Notes, j.clock.notes()...)
	rep.Verdict = j.verdict(rep)
	return rep
}

func (j *JTLReader) verdict(rep *Report) string {
	text := fmt.Sprintf("%s of %s: %s/s answered, p99 %s from the send", plural(rep.Samples, "sample"), plural(int64(len(j.names)), "label"), figure(rep.Rate, 1), millis(rep.Response.P99))
	if rep.Errors == 0 {
		return text + ", no errors"
	}
	return text + fmt.Sprintf(", %d failed (%s)", rep.Errors, share(rep.Errors, rep.Samples))
}
