// Package probes is jtop's data model: what was read (Sample, Event), how it
// travels (Record), what is derived from it (Snapshot) and what one paint of
// the screen reads (Frame). It knows nothing of sockets, files or terminals
// and imports the standard library only, so that live watching, recordings,
// --json and tests share one path: Record -> store -> Frame.
//
// The rule for figures: a reading that was not taken or that the target does
// not offer is absent (a nil group, an Opt without value). It is never 0,
// never -1 and never NaN.
package probes
