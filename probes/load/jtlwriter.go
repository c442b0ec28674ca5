package load

import (
	"fmt"
	"io"
	"sync"

	"example.com/jtop/probes"
)

// jtlBuffer is how much may wait to be written, in bytes: some 30,000 samples.
const jtlBuffer = 4 << 20

// JTLWriter writes JMeter's CSV JTL from a goroutine of its own, so that a
// slow disk slows no request down. What does not fit into its buffer is
// counted, and a write that fails ends the writing, not the run.
type JTLWriter struct {
	w    io.Writer
	wake chan struct{}
	done chan struct{}

	mu    sync.Mutex
	buf   []byte
	spare []byte
	lost  int64
	err   error
	over  bool
}

// NewJTLWriter writes the header and starts the writing; Close ends it.
func NewJTLWriter(w io.Writer) *JTLWriter {
	j := &JTLWriter{w: w, wake: make(chan struct{}, 1), done: make(chan struct{}), buf: []byte(jtlHeader + "\n")}
	go j.run()
	j.poke()
	return j
}

func (j *JTLWriter) poke() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// Add takes one sample. It never waits for the disk.
func (j *JTLWriter) Add(l Line) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil || j.over || len(j.buf) > jtlBuffer {
		j.lost++
		return
	}
	if j.buf = l.append(j.buf); len(j.buf) > jtlBuffer/64 {
		j.poke()
	}
}

// run writes what waits. The last of it is written after Close.
func (j *JTLWriter) run() {
	defer close(j.done)
	for range j.wake {
		for {
			j.mu.Lock()
			b := j.buf
			j.buf, j.spare = j.spare[:0], nil
			over := j.over
			failed := j.err != nil
			j.mu.Unlock()
			var err error
			if len(b) > 0 && !failed {
				_, err = j.w.Write(b)
			}
			j.mu.Lock()
			j.spare = b[:0]
			if err != nil {
				j.err = err
				j.lost += lines(b)
			}
			more := len(j.buf) > jtlBuffer/64
			j.mu.Unlock()
			if over {
				return
			}
			if !more {
				break
			}
		}
	}
}

// lines counts line ends: what a failed write may have lost.
func lines(b []byte) (n int64) {
	for _, c := range b {
		if c == '\n' {
			n++
		}
	}
	return n
}

// Flush has what waits written soon; for whoever follows the file.
func (j *JTLWriter) Flush() { j.poke() }

// Close writes the rest. The error is a *probes.Problem: samples are missing
// in the file. It does not close the writer that it writes to.
func (j *JTLWriter) Close() error {
	j.mu.Lock()
	j.over = true
	j.mu.Unlock()
	j.poke()
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil:
		return bad("the JTL is incomplete", fmt.Sprintf("%s; about %s missing, the figures here have all", probes.Clean(j.err.Error()), plural(j.lost, "sample")), "make room and run again, or write it elsewhere")
	case j.lost > 0:
		return bad("the JTL is incomplete", fmt.Sprintf("the disk was too slow: %s missing, the figures here have all", plural(j.lost, "sample")), "write it to a faster disk")
	}
	return nil
}
