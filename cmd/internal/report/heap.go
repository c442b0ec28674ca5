package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
	"example.com/jtop/tui/view"
)

// HeapReport is `jtop heap --json`.
type HeapReport struct {
	File    string   `json:"file"`
	Verdict []string `json:"verdict"`
	*probes.HeapDump
	// MoreClasses is how many rows of the histogram were left out.
	MoreClasses int `json:"more_classes"`
}

// mostHeapFrames are the frames of a stack that the text shows.
const mostHeapFrames = 12

// NewHeap builds the report of a dump; its lists are cut to top entries. The
// histogram and the threads are the only lists that may have more.
func NewHeap(file string, d *probes.HeapDump, top int) HeapReport {
	cut := *d
	r := HeapReport{File: file, Verdict: view.HeapVerdict(d), HeapDump: &cut}
	if n := len(cut.Classes) - top; n > 0 {
		cut.Classes, r.MoreClasses = cut.Classes[:top], n
	}
	return r
}

// WriteHeap prints a report: what takes the memory first, then the lists.
func WriteHeap(w io.Writer, r HeapReport, top int) error {
	b := &strings.Builder{}
	for _, s := range r.Verdict {
		b.WriteString(s + "\n")
	}
	heapHead(b, r)
	heapTable(b, "Classes, by bytes", []string{"BYTES", "", "OBJECTS", "CLASS"}, len(r.Classes), r.MoreClasses, top, func(i int) []string {
		c := r.Classes[i]
		return []string{unit.Bytes(c.Bytes), unit.PercentOpt(shareOf(c.Bytes, r.Bytes)), unit.Count(c.Instances), c.Name}
	})
	heapTable(b, "Biggest arrays", []string{"BYTES", "ELEMENTS", "AT", "CLASS"}, len(r.Arrays), 0, top, func(i int) []string {
		a := r.Arrays[i]
		return []string{unit.Bytes(a.Bytes), unit.Count(a.Length), a.ID, a.Class}
	})
	fmt.Fprintf(b, "\nStrings: %s, their text is %s in %s arrays\n", unit.CountOpt(r.Strings.Instances), unit.BytesOpt(r.Strings.Bytes), unit.CountOpt(r.Strings.Arrays))
	heapTable(b, "Biggest texts", []string{"BYTES", "CHARS", "AT", "TEXT"}, len(r.Strings.Biggest), 0, top, func(i int) []string {
		s := r.Strings.Biggest[i]
		return []string{unit.Bytes(s.Bytes), unit.Count(s.Chars), s.ID, s.Head}
	})
	least := ""
	if r.Duplicates.LowerBound {
		least = "at least "
	}
	fmt.Fprintf(b, "\nEqual texts: %s%s texts in %s arrays, %s%s wasted\n", least, unit.CountOpt(r.Duplicates.Texts), unit.CountOpt(r.Duplicates.Copies), least, unit.BytesOpt(r.Duplicates.Wasted))
	heapTable(b, "Texts that waste most", []string{"WASTED", "COPIES", "EACH", "TEXT"}, len(r.Duplicates.Top), 0, top, func(i int) []string {
		s := r.Duplicates.Top[i]
		return []string{unit.Bytes(s.Wasted), unit.Count(s.Copies), unit.Bytes(s.Each), s.Head}
	})
	heapThreads(b, r.Threads, top)
	heapTable(b, "GC roots", []string{"COUNT", "", "", "KIND"}, len(r.Roots), 0, len(r.Roots), func(i int) []string {
		return []string{unit.Count(r.Roots[i].Count), "", "", r.Roots[i].Kind}
	})
	fmt.Fprintf(b, "\nSizes: %s.\n", r.Layout.Text)
	for _, n := range r.Notes {
		fmt.Fprintf(b, "Note: %s.\n", n)
	}
	if r.Partial != nil {
		fmt.Fprintf(b, "! %s\n", r.Partial.Error())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func heapHead(b *strings.Builder, r HeapReport) {
	fmt.Fprintf(b, "\n%s, %s", probes.Clean(r.File), unit.Bytes(r.FileBytes))
	if r.Compressed {
		b.WriteString(" compressed")
	}
	if r.JavaVersion != "" {
		b.WriteString(", JDK " + r.JavaVersion)
	}
	if r.Taken != nil {
		b.WriteString(", taken " + r.Taken.Format("2006-01-02 15:04:05 MST"))
	}
	fmt.Fprintf(b, "\n%s instances, %s arrays of references, %s arrays of basic types, %s classes\n", unit.Count(r.Instances), unit.Count(r.ObjectArrays), unit.Count(r.PrimitiveArrays), unit.Count(r.ClassObjects))
}

// heapTable prints the first top of n rows, and how many there are besides.
func heapTable(b *strings.Builder, title string, head []string, n, more, top int, row func(i int) []string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	table := [][]string{append([]string{""}, head...)}
	for i := range min(n, top) {
		table = append(table, append([]string{""}, row(i)...))
	}
	_ = writeTable(b, table, map[int]bool{1: true, 2: true, 3: true}) // a Builder does not fail
	if more += n - min(n, top); more > 0 {
		fmt.Fprintf(b, "  and %s more: --top shows more\n", unit.Count(int64(more)))
	}
}

// heapThreads prints the threads whose locals refer to most.
func heapThreads(b *strings.Builder, threads []probes.HeapThread, top int) {
	if len(threads) == 0 {
		return
	}
	b.WriteString("\nThreads, by the bytes of what their locals refer to (of these objects alone, not of what those hold)\n")
	for i, t := range threads[:min(len(threads), top)] {
		name := fmt.Sprintf("thread %d, name not found", t.Serial)
		if t.Name.OK {
			name = `"` + t.Name.V + `"`
		}
		fmt.Fprintf(b, "%10s  %s %s, %s objects\n", unit.Bytes(t.Bytes), name, t.Class, unit.Count(t.Locals))
		if i >= 5 && t.Bytes < 1<<20 {
			continue // small ones: a line will do
		}
		for k, f := range t.Frames {
			if k == mostHeapFrames {
				fmt.Fprintf(b, "%10s      and %d frames more\n", "", len(t.Frames)-k)
				break
			}
			size := ""
			if f.Locals > 0 {
				size = unit.Bytes(f.Bytes)
			}
			fmt.Fprintf(b, "%10s      at %s\n", size, f.Method)
		}
	}
	if n := len(threads) - top; n > 0 {
		fmt.Fprintf(b, "  and %s more: --top shows more\n", unit.Count(int64(n)))
	}
}

func shareOf(part, whole int64) probes.Opt[float64] {
	r := probes.Ratio(probes.Some(float64(part)), probes.Some(float64(whole)))
	r.V *= 100
	return r
}
