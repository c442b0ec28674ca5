package main

import (
	"flag"

	"example.com/jtop/probes/load/plan"
)

const loadWireHelp = `
Other protocols, and what carries them:

  --http2           HTTP/2 over TLS, by the standard client, a connection per user
  --h2c             HTTP/2 without TLS, where the server expects it
  --streams N       with either: N users share a connection (1)
`

// registerWire adds the flags of the protocols.
func (m *moreOptions) registerWire(f *flag.FlagSet) {
	speak := func(p plan.Protocol) func(string) error {
		return func(string) error { m.spec.Protocol = p; return nil }
	}
	f.BoolFunc("http2", "", speak(plan.HTTP2))
	f.BoolFunc("h2c", "", speak(plan.H2C))
	f.IntVar(&m.spec.Streams, "streams", 0, "")
}
