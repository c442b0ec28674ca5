package plan

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// Error is one mistake in a plan.
type Error struct {
	File   string // "" where the plan comes from no file
	Line   int    // from 1; 0: not known
	Column int    // from 1, in characters; 0: not known
	Path   string // the field, such as requests[0].url; "" for the whole
	What   string // what is wrong
	Next   string // what would be right

	offset   int  // of the mistake in the field's text, in bytes
	unknown  bool // a key that is not known: what is missing may be it
	variable bool // a variable that is not known: what sets it may be unread
}

// Error gives all of it on one line: plan.yaml:12:5: requests[0].url: ...
func (e Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, "%d:", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, "%d:", e.Column)
		}
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.What)
	if e.Next != "" {
		b.WriteString("; " + e.Next)
	}
	return probes.Clean(b.String())
}

// Errors is every mistake that was found, at most maxErrors.
type Errors []Error

const maxErrors = 20

// Error has a line for each.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// orNil is the list as an error.
func (e Errors) orNil() error {
	if len(e) == 0 {
		return nil
	}
	return e
}

// short is a text from outside, cut so that it can stand in a message.
func short(s string) string {
	const most = 60
	if r := []rune(s[:min(len(s), 8*most)]); len(r) > most {
		s = string(r[:most]) + "..."
	}
	return probes.Clean(s)
}

// didYouMean names the candidate that a word is a misspelling of, or is "".
func didYouMean(word string, candidates []string) string {
	best, at := 3, ""
	if len(word) > 40 {
		return ""
	}
	for _, c := range candidates[:min(len(candidates), 2000)] {
		limit := min(2, (len(c)+1)/3)
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= limit && d < best {
			best, at = d, c
		}
	}
	if at == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", at)
}

// distance is how many letters must be put in, taken out, changed or swapped
// with the next one (optimal string alignment) to turn a into b.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
