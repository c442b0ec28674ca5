package load

import (
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// A moment in which everything is late does not make a connection for each
// arrival: whoever comes back takes the next.
func TestUsherIsFrugal(t *testing.T) {
	var n atomic.Int64
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		if n.Add(1) == 100 {
			time.Sleep(50 * time.Millisecond) // one answer, not the others
		}
		return say(ok)(c, q)
	})
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 2), Rate: 1000, Total: 500})
	if rep.Samples != 500 || rep.Dropped.V != 0 || rep.Connections.V > 100 {
		t.Errorf("%d samples over %v connections, %v dropped", rep.Samples, rep.Connections, rep.Dropped)
	}
}

// At the cap, and after it, the run goes on with those who come back.
func TestUsherAtTheCap(t *testing.T) {
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		time.Sleep(5 * time.Millisecond)
		return say(ok)(c, q)
	})
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 1), Rate: 1000, Total: 100, MaxUsers: 2})
	if rep.Samples != 100 || rep.Connections.V != 2 || srv.conns.Load() != 2 {
		t.Errorf("%d samples over %v connections", rep.Samples, rep.Connections)
	}
}
