package attachtest

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
)

// probeStart begins the options probe.
const probeStart = "1\x00getvers"

func (f *Fake) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close()
		f.mu.Lock()
		delete(f.conns, conn)
		f.mu.Unlock()
	}()
	f.mu.Lock()
	fault := f.fault
	f.mu.Unlock()

	// Closing with unread bytes resets the connection.
	head := make([]byte, len(probeStart))
	n, err := io.ReadFull(conn, head)
	if err != nil {
		return // the client only looked whether we listen
	}
	if fault == Reset && string(head) != probeStart {
		_, _ = conn.Write([]byte("0\nhalf a "))
		return
	}
	r, err := readRequest(io.MultiReader(bytes.NewReader(head[:n]), conn))
	if err != nil {
		return
	}
	f.mu.Lock()
	probe := r.Name == "getversion"
	if !probe {
		f.requests = append(f.requests, r)
	}
	f.mu.Unlock()
	if probe && fault != Stall {
		fault = None
	}
	status, text := f.answer(r)
	f.write(conn, fault, fmt.Sprintf("%d\n%s", status, text))
}

func (f *Fake) answer(r Request) (int, string) {
	switch name, _, _ := strings.Cut(r.Name, " "); {
	case name == "getversion" && f.Options == "":
		return -1, "Operation getversion not recognized!\n"
	case name == "getversion":
		return 0, f.Options
	case r.Version == 2 && f.Options == "":
		return 101, ""
	case f.Handle != nil:
		return f.Handle(r)
	}
	return 0, "ok\n"
}

// write answers in two pieces, as HotSpot does: the status often comes alone.
func (f *Fake) write(conn net.Conn, fault Fault, reply string) {
	head, tail := reply[:1], reply[1:]
	half := tail[:len(tail)/2]
	send := func(s string) { _, _ = conn.Write([]byte(s)) } // a client may have gone
	hold := func() { _, _ = conn.Read(make([]byte, 1)) }    // until either side closes
	switch fault {
	case Stall:
		hold()
	case StallHalf:
		send(head + half)
		hold()
	case Truncate:
		send(head + half)
	case Hangup:
	case Garbage:
		send("\x1b]0;owned\x07 no status")
	case Endless:
		send("0\n")
		block := bytes.Repeat([]byte("x"), 64<<10)
		for {
			if _, err := conn.Write(block); err != nil {
				return
			}
		}
	case BadStatus:
		send("7\n\x1b[31mjava.lang.Exception: \x07boom\x1b[0m\n")
	case Trickle:
		for i := range len(reply) {
			send(reply[i : i+1])
		}
	default:
		send(head)
		send(tail)
	}
}
