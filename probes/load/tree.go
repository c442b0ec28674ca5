package load

import (
	"bytes"
	"container/heap"
	"fmt"
	"math"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// tree keeps some requests with their answers: the first, the slowest, and
// some of every kind of failure. Nearly every request passes it at the cost of
// two atomic reads.
type tree struct {
	first, slowest, perError int
	body                     int // bytes of each body

	open  atomic.Int64 // of the first ones, how many are still wanted
	limit atomic.Int64 // ns that a request must exceed to be one of the slowest

	mu     sync.Mutex
	firsts []probes.LoadExchange
	slow   slowest
	faults map[string][]probes.LoadExchange
}

// Why a request is in the tree; another reason is the class of its failure.
const (
	whyFirst   = "first"
	whySlowest = "slowest"
)

// maxFaultClasses bounds the kinds of failures that are kept.
const maxFaultClasses = 50

// treeOf is the tree that a plan asks for: 0 is the default, -1 none.
func treeOf(t plan.Tree) *tree {
	limit := func(n, normal int) int {
		if n == 0 {
			return normal
		}
		return max(n, 0)
	}
	tr := &tree{first: limit(t.First, 10), slowest: limit(t.Slowest, 10), perError: limit(t.PerError, 2), body: limit(t.Body, 4096), faults: map[string][]probes.LoadExchange{}}
	tr.open.Store(int64(tr.first))
	if tr.slowest == 0 {
		tr.limit.Store(math.MaxInt64)
	}
	if !tr.on() {
		tr.body = 0
	}
	return tr
}

func (t *tree) on() bool { return t.first > 0 || t.slowest > 0 || t.perError > 0 }

// look keeps the user's request where it is one to keep.
func (t *tree) look(u *user) {
	o := &u.o
	isFirst, isSlow, failed := t.why(o)
	if !isFirst && !isSlow && !failed {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if isFirst && len(t.firsts) < t.first {
		t.firsts = append(t.firsts, u.exchange(whyFirst, t.body))
		t.open.Add(-1)
	}
	if isSlow && t.slowest > 0 {
		if len(t.slow) < t.slowest {
			heap.Push(&t.slow, u.exchange(whySlowest, t.body))
		} else if o.took > took(&t.slow[0]) {
			t.slow[0] = u.exchange(whySlowest, t.body)
			heap.Fix(&t.slow, 0)
		}
		if len(t.slow) == t.slowest {
			t.limit.Store(int64(took(&t.slow[0])))
		}
	}
	if failed {
		class := o.kind()
		kept, known := t.faults[class]
		if len(kept) < t.perError && (known || len(t.faults) < maxFaultClasses) {
			t.faults[class] = append(kept, u.exchange(class, t.body))
		}
	}
}

// why tells for which reasons a request is one to keep.
func (t *tree) why(o *outcome) (isFirst, isSlow, failed bool) {
	return t.open.Load() > 0, int64(o.took) > t.limit.Load(), !o.ok() && t.perError > 0
}

// kind is what sort of failure it is.
func (o *outcome) kind() string {
	if o.class != "" {
		return o.class
	}
	return fmt.Sprintf("status %d", o.status)
}

// Tree is the results tree: the first requests, the slowest, and some of every
// kind of failure, in this order. It is a copy.
func (r *Runner) Tree() []probes.LoadExchange {
	t := r.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	out := append([]probes.LoadExchange{}, t.firsts...)
	slow := append(slowest{}, t.slow...)
	sort.Slice(slow, func(i, j int) bool { return slow[i].Took > slow[j].Took })
	out = append(out, slow...)
	classes := make([]string, 0, len(t.faults))
	for c := range t.faults {
		classes = append(classes, c)
	}
	sort.Strings(classes)
	for _, c := range classes {
		out = append(out, t.faults[c]...)
	}
	return out
}

// slowest is a heap with the least slow one on top.
type slowest []probes.LoadExchange

func (s slowest) Len() int           { return len(s) }
func (s slowest) Less(i, j int) bool { return s[i].Took < s[j].Took }
func (s slowest) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *slowest) Push(v any)        { *s = append(*s, v.(probes.LoadExchange)) }
func (s *slowest) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

func took(e *probes.LoadExchange) time.Duration {
	return time.Duration(math.Round(e.Took * float64(time.Millisecond)))
}

// exchange is the user's last request as it is shown.
func (u *user) exchange(why string, body int) probes.LoadExchange {
	o := &u.o
	e := probes.LoadExchange{Why: why, Name: u.r.calls[o.call].name, User: u.number, Start: o.begin, Took: milliseconds(o.took),
		Received: o.recv, Size: o.inflated, Redirects: o.hops, Class: o.class, Text: probes.Clean(o.text), Traceparent: o.trace.header()}
	if u.sent != nil {
		e.Target = u.sent.at.String()
		head, data, _ := bytes.Cut(u.lastWire, []byte("\r\n\r\n"))
		e.Request, e.Body = showHead(head), showBody(data, body)
	}
	if o.status > 0 {
		e.Status = probes.Some(o.status)
	}
	e.Head, e.Answer = showHead(u.a.head), showBody(u.a.body, body)
	known := func(d time.Duration) probes.Opt[float64] {
		return probes.Opt[float64]{V: milliseconds(d), OK: d > 0}
	}
	if u.r.plan.open() {
		e.Lag = probes.Some(milliseconds(o.lag))
	}
	e.Connect, e.TLS, e.FirstByte = known(o.connect), known(o.secured), known(o.waited)
	return e
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// maxShownHead is how much of a head is kept, in bytes.
const maxShownHead = 8 << 10

// showHead is a head with its credentials masked, a line each.
func showHead(head []byte) string {
	var lines []string
	for line := range strings.Lines(string(head[:min(len(head), maxShownHead)])) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	if len(lines) == 0 {
		return ""
	}
	first := probes.Clean(lines[0])
	return strings.Join(append([]string{first}, maskHeaders(lines[1:])...), "\n")
}

// showBody is the beginning of a body, cleaned line by line.
func showBody(b []byte, most int) string {
	b = bytes.ToValidUTF8(b[:min(len(b), most)], []byte("\uFFFD"))
	lines := strings.Split(string(b), "\n")
	for i, l := range lines {
		lines[i] = probes.Clean(strings.TrimSuffix(l, "\r"))
	}
	return strings.Join(lines, "\n")
}
