package load

import (
	"fmt"
	"time"
)

// jtlClock follows the time stamps of a JTL in the order of its records, to see
// where the clock of the machine that wrote it was set. A program that does not
// know of such a step (JMeter subtracts two readings of the clock) writes what
// the clock says.
type jtlClock struct {
	any   bool
	start int64 // the latest start since the last jump, ms since the epoch
	end   int64 // and the latest end
	ran   int64 // ms that passed by the stamps, jumps left out
	back  jtlJumps
	ahead jtlJumps
}

// jtlJumps are jumps of one direction, with where the first one left and led.
type jtlJumps struct {
	n        int
	from, to int64
}

const (
	// jtlBack is how far behind the latest start a sample's end must be for a
	// jump: threads write their samples out of order, and files may be sorted by
	// either time.
	jtlBack = 10_000
	// jtlAhead is the time without a sample that is said to be one.
	jtlAhead = 10 * 60_000
)

func (c *jtlClock) add(start, end int64) {
	switch {
	case !c.any:
		c.any = true
		c.begin(start, end)
	case end < c.start-jtlBack:
		c.back.add(c.end, end)
		c.begin(start, end)
	case start > c.end+jtlAhead:
		c.ahead.add(c.end, start)
		c.begin(start, end)
	default:
		c.ran += max(end-c.end, 0)
		c.start, c.end = max(c.start, start), max(c.end, end)
	}
}

// begin takes the first sample, or the first after a jump.
func (c *jtlClock) begin(start, end int64) {
	c.start, c.end, c.ran = start, end, c.ran+end-start
}

// span is how long the samples take, in ms: from the first start to the last
// end, which are given, or, with jumps between them, what is left without.
func (c *jtlClock) span(start, end int64) int64 {
	if c.back.n+c.ahead.n == 0 {
		return end - start
	}
	return c.ran
}

func (j *jtlJumps) add(from, to int64) {
	if j.n++; j.n == 1 {
		j.from, j.to = from, to
	}
}

// text is where the first jump was and how far it went.
func (j *jtlJumps) text() string {
	by := time.Duration(max(j.to-j.from, j.from-j.to)) * time.Millisecond
	text := fmt.Sprintf("%s, from %s to %s", by.Round(time.Second), stampText(j.from), stampText(j.to))
	if j.n > 1 {
		text = fmt.Sprintf("%s, the first by %s", times3(int64(j.n)), text)
	} else {
		text = "by " + text
	}
	return text
}

func stampText(ms int64) string { return time.UnixMilli(ms).Format("2006-01-02 15:04:05") }

// notes are what a report says of it. The figures stay JMeter's.
func (c *jtlClock) notes() (out []string) {
	if c.back.n > 0 {
		out = append(out, "time stamps go back "+c.back.text()+": the clock was set, or files were put together; the table's throughput is by the stamps, as JMeter's is")
	}
	if c.ahead.n > 0 {
		out = append(out, "time stamps jump ahead "+c.ahead.text()+": nothing ran, or the clock was set; the table's throughput has that time in it, as JMeter's has")
	}
	return out
}
