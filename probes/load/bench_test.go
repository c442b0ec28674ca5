package load

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

// serveEnv makes the test binary a small raw server, in a process of its own
// so that its CPU time is not the runner's.
const serveEnv = "JTOP_LOAD_SERVER"

const small = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, World!"

// echo answers everything that comes at once with one small answer; it
// allocates nothing.
func echo(c net.Conn) {
	defer c.Close()
	buf, answer := make([]byte, 4096), []byte(small)
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		if !bytes.HasSuffix(buf[:n], []byte("\r\n\r\n")) {
			panic("a request in pieces: this server is too simple for it")
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
}

func echoAll(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go echo(c)
	}
}

// serveUntilEOF serves, having told its address, until its input ends.
func serveUntilEOF() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(ln.Addr())
	go echoAll(ln)
	io.Copy(io.Discard, os.Stdin)
}

// BenchmarkRequest is one request and its answer on one connection. Both ends
// are in this process; neither may allocate.
func BenchmarkRequest(b *testing.B) {
	ln := loopback(b)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, err := ln.Accept(); err == nil {
			echo(c)
		}
	}()
	r, err := New(probes.LoadConfig{URL: "http://" + ln.Addr().String(), Users: 1})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	u := firstUser(b, r)
	u.once(ctx, 0, time.Time{}) // connects
	b.ReportAllocs()
	for b.Loop() {
		u.once(ctx, 0, time.Time{})
	}
	b.StopTimer()
	u.close()
	ln.Close()
	<-done
	if s := r.Sample(time.Now()); s.Total.Failed > 0 {
		b.Fatalf("%+v", s.Errors)
	}
}

// BenchmarkReadAnswer is the parser alone.
func BenchmarkReadAnswer(b *testing.B) {
	for name, text := range map[string]string{"length": small, "chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nd\r\nHello, World!\r\n0\r\n\r\n"} {
		b.Run(name, func(b *testing.B) {
			in := strings.NewReader(text)
			r := bufio.NewReader(in)
			b.ReportAllocs()
			for b.Loop() {
				in.Reset(text)
				if _, err := readAnswer(r, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSample is one reading of a run with 50 users' worth of figures.
func BenchmarkSample(b *testing.B) {
	r, err := New(probes.LoadConfig{URL: "http://127.0.0.1:1", Users: 50})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i, sh := range r.shards {
			for k := range 100 {
				sh.add(&outcome{took: time.Duration(1+i*k) * 17 * time.Microsecond, status: 200})
			}
		}
		r.Sample(time.Now())
	}
}

// serveApart starts the server in a process of its own and returns its address.
func serveApart(b *testing.B) string {
	b.Helper()
	srv := exec.Command(os.Args[0])
	srv.Env = append(os.Environ(), serveEnv+"=1")
	srv.Stderr = os.Stderr
	in, err := srv.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := srv.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := srv.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		srv.Wait()
	})
	var addr string
	if _, err := fmt.Fscanln(out, &addr); err != nil {
		b.Fatal(err)
	}
	return addr
}

// BenchmarkOpen is an open run of 5,000 requests a second: the CPU time per
// 100,000 requests, and how late they go out.
func BenchmarkOpen(b *testing.B) {
	const rate, lasts = 5000, 2 * time.Second
	addr := serveApart(b)
	var cpu time.Duration
	var n int64
	var lag, late float64
	for b.Loop() {
		cfg := base("http://"+addr+"/", 10)
		cfg.Duration = lasts
		r, err := NewPlan(Plan{LoadConfig: cfg, Rate: rate})
		if err != nil {
			b.Fatal(err)
		}
		before := ownCPU()
		if err := r.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
		cpu += ownCPU() - before
		rep := r.Report(time.Now())
		if rep.Errors > 0 || rep.Samples == 0 {
			b.Fatal(rep.Verdict)
		}
		n += rep.Samples
		lag, late = rep.SendLag.P99.V, float64(rep.Late.V)/float64(rep.Samples)*100
	}
	b.ReportMetric(cpu.Seconds()/float64(n)*1e5, "cpu-s/100k")
	b.ReportMetric(float64(n)/float64(b.N)/lasts.Seconds(), "req/s")
	b.ReportMetric(lag, "lag-p99-ms")
	b.ReportMetric(late, "late-%")
}

var wrkRequests = regexp.MustCompile(`(\d+) requests in`)

// BenchmarkLoadVsWrk compares the CPU time per request with wrk's: 50
// connections, closed, small answers, rounds by turns against one server in a
// process of its own. Figures are seconds of CPU per 100,000 requests.
func BenchmarkLoadVsWrk(b *testing.B) {
	wrk, err := exec.LookPath("wrk")
	if err != nil {
		b.Fatalf("%v; install it: apt-get install wrk", err)
	}
	const users, lasts = 50, 2 * time.Second
	addr := serveApart(b)
	var ownCPUs, wrkCPUs time.Duration
	var ownN, wrkN int64
	for b.Loop() {
		cmd := exec.Command(wrk, "-t2", "-c"+strconv.Itoa(users), "-d"+lasts.String(), "http://"+addr+"/")
		text, err := cmd.CombinedOutput()
		m := wrkRequests.FindSubmatch(text)
		if err != nil || m == nil {
			b.Fatalf("%v: %s", err, text)
		}
		n, err := strconv.ParseInt(string(m[1]), 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		wrkN += n
		wrkCPUs += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()

		r, err := New(probes.LoadConfig{URL: "http://" + addr + "/", Users: users, Duration: lasts})
		if err != nil {
			b.Fatal(err)
		}
		before := ownCPU()
		if err := r.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
		ownCPUs += ownCPU() - before
		s := r.Sample(time.Now())
		if s.Total.Failed > 0 || s.Total.Samples == 0 {
			b.Fatalf("%s", s.Verdict)
		}
		ownN += s.Total.Samples
	}
	b.StopTimer()
	own := ownCPUs.Seconds() / float64(ownN) * 1e5
	peer := wrkCPUs.Seconds() / float64(wrkN) * 1e5
	rounds := float64(b.N) * lasts.Seconds()
	b.ReportMetric(own, "cpu-s/100k")
	b.ReportMetric(peer, "wrk-cpu-s/100k")
	b.ReportMetric(own/peer, "x-wrk")
	b.ReportMetric(float64(ownN)/rounds, "req/s")
	b.ReportMetric(float64(wrkN)/rounds, "wrk-req/s")
}
