package proc

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"example.com/jtop/probes"
)

// keepAbove is the number of threads above which descriptors are kept open between reads, which
// costs a third of opening them again; below it the saving is not worth the descriptors.
const keepAbove = 500

// commEvery is how often a kept thread's name is read again: a Java thread may be renamed.
const commEvery = 16

// Task is one thread of a process.
type Task struct {
	TID   int           // in our pid namespace
	Inner int           // in the process's own; this is what a thread dump calls nid
	Comm  string        // first 15 bytes of the name, cleaned
	CPU   time.Duration // since the thread began: ns steps, 10 ms where the kernel has no schedstat
	// User and System are its parts, in steps of 10 ms each: their sum may be less than CPU by up to 20 ms.
	User, System time.Duration
}

// TaskReader reads the CPU times of all threads of one process, again and again. It is not safe
// for concurrent use; Close it.
type TaskReader struct {
	fs     FS
	pid    int
	nested bool
	known  map[int]*thread
	round  uint64
	kept   int
	budget int // descriptors that may be kept
	buf    [512]byte
	tids   []int
}

// thread is what is remembered of a thread between reads.
type thread struct {
	comm         string
	inner        int
	cpu          time.Duration
	user, system time.Duration
	fd           int // kept descriptor of schedstat, or -1
	reads        uint64
	round        uint64 // last seen in
}

// NewTaskReader makes a reader. It reads the process's status once, to learn about namespaces.
func NewTaskReader(f FS, pid int) (*TaskReader, error) {
	st, err := f.Status(pid)
	if err != nil {
		return nil, err
	}
	r := &TaskReader{fs: f, pid: pid, nested: len(st.NSpid) > 1, known: map[int]*thread{}}
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err == nil {
		// Half of what this process may open is left to everything else.
		r.budget = int(min(lim.Cur/2, 1<<16))
	}
	return r, nil
}

// Close releases the kept descriptors. It may be called more than once.
func (r *TaskReader) Close() error {
	for tid := range r.known {
		r.forget(tid)
	}
	return nil
}

func (r *TaskReader) forget(tid int) {
	if t := r.known[tid]; t != nil {
		r.drop(t)
		delete(r.known, tid)
	}
}

func (r *TaskReader) drop(t *thread) {
	if t.fd >= 0 {
		_ = unix.Close(t.fd)
		t.fd = -1
		r.kept--
	}
}

// Read returns every thread, by tid. A thread that exits meanwhile is left out; ErrGone means that
// the whole process has.
func (r *TaskReader) Read(ctx context.Context) ([]Task, error) {
	r.round++
	dir := r.fs.path(r.pid, "task")
	r.tids = r.tids[:0]
	err := eachName(dir, func(name string) error {
		if tid, err := strconv.Atoi(name); err == nil && tid > 0 {
			r.tids = append(r.tids, tid)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(r.tids) == 0 {
		return nil, ErrGone
	}
	slices.Sort(r.tids)
	out := make([]Task, 0, len(r.tids))
	keep := len(r.tids) > keepAbove
	for i, tid := range r.tids {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t, err := r.task(dir+"/"+strconv.Itoa(tid), tid, keep)
		if errors.Is(err, ErrGone) {
			r.forget(tid)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, Task{TID: tid, Inner: t.inner, Comm: t.comm, CPU: t.cpu, User: t.user, System: t.system})
	}
	for tid, t := range r.known {
		if t.round != r.round {
			r.forget(tid)
		}
	}
	return out, nil
}

func (r *TaskReader) task(dir string, tid int, keep bool) (*thread, error) {
	t := r.known[tid]
	if t == nil {
		t = &thread{fd: -1, inner: tid}
		r.known[tid] = t
	}
	cpu, err := r.cpu(t, dir, keep)
	if err != nil {
		return nil, err
	}
	// Time that runs backwards is a new thread under a used number.
	if cpu < t.cpu {
		t.reads = 0
	}
	if cpu != t.cpu || t.reads == 0 {
		if err := r.split(t, dir); err != nil {
			return nil, err
		}
	}
	t.cpu, t.round = cpu, r.round
	if t.reads == 0 && r.nested {
		if t.inner, err = r.inner(dir); err != nil {
			return nil, err
		}
	}
	// A thread gets its Java name a moment after it began, so young ones are asked every time.
	if t.reads < 3 || !keep || t.reads%commEvery == 0 {
		b, err := r.read(dir + "/comm")
		if err != nil {
			return nil, err
		}
		if b = bytes.TrimSuffix(b, []byte("\n")); string(b) != t.comm {
			t.comm = probes.Clean(string(b))
		}
	}
	t.reads++
	return t, nil
}

// cpu reads schedstat, through a kept descriptor where there is one, else stat.
func (r *TaskReader) cpu(t *thread, dir string, keep bool) (time.Duration, error) {
	if t.fd >= 0 {
		n, err := unix.Pread(t.fd, r.buf[:], 0)
		if err == nil && n > 0 {
			if cpu, err := parseSchedstat(r.buf[:n]); err == nil {
				return cpu, nil
			}
		}
		// The thread ended; its number may already belong to another one.
		r.drop(t)
		t.reads, t.cpu = 0, 0
	}
	b, err := r.readSched(t, dir, keep)
	if err == nil {
		cpu, err := parseSchedstat(b)
		if err == nil && cpu > 0 {
			return cpu, nil
		}
	} else if errors.Is(err, ErrPermission) {
		return 0, err
	}
	// Zero or missing: a kernel without scheduler statistics, or a thread that never ran.
	st, err := readStat(dir + "/stat")
	if err != nil {
		return 0, err
	}
	return st.CPU(), nil
}

func (r *TaskReader) readSched(t *thread, dir string, keep bool) ([]byte, error) {
	if !keep || r.kept >= r.budget {
		return r.read(dir + "/schedstat")
	}
	fd, err := unix.Open(dir+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, explain(err)
	}
	t.fd = fd
	r.kept++
	n, err := unix.Pread(fd, r.buf[:], 0)
	if err != nil {
		return nil, explain(err)
	}
	return r.buf[:n], nil
}

// read is open, one read and close by system calls: a third of the cost of an os.File, for files
// that have one short line.
func (r *TaskReader) read(path string) ([]byte, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, explain(err)
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, r.buf[:])
	if err != nil {
		return nil, explain(err)
	}
	return r.buf[:n], nil
}

func (r *TaskReader) inner(dir string) (tid int, err error) {
	err = withFile(dir+"/status", func(b []byte) error {
		st, err := parseStatus(b)
		tid = st.InnerPID()
		return err
	})
	return tid, err
}

// parseSchedstat decodes "ns on cpu, ns waiting, time slices" and returns the first.
func parseSchedstat(b []byte) (time.Duration, error) {
	v, rest := field(b)
	n, ok := number(v)
	if !ok || n > math.MaxInt64 || len(rest) == 0 {
		return 0, format("schedstat", b)
	}
	return time.Duration(n), nil
}
