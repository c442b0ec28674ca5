package threads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"example.com/jtop/probes"
)

// jsonDump is the form of jdk.internal.vm.ThreadDumper: JDK 21 has tid, name
// and stack; 25 adds time, state and locks; 27 writes numbers as numbers.
type jsonDump struct {
	ThreadDump *struct {
		Time       string `json:"time"`
		Containers []struct {
			Threads []jsonThread `json:"threads"`
		} `json:"threadContainers"`
	} `json:"threadDump"`
}

type jsonThread struct {
	TID         jsonInt  `json:"tid"`
	Name        string   `json:"name"`
	State       *string  `json:"state"`
	Virtual     bool     `json:"virtual"`
	Carrier     jsonInt  `json:"carrier"`
	Stack       []string `json:"stack"`
	BlockedOn   string   `json:"blockedOn"`
	WaitingOn   string   `json:"waitingOn"`
	ParkBlocker struct {
		Object string  `json:"object"`
		Owner  jsonInt `json:"owner"`
	} `json:"parkBlocker"`
	MonitorsOwned []struct {
		Depth jsonInt   `json:"depth"`
		Locks []*string `json:"locks"`
	} `json:"monitorsOwned"`
}

// jsonInt is a number that JDK 21 and 25 write as a string.
type jsonInt int64

// UnmarshalJSON takes both forms.
func (n *jsonInt) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	v, err := strconv.ParseInt(string(bytes.Trim(b, `"`)), 10, 64)
	if err != nil || v < 0 {
		return fmt.Errorf("%.40q is no number", b)
	}
	*n = jsonInt(v)
	return nil
}

// parseJSON reads one document.
func parseJSON(b []byte) (Found, error) {
	var doc jsonDump
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&doc); err != nil {
		var syntax *json.SyntaxError
		switch {
		case !bytes.Contains(b[:min(len(b), 4096)], []byte(`"threadDump"`)):
			return Found{}, fmt.Errorf(`%w: JSON without "threadDump"`, ErrNotDump)
		case errors.Is(err, io.ErrUnexpectedEOF):
			return Found{}, fmt.Errorf("%w: its %d bytes end after %d threads. A control character in a thread's name makes the JDK stop there; dump it again as text, which has no such limit: jcmd PID Thread.dump_to_file -format=plain FILE",
				ErrCutJSON, len(b), bytes.Count(b, []byte(`"tid":`)))
		case errors.As(err, &syntax):
			return Found{}, fmt.Errorf("%w: byte %d of the JSON: %s", ErrMalformed, syntax.Offset, probes.Clean(err.Error()))
		}
		return Found{}, fmt.Errorf("%w: %s", ErrMalformed, probes.Clean(err.Error()))
	}
	if len(bytes.TrimSpace(b[dec.InputOffset():])) > 0 {
		return Found{}, fmt.Errorf("%w: more follows the JSON's end at byte %d; give each dump a file", ErrMalformed, dec.InputOffset())
	}
	if doc.ThreadDump == nil {
		return Found{}, fmt.Errorf(`%w: JSON without "threadDump"`, ErrNotDump)
	}
	taken, err := time.Parse(time.RFC3339Nano, doc.ThreadDump.Time)
	if err != nil {
		taken = time.Time{}
	}
	var list []fileThread
	carries := make(map[int64]int64)
	states := false
	for _, c := range doc.ThreadDump.Containers {
		for i := range c.Threads {
			j := &c.Threads[i]
			list = append(list, j.thread())
			states = states || j.State != nil
			if j.Carrier != 0 {
				carries[int64(j.Carrier)] = int64(j.TID)
			}
		}
	}
	for i := range list {
		if v, ok := carries[list[i].ID]; ok {
			list[i].Carrying, list[i].State = v, probes.StateCarrier
		}
	}
	// Without states it is JDK 21's form, which does not mark virtual threads.
	return assemble(list, taken, states), nil
}

func (j *jsonThread) thread() fileThread {
	f := fileThread{Thread: probes.Thread{Name: probes.Clean(j.Name), ID: int64(j.TID), State: probes.StateUnknown}, virtual: j.Virtual}
	if j.State != nil {
		f.State = stateOf(*j.State)
	}
	for _, s := range j.Stack {
		f.Stack = append(f.Stack, probes.StackFrame{Method: probes.Clean(s)})
	}
	// Lock lines stand where jstack has them.
	line := func(depth int64, text string) {
		if depth >= 0 && depth < int64(len(f.Stack)) {
			f.Stack[depth].Locks = append(f.Stack[depth].Locks, text)
		}
	}
	f.blocked, f.waiting, f.parked = probes.Clean(j.BlockedOn), probes.Clean(j.WaitingOn), probes.Clean(j.ParkBlocker.Object)
	f.owner = int64(j.ParkBlocker.Owner)
	switch {
	case f.blocked != "":
		line(0, "- waiting to lock <"+f.blocked+">")
	case f.waiting != "":
		line(0, "- waiting on <"+f.waiting+">")
	case f.parked != "":
		text := "- parking to wait for <" + f.parked + ">"
		if f.owner != 0 {
			text += ", owner #" + strconv.FormatInt(f.owner, 10)
		}
		line(0, text)
	}
	for _, m := range j.MonitorsOwned {
		for _, l := range m.Locks {
			if l == nil {
				line(int64(min(m.Depth, math.MaxInt32)), "- lock is eliminated")
				continue
			}
			id := probes.Clean(*l)
			f.owned = append(f.owned, id)
			line(int64(min(m.Depth, math.MaxInt32)), "- locked <"+id+">")
		}
	}
	return f
}
