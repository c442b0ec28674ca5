package attachtest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// Fault is one way in which a Fake misbehaves.
type Fault int

// The faults. They hold for every request but the options probe, unless said
// otherwise.
const (
	// None: answer as HotSpot does.
	None Fault = iota
	// Stall accepts and reads, and never answers; it holds for the probe, too.
	Stall
	// StallHalf stops in the middle of the reply.
	StallHalf
	// Truncate closes cleanly in the middle of the reply.
	Truncate
	// Hangup closes without a byte, as a JVM does that refuses the user.
	Hangup
	// Reset breaks the connection after part of the reply.
	Reset
	// Garbage answers bytes that are no status line.
	Garbage
	// Endless writes until the client closes.
	Endless
	// BadStatus answers status 7 and a text with terminal escapes.
	BadStatus
	// Trickle writes one byte at a time.
	Trickle
)

// Request is what a Fake has received.
type Request struct {
	Version int
	// Name is the command with its options, for example "jcmd streaming=0".
	Name string
	Args []string
}

// Handler gives a reply's status and text.
type Handler func(Request) (status int, text string)

// Fake is a HotSpot in miniature: the files of one process under a proc root of
// its own, and an attach listener. The process behind it is the test itself, so
// that SO_PEERCRED names its pid; attach to it with attach.WithProcRoot(Root) or
// attach.Inspect(Root, PID). Zero values of the exported fields below are a JVM
// of JDK 17; change them before Start.
type Fake struct {
	// Root is the proc root, Tmp the directory that the fake sees as /tmp, Cwd
	// its working directory.
	Root, Tmp, Cwd string
	// PID is the pid in the proc root, NSPID the one in file names.
	PID, NSPID int
	// Options is the reply to "getversion options": "" for JDK 23 and older,
	// "2" for 24, "2 streaming" for 25+.
	Options string
	// Handle answers requests; nil answers "ok\n" to everything.
	Handle Handler

	t  testing.TB
	mu sync.Mutex
	// process is what the files under Root say.
	process  Process
	fault    Fault
	requests []Request
	listener *net.UnixListener
	conns    map[net.Conn]bool
	wg       sync.WaitGroup
}

// NewFake makes the files of a process that is not attached to yet. Listen opens
// its socket; everything is removed when the test ends.
func NewFake(t testing.TB) *Fake {
	t.Helper()
	dir := t.TempDir()
	f := &Fake{
		Root: filepath.Join(dir, "proc"), Tmp: filepath.Join(dir, "root", "tmp"), Cwd: filepath.Join(dir, "cwd"),
		PID: os.Getpid(), NSPID: 7, t: t, conns: map[net.Conn]bool{},
	}
	f.process = newProcess()
	for _, d := range []string{filepath.Join(f.Root, strconv.Itoa(f.PID)), f.Tmp, f.Cwd} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	f.link("root", filepath.Join(dir, "root"))
	f.link("cwd", f.Cwd)
	f.Update(func(*Process) {})
	t.Cleanup(f.Close)
	return f
}

func (f *Fake) link(name, to string) {
	if err := os.Symlink(to, filepath.Join(f.Root, strconv.Itoa(f.PID), name)); err != nil {
		f.t.Fatal(err)
	}
}

// Socket is the path of the attach socket.
func (f *Fake) Socket() string { return filepath.Join(f.Tmp, fmt.Sprintf(".java_pid%d", f.NSPID)) }

// Trigger says whether a trigger file lies in the working directory or in /tmp.
func (f *Fake) Trigger() bool {
	for _, dir := range []string{f.Cwd, f.Tmp} {
		if _, err := os.Lstat(filepath.Join(dir, fmt.Sprintf(".attach_pid%d", f.NSPID))); err == nil {
			return true
		}
	}
	return false
}

// SetFault changes how requests are answered from now on.
func (f *Fake) SetFault(x Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fault = x
}

// Requests are those received so far, without the options probe.
func (f *Fake) Requests() []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Request{}, f.requests...)
}

// Listen opens the socket, as a JVM does after the handshake. A socket file that
// is there is replaced, as HotSpot does by renaming.
func (f *Fake) Listen() {
	f.t.Helper()
	if err := os.Remove(f.Socket()); err != nil && !os.IsNotExist(err) {
		f.t.Error(err)
		return
	}
	l, err := listenShort(f.Tmp, filepath.Base(f.Socket()))
	if err != nil {
		f.t.Error(err)
		return
	}
	f.mu.Lock()
	f.listener = l
	f.mu.Unlock()
	f.wg.Add(1)
	go func() {
		defer f.wg.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.mu.Lock()
			f.conns[conn] = true
			f.mu.Unlock()
			f.wg.Add(1)
			go func() {
				defer f.wg.Done()
				f.serve(conn)
			}()
		}
	}()
}

// listenShort binds through a descriptor, so that the length of a temporary
// directory's path does not matter.
func listenShort(dir, name string) (*net.UnixListener, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	path := fmt.Sprintf("/proc/self/fd/%d/%s", d.Fd(), name)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // a killed JVM leaves its socket behind
	return l, nil
}

// StopListening closes the socket and leaves its file: it is stale then.
func (f *Fake) StopListening() {
	f.mu.Lock()
	l := f.listener
	f.listener = nil
	f.mu.Unlock()
	if l != nil {
		_ = l.Close()
	}
}

// Close ends the listener and every connection and waits for them.
func (f *Fake) Close() {
	f.StopListening()
	f.mu.Lock()
	for c := range f.conns {
		_ = c.Close()
	}
	f.mu.Unlock()
	f.wg.Wait()
}
