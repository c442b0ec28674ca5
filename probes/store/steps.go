package store

import "example.com/jtop/probes"

// unstepped is a dump with the time at which it was taken as the clock had it
// without its steps: in a recording there is no other to tell how far two
// dumps are apart.
func (s *Store) unstepped(d *probes.ThreadDump) *probes.ThreadDump {
	if len(s.steps) == 0 || d.Taken.IsZero() {
		return d
	}
	out := *d
	out.Taken = probes.Unstepped(d.Taken, s.steps)
	return &out
}
