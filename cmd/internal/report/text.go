package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"example.com/jtop/probes"
	"example.com/jtop/tui/unit"
)

// WritePS prints the list of JVMs as a table, and below it why some of them
// cannot be attached to.
func WritePS(w io.Writer, rows []probes.JVM, now time.Time) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(w, "no HotSpot JVM runs on this machine, or none that this user may see")
		return err
	}
	head := []string{"PID", "USER", "NAME", "JDK", "GC", "UPTIME", "CPU", "HEAP", "MAX", "THREADS", "RSS", "PORTS", "ATTACH"}
	right := map[int]bool{0: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true}
	table := [][]string{head}
	var notes []string
	stale := false
	for _, j := range rows {
		used := unit.BytesOpt(j.Heap.Used)
		if !j.Heap.AsOf.IsZero() && j.Heap.Used.OK {
			used, stale = "~"+used, true
		}
		state := "ok"
		if !j.Attach.OK {
			state = "no"
			notes = append(notes, fmt.Sprintf("%d cannot be attached to: %s", j.PID, join(j.Attach.Reason, j.Attach.Fix)))
		}
		if p := j.CountersProblem; p != nil {
			notes = append(notes, fmt.Sprintf("%d: %s: %s", j.PID, p.What, join(p.Why, p.Next)))
		}
		uptime := unit.Unknown
		if j.Uptime.OK {
			uptime = unit.Duration(time.Duration(j.Uptime.V * 1e9))
		}
		table = append(table, []string{strconv.Itoa(j.PID), j.User, j.Name, orUnknown(j.JDK), orUnknown(string(j.GC)), uptime, unit.PercentOpt(j.CPU),
			used, unit.BytesOpt(j.Heap.Max), unit.CountOpt(j.Threads), unit.BytesOpt(j.RSS), Ports(j.Ports), state})
	}
	if err := writeTable(w, table, right); err != nil {
		return err
	}
	if stale {
		notes = append([]string{"~ as of the last collection: this collector tells it only then"}, notes...)
	}
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, n); err != nil {
			return err
		}
	}
	return nil
}

// Ports writes listening ports; none and unknown differ.
func Ports(ports []int) string {
	if ports == nil {
		return unit.Unknown
	}
	if len(ports) == 0 {
		return "none"
	}
	s := make([]string, len(ports))
	for i, p := range ports {
		s[i] = strconv.Itoa(p)
	}
	return strings.Join(s, ",")
}

func join(why, next string) string {
	if next == "" {
		return why
	}
	return why + "; " + next
}

func orUnknown(s string) string {
	if s == "" {
		return unit.Unknown
	}
	return s
}

// writeTable aligns columns by cells; long names are not cut, for a pipe has
// no width.
func writeTable(w io.Writer, table [][]string, right map[int]bool) error {
	width := make([]int, len(table[0]))
	for _, r := range table {
		for i, c := range r {
			width[i] = max(width[i], ansi.StringWidth(c))
		}
	}
	for _, r := range table {
		var b strings.Builder
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-ansi.StringWidth(c))
			if right[i] {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
			b.WriteString("  ")
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(b.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// WriteSnapshot prints every figure of the tabs.
func WriteSnapshot(w io.Writer, s Snapshot) error {
	var b strings.Builder
	line := func(name, format string, a ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", name, fmt.Sprintf(format, a...))
	}
	line("JVM", "%s, pid %d, %s", s.Name, s.PID, s.Time.Format("2006-01-02 15:04:05"))
	if v := s.VM; v != nil {
		line("", "JDK %s, %s, up %s", orUnknown(v.Version), orUnknown(v.Name), span(s.UptimeSeconds))
	}
	h := s.Heap
	line("Heap", "%s used of %s max (%s), %s committed%s", unit.BytesOpt(h.Used), unit.BytesOpt(h.Max), unit.PercentOpt(h.Percent), unit.BytesOpt(h.Committed), age(s.Time, h.AsOf))
	line("", "allocation %s", unit.RateOpt(h.Allocation))
	for _, p := range s.Pools {
		line("  "+p.Name, "%s used, %s committed, %s max%s", unit.BytesOpt(p.Used), unit.BytesOpt(p.Committed), unit.BytesOpt(p.Max), age(s.Time, p.AsOf))
	}
	g := s.GC
	line("GC", "%s, %s of time over the interval, %s since start, %s pauses/min", orUnknown(g.Algorithm), unit.PercentOpt(g.Share), unit.PercentOpt(g.ShareSince), number(g.PausesPerMin))
	for _, c := range g.Collectors {
		what, n := "pauses", c.Pauses
		if !n.OK {
			what, n = "phases, concurrent ones too", c.Phases
		}
		line("  "+c.Kind, "%s: %s %s, %s s, average %s", c.Name, unit.CountOpt(n), what, number(c.Seconds), unit.MillisOpt(c.AverageMS))
	}
	line("CPU", "%s of one core, %s of %s cores%s; host %s", unit.PercentOpt(s.CPU.Process), unit.PercentOpt(s.CPU.Share), number(s.CPU.OfCores), limited(s.CPU.Limited), unit.PercentOpt(s.CPU.Host))
	line("Memory", "RSS %s, swap %s, %s descriptors, %s native threads", unit.BytesOpt(s.Memory.RSS), unit.BytesOpt(s.Memory.Swap), unit.CountOpt(s.Memory.FDs), unit.CountOpt(s.Memory.OSThreads))
	line("Threads", "%s live, %s daemon, %s peak, %s started", unit.CountOpt(s.Threads.Live), unit.CountOpt(s.Threads.Daemon), unit.CountOpt(s.Threads.Peak), unit.CountOpt(s.Threads.Started))
	line("Classes", "%s loaded, %s unloaded, %s in total, %s s loading", unit.CountOpt(s.Classes.Loaded), unit.CountOpt(s.Classes.Unloaded), unit.CountOpt(s.Classes.Total), number(s.Classes.LoadSeconds))
	line("JIT", "%s compilations, %s s", unit.CountOpt(s.JIT.Compilations), number(s.JIT.Seconds))
	line("Safepoints", "%s, %s s", unit.CountOpt(s.Safepoints.Count), number(s.Safepoints.Seconds))
	line("Host", "%s cores, load %s, %s of %s memory available", unit.CountOpt(s.Host.Cores), number(s.Host.Load1), unit.BytesOpt(s.Host.MemAvailable), unit.BytesOpt(s.Host.MemTotal))
	if s.CGroup.CPULimit.OK || s.CGroup.MemLimit.OK {
		line("cgroup", "%s cores, %s memory of which %s used, %s of periods throttled", number(s.CGroup.CPULimit), unit.BytesOpt(s.CGroup.MemLimit), unit.BytesOpt(s.CGroup.MemUsage), unit.PercentOpt(s.CGroup.Throttled))
	}
	if v := s.VM; v != nil {
		line("Command", "%s", strings.Join(v.CommandLine, " "))
		for _, f := range v.Flags {
			line("  flag", "%s", f.Text)
		}
		if v.PropertiesFull {
			for _, p := range v.Properties {
				line("  property", "%s=%s", p.Name, p.Value)
			}
		}
	}
	problems(&b, s.Sources)
	_, err := io.WriteString(w, b.String())
	return err
}

func problems(b *strings.Builder, list []Source) {
	for _, src := range list {
		if src.Error != nil {
			fmt.Fprintf(b, "! %s: %s\n", src.Name, src.Error.Error())
		}
	}
}

func limited(yes bool) string {
	if yes {
		return " (cgroup limit)"
	}
	return ""
}

func span(s float) string {
	if !s.OK {
		return unit.Unknown
	}
	return unit.Duration(time.Duration(s.V * 1e9))
}

func age(now time.Time, asOf *time.Time) string {
	if asOf == nil || now.Before(*asOf) {
		return ""
	}
	return fmt.Sprintf(", as of %s ago", unit.Duration(now.Sub(*asOf)))
}

func number(v float) string {
	if !v.OK {
		return unit.Unknown
	}
	// Two decimals at most, and none that are zero.
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v.V, 'f', 2, 64), "0"), ".")
}
