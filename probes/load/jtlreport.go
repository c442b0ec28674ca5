package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"sort"
	"strings"
	"sync"
	"time"

	"example.com/jtop/probes"
)

// Limits of what is kept of a JTL apart; the rest is told together.
const (
	maxLabels  = 1000
	maxCodes   = 200
	otherNames = "(others)"
)

// group is the samples of one label.
type group struct {
	table          table
	answered       int64
	noRecv, noSent bool
	status         map[string]int64
	classes        map[string]*probes.ErrorClass
}

func newGroup() *group {
	return &group{status: map[string]int64{}, classes: map[string]*probes.ErrorClass{}}
}

func (g *group) add(l *Line) {
	g.noRecv, g.noSent = g.noRecv || l.Bytes < 0, g.noSent || l.Sent < 0
	g.table.add(l.Start, l.Elapsed, l.OK, max(l.Bytes, 0), max(l.Sent, 0))
	class, without := strings.CutPrefix(l.Code, noHTTP)
	if !without {
		g.answered++
		code := l.Code
		if code == "" {
			return // the file does not tell
		}
		if _, ok := g.status[code]; !ok && len(g.status) >= maxCodes {
			code = otherNames
		}
		g.status[code]++
		return
	}
	c := g.classes[class]
	if c == nil && len(g.classes) >= maxCodes {
		class = otherNames
		c = g.classes[class]
	}
	at := time.UnixMilli(l.Start + l.Elapsed)
	if c == nil {
		c = &probes.ErrorClass{Class: class, Sample: strings.TrimPrefix(l.Message, noHTTPMessage), First: at, Last: at}
		g.classes[class] = c
	}
	c.Count++
	c.Last = later(c.Last, at)
	if at.Before(c.First) {
		c.First = at
	}
}

// figures is the group as a report has it. A JTL knows no intended start: its
// times are from the send.
func (g *group) figures() Figures {
	t := &g.table
	f := Figures{Samples: t.n, Errors: t.failed, Response: t.dist(), Service: t.dist(), Classes: []probes.ErrorClass{}}
	if t.n > 0 {
		f.ErrorPct = probes.Some(float64(t.failed) / float64(t.n) * 100)
		f.Rate = probes.Ratio(probes.Some(float64(g.answered)), probes.Some(float64(t.end-t.start)/1000))
	}
	if !g.noRecv {
		f.Received = probes.Some(t.recv)
	}
	if !g.noSent {
		f.Sent = probes.Some(t.sent)
	}
	for _, c := range g.classes {
		f.Classes = append(f.Classes, *c)
	}
	sort.Slice(f.Classes, func(i, j int) bool {
		a, b := f.Classes[i], f.Classes[j]
		return a.Count > b.Count || (a.Count == b.Count && a.Class < b.Class)
	})
	f.Status = maps.Clone(g.status)
	return f
}

// row is the group in JMeter's table; bytes that the file does not tell are
// unknown, where JMeter shows 0.
func (g *group) row(label string) Row {
	r := g.table.row(label)
	if g.noRecv {
		r.Received, r.AvgBytes = probes.None[float64](), probes.None[float64]()
	}
	if g.noSent {
		r.Sent = probes.None[float64]()
	}
	return r
}

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
	recent  *group // since fill was called last; nil: it is not
	end     int64  // of the latest sample by then, ms since the epoch
}

// NewJTLReader reads from r, which should be a plain file: it is read in
// blocks of 64 KB.
func NewJTLReader(r io.Reader) *JTLReader {
	return &JTLReader{c: newRecords(r), all: newGroup(), byName: map[string]*group{}}
}

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
	rep := &Report{File: probes.Clean(name), Model: "jtl", Checks: []Check{}, Notes: []string{}, Parts: []probes.LoadPart{}, Warnings: []probes.LoadWarning{}}
	j.mu.Lock()
	defer j.mu.Unlock()
	rep.Figures = j.all.figures()
	t := &j.all.table
	if t.n > 0 {
		at := time.UnixMilli(t.start)
		rep.Started, rep.Seconds = &at, probes.Some(float64(t.end-t.start)/1000)
	}
	for _, n := range j.names {
		g := j.byName[n]
		rep.Requests = append(rep.Requests, Request{Name: n, Figures: g.figures()})
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
