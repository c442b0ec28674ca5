package load

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"strings"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// origin is one server that requests go to, with what is needed to connect.
type origin struct {
	address
	number int    // in the run, from 0
	unix   string // path of a socket in place of host and port
	dial   address
	addrs  []netip.Addr // of dial; set once, before the first connection
	config *tls.Config  // nil: no TLS
}

// errElsewhere is the cause where a request would leave this machine, and
// nobody said that it may.
var errElsewhere = errors.New("the target is not this machine, and load to another was not confirmed")

// maxOrigins bounds the servers of one run: redirects and variables may name
// ever new ones.
const maxOrigins = 64

var errOrigins = errors.New("the run has met more than 64 servers")

// originOf makes the origin of an address; r.originsMu is held, or the run not
// shared yet.
func (r *Runner) originOf(a address) (*origin, error) {
	for _, o := range r.origins {
		if o.address == a {
			return o, nil
		}
	}
	if len(r.origins) >= maxOrigins {
		return nil, errOrigins
	}
	o := &origin{address: a, number: len(r.origins), unix: r.spec.UnixSocket, dial: instead(a, r.spec.ConnectTo)}
	if a.tls {
		o.config = r.tls.Clone()
		if o.config.ServerName == "" {
			o.config.ServerName = a.host
		}
	}
	r.origins = append(r.origins, o)
	return o, nil
}

// instead is where to connect for an address: by the first rule that fits.
func instead(a address, rules []string) address {
	for _, text := range rules {
		rule, err := plan.ParseConnectTo(text)
		if err != nil || rule.FromHost != "" && !strings.EqualFold(rule.FromHost, a.host) || rule.FromPort != "" && rule.FromPort != a.port {
			continue
		}
		if rule.ToHost != "" {
			a.host = rule.ToHost
		}
		if rule.ToPort != "" {
			a.port = rule.ToPort
		}
		return a
	}
	return a
}

// find looks the origin's addresses up, once for the whole run.
func (r *Runner) find(ctx context.Context, o *origin) error {
	if o.unix != "" || o.addrs != nil {
		return nil
	}
	addrs, err := resolve(ctx, o.dial.host)
	if err != nil {
		return err
	}
	// A name that was on loopback when the run was checked may be elsewhere
	// now, so an unconfirmed one is looked at again.
	if away, _ := elsewhere(o.dial.host, addrs); away && !r.cfg.Confirmed {
		return errElsewhere
	}
	o.addrs = addrs
	return nil
}

// findAll looks up every server that the plan names, before the first request.
func (r *Runner) findAll() *probes.Problem {
	for i, o := range r.origins {
		began := time.Now()
		err := r.find(r.ctx, o)
		if i == 0 && o.unix == "" {
			r.lookup.Store(int64(time.Since(began)))
		}
		switch {
		case err == nil:
		case r.stopping():
			return bad("the run was stopped before it began", "the host was still being looked up", "start it again")
		case errors.Is(err, errElsewhere):
			return unconfirmed(probes.Clean(o.dial.host) + " is now " + errElsewhere.Error())
		default:
			return bad("the host cannot be found", probes.Clean(err.Error()), "check the name in the URL")
		}
	}
	return nil
}

// reach is the origin of an address that a redirect or a variable names.
func (r *Runner) reach(ctx context.Context, a address) (*origin, error) {
	r.originsMu.Lock()
	defer r.originsMu.Unlock()
	o, err := r.originOf(a)
	if err != nil {
		return nil, err
	}
	return o, r.find(ctx, o)
}

// away tells whether any server that the plan names is not this machine.
func (r *Runner) away() (bool, string) {
	for _, o := range r.origins {
		if o.unix != "" {
			continue
		}
		if ask, why := askAbout(o.dial.host); ask {
			return true, why
		}
	}
	return false, ""
}

// dialTo connects to the addresses of the origin in turn. Each has its share
// of the time, so that one that swallows packets leaves some for the next.
func (o *origin) dialTo(ctx context.Context, deadline time.Time) (net.Conn, error) {
	d := net.Dialer{Deadline: deadline, KeepAlive: -1}
	if o.unix != "" {
		return d.DialContext(ctx, "unix", o.unix)
	}
	var first error
	for i, a := range o.addrs {
		d.Deadline = deadline
		if left := len(o.addrs) - i; left > 1 {
			d.Deadline = time.Now().Add(time.Until(deadline) / time.Duration(left))
		}
		c, err := d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, o.dial.portNumber()).String())
		if err == nil {
			return c, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
