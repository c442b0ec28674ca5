package vmtext

import (
	"errors"
	"strings"

	"example.com/jtop/probes"
)

const flagsCmd = "VM.flags"

// ParseFlags reads the answer to VM.flags (those that differ from the
// default) or to "VM.flags -all" (a table of every flag), of JDK 8 to 28, in
// the JVM's order, which is by name. Booleans have the value "true" or
// "false". A flag that holds several values (CompileCommand) comes several
// times. Values of secrets are masked, text is cleaned.
func ParseFlags(b []byte) ([]probes.VMFlag, error) {
	if err := uncut(flagsCmd, string(b)); err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(b), " \n")
	if text == "" {
		return nil, missing(flagsCmd, "flag")
	}
	if head, table, ok := strings.Cut(text, "\n"); strings.TrimSpace(head) == "[Global flags]" {
		if !ok {
			return nil, missing(flagsCmd, "flag")
		}
		return flagTable(table)
	}
	if !strings.HasPrefix(text, "-XX:") {
		return nil, fail(flagsCmd, "-XX: was expected", text)
	}
	var out []probes.VMFlag
	for text != "" {
		var arg string
		arg, text = nextFlag(text)
		f, err := flagOf(arg)
		if err != nil {
			return nil, fail(flagsCmd, err.Error(), arg)
		}
		out = append(out, f)
	}
	return out, nil
}

// nextFlag cuts the first flag off. Values are not quoted and may hold spaces
// (OnOutOfMemoryError=kill -9 %p), so a flag ends where the next one begins.
func nextFlag(text string) (flag, rest string) {
	const mark = " -XX:"
	for from := 0; ; {
		i := strings.Index(text[from:], mark)
		if i < 0 {
			return text, ""
		}
		at := from + i
		if after := text[at+len(mark):]; beginsFlag(after) {
			return strings.TrimRight(text[:at], " "), text[at+1:]
		}
		from = at + len(mark)
	}
}

// beginsFlag tells "+UseG1GC " and "Name=" from other text.
func beginsFlag(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		n := nameLen(s[1:])
		return n > 0 && (n+1 == len(s) || s[n+1] == ' ')
	}
	n := nameLen(s)
	return n > 0 && n < len(s) && s[n] == '='
}

func nameLen(s string) int {
	i := 0
	for i < len(s) && (s[i] == '_' || s[i]-'0' <= 9 || (s[i]|0x20)-'a' < 26) {
		i++
	}
	return i
}

func flagOf(arg string) (probes.VMFlag, error) {
	s := strings.TrimPrefix(arg, "-XX:")
	if !beginsFlag(s) {
		return probes.VMFlag{}, errors.New("a flag was expected")
	}
	if s[0] == '+' || s[0] == '-' {
		return boolFlag(s[1:], s[0] == '+'), nil
	}
	name, value, _ := strings.Cut(s, "=")
	return textFlag(name, value), nil
}

func boolFlag(name string, on bool) probes.VMFlag {
	if on {
		return probes.VMFlag{Name: name, Value: "true", Text: "-XX:+" + name}
	}
	return probes.VMFlag{Name: name, Value: "false", Text: "-XX:-" + name}
}

func textFlag(name, value string) probes.VMFlag {
	if probes.IsSecret(name) {
		value = probes.Masked
	}
	// The value may itself hold options (OnError=tool --password=x).
	value = probes.Clean(strings.Join(probes.MaskArgs(strings.Split(value, " ")), " "))
	return probes.VMFlag{Name: name, Value: value, Text: "-XX:" + name + "=" + value}
}

// flagTable reads the lines of -all:
//
//	 bool UseG1GC      = true     {product} {ergonomic}
//	ccstr ErrorFile    =          {product} {default}
//	      CompileOnly += b        {product} {command line}
func flagTable(table string) ([]probes.VMFlag, error) {
	var out []probes.VMFlag
	for line := range strings.SplitSeq(table, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		left, value, ok := strings.Cut(line, "=")
		words := strings.Fields(strings.TrimRight(left, "+:"))
		if !ok || len(words) == 0 || len(words) > 2 || nameLen(words[len(words)-1]) != len(words[len(words)-1]) {
			return nil, fail(flagsCmd, "a line of the table was expected", line)
		}
		// The kind in braces ends the line; the first value of a list has none,
		// as the rest stands on the lines below.
		if i := strings.LastIndex(value, " {"); i >= 0 && strings.HasSuffix(strings.TrimRight(value, " "), "}") {
			value = value[:i]
			if i = strings.LastIndex(value, " {"); i >= 0 && strings.HasSuffix(strings.TrimRight(value, " "), "}") {
				value = value[:i]
			}
		}
		name, value := words[len(words)-1], strings.TrimSpace(value)
		if len(words) == 2 && words[0] == "bool" {
			if value != "true" && value != "false" {
				return nil, fail(flagsCmd, "true or false was expected", line)
			}
			out = append(out, boolFlag(name, value == "true"))
			continue
		}
		out = append(out, textFlag(name, value))
	}
	if len(out) == 0 {
		return nil, missing(flagsCmd, "flag")
	}
	return out, nil
}
