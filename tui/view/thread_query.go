package view

import (
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/tui/table"
)

// threadQuery is the filter of the threads: words with a key ask for one
// property (state:blocked, pool:http-nio, name:, frame:), with ! in front
// for those that have not; the rest is plain text as in every table.
type threadQuery struct {
	terms []threadTerm
	text  string // what is left for the table's own filter
}

type threadTerm struct {
	is     func(r *probes.ThreadRow, want string) bool
	want   string // in lower case
	invert bool
}

var threadTerms = map[string]func(r *probes.ThreadRow, want string) bool{
	"state": func(r *probes.ThreadRow, want string) bool {
		return r.InDump && (contains(stateDetail(r), want) || contains(string(r.State), want) || contains(r.Detail, want))
	},
	"name": func(r *probes.ThreadRow, want string) bool { return contains(r.Name, want) },
	"pool": func(r *probes.ThreadRow, want string) bool {
		pool := strings.TrimRight(r.Name, "0123456789")
		return pool != r.Name && contains(pool+"*", want)
	},
	"frame": func(r *probes.ThreadRow, want string) bool {
		for i := range r.Stack {
			if contains(r.Stack[i].Method, want) {
				return true
			}
		}
		return false
	},
}

func contains(text, lower string) bool { return strings.Contains(strings.ToLower(text), lower) }

// parseThreadQuery never fails: what is no known key is text. Without any key
// the text is the filter as it was typed, blanks and all.
func parseThreadQuery(filter string) threadQuery {
	var q threadQuery
	var rest []string
	for _, word := range strings.Fields(filter) {
		bare, invert := strings.CutPrefix(word, "!")
		key, want, ok := strings.Cut(bare, ":")
		is := threadTerms[strings.ToLower(key)]
		switch {
		case !ok || is == nil:
			rest = append(rest, word)
		case want != "": // not typed to its end: it asks for nothing yet
			q.terms = append(q.terms, threadTerm{is, strings.ToLower(want), invert})
		}
	}
	q.text = filter
	if len(rest) < len(strings.Fields(filter)) {
		q.text = strings.Join(rest, " ")
	}
	return q
}

// keep returns those of the table's rows whose threads every term accepts;
// threads and rows are in the same order.
func (q *threadQuery) keep(threads []probes.ThreadRow, rows []table.Row) []table.Row {
	if len(q.terms) == 0 {
		return rows
	}
	var out []table.Row
	for i := range rows {
		if q.accepts(&threads[i]) {
			out = append(out, rows[i])
		}
	}
	return out
}

func (q *threadQuery) accepts(r *probes.ThreadRow) bool {
	for _, t := range q.terms {
		if t.is(r, t.want) == t.invert {
			return false
		}
	}
	return true
}
