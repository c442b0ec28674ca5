package report

import "example.com/jtop/probes/gclog"

// GCReport is `jtop gc FILE... --json`: what the files of one log tell
// together.
type GCReport struct {
	Files    []GCFile        `json:"files"`    // in the order of their content
	Findings []gclog.Finding `json:"findings"` // the gravest first; always one at least
	gclog.Summary
}

// GCFile is one file of a log.
type GCFile struct {
	Name  string `json:"name"`
	Bytes num    `json:"bytes"` // of its text, unpacked
	Error string `json:"error"` // why the rest of it is missing; "" when all was read
}

// NewGC makes the report of a log.
func NewGC(files []GCFile, s gclog.Summary) GCReport {
	return GCReport{Files: files, Findings: s.Findings(), Summary: s}
}
