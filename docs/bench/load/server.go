//go:build bench

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

const answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!"

// A frozen server answers after 1 ms, but not at all from 2 s to 4 s of every
// 6 s since its first request: collections of an old generation look so.
const (
	thinks = time.Millisecond
	cycle  = 6 * time.Second
	sleeps = 2 * time.Second
	wakes  = 4 * time.Second
)

// server gives a small answer to each request and counts them. It is a process
// of its own, so that its CPU time is not the generator's.
type server struct {
	requests atomic.Int64
	freezes  bool
	first    atomic.Int64 // when the first request came, ns
}

// serve tells its address, and then for each line on its input how many
// requests came and what CPU time, in seconds, it has taken; until the input ends.
func serve(freezes bool) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &server{freezes: freezes}
	fmt.Println(ln.Addr())
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go s.talk(c)
		}
	}()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return err
		}
		fmt.Println(s.requests.Load(), seconds(u.Utime)+seconds(u.Stime))
	}
	return lines.Err()
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }

// talk answers each head that comes; requests have no bodies here. The end of a
// head may come in pieces.
func (s *server) talk(c net.Conn) {
	defer c.Close()
	end := []byte("\r\n\r\n")
	buf, held := make([]byte, 16<<10), 0
	for {
		n, err := c.Read(buf[held:])
		if err != nil {
			return
		}
		in := buf[:held+n]
		for {
			i := bytes.Index(in, end)
			if i < 0 {
				break
			}
			in = in[i+len(end):]
			s.requests.Add(1)
			if s.freezes {
				s.hold()
			}
			if _, err := c.Write([]byte(answer)); err != nil {
				return
			}
		}
		if held = copy(buf, in); held == len(buf) {
			return // no head is that long
		}
	}
}

// hold takes the time of an answer, and waits for the end of a freeze.
func (s *server) hold() {
	s.first.CompareAndSwap(0, time.Now().UnixNano())
	time.Sleep(thinks)
	at := time.Duration(time.Now().UnixNano()-s.first.Load()) % cycle
	if at >= sleeps && at < wakes {
		time.Sleep(wakes - at)
	}
}
