package gclog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// ErrNotFile is the error for a log that is a pipe, a terminal or a socket:
// what is read from there is lost for whom it is meant.
var ErrNotFile = errors.New("the log is not a regular file")

// Open opens the file that the JVM writes to now. It looks at the names as the
// JVM does: in its own root directory, links included. Where several files
// match, the one that was written last wins. It can serve as an Opener.
func (l Location) Open() (File, error) {
	root := "/proc/" + strconv.Itoa(l.PID) + "/root"
	failed := fs.ErrNotExist
	for _, name := range l.Names {
		if !path.IsAbs(name) {
			cwd, err := os.Readlink("/proc/" + strconv.Itoa(l.PID) + "/cwd")
			if err != nil {
				return nil, fmt.Errorf("the working directory of the JVM cannot be read: %w", err)
			}
			name = path.Join(strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(cwd), name)
		}
		f, err := l.newest(root, name)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			failed = err
		}
	}
	return nil, failed
}

// newest opens the newest file below root that matches.
func (l Location) newest(root, pattern string) (*os.File, error) {
	dir, base := path.Split(pattern)
	dir = unescape(dir)
	if plain := unescape(base); !strings.ContainsAny(strings.ReplaceAll(base, `\`, ""), "*?[") || plain == base && !strings.ContainsAny(base, "*?[") {
		return openRegular(root, dir+plain)
	}
	d, err := openIn(root, dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("the directory of the log cannot be read: %w", err)
	}
	var best *os.File
	var newest time.Time
	for _, n := range names {
		if ok, err := path.Match(base, n); err != nil || !ok || !l.started(base, n) {
			continue
		}
		f, err := openRegular(root, dir+n)
		if err != nil {
			continue // another one may do
		}
		st, err := f.Stat()
		if err != nil || best != nil && !st.ModTime().After(newest) {
			f.Close()
			continue
		}
		if best != nil {
			best.Close()
		}
		best, newest = f, st.ModTime()
	}
	if best == nil {
		return nil, fmt.Errorf("%s: %w", pattern, fs.ErrNotExist)
	}
	return best, nil
}

// startTolerance is how far the time in a name may be off the start: the JVM
// takes it a little later, and rounds it down.
const startTolerance = 5 * time.Second

// started tells whether the time of a start in a name is that of this JVM. The
// zone is the JVM's and not known: zones differ by quarters of an hour.
func (l Location) started(base, name string) bool {
	i := strings.Index(base, startPattern)
	if i < 0 || l.Started.IsZero() || strings.ContainsAny(base[:i], `*\`) || i+len(startLayout) > len(name) {
		return true
	}
	at, err := time.Parse(startLayout, name[i:i+len(startLayout)])
	if err != nil {
		return false
	}
	const quarter = 15 * time.Minute
	off := at.Sub(l.Started.UTC()) % quarter
	if off < 0 {
		off += quarter
	}
	return off <= startTolerance || off >= quarter-startTolerance
}

// unescape takes the backslashes off a pattern.
func unescape(s string) string {
	if !strings.ContainsRune(s, '\\') {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// openRegular opens a regular file and nothing else.
func openRegular(root, name string) (*os.File, error) {
	f, err := openIn(root, name)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = ErrNotFile
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}
