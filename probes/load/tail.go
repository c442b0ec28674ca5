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

// errShrunk says that a file became shorter while it was read.
var errShrunk = errors.New("the file became shorter: it was begun anew")

// Tail is a file that is still being written: at its end Read waits for more,
// until the context ends; that is io.EOF. A file that becomes shorter is an
// error.
type Tail struct {
	ctx    context.Context
	f      *os.File
	at     int64
	caught atomic.Bool // its end was reached once
}

// NewTail reads f from where it stands. The file stays the caller's.
func NewTail(ctx context.Context, f *os.File) *Tail { return &Tail{ctx: ctx, f: f} }

// Caught tells whether the end that the file had was reached: what comes from
// then on is being written now.
func (t *Tail) Caught() bool { return t.caught.Load() }

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
		if st, err := t.f.Stat(); err == nil && st.Mode().IsRegular() && st.Size() < t.at {
			return 0, errShrunk
		}
		t.caught.Store(true)
		timer.Reset(tailEvery)
		select {
		case <-timer.C:
		case <-t.ctx.Done():
		}
	}
}
