package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxCommand is the greatest length of a command line, in bytes.
const maxCommand = 1 << 20

// words splits a command line as a POSIX shell does (POSIX.1-2017, XCU 2.2),
// with bash's $'...' and $"...", which browsers write. What a shell would
// replace or run (variables, commands, pipes, redirections) is an error: it
// cannot be known here.
func words(line string) ([]string, error) {
	if len(line) > maxCommand {
		return nil, Error{What: fmt.Sprintf("the command has %d bytes", len(line)), Next: "at most 1 MB; send more from a file: --data-binary @FILE"}
	}
	w := worder{s: line}
	for w.i < len(w.s) {
		if err := w.next(); err != nil {
			return nil, err
		}
	}
	w.end()
	return w.list, nil
}

type worder struct {
	s    string
	i    int
	list []string
	word strings.Builder
	in   bool // in a word, maybe an empty one in quotes
}

func (w *worder) end() {
	if w.in {
		w.list = append(w.list, w.word.String())
		w.word.Reset()
		w.in = false
	}
}

func (w *worder) fail(what, next string) error {
	return Error{What: fmt.Sprintf("character %d: %s", utf8.RuneCountInString(w.s[:min(w.i, len(w.s))])+1, what), Next: next}
}

// next takes the next character, or the quoted text that begins there.
func (w *worder) next() error {
	c := w.s[w.i]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		w.end()
		w.i++
		return nil
	case c == '#' && !w.in:
		for w.i < len(w.s) && w.s[w.i] != '\n' {
			w.i++
		}
		return nil
	case c == '\\':
		return w.backslash()
	case strings.IndexByte("|&;<>()`", c) >= 0:
		return w.fail("the shell's "+string(c), "give the curl command alone, and put URLs and texts into quotes")
	case c == '^' && (w.i+1 < len(w.s) && strings.IndexByte("\"\r\n^", w.s[w.i+1]) >= 0):
		return w.fail("this is quoted for Windows", "copy it as cURL (bash)")
	}
	w.in = true
	switch {
	case c == '\'':
		return w.single()
	case c == '"':
		w.i++
		return w.double()
	case strings.HasPrefix(w.s[w.i:], "$'"):
		return w.ansi()
	case strings.HasPrefix(w.s[w.i:], `$"`):
		w.i += 2
		return w.double()
	case c == '$' && w.replaced():
		return w.fail("the shell's $", "write the value out, or put the text into single quotes")
	}
	w.word.WriteByte(c)
	w.i++
	return nil
}

// replaced tells whether the shell would put something in place of the dollar.
func (w *worder) replaced() bool {
	if w.i+1 >= len(w.s) {
		return false
	}
	c := w.s[w.i+1]
	return c == '{' || c == '(' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.IndexByte("@*#?$!-", c) >= 0
}

// backslash is one outside quotes: it takes the next character as it is, and a
// line end away.
func (w *worder) backslash() error {
	rest := w.s[w.i+1:]
	switch {
	case rest == "":
		w.i++ // the last line of a copied command
		return nil
	case strings.HasPrefix(rest, "\r\n"):
		w.i += 3
		return nil
	case rest[0] == '\n':
		w.i += 2
		return nil
	}
	w.in = true
	w.word.WriteByte(rest[0])
	w.i += 2
	return nil
}

func (w *worder) single() error {
	end := strings.IndexByte(w.s[w.i+1:], '\'')
	if end < 0 {
		return w.fail("a ' has no end", "close the quotes")
	}
	w.word.WriteString(w.s[w.i+1 : w.i+1+end])
	w.i += end + 2
	return nil
}

// double is what follows a ": a backslash takes only $ ` " \ and line ends.
func (w *worder) double() error {
	start := w.i - 1
	for w.i < len(w.s) {
		switch c := w.s[w.i]; {
		case c == '"':
			w.i++
			return nil
		case c == '`' || c == '$' && w.replaced():
			return w.fail("the shell's "+string(c)+" in double quotes", "write the value out, or use single quotes")
		case c == '\\' && w.i+1 < len(w.s) && strings.IndexByte("$`\"\\\n", w.s[w.i+1]) >= 0:
			if w.s[w.i+1] != '\n' {
				w.word.WriteByte(w.s[w.i+1])
			}
			w.i += 2
		default:
			w.word.WriteByte(c)
			w.i++
		}
	}
	w.i = start
	return w.fail("a \" has no end", "close the quotes")
}

// simpleEscapes are those of $'...' that stand for one byte (bash(1), QUOTING).
var simpleEscapes = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\'', '"': '"', '?': '?', 'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'v': 11,
}

// ansi is $'...'.
func (w *worder) ansi() error {
	start := w.i
	w.i += 2
	for w.i < len(w.s) {
		c := w.s[w.i]
		switch {
		case c == '\'':
			w.i++
			return nil
		case c != '\\' || w.i+1 >= len(w.s):
			w.word.WriteByte(c)
			w.i++
			continue
		}
		e := w.s[w.i+1]
		w.i += 2
		if b, ok := simpleEscapes[e]; ok {
			w.word.WriteByte(b)
			continue
		}
		switch {
		case e == 'x':
			w.number(16, 2, false)
		case e == 'u':
			w.number(16, 4, true)
		case e == 'U':
			w.number(16, 8, true)
		case e >= '0' && e <= '7':
			w.i--
			w.number(8, 3, false)
		default: // bash keeps both characters
			w.word.WriteByte('\\')
			w.word.WriteByte(e)
		}
	}
	w.i = start
	return w.fail("a $' has no end", "close the quotes")
}

// number reads up to most digits and writes the character, or the byte, that
// they name. Without a digit the escape stays as it was written.
func (w *worder) number(base, most int, isRune bool) {
	end := w.i
	for end < len(w.s) && end-w.i < most {
		if _, err := strconv.ParseUint(w.s[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	v, err := strconv.ParseUint(w.s[w.i:end], base, 64)
	switch {
	case err != nil:
		w.word.WriteString(w.s[w.i-2 : w.i])
	case isRune:
		w.word.WriteRune(rune(min(v, utf8.MaxRune+1)))
	default:
		w.word.WriteByte(byte(v))
	}
	w.i = end
}
