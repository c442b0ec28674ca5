package jstat

import (
	"strconv"
	"strings"

	"example.com/jtop/probes"
)

// Option is a choice of columns, by the name of jstat's own option.
type Option string

// The options there are.
const (
	GC      Option = "gc"      // capacities and use in KB
	GCUtil  Option = "gcutil"  // use in percent of the capacity
	GCCause Option = "gccause" // GCUtil with the causes of the last and of the present collection
)

// column is one column of jstat_options.
type column struct {
	name     string
	width    int
	decimals int
	number   func(*Sample) probes.Opt[float64]
	text     func(*Sample) probes.Opt[string] // set: a text, to the left
}

type pickSpace func(*Sample) *Space

func survivor0(s *Sample) *Space  { return &s.Survivor0 }
func survivor1(s *Sample) *Space  { return &s.Survivor1 }
func eden(s *Sample) *Space       { return &s.Eden }
func old(s *Sample) *Space        { return &s.Old }
func metaspace(s *Sample) *Space  { return &s.Metaspace }
func classSpace(s *Sample) *Space { return &s.ClassSpace }

func capacity(name string, width int, of pickSpace) column {
	return column{name: name, width: width, decimals: 1, number: func(s *Sample) probes.Opt[float64] { return kilobytes(of(s).Capacity) }}
}

func used(name string, width int, of pickSpace) column {
	return column{name: name, width: width, decimals: 1, number: func(s *Sample) probes.Opt[float64] { return kilobytes(of(s).Used) }}
}

func percent(name string, of pickSpace) column {
	return column{name: name, width: 6, decimals: 2, number: func(s *Sample) probes.Opt[float64] { return of(s).Percent }}
}

func kilobytes(v probes.Opt[int64]) probes.Opt[float64] {
	f := probes.Float(v)
	f.V /= 1024
	return f
}

func collections(name string, width int, of func(*Sample) *Collector) []column {
	return []column{
		{name: name, width: width, number: func(s *Sample) probes.Opt[float64] { return probes.Float(of(s).Collections) }},
		{name: name + "T", width: 9, decimals: 3, number: func(s *Sample) probes.Opt[float64] { return of(s).Seconds }},
	}
}

var (
	times = append(append(append(
		collections("YGC", 6, func(s *Sample) *Collector { return &s.Young }),
		collections("FGC", 5, func(s *Sample) *Collector { return &s.Full })...),
		collections("CGC", 5, func(s *Sample) *Collector { return &s.Concurrent })...),
		column{name: "GCT", width: 9, decimals: 3, number: func(s *Sample) probes.Opt[float64] { return s.Seconds }})

	gc = append([]column{
		capacity("S0C", 11, survivor0), capacity("S1C", 11, survivor1), used("S0U", 11, survivor0), used("S1U", 11, survivor1),
		capacity("EC", 12, eden), used("EU", 12, eden), capacity("OC", 12, old), used("OU", 12, old),
		capacity("MC", 10, metaspace), used("MU", 10, metaspace), capacity("CCSC", 9, classSpace), used("CCSU", 9, classSpace),
	}, times...)

	gcutil = append([]column{
		percent("S0", survivor0), percent("S1", survivor1), percent("E", eden), percent("O", old), percent("M", metaspace), percent("CCS", classSpace),
	}, times...)

	gccause = append(gcutil[:len(gcutil):len(gcutil)],
		column{name: "LGCC", width: 20, text: func(s *Sample) probes.Opt[string] { return s.LastCause }},
		column{name: "GCC", width: 20, text: func(s *Sample) probes.Opt[string] { return s.Cause }})
)

func (o Option) columns() []column {
	switch o {
	case GCUtil:
		return gcutil
	case GCCause:
		return gccause
	}
	return gc
}

// Header is jstat's heading, without the end of the line.
func (o Option) Header() string {
	var cells []string
	for _, c := range o.columns() {
		if c.text != nil {
			cells = append(cells, pad(c.name, c.width, 0))
			continue
		}
		cells = append(cells, pad(c.name, c.width, (c.width-len(c.name))/2))
	}
	return strings.Join(cells, " ")
}

// Row is jstat's line for a sample, without the end of the line.
func (o Option) Row(s *Sample) string {
	var cells []string
	for _, c := range o.columns() {
		if c.text != nil {
			cells = append(cells, pad(c.text(s).Or("-"), c.width, 0))
			continue
		}
		cell := "-"
		if v := c.number(s); v.OK {
			cell = strconv.FormatFloat(v.V, 'f', c.decimals, 64)
		}
		cells = append(cells, pad(cell, c.width, c.width-len(cell)))
	}
	return strings.Join(cells, " ")
}

// pad puts blanks before and after a text; one that is too wide stays as it is.
func pad(s string, width, before int) string {
	if len(s) >= width {
		return s
	}
	return strings.Repeat(" ", before) + s + strings.Repeat(" ", width-len(s)-before)
}
