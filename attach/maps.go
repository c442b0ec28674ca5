package attach

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// mapsReaders are reused: a JVM with 5000 threads has 10,000 mappings, and the
// whole machine is looked at every second or two.
var mapsReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 64<<10) }}

// libjvm looks in a process's mappings for the library that makes it a HotSpot
// JVM and returns its path, "" where there is none.
func (r ProcRoot) libjvm(pid int) (string, error) {
	f, err := os.Open(r.Path(pid, "maps"))
	if err != nil {
		return "", procError(err)
	}
	defer f.Close()
	lib, err := scanMaps(f)
	if err != nil {
		return "", procError(err)
	}
	return lib, nil
}

var (
	libName    = []byte("/libjvm.so")
	j9Name     = []byte("/libj9vm")
	deletedTag = []byte(" (deleted)")
)

// scanMaps reads lines of /proc/PID/maps (proc_pid_maps(5)):
//
//	address perms offset dev inode    path
//
// It wants an executable mapping of a file called libjvm.so, also one that a
// package upgrade has deleted. OpenJ9 has a libjvm.so, too, and answers SIGQUIT
// with a dump file: where its engine is mapped there is no HotSpot.
func scanMaps(in io.Reader) (string, error) {
	br := mapsReaders.Get().(*bufio.Reader)
	br.Reset(in)
	defer func() { br.Reset(nil); mapsReaders.Put(br) }()

	lib := ""
	for {
		line, err := br.ReadSlice('\n')
		if len(line) > 0 && !errors.Is(err, bufio.ErrBufferFull) {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), deletedTag)
			if bytes.Contains(line, j9Name) {
				return "", nil
			}
			if lib == "" && bytes.HasSuffix(line, libName) {
				lib = executablePath(line)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return lib, nil
		case errors.Is(err, bufio.ErrBufferFull): // no line is that long
			return "", fmt.Errorf("maps has a line longer than %d bytes", br.Size())
		case err != nil:
			return "", err
		}
	}
}

// executablePath gives the path of a line of maps when it is mapped with x.
func executablePath(line []byte) string {
	perms, slash := bytes.IndexByte(line, ' '), bytes.IndexByte(line, '/')
	if perms < 0 || slash < perms+5 || line[perms+3] != 'x' {
		return ""
	}
	return string(line[slash:])
}
