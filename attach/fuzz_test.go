package attach

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
)

// The invariant of every parser here: an error means no value, and no input makes
// it panic.

func FuzzStat(f *testing.F) {
	f.Add([]byte("77 (a) b) S 1 77 77 0 -1 4194308 0 0 0 0 1 2 0 0 20 0 12 0 987654 1 1 1\n"))
	f.Add([]byte("1 (x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseStat(b)
		if err != nil && s != (procStat{}) {
			t.Errorf("%+v with %v", s, err)
		}
	})
}

func FuzzStatus(f *testing.F) {
	f.Add([]byte("Pid:\t900\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t9 10 \nNSpid:\t900\t7\nSigCgt:\t2000000181005ccf\n"))
	f.Add([]byte("Uid:\t\nGid"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseStatus(b)
		if err != nil && !reflect.DeepEqual(s, procStatus{}) {
			t.Errorf("%+v with %v", s, err)
		}
		if err == nil && (s.nspid <= 0 || s.uid < 0 || s.euid < 0 || s.gid < 0 || s.egid < 0) {
			t.Errorf("negative ids: %+v", s)
		}
	})
}

func FuzzMaps(f *testing.F) {
	f.Add([]byte(attachtest.HotSpotMaps))
	f.Add([]byte("/libjvm.so"))
	f.Add([]byte(" ---x /libjvm.so"))
	f.Fuzz(func(t *testing.T, b []byte) {
		lib, err := scanMaps(bytes.NewReader(b))
		if err != nil && lib != "" {
			t.Errorf("%q with %v", lib, err)
		}
		if lib != "" && (!strings.HasPrefix(lib, "/") || !strings.HasSuffix(lib, "/libjvm.so")) {
			t.Errorf("path %q", lib)
		}
	})
}

func FuzzCommandLine(f *testing.F) {
	f.Add("java\x00-cp\x00x\x00"+disableOn+"\x00Main\x00", "JAVA_TOOL_OPTIONS=a b\x00")
	f.Add("", "=\x00=")
	f.Fuzz(func(t *testing.T, args, env string) {
		flags := launcherFlags(strings.Split(args, "\x00"))
		before, after := environArgs([]byte(env))
		if disabledBy(before, flags, after) && !strings.Contains(args+env, disableOn) {
			t.Error("disabled by nothing")
		}
	})
}

func FuzzReply(f *testing.F) {
	f.Add([]byte("0\npayload"))
	f.Add([]byte("-1\nOperation getversion not recognized!"))
	f.Add([]byte("0\n2 streaming"))
	f.Fuzz(func(t *testing.T, b []byte) {
		status, payload, err := splitReply(b)
		if err != nil {
			if status != 0 || payload != nil {
				t.Errorf("%d, %q with %v", status, payload, err)
			}
			return
		}
		if d, err := parseDialect(payload); err != nil && d != (dialect{}) {
			t.Errorf("%+v with %v", d, err)
		}
		if s := clean(string(payload), maxText); strings.ContainsAny(s, "\x1b\n\r\x00\x07\u009b") {
			t.Errorf("not clean: %q", s)
		}
	})
}

func FuzzDump(f *testing.F) {
	f.Add([]byte("x\nJNI global refs: 4, weak refs: 0\n\n"))
	f.Add([]byte("JNI global references: 4\n\n\nFound 1 deadlock.\n\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if checkDump(b) == nil && !bytes.Contains(b, []byte("JNI global ref")) {
			t.Error("no JNI line")
		}
	})
}

// FuzzFrame: what we send is read by a listener as what was meant.
func FuzzFrame(f *testing.F) {
	f.Add("jcmd", "GC.heap_info", "", true)
	f.Add("jcmd", strings.Repeat("x", 1025), "b", true)
	f.Fuzz(func(t *testing.T, name, a, b string, streaming bool) {
		d := dialect{version: 2, streaming: streaming}
		out, err := d.frame(name, []string{a, b})
		if err != nil {
			if out != nil {
				t.Errorf("%q with %v", out, err)
			}
			return
		}
		want := 1 + 1 + 3 // version, name, arguments
		if out[0] == '2' {
			want = 1 + 1 + 1 + 2
		}
		if n := bytes.Count(out, []byte{0}); n != want {
			t.Errorf("%d strings, want %d: %.80q", n, want, out)
		}
		if streaming != bytes.Contains(out, []byte(name+noStreaming+"\x00")) {
			t.Errorf("streaming %v: %.80q", streaming, out)
		}
	})
}
