// Package session writes records to a file and reads them back, so that what
// was watched can be looked at again through the same store and the same
// views. The format is one JSON record a line (JSON Lines, UTF-8), gzipped;
// the first record is the session's Meta. A line that was cut off by a crash
// counts as absent.
package session

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"example.com/jtop/probes"
)

// maxLine bounds one record: a dump of 5,000 threads is about 7 MB.
const maxLine = 64 << 20

// Writer appends records. It is not safe for concurrent use.
type Writer struct {
	z   *gzip.Writer
	enc *json.Encoder
	seq uint64
}

// NewWriter starts a recording on w, which stays the caller's to close.
func NewWriter(w io.Writer) *Writer {
	z := gzip.NewWriter(w)
	return &Writer{z: z, enc: json.NewEncoder(z)}
}

// Write appends one record and numbers it.
func (w *Writer) Write(r probes.Record) error {
	w.seq++
	r.Seq = w.seq
	return w.enc.Encode(r)
}

// Flush writes what is buffered, so that a crash loses nothing before it.
func (w *Writer) Flush() error { return w.z.Flush() }

// Close ends the recording.
func (w *Writer) Close() error { return w.z.Close() }

// Reader returns records one by one.
type Reader struct {
	s    *bufio.Scanner
	line int
}

// NewReader opens a recording; an error says that r is none.
func NewReader(r io.Reader) (*Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("not a jtop recording: %w", err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(make([]byte, 64<<10), maxLine)
	return &Reader{s: s}, nil
}

// Next returns the next record; io.EOF at the end, also when the recording
// was cut off there. A damaged line in the middle is an error with its number.
func (r *Reader) Next() (probes.Record, error) {
	if !r.s.Scan() {
		if err := r.s.Err(); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return probes.Record{}, fmt.Errorf("recording, after line %d: %w", r.line, err)
		}
		return probes.Record{}, io.EOF
	}
	r.line++
	var rec probes.Record
	if err := json.Unmarshal(r.s.Bytes(), &rec); err != nil {
		line := r.line
		if !r.s.Scan() { // the last line, torn
			return probes.Record{}, io.EOF
		}
		return probes.Record{}, fmt.Errorf("recording, line %d: %w", line, err)
	}
	if rec.Meta == nil && rec.Sample == nil && rec.Event == nil {
		return probes.Record{}, fmt.Errorf("recording, line %d: neither meta nor sample nor event", r.line)
	}
	return rec, nil
}
