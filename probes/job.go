package probes

import "time"

// Job is something the user asked for that takes a while, at one instant.
type Job struct {
	Title   string     `json:"title"` // "heap dump"
	Started time.Time  `json:"started"`
	Done    Opt[int64] `json:"done"`           // so far, in Unit
	Total   Opt[int64] `json:"total"`          // expected; unknown where nobody can say
	Unit    string     `json:"unit"`           // "bytes", "dumps"
	Text    string     `json:"text,omitempty"` // what it is at, or how it ends early
}
