package vmtext

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"example.com/jtop/probes"
)

const histogramCmd = "GC.class_histogram"

// ParseHistogram reads the answer to GC.class_histogram or inspectheap of JDK
// 8 to 28, with or without -all, or a file that jcmd or jmap -histo wrote:
//
//	 num     #instances         #bytes  class name (module)
//	-------------------------------------------------------
//	   1:         11711       19571520  [B (java.base@17.0.15)
//	Total         29033       20510304
//
// The last line must be there and be the sum of the others, so that a text that
// was cut short, or of which the head was kept only, is an error. Whether it is
// a histogram of live objects, and of when, the text does not say.
func ParseHistogram(b []byte) (*probes.Histogram, error) {
	text := string(b)
	if err := uncut(histogramCmd, text); err != nil {
		return nil, err
	}
	// jcmd puts the pid before the answer.
	const most = 4 << 10
	at := strings.Index(text[:min(len(text), most)], " #instances ")
	if at < 0 {
		return nil, missing(histogramCmd, "heading")
	}
	_, text, _ = strings.Cut(text[at:], "\n")
	h := &probes.Histogram{}
	total := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(h.Rows) == 0 && strings.HasPrefix(line, "---") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "Total "); ok {
			total = rest
			continue
		}
		if total != "" {
			if strings.TrimSpace(line) == "" {
				continue
			}
			return nil, fail(histogramCmd, "the end was expected", line)
		}
		row, err := histogramRow(line, int64(len(h.Rows)+1))
		if err != nil {
			return nil, fail(histogramCmd, err.Error(), line)
		}
		h.Rows = append(h.Rows, row)
	}
	if total == "" {
		return nil, missing(histogramCmd, "last line with the total")
	}
	if err := sumsUp(h, total); err != nil {
		return nil, fail(histogramCmd, err.Error(), total)
	}
	slices.SortStableFunc(h.Rows, func(a, b probes.HistogramRow) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return h, nil
}

var errNoRow = errors.New("number, instances, bytes and class were expected")

func histogramRow(line string, want int64) (probes.HistogramRow, error) {
	number, rest, ok := strings.Cut(strings.TrimLeft(line, " "), ":")
	if n, err := count(number); !ok || err != nil || n != want {
		return probes.HistogramRow{}, errNoRow
	}
	var r probes.HistogramRow
	for _, to := range []*int64{&r.Instances, &r.Bytes} {
		var word string
		word, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
		n, err := count(word)
		if err != nil {
			return probes.HistogramRow{}, err
		}
		*to = n
	}
	name := strings.Trim(rest, " ")
	if i := strings.LastIndex(name, " ("); i > 0 && strings.HasSuffix(name, ")") {
		module := name[i+2 : len(name)-1]
		name = name[:i]
		module, _, _ = strings.Cut(module, "@")
		r.Module = probes.Clean(module)
	}
	if name == "" {
		return probes.HistogramRow{}, errNoRow
	}
	r.Class = probes.Clean(className(name))
	return r, nil
}

func sumsUp(h *probes.Histogram, total string) error {
	words := strings.Fields(total)
	if len(words) != 2 {
		return errors.New("two totals were expected")
	}
	instances, bytes := h.Total()
	for i, sum := range []probes.Opt[int64]{instances, bytes} {
		n, err := count(words[i])
		if err != nil {
			return err
		}
		if !sum.OK || sum.V != n {
			return errors.New("the total is not the sum of the classes; some are missing")
		}
	}
	return nil
}

// className turns a name as the JVM writes it into Java's: "[[B" into
// "byte[][]", "[Ljava.lang.String;" into "java.lang.String[]". What is no array
// stays as it is.
func className(name string) string {
	element := strings.TrimLeft(name, "[")
	dims := len(name) - len(element)
	const mostDims = 255 // JVMS 4.3.2
	if dims == 0 || dims > mostDims {
		return name
	}
	switch {
	case len(element) > 2 && element[0] == 'L' && element[len(element)-1] == ';':
		element = element[1 : len(element)-1]
	case len(element) == 1 && primitives[element[0]] != "":
		element = primitives[element[0]]
	default:
		return name
	}
	return element + strings.Repeat("[]", dims)
}

// primitives are the field descriptors of JVMS 4.3.2.
var primitives = map[byte]string{
	'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'Z': "boolean",
}
