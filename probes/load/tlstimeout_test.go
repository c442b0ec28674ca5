package load

import (
	"net"
	"testing"
	"time"

	"example.com/jtop/probes/load/plan"
)

// A server that takes connections and never answers the handshake is up and
// not behind a firewall: its timeout is told apart from that of connecting.
func TestTLSTimeout(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, protocol := range []plan.Protocol{"", "h2"} {
		rep := runSpec(t, &plan.Plan{Total: 1, Protocol: protocol, Timeouts: plan.Timeouts{Total: 50 * time.Millisecond},
			Requests: []plan.Request{one("https://" + l.Addr().String() + "/")}})
		if len(rep.Classes) != 1 || rep.Classes[0].Class != "timeout (TLS handshake)" {
			t.Errorf("%q: %+v", protocol, rep.Classes)
		}
	}
}

// A JTL without response codes tells nothing of them.
func TestGroupWithoutCodes(t *testing.T) {
	g := newGroup()
	g.add(&Line{OK: true, Elapsed: 1})
	g.add(&Line{OK: true, Elapsed: 1, Code: "200"})
	if len(g.status) != 1 || g.status["200"] != 1 || g.answered != 2 {
		t.Errorf("%v, %d answered", g.status, g.answered)
	}
}
