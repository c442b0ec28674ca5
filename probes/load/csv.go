package load

import (
	"bufio"
	"errors"
	"io"
)

// Limits of a JTL's record.
const (
	maxRecord = 1 << 20 // bytes
	maxFields = 200
)

var (
	errLongRecord = errors.New("a record is longer than 1 MB or has more than 200 fields: is a quote open?")
	errTorn       = errors.New("the last record is incomplete")
)

// records reads separated values as JMeter writes them: a field that holds a
// separator, a quote or a line end is in quotes, which are doubled inside it.
type records struct {
	r      *bufio.Reader
	sep    byte
	open   bool // the last record ended with the file, without a line end
	line   int  // where the last record began, from 1
	next   int
	buf    []byte
	ends   []int // where each field ends in buf
	fields [][]byte
}

func newRecords(r io.Reader) *records {
	return &records{r: bufio.NewReaderSize(r, 64<<10), sep: ',', next: 1}
}

// read returns the next record's fields, which are valid until the next call.
// Empty lines are passed over. io.EOF is the end; errTorn that the file ends
// inside quotes.
func (c *records) read() ([][]byte, error) {
	for {
		err := c.record()
		if err != nil {
			return nil, err
		}
		if len(c.ends) > 1 || len(c.buf) > 0 {
			break
		}
	}
	c.fields = c.fields[:0]
	from := 0
	for _, end := range c.ends {
		c.fields = append(c.fields, c.buf[from:end])
		from = end
	}
	return c.fields, nil
}

func (c *records) record() error {
	c.buf, c.ends, c.line = c.buf[:0], c.ends[:0], c.next
	quoted, fresh := false, true // inside quotes; at the beginning of a field
	for n := 0; ; n++ {
		b, err := c.r.ReadByte()
		if err != nil {
			switch {
			case !errors.Is(err, io.EOF) || n == 0:
				return err
			case quoted:
				return errTorn
			}
			c.ends = append(c.ends, len(c.buf))
			c.open = true
			return nil
		}
		if b == '\n' {
			c.next++
		}
		switch {
		case n > maxRecord || len(c.ends) > maxFields:
			return errLongRecord
		case quoted && b == '"':
			if next, err := c.r.Peek(1); err == nil && next[0] == '"' {
				if _, err := c.r.Discard(1); err != nil {
					return err
				}
				c.buf = append(c.buf, '"')
				continue
			}
			quoted = false
		case quoted:
			c.buf = append(c.buf, b)
		case b == '"' && fresh:
			quoted, fresh = true, false
		case b == c.sep:
			c.ends = append(c.ends, len(c.buf))
			fresh = true
		case b == '\n':
			c.ends = append(c.ends, len(c.buf))
			return nil
		case b == '\r':
			if next, err := c.r.Peek(1); err == nil && next[0] == '\n' {
				continue
			}
			fallthrough
		default:
			c.buf = append(c.buf, b)
			fresh = false
		}
	}
}
