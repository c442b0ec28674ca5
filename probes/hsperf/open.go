package hsperf

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// OpenFile opens a counters file by path. Whether its JVM is alive cannot be told from the file:
// use Open for a running process.
func OpenFile(path string) (*Reader, error) {
	f, _, err := openRegular(path, true)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, fmt.Errorf("%w: %w; run as its owner or as root", ErrPermission, err)
		}
		return nil, err
	}
	r, err := NewReader(f, "file")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Open finds the counters of a running process by the whole chain: the file in the process's own
// /tmp if the process maps it, the deleted file through map_files, the memory of the process.
// procRoot is "/proc" but for tests; pid is the process in our pid namespace, nspid in its own;
// users are the names whose hsperfdata directories are tried first. The errors are ErrGone,
// ErrNotReady, ErrPermission, ErrNoData, ErrStale, ErrZeroed or an error of parsing; several ways
// that failed are joined.
func Open(procRoot string, pid, nspid int, users ...string) (*Reader, error) {
	alive, err := openLife(procRoot, pid)
	if err != nil {
		return nil, err
	}
	o := opener{procRoot: procRoot, pid: pid, nspid: nspid, users: users}
	src, via, err := o.find()
	if err != nil {
		gone := alive.check()
		_ = alive.f.Close()
		if gone != nil {
			return nil, gone
		}
		return nil, err
	}
	r, err := newReader(src, via, alive)
	if err != nil {
		return nil, fmt.Errorf("pid %d, counters from %s: %w", pid, via, err)
	}
	return r, nil
}

// OpenMem finds the counters in the memory of a process, without a file.
func OpenMem(procRoot string, pid int) (*Reader, error) {
	alive, err := openLife(procRoot, pid)
	if err != nil {
		return nil, err
	}
	o := opener{procRoot: procRoot, pid: pid}
	reg, err := o.maps()
	if err == nil {
		var src Source
		if src, err = o.scan(reg); err == nil {
			return newReader(src, "memory", alive)
		}
	}
	_ = alive.f.Close()
	return nil, err
}

type opener struct {
	procRoot   string
	pid, nspid int
	users      []string
}

func (o opener) maps() (regions, error) {
	f, err := os.Open(procPath(o.procRoot, o.pid, "maps"))
	if err != nil {
		return regions{}, classify(err, o.procRoot, o.pid)
	}
	defer f.Close()
	reg, err := parseMaps(f)
	if err != nil {
		return regions{}, classify(err, o.procRoot, o.pid)
	}
	return reg, nil
}

func (o opener) find() (Source, string, error) {
	reg, err := o.maps()
	if err != nil {
		return nil, "", err
	}
	src, errFile := o.fromFile(reg)
	if src != nil {
		return src, "file", nil
	}
	if src := o.fromMapFiles(reg); src != nil {
		return src, "map_files", nil
	}
	src, errMem := o.scan(reg)
	if src != nil {
		return src, "memory", nil
	}
	// The file's story is the cause, the memory's only the second try: tell it first.
	if errFile != nil {
		return nil, "", fmt.Errorf("%w; and in its memory: %w", errFile, errMem)
	}
	return nil, "", errMem
}

// candidates are the paths that may be the process's counters file, likely ones first.
func (o opener) candidates() []string {
	tmp := procPath(o.procRoot, o.pid, "root", "tmp")
	id := strconv.Itoa(o.nspid)
	var out []string
	seen := map[string]bool{}
	add := func(p string) {
		if !seen[p] {
			seen[p], out = true, append(out, p)
		}
	}
	for _, u := range o.users {
		// A user name is text from outside: it must not lead out of the directory.
		if u == filepath.Base(u) {
			add(filepath.Join(tmp, "hsperfdata_"+u, id))
		}
	}
	more, _ := filepath.Glob(filepath.Join(tmp, "hsperfdata_*", id))
	for _, p := range more {
		add(p)
	}
	return out
}

// fromFile opens the file whose inode the process maps. Devices are not compared: on overlayfs
// and btrfs maps and stat disagree on them. With neither a source nor an error there is no file.
func (o opener) fromFile(reg regions) (Source, error) {
	var story error
	for _, path := range o.candidates() {
		f, st, err := openRegular(path, false)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && story == nil {
				story = classify(err, o.procRoot, o.pid)
			}
			continue
		}
		for _, m := range reg.file {
			if m.inode == st.Ino {
				return f, nil
			}
		}
		story = notMapped(f, path, st.Ino, o.pid)
		_ = f.Close()
	}
	return nil, story
}

// notMapped says why a counters file that the process does not map is not its own.
func notMapped(f *os.File, path string, inode uint64, pid int) error {
	head := make([]byte, prologueSize)
	n, _ := f.ReadAt(head, 0)
	if n == prologueSize && allZero(head) {
		return fail(ErrZeroed, "%s; /tmp was full when pid %d started, free space and restart it", path, pid)
	}
	return fail(ErrStale, "%s (inode %d) is not mapped by pid %d; it belongs to another or a dead JVM, remove it if that one is gone", path, inode, pid)
}

// fromMapFiles opens a mapped file that has no name any more, or none that is visible from here.
// Only root may; for others the memory is next, so its errors are not kept.
func (o opener) fromMapFiles(reg regions) Source {
	for _, m := range reg.file {
		name := fmt.Sprintf("%x-%x", m.start, m.end)
		f, st, err := openRegular(procPath(o.procRoot, o.pid, "map_files", name), true)
		if err != nil {
			continue
		}
		if st.Ino == m.inode {
			return f
		}
		_ = f.Close()
	}
	return nil
}
