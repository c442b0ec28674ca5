package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/vmtext"
)

// HistoReport is `jtop histo --json`, and what --save writes.
type HistoReport struct {
	PID       num                      `json:"pid"` // null: from a file
	Name      string                   `json:"name"`
	JDK       string                   `json:"jdk"`
	GC        string                   `json:"gc"`
	Taken     *time.Time               `json:"taken"`    // null: a text from a file does not tell
	Live      probes.Opt[bool]         `json:"live"`     // after a full collection; null: a text does not tell
	PauseMS   float                    `json:"pause_ms"` // that the JVM stood for it, a collection meanwhile included
	Instances int64                    `json:"instances"`
	Bytes     int64                    `json:"bytes"`
	Classes   []probes.HistogramRow    `json:"classes"` // most bytes first
	Since     *HistoSince              `json:"compared_with"`
	Growth    []probes.HistogramGrowth `json:"growth"` // of every class, since that histogram
}

// HistoSince is the older histogram of a comparison.
type HistoSince struct {
	File      string           `json:"file"`
	Taken     *time.Time       `json:"taken"`
	Live      probes.Opt[bool] `json:"live"`
	Seconds   float            `json:"seconds_before"`
	Instances int64            `json:"instances"`
	Bytes     int64            `json:"bytes"`
}

// NewHisto is the report of one histogram. live is unknown for a text.
func NewHisto(row *probes.JVM, h *probes.Histogram, live probes.Opt[bool]) HistoReport {
	n, size := h.Total()
	r := HistoReport{Taken: when(h.Taken), Live: live, Instances: n.V, Bytes: size.V, Classes: h.Rows, Growth: []probes.HistogramGrowth{}}
	if h.Pause.OK {
		r.PauseMS = probes.Some(h.Pause.V.Seconds() * 1000)
	}
	if row != nil {
		r.PID, r.Name, r.JDK, r.GC = probes.Some(int64(row.PID)), row.Name, row.JDK, string(row.GC)
	}
	if r.Classes == nil {
		r.Classes = []probes.HistogramRow{}
	}
	return r
}

// Histogram is the histogram that a report was made of.
func (r *HistoReport) Histogram() *probes.Histogram {
	h := &probes.Histogram{Live: r.Live.Or(false), Rows: r.Classes}
	if r.Taken != nil {
		h.Taken = *r.Taken
	}
	return h
}

// Compare adds what grew since an older histogram, from a file.
func (r *HistoReport) Compare(file string, old *HistoReport) {
	was, is := old.Histogram(), r.Histogram()
	r.Since = &HistoSince{File: file, Taken: old.Taken, Live: old.Live, Instances: old.Instances, Bytes: old.Bytes}
	if d := is.Taken.Sub(was.Taken); !was.Taken.IsZero() && !is.Taken.IsZero() && d > 0 {
		r.Since.Seconds = probes.Some(d.Seconds())
	}
	r.Growth = append(r.Growth[:0], probes.CompareHistograms(was, is)...)
}

// ReadHisto reads a histogram from a file's content: what --save or --json
// wrote, or the text of jcmd GC.class_histogram or jmap -histo.
func ReadHisto(b []byte) (*HistoReport, error) {
	if trimmed := bytes.TrimLeft(b, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' {
		switch {
		case len(trimmed) == 0:
			return nil, errors.New("the file is empty")
		case b[len(b)-1] != '\n':
			return nil, errors.New("this is no histogram, or one that was cut short: it does not end with a line; save it again")
		}
		h, err := vmtext.ParseHistogram(b)
		if err != nil {
			return nil, err
		}
		r := NewHisto(nil, h, probes.None[bool]())
		return &r, nil
	}
	var in HistoReport
	if err := json.Unmarshal(b, &in); err != nil {
		return nil, fmt.Errorf("the JSON cannot be read: %w", err)
	}
	if in.Classes == nil {
		return nil, errors.New("the JSON has no classes; jtop histo --save or --json writes what is read here")
	}
	for i := range in.Classes {
		c := &in.Classes[i]
		if c.Class == "" || c.Instances < 0 || c.Bytes < 0 {
			return nil, fmt.Errorf("class %d of the JSON is impossible: %q has %d instances of %d bytes", i+1, probes.Clean(c.Class), c.Instances, c.Bytes)
		}
		c.Class, c.Module = probes.Clean(c.Class), probes.Clean(c.Module)
	}
	h := in.Histogram()
	if n, size := h.Total(); !n.OK || !size.OK || size.V > math.MaxInt64/2 || n.V > math.MaxInt64/2 {
		return nil, errors.New("the JSON's classes are more than any heap holds")
	}
	r := NewHisto(nil, h, in.Live)
	r.PID, r.Name, r.JDK, r.GC, r.PauseMS = in.PID, probes.Clean(in.Name), probes.Clean(in.JDK), probes.Clean(in.GC), in.PauseMS
	return &r, nil
}
