package load

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.com/jtop/probes"
)

// The columns of a JTL that are used, at their places; -1: not there.
type columns struct {
	stamp, elapsed, label, code, message, success, bytes, sent, threads, latency, connect int
	count                                                                                 int
}

// oldColumns are those of files without a header line, by their number. JMeter
// 2 wrote none by default: 12 columns with thread counts, 10 without. 16 and 17
// are of later versions, told to leave the header out, without and with URL.
var oldColumns = map[int]string{
	10: "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,bytes,Latency",
	12: "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,bytes,grpThreads,allThreads,Latency",
	16: "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,Latency,IdleTime,Connect",
	17: jtlHeader,
}

// named finds the columns by a header line's names.
func named(names [][]byte) (columns, error) {
	at := map[string]int{}
	for i, n := range names {
		n = bytes.TrimPrefix(bytes.TrimSpace(n), []byte("\uFEFF"))
		if _, twice := at[string(n)]; !twice {
			at[string(n)] = i
		}
	}
	of := func(name string) int {
		if i, ok := at[name]; ok {
			return i
		}
		return -1
	}
	c := columns{stamp: of("timeStamp"), elapsed: of("elapsed"), label: of("label"), code: of("responseCode"), message: of("responseMessage"), success: of("success"),
		bytes: of("bytes"), sent: of("sentBytes"), threads: of("allThreads"), latency: of("Latency"), connect: of("Connect"), count: len(names)}
	switch {
	case c.stamp < 0 || c.elapsed < 0:
		return c, errors.New("its header has no timeStamp and elapsed")
	case c.success < 0 && c.code < 0:
		return c, errors.New("its header has neither success nor responseCode: what failed is not known")
	}
	return c, nil
}

// isHeader tells a header line from a sample.
func isHeader(first [][]byte) bool {
	for _, f := range first {
		if n := strings.TrimPrefix(string(bytes.TrimSpace(f)), "\uFEFF"); n == "timeStamp" || n == "elapsed" {
			return true
		}
	}
	return false
}

// unnamed finds the columns of a file without a header line.
func unnamed(first [][]byte) (columns, error) {
	names, ok := oldColumns[len(first)]
	if !ok {
		return columns{}, fmt.Errorf("it has no header line and %d columns", len(first))
	}
	c, err := named(bytes.Split([]byte(names), []byte{','}))
	if err != nil {
		return c, err
	}
	var l Line
	if err := c.parse(first, &l); err != nil {
		return c, fmt.Errorf("it has no header line, and its %d columns are not JMeter's: %w", len(first), err)
	}
	return c, nil
}

// separator guesses what separates the values of the first line: of the
// usual ones the one that is most often there.
func separator(line []byte) byte {
	best, n := byte(','), 0
	for _, s := range []byte{',', '\t', ';', '|'} {
		if k := bytes.Count(line, []byte{s}); k > n {
			best, n = s, k
		}
	}
	return best
}

// parse reads one sample; of its texts only label, code and message.
func (c *columns) parse(f [][]byte, l *Line) error {
	if len(f) < c.count {
		return fmt.Errorf("%d fields in place of %d", len(f), c.count)
	}
	num := func(name string, i int) (int64, error) {
		v, err := strconv.ParseInt(string(bytes.TrimSpace(f[i])), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s is %s, not a number", name, strconv.Quote(probes.Clean(string(f[i][:min(len(f[i]), 40)]))))
		}
		return v, nil
	}
	var err error
	*l = Line{Bytes: -1, Sent: -1}
	if l.Start, err = num("timeStamp", c.stamp); err != nil {
		return err
	}
	if l.Elapsed, err = num("elapsed", c.elapsed); err != nil {
		return err
	}
	// A year has 3e10 ms: what is beyond is no time of a request.
	if l.Elapsed < 0 || l.Elapsed > 3e10 || l.Start < 0 || l.Start > 1e15 {
		return errors.New("a time is out of range")
	}
	for i, to := range map[int]*int64{c.bytes: &l.Bytes, c.sent: &l.Sent} {
		if i < 0 || len(f[i]) == 0 {
			continue
		}
		if *to, err = num("bytes", i); err != nil {
			return err
		}
		if *to > 1e15 || *to < 0 {
			*to = -1
		}
	}
	if c.threads >= 0 {
		if n, err := num("allThreads", c.threads); err == nil && n > 0 && n < 1e9 {
			l.All = int(n)
		}
	}
	for i, to := range map[int]*int64{c.latency: &l.Latency, c.connect: &l.Connect} {
		if i < 0 {
			continue
		}
		if n, err := num("time", i); err == nil && n > 0 {
			*to = n
		}
	}
	if c.label >= 0 {
		l.Label = probes.Clean(string(f[c.label]))
	}
	if c.code >= 0 {
		l.Code = probes.Clean(string(f[c.code]))
	}
	if c.message >= 0 {
		l.Message = probes.Clean(string(f[c.message][:min(len(f[c.message]), 500)]))
	}
	if c.success < 0 {
		n, err := strconv.Atoi(l.Code)
		l.OK = err == nil && n >= 200 && n <= 399
		return nil
	}
	switch string(bytes.ToLower(f[c.success])) {
	case "true":
		l.OK = true
	case "false":
	default:
		return fmt.Errorf("success is %s, not true or false", strconv.Quote(probes.Clean(string(f[c.success][:min(len(f[c.success]), 40)]))))
	}
	return nil
}
