// Package unit writes figures the way JVM engineers read them, always with
// their unit and within a fixed width, so that columns do not jitter.
//
// Sizes are 1024-based with the letters of -Xmx (1 MB is 1048576 bytes, as in
// HotSpot's own output). A figure that is unknown, or not a finite number, is
// Unknown and never 0; one that is too small for its digits says so ("<0.1 %").
//
// Every quantity comes in three forms: of a value, of an Opt (…Opt), and of
// an Opt right-aligned to a fixed width (…Fixed).
package unit

import "strings"

// Unknown stands for a figure that is not known.
const Unknown = "-"

// Right aligns ASCII text to the right of w cells; longer text stays whole.
func Right(s string, w int) string {
	if len(s) >= w {
		return s
	}
	return strings.Repeat(" ", w-len(s)) + s
}
