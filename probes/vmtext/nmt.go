package vmtext

import (
	"errors"
	"strings"

	"example.com/jtop/probes"
)

const nmtCmd = "VM.native_memory"

// ErrTrackingOff says that the JVM does not account for its native memory.
var ErrTrackingOff = errors.New("native memory tracking is off in this JVM; start it with -XX:NativeMemoryTracking=summary (5-10 % more native memory)")

// ErrNoBaseline says that a difference was asked for, and there is nothing to
// differ from.
var ErrNoBaseline = errors.New("the JVM has no baseline to compare with; take one first (VM.native_memory baseline)")

// ParseNMT reads the answer to "VM.native_memory summary", or summary.diff, of
// JDK 8 to 28, of any scale:
//
//	Total: reserved=1507MB +0MB, committed=131MB +1MB
//	-                     Class (reserved=1049MB, committed=1MB)
//	                            (classes #849 +104)
//	                            (malloc=500KB +168KB #3576 +1156)
//
// The text has no end mark; the total is compared with the sum of the
// categories, so that one that lacks more than rounding explains is an error.
// Parts that it does not know are left out.
func ParseNMT(b []byte) (*probes.NMT, error) {
	text := string(b)
	if err := uncut(nmtCmd, text); err != nil {
		return nil, err
	}
	if strings.Contains(text[:min(len(text), 200)], "tracking is not enabled") {
		return nil, ErrTrackingOff
	}
	if strings.Contains(text[:min(len(text), 200)], "No baseline") {
		return nil, ErrNoBaseline
	}
	p := &nmtParser{}
	for line := range strings.Lines(text) {
		if err := p.line(strings.Trim(line, " \n")); err != nil {
			return nil, fail(nmtCmd, err.Error(), line)
		}
	}
	if p.n.Step == 0 {
		return nil, missing(nmtCmd, "total")
	}
	if len(p.n.Categories) == 0 {
		return nil, missing(nmtCmd, "category")
	}
	if err := p.whole(); err != nil {
		return nil, err
	}
	return &p.n, nil
}

type nmtParser struct {
	n    probes.NMT
	part *probes.NMTMetaspace // that the next lines are about
}

// whole tells whether categories are missing. Each is rounded to a step, and
// those of less than one are left out.
func (p *nmtParser) whole() error {
	var sum probes.NMTAmount
	var err error
	for _, c := range p.n.Categories {
		if sum.Reserved, err = add(sum.Reserved, c.Reserved); err != nil {
			return fail(nmtCmd, err.Error(), "the sum of the categories")
		}
		if sum.Committed, err = add(sum.Committed, c.Committed); err != nil {
			return fail(nmtCmd, err.Error(), "the sum of the categories")
		}
	}
	const omitted = 32 // categories there may be, beside those printed
	slack := int64(len(p.n.Categories)+omitted) * p.n.Step
	if p.n.Total.Reserved-sum.Reserved > slack || p.n.Total.Committed-sum.Committed > slack {
		return errors.New(nmtCmd + ": the categories are less than the total; the answer was cut short, ask again")
	}
	return nil
}

func (p *nmtParser) line(line string) error {
	if rest, ok := strings.CutPrefix(line, "Total:"); ok && p.n.Step == 0 {
		t, err := tokens(rest)
		if err != nil {
			return err
		}
		p.n.Step, p.n.Diff = t.step, t.changed
		p.n.Total, err = t.amount()
		return err
	}
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		return p.category(rest)
	}
	line = strings.TrimLeft(strings.TrimPrefix(line, ":"), " ")
	inner, ok := strings.CutPrefix(line, "(")
	if !ok || len(p.n.Categories) == 0 {
		return nil // headings, and the totals of malloc and mmap
	}
	inner, _, ok = strings.Cut(inner, ")") // a second pair is the peak
	if !ok {
		return errors.New("a parenthesis is not closed")
	}
	return p.detail(&p.n.Categories[len(p.n.Categories)-1], strings.TrimSpace(inner))
}

func (p *nmtParser) category(text string) error {
	name, rest, ok := strings.Cut(text, "(")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return errors.New("a category was expected")
	}
	rest, _, ok = strings.Cut(rest, ")")
	if !ok {
		return errors.New("a parenthesis is not closed")
	}
	t, err := tokens(rest)
	if err != nil {
		return err
	}
	a, err := t.amount()
	if err != nil {
		return err
	}
	p.part = nil
	p.n.Diff = p.n.Diff || t.changed
	p.n.Categories = append(p.n.Categories, probes.NMTCategory{Name: probes.Clean(name), NMTAmount: a})
	return nil
}

// detail reads one line below a category.
func (p *nmtParser) detail(c *probes.NMTCategory, text string) error {
	switch strings.TrimRight(text, ": ") {
	case "Metadata", "Class space":
		c.Parts = append(c.Parts, probes.NMTMetaspace{Name: strings.TrimRight(text, ": ")})
		p.part = &c.Parts[len(c.Parts)-1]
		return nil
	}
	t, err := tokens(text)
	if err != nil {
		return err
	}
	p.n.Diff = p.n.Diff || t.changed
	switch word, _, _ := strings.Cut(text, " "); {
	case word == "mmap:" || word == "stack:":
		a, err := t.amount()
		if err != nil {
			return err
		}
		if word == "mmap:" {
			c.Mmap = &a
		} else {
			c.Stack = &a
		}
	case word == "classes" || word == "thread" || word == "threads":
		c.Items = t.count
	case strings.HasPrefix(word, "malloc="):
		c.Malloc = t.malloc("malloc")
	case strings.HasPrefix(word, "arena="):
		c.Arena = t.malloc("arena")
	case p.part != nil && strings.HasPrefix(word, "reserved="):
		p.part.NMTAmount, err = t.amount()
		return err
	case p.part != nil && strings.HasPrefix(word, "used="):
		p.part.Used = t.named["used"].value
	case p.part != nil && strings.HasPrefix(word, "waste="):
		// JDK 11 calls what is committed and not used "free" and "waste".
		p.part.Waste, err = add(p.part.Waste, t.named["waste"].value)
	case p.part != nil && strings.HasPrefix(word, "free="):
		p.part.Waste, err = add(p.part.Waste, t.named["free"].value)
	}
	return err
}
