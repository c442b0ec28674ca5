// Package vmtext parses the short texts that HotSpot answers to attach
// commands: GC.heap_info, GC.class_histogram, VM.metaspace basic,
// VM.native_memory, VM.classloader_stats, Compiler.codecache, VM.flags,
// VM.uptime and the system properties, of JDK 8 to 28.
//
// Every parser is pure and takes the reply without its status line, uncut and
// untrimmed. An error means no value: a number that does not fit, a unit that
// is missing or a part that must be there and is not is reported and never
// guessed. Figures that a collector's text does not give are unknown.
//
// The formats are HotSpot's print_on functions. They have no specification
// and change between releases, so the golden tests run over a reply of every
// JDK and collector.
package vmtext

import (
	"fmt"
	"strings"

	"example.com/jtop/probes"
)

// Space is a part of the memory, in bytes. A figure that the text does not
// give is unknown.
type Space struct {
	Used      probes.Opt[int64] `json:"used_bytes"`
	Committed probes.Opt[int64] `json:"committed_bytes"`
	Reserved  probes.Opt[int64] `json:"reserved_bytes"` // address space set aside
	Max       probes.Opt[int64] `json:"max_bytes"`
}

// fail names the command and what was wrong with its answer; the text in
// question is cleaned and cut, as it goes to the screen.
func fail(command, why, text string) error {
	const most = 120
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Errorf("%s: %s: %q", command, why, probes.Clean(text))
}

// missing names a part that the answer must have.
func missing(command, part string) error {
	return fmt.Errorf("%s: the answer has no %s; it was cut short or this JDK writes a new format", command, part)
}

// uncut checks that the text ends with the end of a line: HotSpot ends every
// answer so, and an answer that stops within a line may end in half a number.
func uncut(command, text string) error {
	if strings.HasSuffix(text, "\n") {
		return nil
	}
	return fmt.Errorf("%s: the answer was cut short after %d bytes; ask again", command, len(text))
}
