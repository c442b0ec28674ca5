package gclog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	readBuffer = 256 << 10
	// mostLine is how much of a line is looked at. The longest that a JVM
	// writes are G1's, below 2 KB.
	mostLine = 16 << 10
	// askEvery is how many lines pass between looks at the context.
	askEvery = 4096
)

// Read parses everything that r has, gzipped or not, and closes the log's
// last collection unless more follows (several files of one set). progress,
// which may be nil, is told the bytes read so far of the text. What was
// understood before an error has been emitted.
func (p *Parser) Read(ctx context.Context, r io.Reader, progress func(bytes int64)) error {
	text, err := open(r)
	if err != nil {
		return err
	}
	l := lineReader{r: text}
	for n := 0; ; n++ {
		if n%askEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(l.read)
			}
		}
		line, err := l.next()
		if err == nil || len(line) > 0 {
			p.Line(line)
		}
		if errors.Is(err, io.EOF) {
			if progress != nil {
				progress(l.read)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("the log cannot be read past byte %d: %w", l.read, err)
		}
	}
}

// open finds out whether r is gzipped, by its first bytes.
func open(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, readBuffer)
	magic, err := b.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("the log cannot be read: %w", err)
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("the log is not the gzip file that it begins as: %w", err)
	}
	return bufio.NewReaderSize(z, readBuffer), nil
}

// lineReader gives lines of bounded length: of a longer one, its beginning.
type lineReader struct {
	r    *bufio.Reader
	read int64
}

func (l *lineReader) next() ([]byte, error) {
	b, err := l.r.ReadSlice('\n')
	l.read += int64(len(b))
	if err == nil {
		return b[:min(len(b)-1, mostLine)], nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return b[:min(len(b), mostLine)], err
	}
	head := bytes.Clone(b[:mostLine])
	for errors.Is(err, bufio.ErrBufferFull) {
		b, err = l.r.ReadSlice('\n')
		l.read += int64(len(b))
	}
	return head, err
}
