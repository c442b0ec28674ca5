package plan

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a CSV file: bytes, and rows that are kept in memory.
const (
	MaxCSV  = 256 << 20
	maxRows = 5_000_000
)

// Rows is a CSV file that was read.
type Rows struct {
	Columns []string // without the file's prefix
	Rows    [][]string
}

// Read reads the bytes of the file that d names (RFC 4180, with d's delimiter;
// a byte order mark is skipped, empty lines too). Every row has as many fields
// as there are columns. A file without a row is an error, for nobody could be
// given one. An error is an Error with the line.
func (d *CSVData) Read(data []byte) (*Rows, error) {
	fail := func(line int, what, next string) (*Rows, error) {
		return nil, Error{File: d.File, Line: line, What: what, Next: next}
	}
	comma, err := d.delimiter()
	switch {
	case err != nil:
		return fail(0, short(d.Delimiter)+" is no delimiter", "give one character")
	case len(data) > MaxCSV:
		return fail(0, fmt.Sprintf("the file has %d bytes", len(data)), fmt.Sprintf("at most %d MB: it is kept in memory", MaxCSV>>20))
	case !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0:
		return fail(0, "this is no text", "save it as UTF-8")
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.Comma, r.FieldsPerRecord = comma, -1
	rows := &Rows{Columns: d.Columns}
	heading := len(d.Columns) == 0 || d.SkipFirst
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			return fail(syntax.Line, "this is not CSV: "+syntax.Err.Error(), "quote fields with \", and write a quote inside as \"\"")
		}
		line, _ := r.FieldPos(0)
		if heading {
			heading = false
			if len(d.Columns) == 0 {
				if rows.Columns, err = columnNames(rec); err != nil {
					return fail(line, err.Error(), "give each column a name of letters, digits, _ and -, or name them in columns")
				}
			}
			continue
		}
		if len(rec) != len(rows.Columns) {
			return fail(line, fmt.Sprintf("%d fields where there are %d columns (%s)", len(rec), len(rows.Columns), short(strings.Join(rows.Columns, ", "))), "make the row as long as the others; check the delimiter")
		}
		if rows.Rows = append(rows.Rows, rec); len(rows.Rows) > maxRows {
			return fail(line, fmt.Sprintf("more than %d rows", maxRows), "use fewer: they are kept in memory")
		}
	}
	if len(rows.Rows) == 0 {
		return fail(0, "there is no row", "fill the file, or take it out of the plan")
	}
	return rows, nil
}

// Heading gives the first line of a file.
type Heading func(file string) (string, error)

// heading is the columns that the first line of the file names.
func (d *CSVData) heading(first Heading) ([]string, error) {
	if first == nil {
		return nil, errors.New("it is not known here")
	}
	line, err := first(d.File)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(line, "\ufeff")))
	if r.Comma, err = d.delimiter(); err != nil {
		return nil, err
	}
	rec, err := r.Read()
	if err != nil {
		return nil, err
	}
	return columnNames(rec)
}

func columnNames(heading []string) ([]string, error) {
	names := make([]string, len(heading))
	for i, h := range heading {
		names[i] = strings.TrimSpace(h)
		switch {
		case !IsName(names[i]):
			return nil, fmt.Errorf("%q is no name of a column", short(h))
		case slices.Contains(names[:i], names[i]):
			return nil, fmt.Errorf("two columns are called %s", short(h))
		}
	}
	return names, nil
}

// CheckColumns is Validate once more, now that the columns of the files whose
// first line names them are known: by the index of the file in p.CSV.
func (p *Plan) CheckColumns(rows []*Rows) error {
	q := *p
	q.CSV = slices.Clone(p.CSV)
	for i, r := range rows {
		if i < len(q.CSV) && r != nil {
			q.CSV[i].Columns = r.Columns
		}
	}
	return Validate(&q)
}
