package load

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// tailEvery is how often the end of a file is looked at for more.
const tailEvery = 200 * time.Millisecond

// A file that is followed may not be the one that is written any more.
var (
	errShrunk   = errors.New("the file became shorter: it was begun anew")
	errReplaced = errors.New("another file has its name now: it was renamed or removed, and begun anew")
)

// Tail is a file that is still being written: at its end Read waits for more,
// until the context ends; that is io.EOF. A file that becomes shorter, or whose
// name another one takes, is an error.
type Tail struct {
	ctx    context.Context
	f      *os.File
	at     int64
	caught atomic.Bool // its end was reached once
	gone   atomic.Bool // nothing has its name
}

// NewTail reads f from where it stands. The file stays the caller's.
func NewTail(ctx context.Context, f *os.File) *Tail { return &Tail{ctx: ctx, f: f} }

// Caught tells whether the end that the file had was reached: what comes from
// then on is being written now.
func (t *Tail) Caught() bool { return t.caught.Load() }

// Gone is what to say of a file that was renamed or removed; "": it was not.
func (t *Tail) Gone() string {
	if !t.gone.Load() {
		return ""
	}
	return "the file was renamed or removed; what is still written to it is read"
}

// same is an error where the file is not the one that it was.
func (t *Tail) same() error {
	st, err := t.f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	if st.Size() < t.at {
		return errShrunk
	}
	named, err := os.Stat(t.f.Name())
	t.gone.Store(errors.Is(err, os.ErrNotExist))
	if err == nil && !os.SameFile(st, named) {
		return errReplaced
	}
	return nil
}

// Read is io.Reader.
func (t *Tail) Read(b []byte) (int, error) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if t.ctx.Err() != nil {
			return 0, io.EOF
		}
		n, err := t.f.Read(b)
		t.at += int64(n)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := t.same(); err != nil {
			return 0, err
		}
		t.caught.Store(true)
		timer.Reset(tailEvery)
		select {
		case <-timer.C:
		case <-t.ctx.Done():
		}
	}
}
