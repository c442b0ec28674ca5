package vmtext

import "strings"

// field is one amount of a line with the words around it.
type field struct {
	label string
	size  size
}

// fields splits a line such as
//
//	garbage-first heap   total 106496K, used 32607K [0x..., 0x...)
//	256M max, 256M soft max, 152M committed, 143M used
//
// into amounts with labels. Percentages, numbers of nodes and parts without an
// amount are left out; a part that begins or ends as an amount and is none is an error.
func fields(line string) ([]field, error) {
	if i := strings.IndexByte(line, '['); i >= 0 {
		line = line[:i]
	}
	var out []field
	for part := range strings.SplitSeq(line, ",") {
		part = strings.TrimRight(strings.TrimSpace(part), " .")
		if part == "" || strings.Contains(part, "% ") || strings.HasSuffix(part, "%") || strings.HasSuffix(part, " nodes") {
			continue
		}
		if part[0] >= '0' && part[0] <= '9' {
			v, rest, err := readSize(part)
			if err != nil {
				return nil, err
			}
			out = append(out, field{label: strings.TrimSpace(rest), size: v})
			continue
		}
		// The first word with a digit in front is the amount; words may follow
		// ("used 18858K Young Gen: [..." on JDK 28).
		i := 0
		for i < len(part) && (part[i] < '0' || part[i] > '9' || part[i-1] != ' ') {
			i++
		}
		if i == len(part) {
			continue
		}
		v, rest, err := readSize(part[i:])
		if err != nil {
			return nil, err
		}
		if rest != "" && rest[0] != ' ' {
			return nil, errNoUnit
		}
		out = append(out, field{label: strings.TrimSpace(part[:i]), size: v})
	}
	return out, nil
}

// find returns the amount with that label; in the first field, which begins
// with the name of what the line is about, the label is its last word.
func find(fs []field, label string) (size, bool) {
	for i, f := range fs {
		if f.label == label || (i == 0 && strings.HasSuffix(f.label, " "+label)) {
			return f.size, true
		}
	}
	return size{}, false
}
