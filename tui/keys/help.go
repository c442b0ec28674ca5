package keys

import "strings"

// Line is a key and what it does.
type Line struct{ Key, Text string }

// Group is the keys of one scope under its heading.
type Group struct {
	Title string
	Lines []Line
}

// Help returns the groups of the given scopes, in that order; scopes with the
// same heading become one. With readOnly, keys that act on the target are
// left out, because they do nothing then.
func Help(readOnly bool, scopes ...Scope) []Group {
	var out []Group
	at := map[string]int{}
	for _, s := range scopes {
		for _, e := range Bindings {
			if e.Scope != s || readOnly && e.Acts {
				continue
			}
			i, ok := at[s.title()]
			if !ok {
				i = len(out)
				at[s.title()] = i
				out = append(out, Group{Title: s.title()})
			}
			h := e.Binding.Help()
			out[i].Lines = append(out[i].Lines, Line{Key: h.Key, Text: h.Desc})
		}
	}
	return out
}

// Footer returns the keys with a short word, in the order of the scopes; a key
// that an earlier scope binds is left out, since it means the other thing.
func Footer(readOnly bool, scopes ...Scope) []Line {
	var out []Line
	taken := map[string]bool{}
	for _, s := range scopes {
		var mine []string
		for _, e := range Bindings {
			if e.Scope != s || readOnly && e.Acts {
				continue
			}
			first := e.Binding.Keys()[0]
			mine = append(mine, e.Binding.Keys()...)
			if e.Short == "" || taken[first] {
				continue
			}
			label, _, _ := strings.Cut(e.Binding.Help().Key, " ")
			if e.Action == Wider {
				label = "+ -" // one word for the pair
			}
			out = append(out, Line{Key: label, Text: e.Short})
		}
		for _, m := range mine {
			taken[m] = true
		}
	}
	return out
}

// Markdown is the README's table of keys.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| where | key | what it does |\n|---|---|---|\n")
	all := make([]Scope, scopeCount) // in the order in which they are declared
	for i := range all {
		all[i] = Scope(i)
	}
	for _, g := range Help(false, all...) {
		for i, l := range g.Lines {
			where := ""
			if i == 0 {
				where = g.Title
			}
			b.WriteString("| " + where + " | " + code(l.Key) + " | " + strings.ReplaceAll(l.Text, "|", "\\|") + " |\n")
		}
	}
	return b.String()
}

// code sets each of several keys apart as code.
func code(label string) string {
	parts := strings.Split(label, " ")
	for i, p := range parts {
		parts[i] = "`" + p + "`"
	}
	return strings.Join(parts, " ")
}
