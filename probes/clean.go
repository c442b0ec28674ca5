package probes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text from outside (thread names, command lines, properties,
// response bodies) safe to draw, log or export to a terminal: C0 and C1
// control characters and DEL become visible (newline as \n, tab as \t, ESC as
// \x1b), invalid UTF-8 becomes U+FFFD, and characters that change direction or
// are invisible become \u escapes. Safe text is returned as it is, without
// allocation. Every parser calls it once, where text enters jtop.
func Clean(s string) string {
	safe := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			safe = false
			break
		}
	}
	if safe {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == utf8.RuneError && n <= 1:
			b.WriteRune(utf8.RuneError)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0):
			const hex = "0123456789abcdef"
			b.WriteString(`\x`)
			b.WriteByte(hex[(r>>4)&0xf])
			b.WriteByte(hex[r&0xf])
		case hidden(r):
			const hex = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[(r>>shift)&0xf])
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden tells the characters that take no cell or turn the line around:
// format characters (bidi overrides, zero-width joiners, BOM) and the line
// and paragraph separators, all in the BMP.
func hidden(r rune) bool {
	return r <= 0xffff && (unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029)
}

// secretWords are the parts of a property or option name that mark its value
// as a secret.
var secretWords = []string{"passw", "passwd", "pwd", "secret", "token", "credential", "apikey", "api_key", "api-key", "api.key", "privatekey", "private.key", "private-key", "private_key", "accesskey", "access.key", "access-key", "access_key", "auth.key", "passphrase"}

// Masked is what is shown in place of a secret value.
const Masked = "********"

// IsSecret tells whether the name of a property, option or variable says that
// its value is a secret.
func IsSecret(name string) bool {
	n := strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(n, w) {
			return true
		}
	}
	return false
}

// MaskArg hides the secret in one command-line argument: the value of
// -Dname=value and --name=value where the name says so, and the password in a
// URL's user part.
func MaskArg(arg string) string {
	if i := strings.IndexByte(arg, '='); i > 0 && IsSecret(arg[:i]) {
		return arg[:i+1] + Masked
	}
	if i := strings.Index(arg, "://"); i > 0 {
		rest := arg[i+3:]
		end := strings.IndexAny(rest, "/?# ")
		if end < 0 {
			end = len(rest)
		}
		if at := strings.LastIndexByte(rest[:end], '@'); at > 0 {
			if c := strings.IndexByte(rest[:at], ':'); c >= 0 {
				return arg[:i+3] + rest[:c+1] + Masked + rest[at:]
			}
		}
	}
	return arg
}

// MaskArgs masks a whole command line: each argument by MaskArg, and the
// argument that follows a lone option whose name says secret
// (--password hunter2).
func MaskArgs(args []string) []string {
	out := make([]string, len(args))
	next := false
	for i, a := range args {
		switch {
		case next && !strings.HasPrefix(a, "-"):
			out[i] = Masked
		default:
			out[i] = MaskArg(a)
		}
		next = strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "-D") && !strings.ContainsRune(a, '=') && IsSecret(a)
	}
	return out
}
