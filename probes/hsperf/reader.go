package hsperf

import (
	"errors"
	"fmt"
	"io"
)

// Handle names a counter for repeated reading: resolved once, and again whenever the layout grows,
// so that a counter which the JVM creates later starts to answer by itself.
type Handle int

// transientLimit is how many reads in a row may meet a half-written new entry before it is an
// error: the JVM counts an entry before it fills it in, and holds no lock that a reader could see.
const transientLimit = 50

// Reader takes snapshots of one counter region. It is not safe for concurrent use.
type Reader struct {
	src    Source
	life   *life // nil for a bare file
	via    string
	buf    []byte
	layout *Layout
	names  []string
	slots  []Entry // by Handle; Kind 0 while the JVM has no such counter
	broken int     // consecutive reads that could not be parsed anew
	began  bool    // the JVM has finished its start
}

// NewReader makes a reader over any source and takes a first snapshot to check it. The reader owns
// src from here on, also when an error is returned. via is what Via will say.
func NewReader(src Source, via string) (*Reader, error) { return newReader(src, via, nil) }

func newReader(src Source, via string, alive *life) (*Reader, error) {
	r := &Reader{src: src, via: via, life: alive, buf: make([]byte, 16<<10)}
	if _, err := r.Read(); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// Via says where the counters come from: "file", "map_files" or "memory".
func (r *Reader) Via() string { return r.via }

// Layout is the layout of the last snapshot.
func (r *Reader) Layout() *Layout { return r.layout }

// Close releases the descriptors. It may be called more than once.
func (r *Reader) Close() error {
	var errs []error
	if r.life != nil {
		errs = append(errs, r.life.f.Close())
		r.life = nil
	}
	if r.src != nil {
		errs = append(errs, r.src.Close())
		r.src = nil
	}
	return errors.Join(errs...)
}

// Handle returns the handle of a name; the same name gives the same handle. The counter need not
// exist (yet): View.Int and View.String are false while it does not.
func (r *Reader) Handle(name string) Handle {
	for i, n := range r.names {
		if n == name {
			return Handle(i)
		}
	}
	r.names = append(r.names, name)
	r.slots = append(r.slots, r.resolve(name))
	return Handle(len(r.names) - 1)
}

func (r *Reader) resolve(name string) Entry {
	if r.layout == nil {
		return Entry{}
	}
	e, _ := r.layout.Lookup(name)
	return e
}

// View is one snapshot. It is valid until the next Read of its Reader. The JVM takes no lock
// while it writes: two counters of one View can be apart by one update.
type View struct {
	b []byte
	r *Reader
}

// Int reads an integer counter; false when this JVM does not have it.
func (v View) Int(h Handle) (int64, bool) {
	if v.r == nil || h < 0 || int(h) >= len(v.r.slots) {
		return 0, false
	}
	return v.r.layout.intAt(v.b, v.r.slots[h])
}

// String reads a string counter, not cleaned; false when this JVM does not have it.
func (v View) String(h Handle) (string, bool) {
	if v.r == nil || h < 0 || int(h) >= len(v.r.slots) {
		return "", false
	}
	return stringAt(v.b, v.r.slots[h])
}

// Bytes is the snapshot itself, for Layout.Int and Layout.String.
func (v View) Bytes() []byte { return v.b }

// Layout is the layout of this snapshot.
func (v View) Layout() *Layout {
	if v.r == nil {
		return nil
	}
	return v.r.layout
}

// Read takes one snapshot into a reused buffer and makes the layout again if the JVM added
// counters. After an error there is no View, and the values of the one before are out of date.
// ErrGone ends the reader's use; ErrNotReady asks for a retry.
func (r *Reader) Read() (View, error) {
	if r.src == nil {
		return View{}, fail(ErrNoData, "reader is closed")
	}
	h, n, err := r.fetch()
	// Asked after the bytes were read: had the process died before, its values would be stale.
	if r.life != nil {
		if gone := r.life.check(); gone != nil {
			return View{}, gone
		}
	}
	if err != nil {
		return View{}, err
	}
	b := r.buf[:n]
	if r.layout == nil || !r.layout.head.sameShape(h) {
		if err := r.relayout(b); err != nil {
			return View{}, err
		}
	}
	if !r.began {
		// For 1-2 ms after accessible=1 some 20 counters are still missing and others still 0.
		if end, ok := r.layout.Int(b, "sun.rt.createVmEndTime"); ok && end == 0 {
			return View{}, fail(ErrNotReady, "the JVM has not finished its start (createVmEndTime=0), retry in 100 ms")
		}
		r.began = true
	}
	return View{b: b, r: r}, nil
}

// fetch reads the used part of the region, and once more if it turns out larger than the buffer.
func (r *Reader) fetch() (header, int, error) {
	for range 4 {
		n, err := r.src.ReadAt(r.buf, 0)
		if err != nil && !errors.Is(err, io.EOF) && n < prologueSize {
			return header{}, 0, r.readError(err)
		}
		h, err := parseHeader(r.buf[:n])
		if err != nil {
			return header{}, 0, r.broke(n, err)
		}
		used := int(h.used)
		if used <= n {
			return h, used, nil
		}
		if used <= len(r.buf) {
			return header{}, 0, r.broke(n, fail(ErrTruncated, "%d bytes of %d used", n, used))
		}
		r.buf = make([]byte, (used+4095)&^4095)
	}
	return header{}, 0, fail(ErrTruncated, "the region kept growing while it was read, now %d bytes; retry", len(r.buf))
}

// broke refines an error for a source that once was good.
func (r *Reader) broke(n int, err error) error {
	switch {
	case r.layout == nil:
		return err
	case r.via == "memory":
		return fmt.Errorf("%w: %w; open the JVM again", ErrMoved, err)
	case n < r.layout.Used():
		return fail(ErrShrunk, "%d bytes, had %d; something truncated it, open the JVM again", n, r.layout.Used())
	}
	return err
}

func (r *Reader) readError(err error) error {
	if r.via == "memory" && r.layout != nil {
		return fmt.Errorf("%w: %w; open the JVM again", ErrMoved, err)
	}
	return err
}

// relayout parses the region anew. While the JVM is in the middle of adding an entry the old
// layout still holds for everything in it, so it stays in use until the new one parses.
func (r *Reader) relayout(b []byte) error {
	l, err := Parse(b)
	if err != nil {
		r.broken++
		if r.layout != nil && r.layout.Used() <= len(b) && r.broken < transientLimit {
			return nil
		}
		return err
	}
	r.broken, r.layout = 0, l
	for i, name := range r.names {
		r.slots[i] = r.resolve(name)
	}
	return nil
}
