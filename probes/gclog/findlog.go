package gclog

import (
	"strconv"
	"strings"
	"time"
)

// Location is where a JVM writes its log, by its own flags.
type Location struct {
	// PID is the process, as the prober sees it.
	PID int
	// Names are what the file may be called, the likeliest first: absolute in
	// the JVM's own root directory, or relative to its working directory. The
	// last element is a pattern of path.Match.
	Names []string
	// Detail says that the log has more than gc alone: gc*, or all.
	Detail bool
	// Started is when the JVM started: it chooses between files whose name
	// has the time of a start.
	Started time.Time
}

// startPattern is what %t becomes: "2026-12-01_03-41-34", in the JVM's zone.
const (
	startPattern = "????-??-??_??-??-??"
	startLayout  = "2006-01-02_15-04-05"
)

// FindLog derives where a JVM writes its log from the flags of its command
// line. nspid is its pid in its own namespace, which %p in a name means. It is
// false where the log goes to the standard output, or nowhere. What follows
// -jar or --module belongs to the program and is not looked at; a flag in a
// file (@argfile, -XX:Flags) or in the environment is not seen unless the
// caller adds it to args.
func FindLog(args []string, pid, nspid int, started time.Time) (Location, bool) {
	l := Location{PID: pid, Started: started}
	rotates := false
	var loggc string
	for _, a := range args {
		if a == "-jar" || a == "-m" || a == "--module" {
			break
		}
		switch {
		case a == "-XX:+UseGCLogFileRotation":
			rotates = true
		case a == "-XX:-UseGCLogFileRotation":
			rotates = false
		case strings.HasPrefix(a, "-Xloggc:"):
			loggc = strings.TrimPrefix(a, "-Xloggc:")
		case a == "-Xlog:disable":
			l.Names, loggc = nil, ""
		case strings.HasPrefix(a, "-Xlog:"):
			if name, detail, ok := unifiedOutput(strings.TrimPrefix(a, "-Xlog:")); ok && (detail || !l.Detail || len(l.Names) == 0) {
				l.Names, l.Detail = []string{expand(name, strconv.Itoa(nspid))}, detail
			}
		}
	}
	if len(l.Names) == 0 && loggc != "" {
		l.Names = legacyNames(loggc, nspid, rotates)
	}
	return l, len(l.Names) > 0
}

// legacyNames are those of -Xloggc:NAME. JDK 8 writes "pid" before the
// number of %p, later ones do not; with rotation it adds a number and
// ".current".
func legacyNames(name string, nspid int, rotates bool) []string {
	suffix := ""
	if rotates {
		suffix = ".*.current"
	}
	names := []string{expand(name, strconv.Itoa(nspid)) + suffix}
	if strings.Contains(name, "%p") {
		names = append([]string{expand(name, "pid"+strconv.Itoa(nspid)) + suffix}, names...)
	}
	return names
}

// unifiedOutput reads WHAT:OUTPUT:DECORATORS:OPTIONS of -Xlog (JEP 158) and
// tells the file that collections go to, if any.
func unifiedOutput(s string) (name string, detail, ok bool) {
	parts := splitUnquoted(s)
	if len(parts) < 2 {
		return "", false, false
	}
	covered, detail := covers(parts[0])
	name = parts[1]
	if rest, found := strings.CutPrefix(name, "file="); found {
		name = rest
	} else if name == "stdout" || name == "stderr" {
		return "", false, false
	}
	name = strings.Trim(name, `"`)
	return name, detail, covered && name != ""
}

// splitUnquoted splits at colons that are not within quotes.
func splitUnquoted(s string) []string {
	var parts []string
	quoted, begin := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ':' && !quoted:
			parts = append(parts, s[begin:i])
			begin = i + 1
		}
	}
	return append(parts, s[begin:])
}

// covers tells whether a selection has the lines of collections, and whether
// it has their details. The last selector that matches wins, as in HotSpot.
func covers(what string) (gc, detail bool) {
	if what == "" {
		return true, true // all=info
	}
	for _, sel := range strings.Split(what, ",") {
		tags, level, _ := strings.Cut(sel, "=")
		on := level != "off" && level != "warning" && level != "error"
		switch tags {
		case "all", "gc*":
			gc, detail = on, on
		case "gc":
			gc = on
		}
	}
	return gc, detail
}

// expand replaces %p, %t and %hn, and takes the meaning of a pattern from the
// rest of the name.
func expand(name, pid string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		rest := name[i:]
		switch {
		case strings.HasPrefix(rest, "%p"):
			b.WriteString(pid)
			i++
		case strings.HasPrefix(rest, "%t"):
			b.WriteString(startPattern)
			i++
		case strings.HasPrefix(rest, "%hn"):
			b.WriteString("*")
			i += 2
		case strings.ContainsRune(`*?[\`, rune(name[i])):
			b.WriteByte('\\')
			b.WriteByte(name[i])
		default:
			b.WriteByte(name[i])
		}
	}
	return b.String()
}
