package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// WriteHisto prints a histogram, or with a comparison what grew. top bounds
// the classes.
func WriteHisto(w io.Writer, r HistoReport, top int) error {
	var b strings.Builder
	of := "Class histogram"
	if r.Name != "" {
		of += " of " + r.Name
	}
	if r.PID.OK {
		of += fmt.Sprintf(" (pid %d, JDK %s, %s)", r.PID.V, orUnknown(r.JDK), orUnknown(r.GC))
	}
	fmt.Fprintf(&b, "%s%s, %s\n", of, takenAt(r.Taken), kindOf(r.Live))
	fmt.Fprintf(&b, "%s classes, %s instances, %s", unit.Count(int64(len(r.Classes))), unit.Count(r.Instances), unit.Bytes(r.Bytes))
	if r.PauseMS.OK {
		fmt.Fprintf(&b, "; the JVM stood for %s", unit.MillisOpt(r.PauseMS))
	}
	b.WriteString("\n\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if r.Since != nil {
		return writeGrowth(w, r, top)
	}
	table := [][]string{{"#", "INSTANCES", "BYTES", "SHARE", "CLASS", "MODULE"}}
	for i, c := range r.Classes[:min(top, len(r.Classes))] {
		share := probes.Ratio(probes.Some(100*float64(c.Bytes)), probes.Some(float64(r.Bytes)))
		table = append(table, []string{strconv.Itoa(i + 1), unit.Count(c.Instances), unit.Bytes(c.Bytes), unit.PercentOpt(share), c.Class, c.Module})
	}
	if err := writeTable(w, table, map[int]bool{0: true, 1: true, 2: true, 3: true}); err != nil {
		return err
	}
	return more(w, len(r.Classes)-top)
}

// writeGrowth prints the classes that grew, most bytes first, and then those
// that shrank most.
func writeGrowth(w io.Writer, r HistoReport, top int) error {
	s := r.Since
	ago := ""
	if s.Seconds.OK {
		ago = fmt.Sprintf(", %s before", span(s.Seconds))
	}
	if _, err := fmt.Fprintf(w, "Since %s%s%s: %s instances, %s\n", s.File, takenAt(s.Taken), ago, signedCount(r.Instances-s.Instances), signedBytes(r.Bytes-s.Bytes)); err != nil {
		return err
	}
	if !s.Live.OK && s.Taken == nil {
		if _, err := fmt.Fprintln(w, "That file is a text: it does not tell when it was taken, nor whether after a full collection."); err != nil {
			return err
		}
	}
	table := [][]string{{"+INSTANCES", "+BYTES", "+BYTES/MIN", "INSTANCES", "BYTES", "CLASS", "MODULE", ""}}
	changed := 0
	row := func(g *probes.HistogramGrowth) {
		note := ""
		switch {
		case g.New:
			note = "new"
		case g.Gone:
			note = "gone"
		}
		rate := unit.Unknown
		if g.BytesPerMinute.OK {
			rate = signedBytes(int64(g.BytesPerMinute.V))
		}
		table = append(table, []string{signedCount(g.InstancesGrown), signedBytes(g.BytesGrown), rate, unit.Count(g.Instances[1]), unit.Bytes(g.Bytes[1]), g.Class, g.Module, note})
	}
	for i := range r.Growth {
		if g := &r.Growth[i]; g.BytesGrown != 0 || g.InstancesGrown != 0 {
			if changed++; changed <= top && g.BytesGrown >= 0 {
				row(g)
			}
		}
	}
	shown := len(table) - 1
	for i := len(r.Growth) - 1; i >= 0 && shown < top && r.Growth[i].BytesGrown < 0; i-- {
		row(&r.Growth[i])
		shown++
	}
	if changed == 0 {
		_, err := fmt.Fprintln(w, "No class grew or shrank.")
		return err
	}
	if err := writeTable(w, table, map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true}); err != nil {
		return err
	}
	return more(w, changed-shown)
}

func more(w io.Writer, left int) error {
	if left <= 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "and %s more; --top N lists them\n", unit.Count(int64(left)))
	return err
}

func takenAt(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(", taken 2006-01-02 15:04:05")
}

func kindOf(live probes.Opt[bool]) string {
	switch {
	case !live.OK:
		return "of which objects is not told"
	case live.V:
		return "live objects"
	}
	return "all objects, garbage included"
}

func signedCount(n int64) string {
	if n > 0 {
		return "+" + unit.Count(n)
	}
	return unit.Count(n)
}

func signedBytes(n int64) string {
	switch {
	case n > 0:
		return "+" + unit.Bytes(n)
	case n < 0:
		return "-" + unit.Bytes(-n)
	}
	return "0 B"
}
