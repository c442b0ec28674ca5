package vmtext

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"example.com/jtop/probes"
)

// ParseProperties reads the answer to the attach operations properties and
// agentProperties, which is what java.util.Properties.store writes: ISO
// 8859-1, with \uXXXX for everything else. The result is sorted by name;
// names and values are cleaned, values of secrets masked. The answer must not
// be trimmed: a last line without its end was cut and is an error.
func ParseProperties(b []byte) ([]probes.Property, error) {
	var out []probes.Property
	rest := string(b)
	for n := 1; rest != ""; n++ {
		var line string
		var whole bool
		line, rest, whole = logicalLine(rest)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		if !whole {
			return nil, fmt.Errorf("properties: line %d is cut short; ask again", n)
		}
		p, err := property(line)
		if err != nil {
			// Without the line itself: it may be a secret.
			return nil, fmt.Errorf("properties: line %d: %w", n, err)
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, missing("properties", "property")
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// logicalLine cuts the first line off: without leading blanks, joined with the
// next ones where it ends in an odd number of backslashes.
func logicalLine(s string) (line, rest string, whole bool) {
	var joined strings.Builder
	for first := true; ; first = false {
		s = strings.TrimLeft(s, " \t\f")
		i := strings.IndexAny(s, "\r\n")
		if i < 0 {
			joined.WriteString(s)
			return joined.String(), "", false
		}
		line, rest = s[:i], s[i+1:]
		if s[i] == '\r' && strings.HasPrefix(rest, "\n") {
			rest = rest[1:]
		}
		comment := first && line != "" && (line[0] == '#' || line[0] == '!')
		slashes := len(line) - len(strings.TrimRight(line, `\`))
		if comment || slashes%2 == 0 {
			joined.WriteString(line)
			return joined.String(), rest, true
		}
		joined.WriteString(line[:len(line)-1])
		s = rest
	}
}

// property splits at the first =, : or blank that is not escaped.
func property(line string) (probes.Property, error) {
	end := 0
	for end < len(line) && !strings.ContainsRune("=: \t\f", rune(line[end])) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	value := strings.TrimLeft(line[end:], " \t\f")
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = strings.TrimLeft(value[1:], " \t\f")
	}
	name, err := unescape(line[:end])
	if err != nil {
		return probes.Property{}, err
	}
	if value, err = unescape(value); err != nil {
		return probes.Property{}, err
	}
	if probes.IsSecret(name) && value != "" {
		value = probes.Masked
	} else if strings.ContainsRune(value, '=') || strings.Contains(value, "://") || strings.HasPrefix(value, "-") || strings.Contains(value, " -") {
		// A command line within a value: sun.java.command, java.rt.vmArgs.
		value = strings.Join(probes.MaskArgs(strings.Split(value, " ")), " ")
	}
	return probes.Property{Name: probes.Clean(name), Value: probes.Clean(value)}, nil
}

// unescape turns the bytes of a name or value into text.
func unescape(s string) (string, error) {
	plain := true
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' || s[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return s, nil
	}
	units := make([]uint16, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' {
			units = append(units, uint16(c)) // ISO 8859-1 is the first page of Unicode
			continue
		}
		i++
		if i == len(s) {
			return "", errors.New("a backslash ends the text")
		}
		switch c = s[i]; c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case 'r':
			c = '\r'
		case 'f':
			c = '\f'
		case 'u':
			if i+4 >= len(s) {
				return "", errors.New(`\u without four digits`)
			}
			var u uint16
			for _, h := range []byte(s[i+1 : i+5]) {
				d, ok := hexDigit(h)
				if !ok {
					return "", errors.New(`\u without four digits`)
				}
				u = u<<4 | uint16(d)
			}
			units = append(units, u)
			i += 4
			continue
		}
		units = append(units, uint16(c))
	}
	return string(utf16.Decode(units)), nil
}
