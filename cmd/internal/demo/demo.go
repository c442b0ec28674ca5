package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

const (
	// readyTimeout bounds the start of one JVM: 0.3 s on an idle machine.
	readyTimeout = 30 * time.Second
	// termGrace is the time between SIGTERM and SIGKILL.
	termGrace = 2 * time.Second
	// Ports that are taken first, because they are what people expect a demo to have.
	gatewayPort, questionPort = 8080, 8081
)

// heapFlags give the figures of the demo a well-known size: a young generation of 32 MB in a heap of up to 256 MB.
var heapFlags = []string{"-Xmn32m", "-Xmx256m"}

// Proc is one JVM of the demo.
type Proc struct {
	PID  int    // in jtop's own pid namespace
	Port int    // on 127.0.0.1
	URL  string // "http://127.0.0.1:PORT", without a slash at the end
}

// Demo is the pair of running services. Its fields do not change after [Start].
type Demo struct {
	Gateway, Question Proc

	dir      string
	services []*service // in the order of their start
	stop     sync.Once
	stopping chan struct{} // closed when Stop begins
}

// Option changes how [Start] starts the services.
type Option func(*options)

type options struct {
	churnMBps int
	jvmArgs   []string
	ephemeral bool
}

// WithChurn makes both services allocate that many MB/s (0 to 500) without any request.
func WithChurn(mbps int) Option { return func(o *options) { o.churnMBps = mbps } }

// WithJVMArgs adds flags to both command lines, after the demo's own heap sizes.
func WithJVMArgs(args ...string) Option {
	return func(o *options) { o.jvmArgs = append(o.jvmArgs, args...) }
}

// WithEphemeralPorts takes any free ports instead of trying 8080 and 8081 first.
func WithEphemeralPorts() Option { return func(o *options) { o.ephemeral = true } }

// Start starts both services with the given launcher (see [FindJava]), on 127.0.0.1 only, and returns once both answer.
// What they print goes to log line by line with the service's name before it; log may be nil. They end with
// [Demo.Stop], when ctx is done, and when this process ends in whatever way.
func Start(ctx context.Context, java string, log io.Writer, opts ...Option) (*Demo, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if log == nil {
		log = io.Discard
	}
	dir, err := os.MkdirTemp("", "jtop-demo-")
	if err != nil {
		return nil, fmt.Errorf("demo: no temporary directory for the jars (set TMPDIR to a writable one): %w", err)
	}
	d := &Demo{dir: dir, stopping: make(chan struct{})}
	if err := d.start(ctx, java, &lineLog{w: log}, o); err != nil {
		d.Stop()
		return nil, err
	}
	go func() { // ends with Stop at the latest
		select {
		case <-ctx.Done():
			d.Stop()
		case <-d.stopping:
		}
	}()
	return d, nil
}

func (d *Demo) start(ctx context.Context, java string, log *lineLog, o options) error {
	if err := writeJars(d.dir); err != nil {
		return err
	}
	question, err := d.launch(ctx, java, "question", log, o, questionPort)
	if err != nil {
		return err
	}
	d.Question = question
	d.Gateway, err = d.launch(ctx, java, "gateway", log, o, gatewayPort, "--upstream", strconv.Itoa(question.Port))
	return err
}

func (d *Demo) launch(ctx context.Context, java, name string, log *lineLog, o options, prefer int, more ...string) (Proc, error) {
	args := append([]string{}, heapFlags...)
	args = append(args, o.jvmArgs...)
	args = append(args, "-jar", filepath.Join(d.dir, name+".jar"), "--port", "0", "--churn", strconv.Itoa(o.churnMBps))
	if !o.ephemeral {
		args = append(args, "--prefer", strconv.Itoa(prefer))
	}
	s, err := startService(name, java, append(args, more...), log)
	if err != nil {
		return Proc{}, err
	}
	d.services = append(d.services, s)
	port, err := s.awaitReady(ctx, readyTimeout)
	if err != nil {
		return Proc{}, err
	}
	return Proc{PID: s.pid, Port: port, URL: "http://127.0.0.1:" + strconv.Itoa(port)}, nil
}

// Done is closed once either service has ended, for whatever reason.
func (d *Demo) Done() <-chan struct{} {
	done := make(chan struct{})
	go func() { // ends with the services, which Stop awaits
		defer close(done)
		select {
		case <-d.services[0].done:
		case <-d.services[1].done:
		}
	}()
	return done
}

// Stop ends both services (SIGTERM, after 2 s SIGKILL), waits for them and removes the jars. It may be called more than
// once and from several goroutines; each call returns when all is gone.
func (d *Demo) Stop() {
	d.stop.Do(func() {
		close(d.stopping)
		for _, s := range d.services {
			s.terminate()
		}
		deadline := time.NewTimer(termGrace)
		defer deadline.Stop()
		for _, s := range d.services {
			select {
			case <-s.done:
				continue
			case <-deadline.C:
			}
			for _, late := range d.services {
				late.kill()
			}
			<-s.done
		}
		// What cannot be removed are two jars of 30 KB in the system's temporary directory.
		if err := os.RemoveAll(d.dir); err != nil && !errors.Is(err, os.ErrNotExist) {
			fmt.Fprintf(d.logger(), "cannot remove %s: %v\n", d.dir, err)
		}
	})
}

func (d *Demo) logger() io.Writer {
	if len(d.services) == 0 {
		return io.Discard
	}
	return d.services[0].log
}
