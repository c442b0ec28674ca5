package live

import (
	"context"
	"fmt"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActGC] = actor{price: priceGC, do: runGC}
	actors[tui.ActSetFlag] = actor{price: priceFlag, do: setFlag}
}

// heapNow is the bytes in use and the collector, as far as they are known.
func (s *Session) heapNow() (used probes.Opt[int64], a probes.Algorithm) {
	snap, _ := s.store.Latest()
	if snap == nil || snap.Raw == nil {
		return used, a
	}
	if snap.Raw.Heap != nil {
		used = snap.Raw.Heap.Used
	}
	if snap.Raw.GC != nil {
		a = snap.Raw.GC.Algorithm
	}
	return used, a
}

func priceGC(_ context.Context, s *Session, _ string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	used, a := s.heapNow()
	if a == probes.GCEpsilon {
		return tui.Price{}, &probes.Problem{What: "there is no collection to run", Why: "Epsilon never collects"}
	}
	cost := "All threads of the program stand until it ends; for how long cannot be said, since the heap's use is not known."
	if used.OK {
		takes, stops := probes.EstimateFullGC(used.V, a)
		cost = fmt.Sprintf("With %s in use that is about %s on an idle machine", megabytes(used.V), takes)
		if stops {
			cost += ", and all threads of the program stand meanwhile."
		} else {
			cost += "; this collector works beside the program and stops it only shortly."
		}
	}
	return tui.Price{Title: "Run a full collection?", Text: "GC.run, the same as System.gc(). " + cost + " A load run's figures will show it."}, nil
}

func runGC(ctx context.Context, s *Session, _ string) (string, error) {
	before, _ := s.heapNow()
	s.progress(probes.Job{Title: "full collection"})
	pause, err := s.commands.GC(ctx)
	if err != nil {
		return "", err
	}
	if err := s.deliver(ctx, func(*probes.Sample) {}); err != nil {
		return "", err
	}
	text := "full collection done"
	if after, _ := s.heapNow(); before.OK && after.OK && after.V <= before.V {
		text += fmt.Sprintf(": heap %s -> %s", megabytes(before.V), megabytes(after.V))
	}
	return text + "; " + jvm.Stood(pause), nil
}

// manageable are the flags that most JDKs let a running JVM set, for the
// prompt; the JVM itself decides.
const manageable = "HeapDumpOnOutOfMemoryError, HeapDumpPath, MinHeapFreeRatio, MaxHeapFreeRatio; JDK 8: PrintGC, PrintGCDetails; 11 and newer: SoftMaxHeapSize, ShowCodeDetailsInExceptionMessages"

func priceFlag(ctx context.Context, s *Session, arg string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	if arg == "" {
		return tui.Price{Title: "Set a flag", Prompt: "Name=value; +Name and -Name for true and false. Only manageable flags can be set, such as " + manageable + "."}, nil
	}
	name, value, err := splitFlag(arg)
	if err != nil {
		return tui.Price{}, err
	}
	was := "What it is now is not read before your yes: nothing has attached to this JVM yet, and the first attach starts a thread in it. It"
	if s.commands.Attached() {
		now, err := s.commands.Flag(ctx, name)
		if err != nil {
			return tui.Price{}, err
		}
		was = "It is " + now + " now and"
	}
	return tui.Price{Title: "Set the flag " + name + "?",
		Text: fmt.Sprintf("%s becomes %s, until the JVM ends. A few attach requests, no pause. What the flag then does may cost more: a heap dump when memory runs out, say.", was, probes.Clean(value))}, nil
}

func setFlag(ctx context.Context, s *Session, arg string) (string, error) {
	name, value, err := splitFlag(arg)
	if err != nil {
		return "", err
	}
	is, err := s.commands.SetFlag(ctx, name, value)
	if err != nil {
		return "", err
	}
	// The list of flags on the VM tab would be stale now.
	if err := s.vm.FetchFlags(ctx); err != nil {
		return is + " is set; the list of flags could not be read anew: " + err.Error(), nil
	}
	return is + " is set", s.deliver(ctx, func(*probes.Sample) {})
}

// splitFlag reads Name=value, +Name and -Name, with or without -XX: before it.
func splitFlag(arg string) (name, value string, err error) {
	arg = strings.TrimPrefix(strings.TrimSpace(arg), "-XX:")
	name, value, ok := strings.Cut(arg, "=")
	switch {
	case ok:
	case strings.HasPrefix(arg, "+"):
		name, value = arg[1:], "true"
	case strings.HasPrefix(arg, "-"):
		name, value = arg[1:], "false"
	default:
		name = ""
	}
	for _, r := range name {
		if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			name = ""
			break
		}
	}
	if name == "" || value == "" {
		return "", "", &probes.Problem{What: "this sets no flag: " + probes.Clean(arg), Why: "it is not of the form Name=value", Next: "write it so, or +Name, or -Name"}
	}
	return name, value, nil
}

func megabytes(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
}
