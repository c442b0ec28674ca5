package vmtext

import (
	"strings"

	"example.com/jtop/probes"
)

const metaspaceBasic = "VM.metaspace basic"

// Metaspace is the answer to "VM.metaspace basic" (JDK 11+).
type Metaspace struct {
	// Total is the sum of NonClass and Class where there is a class space:
	// HotSpot's own line of both is rounded more ("1.06 GB").
	Total    Space  `json:"total"`
	NonClass *Space `json:"non_class"` // nil without a class space: Total is all
	Class    *Space `json:"class"`     // nil without compressed class pointers
	// MaxSize is -XX:MaxMetaspaceSize; unknown when Unlimited.
	MaxSize   probes.Opt[int64] `json:"max_size_bytes"`
	Unlimited bool              `json:"unlimited"`
	// ClassMax is -XX:CompressedClassSpaceSize.
	ClassMax probes.Opt[int64] `json:"class_max_bytes"`
}

// ParseMetaspaceBasic reads the answer to "VM.metaspace basic" of JDK 11 to
// 28. Amounts are printed with two decimals ("5.51 MB"), so that a figure is
// good to half a percent or better; JDK 25+ adds lines in K, which are taken.
func ParseMetaspaceBasic(b []byte) (*Metaspace, error) {
	if err := uncut(metaspaceBasic, string(b)); err != nil {
		return nil, err
	}
	m := &Metaspace{}
	var nonClass, class, all Space
	var exact, exactClass *Space // the lines in K
	section := ""
	for raw := range strings.Lines(string(b)) {
		line := strings.TrimSpace(raw)
		var err error
		label, rest, labelled := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "Metaspace ") && strings.Contains(line, "used"):
			err = metaLine(line, &exact)
		case strings.HasPrefix(line, "class space "):
			err = metaLine(line, &exactClass)
		case labelled && rest == "":
			section = label
		case label == "MaxMetaspaceSize":
			m.Unlimited = strings.TrimSpace(rest) == "unlimited"
			if !m.Unlimited {
				err = only(rest, &m.MaxSize)
			}
		case label == "CompressedClassSpaceSize":
			if err = only(rest, &m.ClassMax); err == errNoNumber {
				err = nil // "n/a" or "-" without compressed class pointers
			}
		case section == "Usage" || section == "Virtual space":
			to := &all
			switch strings.TrimSuffix(label, " space") {
			case "Non-class":
				to = &nonClass
			case "Class":
				to = &class
			case "Both":
			default:
				rest = line // no class space, no labels
			}
			err = metaPart(rest, to)
		}
		if err != nil {
			return nil, fail(metaspaceBasic, err.Error(), line)
		}
	}
	if !all.Used.OK {
		return nil, missing(metaspaceBasic, "figure of used memory")
	}
	if !all.Committed.OK || !all.Reserved.OK {
		return nil, missing(metaspaceBasic, "figure of committed memory")
	}
	if !m.Unlimited && !m.MaxSize.OK {
		return nil, missing(metaspaceBasic, "line of MaxMetaspaceSize")
	}
	m.Total = all
	if class.Used.OK && class.Committed.OK && nonClass.Used.OK && nonClass.Committed.OK {
		m.NonClass, m.Class = &nonClass, &class
		var err error
		if m.Total, err = sum(nonClass, class); err != nil {
			return nil, fail(metaspaceBasic, err.Error(), "the sum of class and non-class space")
		}
	}
	if exact != nil {
		m.Total = *exact
	}
	if exactClass != nil {
		m.Class = exactClass
	}
	return m, nil
}

// metaPart adds the amounts of one line to what another section said of the
// same part.
func metaPart(text string, to *Space) error {
	fs, err := fields(text)
	if err != nil {
		return err
	}
	for _, f := range fs {
		// "5.51 MB ( 97%) used" and "64.00 MB reserved": the last word tells.
		label := f.label[strings.LastIndexByte(f.label, ' ')+1:]
		switch label {
		case "used":
			to.Used = probes.Some(f.size.bytes)
		case "committed":
			to.Committed = probes.Some(f.size.bytes)
		case "reserved":
			to.Reserved = probes.Some(f.size.bytes)
		}
	}
	return nil
}

// only reads a text that is one amount.
func only(text string, to *probes.Opt[int64]) error {
	v, rest, err := readSize(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	if rest != "" {
		return errNoUnit
	}
	*to = probes.Some(v.bytes)
	return nil
}
