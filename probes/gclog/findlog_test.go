package gclog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestFindLog(t *testing.T) {
	start := startPattern
	cases := []struct {
		args   string
		names  []string
		detail bool
	}{
		{"-Xlog:gc*:file=/var/log/gc.log:time,uptime:filecount=5,filesize=10m", []string{"/var/log/gc.log"}, true},
		{"-Xlog:gc:gc.log", []string{"gc.log"}, false},
		{`-Xlog:all=info:file="C:/a b:c.log"`, []string{"C:/a b:c.log"}, true},
		{"-Xlog:gc*=debug,safepoint:file=gc-%p-%t.log", []string{"gc-42-" + start + ".log"}, true},
		{"-Xlog::file=all.log", []string{"all.log"}, true},
		{"-Xlog:gc:a.log|-Xlog:gc*:b.log", []string{"b.log"}, true},
		{"-Xlog:gc*:b.log|-Xlog:gc:a.log", []string{"b.log"}, true},
		{"-Xlog:gc:a.log|-Xlog:gc:b.log", []string{"b.log"}, false},
		{"-Xlog:gc+heap=debug:h.log|-Xlog:safepoint:s.log", nil, false},
		{"-Xlog:gc=off:x.log", nil, false},
		{"-Xlog:gc*,gc=off:x.log", nil, false},
		{"-Xlog:gc", nil, false},
		{"-Xlog:gc:stdout:time", nil, false},
		{"-Xlog:gc*:stderr", nil, false},
		{"-Xlog", nil, false},
		{"-Xlog:gc:a.log|-Xlog:disable", nil, false},
		{"-Xlog:disable|-Xlog:gc:a.log", []string{"a.log"}, false},
		{"-Xlog:gc:logs/[x]*-%hn.log", []string{`logs/\[x]\*-*.log`}, false},
		{"-Xloggc:/logs/gc.log", []string{"/logs/gc.log"}, false},
		{"-Xloggc:gc-%p.log", []string{"gc-pid42.log", "gc-42.log"}, false},
		{"-Xloggc:gc.log|-XX:+UseGCLogFileRotation|-XX:NumberOfGCLogFiles=5", []string{"gc.log.*.current"}, false},
		{"-Xloggc:gc.log|-XX:+UseGCLogFileRotation|-XX:-UseGCLogFileRotation", []string{"gc.log"}, false},
		{"-Xloggc:gc-%t.log", []string{"gc-" + start + ".log"}, false},
		{"-XX:+PrintGCDetails", nil, false},
		{"-jar|app.jar|-Xloggc:x.log", nil, false},
		{"", nil, false},
	}
	for _, c := range cases {
		l, ok := FindLog(append([]string{"java"}, strings.Split(c.args, "|")...), 7, 42, time.Time{})
		if ok != (c.names != nil) || !reflect.DeepEqual(l.Names, c.names) || ok && (l.Detail != c.detail || l.PID != 7) {
			t.Errorf("%s: %+v, %v; want %q, %v", c.args, l, ok, c.names, c.detail)
		}
	}
}

// The files are looked for as this process sees them: it is its own target.
func TestLocationOpens(t *testing.T) {
	dir := t.TempDir()
	started := time.Date(2026, 12, 1, 3, 41, 34, 0, time.UTC)
	write := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, started.Add(-age), started.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	write("plain.log", 0)
	write("gc.log.0", time.Hour)
	write("gc.log.1.current", time.Minute)
	write("gc.log.0.current", time.Hour)
	write("at-2026-12-01_09-11-35.log", time.Hour) // started then, in a zone of +05:30
	write("at-2026-12-01_09-31-35.log", 0)         // of another start
	write("[x].log", 0)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "plain.log"), filepath.Join(dir, "link.log")); err != nil {
		t.Fatal(err)
	}
	for flag, want := range map[string]string{
		"-Xlog:gc:plain.log": "plain.log", "-Xlog:gc:link.log": "plain.log", "-Xloggc:gc.log|-XX:+UseGCLogFileRotation": "gc.log.1.current", "-Xlog:gc:at-%t.log": "at-2026-12-01_09-11-35.log",
		"-Xlog:gc:[x].log": "[x].log", "-Xlog:gc:none.log": "", "-Xlog:gc:pipe": "", "-Xlog:gc:.": "", "-Xlog:gc:none/%t": "",
	} {
		colon := strings.LastIndex(strings.Split(flag, "|")[0], ":") + 1
		flag = flag[:colon] + dir + "/" + flag[colon:]
		l, ok := FindLog(strings.Split(flag, "|"), os.Getpid(), 1, started)
		if !ok {
			t.Fatalf("%s is not found", flag)
		}
		f, err := l.Open()
		if want == "" {
			if err == nil {
				t.Errorf("%s: opens", flag)
			} else if strings.HasSuffix(flag, "pipe") && !errors.Is(err, ErrNotFile) || strings.Contains(flag, "none") && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", flag, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", flag, err)
			continue
		}
		b := make([]byte, 100)
		n, _ := f.Read(b)
		f.Close()
		if string(b[:n]) != want {
			t.Errorf("%s opens %q, want %q", flag, b[:n], want)
		}
	}
	t.Chdir(dir)
	l, _ := FindLog([]string{"-Xlog:gc:plain.log"}, os.Getpid(), 1, started)
	f, err := l.Open()
	if err != nil {
		t.Fatalf("relative: %v", err)
	}
	f.Close()
	if _, err := (Location{PID: 1 << 30, Names: []string{"x"}}).Open(); err == nil {
		t.Error("a process that is none has a log")
	}
}
