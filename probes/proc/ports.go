package proc

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Scope says from where a listening port can be reached. Lower values are kept where a process
// listens on the same port at several addresses.
type Scope int

// Scopes, widest first.
const (
	Any      Scope = iota // 0.0.0.0 or [::]
	Loopback              // 127.0.0.0/8 or [::1]
	Specific              // one address of the host
)

// Port is a TCP port on which a process listens.
type Port struct {
	Port  int
	Scope Scope
	Addr  netip.Addr // IPv4 in IPv6 is unmapped
}

// PortsResult is the answer for one process of a batch.
type PortsResult struct {
	Ports []Port // sorted, unique by number
	Err   error
}

// ListeningPorts are the TCP ports on which a process listens, in its own network namespace, sorted
// and unique. It needs the rights to read the process's descriptors: else the error is ErrPermission.
func (f FS) ListeningPorts(pid int) ([]Port, error) {
	table, err := f.listeners(pid)
	if err != nil {
		return nil, err
	}
	return f.joinPorts(pid, table)
}

// ListeningPortsAll is ListeningPorts for many processes, with each network namespace's table read
// only once.
func (f FS) ListeningPortsAll(pids []int) map[int]PortsResult {
	type answer struct {
		table map[uint64]Port
		err   error
	}
	tables := map[string]answer{}
	out := make(map[int]PortsResult, len(pids))
	for _, pid := range pids {
		ns, err := readlink(f.path(pid, "ns", "net"))
		if err != nil {
			out[pid] = PortsResult{Err: err} // whoever may not read this may not read descriptors
			continue
		}
		a, ok := tables[ns]
		if !ok {
			a.table, a.err = f.listeners(pid)
			// A failure is of this process, perhaps just gone, and not of its namespace.
			if a.err == nil {
				tables[ns] = a
			}
		}
		if a.err != nil {
			out[pid] = PortsResult{Err: a.err}
			continue
		}
		ports, err := f.joinPorts(pid, a.table)
		out[pid] = PortsResult{Ports: ports, Err: err}
	}
	return out
}

// listeners reads the listening sockets of a process's namespace, by inode.
func (f FS) listeners(pid int) (map[uint64]Port, error) {
	out := map[uint64]Port{}
	for _, name := range []string{"tcp", "tcp6"} {
		file, err := os.Open(f.path(pid, "net", name))
		if err != nil {
			if err = explain(err); name == "tcp6" && errors.Is(err, ErrGone) {
				continue // a host without IPv6
			}
			return nil, err
		}
		err = parseTCP(file, out)
		_ = file.Close()
		if err != nil {
			return nil, fmt.Errorf("listening sockets of pid %d: %w", pid, explain(err))
		}
	}
	return out, nil
}

// parseTCP adds the listening sockets of a net/tcp or net/tcp6 table to out. It streams: a busy
// server has 100,000 connections, of which a handful listen.
func parseTCP(r io.Reader, out map[uint64]Port) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 4<<10), 64<<10)
	for first := true; sc.Scan(); first = false {
		if first {
			continue // column titles
		}
		p, inode, ok, err := parseTCPLine(sc.Bytes())
		if err != nil {
			return err
		}
		if ok {
			out[inode] = p
		}
	}
	return sc.Err()
}

// parseTCPLine decodes "sl local remote state ... inode ..."; ok is false for what does not listen.
func parseTCPLine(line []byte) (p Port, inode uint64, ok bool, err error) {
	var col [10][]byte
	rest := line
	for i := range col {
		if col[i], rest = field(rest); i == 3 && string(col[3]) != "0A" {
			if len(col[3]) != 2 {
				return p, 0, false, format("socket state", line)
			}
			return p, 0, false, nil
		}
	}
	host, port, _ := bytes.Cut(col[1], []byte(":"))
	addr, okAddr := parseHexAddr(host)
	n, errPort := strconv.ParseUint(string(port), 16, 16)
	inode, okInode := number(col[9])
	if !okAddr || errPort != nil || !okInode {
		return p, 0, false, format("listening socket", line)
	}
	p = Port{Port: int(n), Addr: addr, Scope: Specific}
	switch {
	case addr.IsUnspecified():
		p.Scope = Any
	case addr.IsLoopback():
		p.Scope = Loopback
	}
	return p, inode, true, nil
}

// parseHexAddr decodes 1 or 4 words of 32 bits, each in the machine's byte order.
func parseHexAddr(b []byte) (netip.Addr, bool) {
	var raw [16]byte
	if len(b) != 8 && len(b) != 32 {
		return netip.Addr{}, false
	}
	n, err := hex.Decode(raw[:], b)
	if err != nil {
		return netip.Addr{}, false
	}
	for i := 0; i < n; i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	addr, ok := netip.AddrFromSlice(raw[:n])
	return addr.Unmap(), ok
}

// joinPorts picks the listening sockets that a process holds.
func (f FS) joinPorts(pid int, table map[uint64]Port) ([]Port, error) {
	if len(table) == 0 {
		return nil, nil
	}
	dir := f.path(pid, "fd")
	best := map[int]Port{}
	err := eachName(dir, func(name string) error {
		link, err := os.Readlink(dir + "/" + name)
		if err != nil {
			return nil // closed meanwhile
		}
		inode, ok := socketInode(link)
		if !ok {
			return nil
		}
		p, ok := table[inode]
		if old, dup := best[p.Port]; ok && (!dup || p.Scope < old.Scope) {
			best[p.Port] = p
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(best), func(a, b Port) int { return cmp.Compare(a.Port, b.Port) }), nil
}

func socketInode(link string) (uint64, bool) {
	s, ok := strings.CutPrefix(link, "socket:[")
	if s, ok2 := strings.CutSuffix(s, "]"); ok && ok2 {
		return number([]byte(s))
	}
	return 0, false
}
