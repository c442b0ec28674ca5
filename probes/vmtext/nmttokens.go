package vmtext

import (
	"errors"
	"strings"

	"example.com/jtop/probes"
)

// nmtTokens is one group of NMT's figures, such as
//
//	reserved=1057001KB +32KB, committed=6633KB +544KB
//	malloc=157748 tag=Native Memory Tracking #1987 +4
//	classes #754 +104
type nmtTokens struct {
	named   map[string]nmtFigure
	count   probes.Opt[int64] // after '#'
	step    int64             // of the first figure with a unit
	changed bool              // some figure has a change
}

type nmtFigure struct{ value, change int64 }

// nmtKeys are the names whose values are amounts.
var nmtKeys = map[string]bool{"reserved": true, "committed": true, "malloc": true, "arena": true, "used": true, "free": true, "waste": true}

func tokens(text string) (nmtTokens, error) {
	t := nmtTokens{named: map[string]nmtFigure{}}
	last := "" // the amount that a change belongs to; "" for a count
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		key, value, ok := strings.Cut(word, "=")
		switch {
		case ok && nmtKeys[key]:
			v, step, err := nmtAmount(value)
			if err != nil {
				return nmtTokens{}, err
			}
			if _, twice := t.named[key]; twice {
				return nmtTokens{}, errors.New("a figure comes twice")
			}
			t.named[key], last = nmtFigure{value: v}, key
			if t.step == 0 {
				t.step = step
			}
		case ok:
			last = "" // a tag, a peak, a percentage
		case word[0] == '#':
			n, err := count(word[1:])
			if err != nil {
				return nmtTokens{}, err
			}
			t.count, last = probes.Some(n), ""
		case word[0] == '+' || word[0] == '-':
			t.changed = true
			v, _, err := nmtAmount(word[1:])
			if err != nil {
				return nmtTokens{}, err
			}
			if word[0] == '-' {
				v = -v
			}
			if last != "" {
				f := t.named[last]
				f.change = v
				t.named[last] = f
			}
		}
	}
	return t, nil
}

// nmtAmount reads "1057001KB", or "1765359066" where the scale is bytes.
func nmtAmount(s string) (v, step int64, err error) {
	if whole, rest := digits(s); rest == "" {
		v, err = count(whole)
		return v, 1, err
	}
	a, rest, err := readSize(s)
	if err == nil && rest != "" {
		err = errNoUnit
	}
	if err != nil {
		return 0, 0, err
	}
	return a.bytes, a.step, nil
}

func (t nmtTokens) amount() (probes.NMTAmount, error) {
	r, ok := t.named["reserved"]
	c, also := t.named["committed"]
	if !ok || !also {
		return probes.NMTAmount{}, errors.New("reserved and committed memory were expected")
	}
	return probes.NMTAmount{Reserved: r.value, Committed: c.value, ReservedChange: r.change, CommittedChange: c.change}, nil
}

func (t nmtTokens) malloc(name string) *probes.NMTMalloc {
	f := t.named[name]
	return &probes.NMTMalloc{Bytes: f.value, Count: t.count, Change: f.change}
}
