package threads

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"example.com/jtop/probes"
)

// virtualGroups bounds the groups that are kept.
const virtualGroups = 300

// VirtualOf is what a dump to a file tells of virtual threads.
func VirtualOf(f Found) *probes.VirtualDump {
	v := &probes.VirtualDump{Virtual: f.Virtual}
	var list []probes.Thread
	for i := range f.Dump.Threads {
		if t := &f.Dump.Threads[i]; t.Virtual {
			list = append(list, *t)
		} else {
			v.Platform++
		}
	}
	v.Groups = StackGroups(list)
	if n := len(v.Groups); n > virtualGroups {
		v.Groups, v.More = v.Groups[:virtualGroups], n-virtualGroups
	}
	return v
}

// schedulerFigure is "parallelism = 2" in
// "java.util.concurrent.ForkJoinPool@197ad3de[Running, parallelism = 2, ...]".
var schedulerFigure = regexp.MustCompile(`([a-z]+) = (\d+)`)

// ParseScheduler reads the answer to Thread.vthread_scheduler, which is the
// scheduler's toString: its form is ForkJoinPool's, and no one's promise.
func ParseScheduler(b []byte) *probes.VirtualScheduler {
	text := strings.TrimSpace(string(b[:min(len(b), 2000)]))
	s := &probes.VirtualScheduler{Text: probes.Clean(text)}
	tasks, submissions := probes.None[int64](), probes.None[int64]()
	for _, m := range schedulerFigure.FindAllStringSubmatch(s.Text, 32) {
		n, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil || n > math.MaxInt32 {
			continue
		}
		switch v := probes.Some(n); m[1] {
		case "parallelism":
			s.Parallelism = v
		case "size":
			s.Size = v
		case "active":
			s.Active = v
		case "tasks":
			tasks = v
		case "submissions":
			submissions = v
		case "delayed":
			s.Delayed = v
		}
	}
	if tasks.OK && submissions.OK {
		s.Queued = probes.Some(tasks.V + submissions.V)
	}
	return s
}
