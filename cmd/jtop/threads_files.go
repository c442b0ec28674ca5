package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/jtop/cmd/internal/report"
	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
)

// maxDumpFile bounds what is read into memory of one file, in bytes.
const maxDumpFile = 1 << 30

// fileThreads reports on the dumps in files. What cannot be read is said, and
// is a failure in the end, after what could.
func fileThreads(ctx context.Context, e *env, names []string, o threadsOptions) error {
	var dumps []report.Dump
	var failed []error
	usable := 0
	for _, name := range names {
		b, err := readBounded(name, maxDumpFile)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		found, err := threads.Open(b)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
			continue
		}
		for _, f := range found {
			d := report.Dump{Found: f, File: name}
			if f.Err != nil {
				failed = append(failed, fmt.Errorf("%s, line %d: %w", name, f.Line, f.Err))
			} else {
				usable++
				d.Taken = f.Dump.Taken
			}
			dumps = append(dumps, d)
		}
	}
	if usable == 0 {
		return together(failed...)
	}
	inOrder(dumps)
	if o.screen {
		return together(append([]error{dumpScreen(ctx, e, dumps)}, failed...)...)
	}
	return together(append([]error{o.print(e, report.ThreadsInput{Dumps: dumps, Rows: lastRows(dumps)})}, failed...)...)
}

// severalErrors are printed on one line: exitCode would show a line break as
// text.
type severalErrors []error

func (s severalErrors) Error() string {
	var parts []string
	for _, err := range s {
		parts = append(parts, err.Error())
	}
	return strings.Join(parts, "; and ")
}

// Unwrap lets errors.Is and errors.As see each.
func (s severalErrors) Unwrap() []error { return s }

// together is nil where every error is.
func together(errs ...error) error {
	var s severalErrors
	for _, err := range errs {
		if err != nil {
			s = append(s, err)
		}
	}
	switch len(s) {
	case 0:
		return nil
	case 1:
		return s[0]
	}
	return s
}

// lastRows are the threads of the last dump that could be read.
func lastRows(dumps []report.Dump) []probes.ThreadRow {
	for _, d := range slices.Backward(dumps) {
		if d.Dump != nil {
			return threads.Join(d.Dump, nil, nil, 0)
		}
	}
	return nil
}

// inOrder sorts dumps by time where every one of them has it of one kind: a
// shell sorts dump10 before dump2. Else they stay as they were given.
func inOrder(dumps []report.Dump) {
	zoned, local := 0, 0
	for _, d := range dumps {
		if !d.Taken.IsZero() {
			zoned++
		} else if d.Stamp != "" {
			local++
		}
	}
	var at func(d report.Dump) time.Time
	switch len(dumps) {
	case zoned:
		at = func(d report.Dump) time.Time { return d.Taken }
	case local:
		at = func(d report.Dump) time.Time { return d.Clock }
	default:
		// The time between a clock of an unknown zone and another is unknown.
		for i := range dumps {
			if zoned > 0 && dumps[i].Taken.IsZero() {
				dumps[i].Clock = time.Time{}
			}
		}
		return
	}
	slices.SortStableFunc(dumps, func(a, b report.Dump) int { return at(a).Compare(at(b)) })
}

// readBounded reads a file of dumps, gzipped or not (a log that was rotated
// is), that is not larger than most; so is what is in it.
func readBounded(name string, most int64) ([]byte, error) {
	b, err := readLimited(name, most, "the dump")
	if err == nil && bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		b, err = gunzip(name, b, most)
	}
	if errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%w: cut the dumps out of it (grep -n 'Full thread dump' finds them)", err)
	}
	return b, err
}

func gunzip(name string, b []byte, most int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err == nil {
		b, err = limited(z, name, most)
	}
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%s is gzipped and cannot be unpacked: %w; copy it again, or see what gunzip -t says", name, err)
	}
	return b, err
}

var errTooLarge = errors.New("the file is too large")

// readLimited reads a file that is not larger than most; what it holds is for
// the error.
func readLimited(name string, most int64, what string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", what, err)
	}
	defer f.Close()
	b, err := limited(f, name, most)
	if err != nil && !errors.Is(err, errTooLarge) {
		return nil, fmt.Errorf("%s cannot be read: %w", what, err)
	}
	return b, err
}

func limited(r io.Reader, name string, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > most {
		return nil, fmt.Errorf("%s is larger than %d MB: %w", name, most>>20, errTooLarge)
	}
	return b, nil
}
