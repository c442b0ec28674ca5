package load

import (
	"time"

	"example.com/jtop/probes"
)

// parts is how the service times divide. A request on a kept connection has
// no connect and no TLS, and is not counted there.
type parts struct{ connect, tls, wait, download times }

func (p *parts) add(o *outcome) {
	if o.dialed > 0 {
		p.connect.add(o.dialed)
	}
	if o.secured > 0 {
		p.tls.add(o.secured)
	}
	if o.waited > 0 {
		p.wait.add(o.waited)
		p.download.add(o.download)
	}
}

func (p *parts) merge(o *parts) {
	p.connect.merge(&o.connect)
	p.tls.merge(&o.tls)
	p.wait.merge(&o.wait)
	p.download.merge(&o.download)
}

func (p *parts) reset() {
	p.connect.reset()
	p.tls.reset()
	p.wait.reset()
	p.download.reset()
}

// figures is the split; lookup is the one look-up of the run.
func (p *parts) figures(lookup time.Duration) []probes.LoadPart {
	out := make([]probes.LoadPart, 0, 5)
	if lookup > 0 {
		var once times
		once.add(lookup)
		out = append(out, probes.LoadPart{Part: probes.LoadDNS, LoadTimes: loadTimes(dist(&once), 1)})
	}
	for _, f := range []struct {
		name probes.LoadPartName
		t    *times
	}{{probes.LoadConnect, &p.connect}, {probes.LoadTLS, &p.tls}, {probes.LoadFirstByte, &p.wait}, {probes.LoadDownload, &p.download}} {
		if f.t.n > 0 {
			out = append(out, probes.LoadPart{Part: f.name, LoadTimes: loadTimes(dist(f.t), f.t.n)})
		}
	}
	return out
}
