package load

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"example.com/jtop/probes"
)

// resolve finds the addresses of a host, of both families. localhost is both
// loopback addresses, whatever the hosts file lists: many list one only, and
// a JVM listens on the other.
func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a.Unmap()}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, resolveWithin)
	defer cancel()
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if strings.EqualFold(host, "localhost") {
		found, err = append(found, netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()), nil
	}
	if err != nil {
		return nil, err
	}
	addrs := make([]netip.Addr, 0, len(found))
	seen := map[netip.Addr]bool{}
	for _, a := range found {
		if a = a.Unmap(); !seen[a] {
			seen[a] = true
			addrs = append(addrs, a)
		}
	}
	if len(addrs) == 0 {
		return nil, fmt.Errorf("%s has no address", host)
	}
	return addrs, nil
}

// NeedsConfirm tells whether a run's target is anything but this machine's
// loopback, and says what it is. It may resolve a name, which takes a few
// seconds at most.
func NeedsConfirm(cfg probes.LoadConfig) (bool, string) {
	text, _ := httpURL(cfg.URL)
	a, _, p := parseURL(text)
	if p != nil {
		return false, "" // New says what is wrong
	}
	return askAbout(a.host)
}

// NeedsYes is NeedsConfirm for a plan: whether any server that it names is
// anything but this machine's loopback.
func NeedsYes(p Plan) (bool, string) {
	if p.Spec == nil {
		return NeedsConfirm(p.LoadConfig)
	}
	p.Confirmed = true // the question is what to confirm
	r, err := NewGenerator(p)
	if err != nil {
		return false, "" // NewGenerator says what is wrong
	}
	r.Stop()
	return r.away()
}

// askAbout tells whether a host is anything but this machine's loopback.
func askAbout(host string) (bool, string) {
	addrs, err := resolve(context.Background(), host)
	if err != nil {
		return true, fmt.Sprintf("%s cannot be resolved now, so it may be any machine", probes.Clean(host))
	}
	return elsewhere(host, addrs)
}

// elsewhere tells whether one of a host's addresses is not loopback.
func elsewhere(host string, addrs []netip.Addr) (bool, string) {
	for _, a := range addrs {
		if a.IsLoopback() {
			continue
		}
		if a.String() == host {
			return true, fmt.Sprintf("%s is not this machine's loopback", a)
		}
		return true, fmt.Sprintf("%s is %s, which is not this machine's loopback", probes.Clean(host), a)
	}
	return false, ""
}
