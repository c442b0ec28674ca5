package attach

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/jtop/attach/attachtest"
)

func TestParseStat(t *testing.T) {
	line := "77 (a) b (java\n) T 1 77 77 0 -1 4194308 0 0 0 0 1 2 0 0 20 0 12 0 987654 1 1 1\n"
	got, err := parseStat([]byte(line))
	if want := (procStat{"a) b (java\n", 'T', 4194308, 987654}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if !got.ended() || !got.stopped() { // flag 4 is PF_EXITING
		t.Errorf("ended %v, stopped %v", got.ended(), got.stopped())
	}
	for _, bad := range []string{"", "1 java S", "1 ) ( S 1", "1 (x) S 1 2 3",
		strings.Replace(line, " T ", " TT ", 1), strings.Replace(line, "987654", "-1", 1), strings.Replace(line, "4194308", "x", 1)} {
		if got, err := parseStat([]byte(bad)); err == nil || got != (procStat{}) {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
}

func TestParseStatus(t *testing.T) {
	text := "Name:\tjava\nPid:\t900\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t9 10 \nNSpid:\t900\t7\nSigCgt:\t2000000181005ccf\n"
	got, err := parseStatus([]byte(text))
	want := procStatus{1, 5, 2, 6, []int{9, 10}, 7, 0x2000000181005ccf}
	if err != nil || !reflect.DeepEqual(got, want) || !got.catchesQuit() {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = parseStatus([]byte(strings.Replace(text, "NSpid:\t900\t7\n", "", 1)))
	if err != nil || got.nspid != 900 {
		t.Errorf("without NSpid: %+v, %v", got, err)
	}
	for _, bad := range []string{"", "Uid:\t1\n", strings.Replace(text, "SigCgt", "SigIgn", 1),
		strings.Replace(text, "1\t2\t3\t4", "1", 1), strings.Replace(text, "ccf", "xyz", 1), strings.Replace(text, "Gid:\t5", "Gid:\t-5", 1)} {
		if got, err := parseStatus([]byte(bad)); err == nil || !reflect.DeepEqual(got, procStatus{}) {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
}

func TestScanMaps(t *testing.T) {
	const path = "/usr/lib/jvm/java-17/lib/server/libjvm.so"
	for name, c := range map[string]struct{ text, want string }{
		"hotspot":         {attachtest.HotSpotMaps, path},
		"no end of line":  {strings.TrimSuffix(attachtest.HotSpotMaps, "\n"), path},
		"upgraded":        {strings.ReplaceAll(attachtest.HotSpotMaps, "libjvm.so", "libjvm.so (deleted)"), path},
		"with a space":    {strings.ReplaceAll(attachtest.HotSpotMaps, "java-17", "my java"), "/usr/lib/jvm/my java/lib/server/libjvm.so"},
		"data only":       {strings.ReplaceAll(attachtest.HotSpotMaps, "r-xp", "r--p"), ""},
		"another library": {strings.ReplaceAll(attachtest.HotSpotMaps, "libjvm.so", "notlibjvm.so"), ""},
		"a suffix":        {strings.ReplaceAll(attachtest.HotSpotMaps, "libjvm.so", "libjvm.so.1"), ""},
		"OpenJ9 after it": {attachtest.HotSpotMaps + "7f2000000000-7f2000001000 r-xp 00000000 08:01 9 /opt/j9/libj9vm29.so\n", ""},
		"empty":           {"", ""},
		"late":            {strings.Repeat("7f0000000000-7f0000800000 rw-p 00000000 00:00 0 \n", 20000) + attachtest.HotSpotMaps, path},
	} {
		if got, err := scanMaps(strings.NewReader(c.text)); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if got, err := scanMaps(strings.NewReader(strings.Repeat("x", 1<<20))); err == nil || got != "" {
		t.Errorf("an endless line: %q, %v", got, err)
	}
	if got, err := scanMaps(io.MultiReader(strings.NewReader(attachtest.HotSpotMaps), broken{})); !errors.Is(err, io.ErrClosedPipe) || got != "" {
		t.Errorf("a broken file: %q, %v", got, err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAttachDisabled(t *testing.T) {
	for _, c := range []struct {
		args string
		env  string
		want bool
	}{
		{"java -Xmx1g Main", "", false},
		{"java -Xmx1g " + disableOn + " Main", "", true},
		{"java " + disableOn + " " + disableOff + " Main", "", false},
		{"java Main " + disableOn, "", false},
		{"java -jar a.jar " + disableOn, "", false},
		{"java -cp a.jar " + disableOn + " Main", "", true},
		{"java --module-path m -m x/y " + disableOn, "", false},
		{"java @args " + disableOn + " Main", "", true},
		{"java Main", "HOME=/\x00JAVA_TOOL_OPTIONS=-Da=b " + disableOn + "\x00", true},
		{"java " + disableOff + " Main", "JAVA_TOOL_OPTIONS=" + disableOn, false},
		{"java " + disableOff + " Main", "_JAVA_OPTIONS=" + disableOn, true},
		{"java Main", "OTHER=" + disableOn, false},
		{"", "", false},
	} {
		before, after := environArgs([]byte(c.env))
		if got := disabledBy(before, launcherFlags(strings.Fields(c.args)), after); got != c.want {
			t.Errorf("%q with %q: %v", c.args, c.env, got)
		}
	}
}

func TestSplitReply(t *testing.T) {
	for in, want := range map[string]struct {
		status  int
		payload string
		ok      bool
	}{
		"0\nhello\n": {0, "hello\n", true}, "0\n": {0, "", true}, "-1\nno": {-1, "no", true}, "101\n": {101, "", true},
		"": {}, "0": {}, "\n": {}, "00\nx": {}, "+1\n": {}, " 0\n": {}, "x\n": {}, "99999999999999\n": {}, "0 \n": {},
	} {
		status, payload, err := splitReply([]byte(in))
		if (err == nil) != want.ok || status != want.status || string(payload) != want.payload {
			t.Errorf("%q: %d, %q, %v", in, status, payload, err)
		}
		if err != nil && !errors.Is(err, ErrProtocol) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestParseDialect(t *testing.T) {
	for in, want := range map[string]dialect{
		"2 streaming": {2, true}, "2": {2, false}, "1\n": {1, false}, "9 x streaming y": {2, true},
		"": {}, "x": {}, "0": {}, "-1": {}, "300": {}, strings.Repeat("2 ", 4000): {},
	} {
		if got, err := parseDialect([]byte(in)); got != want || (err == nil) != (want != dialect{}) {
			t.Errorf("%.20q: %+v, %v", in, got, err)
		}
	}
}

// TestCheckDump cuts real dumps at every byte: only the whole one passes, or one
// that ends with the JNI line, after which a deadlock may or may not follow.
func TestCheckDump(t *testing.T) {
	files, err := filepath.Glob("testdata/dumps/*.gz")
	if err != nil || len(files) < 4 {
		t.Fatalf("dumps: %v, %v", files, err)
	}
	for _, name := range files {
		dump := gunzip(t, name)
		if err := checkDump(dump); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		jni := jniLine.FindAllIndex(dump, -1)
		end := jni[len(jni)-1][1]
		whole := len(bytes.TrimRight(dump, "\n")) + 1
		for cut := range whole {
			afterJNI := cut >= end && len(bytes.TrimSpace(dump[end:cut])) == 0
			if err := checkDump(dump[:cut]); (err == nil) != afterJNI {
				t.Fatalf("%s cut at %d of %d (JNI line ends at %d): %v", name, cut, len(dump), end, err)
			} else if err != nil && !errors.Is(err, ErrTruncated) {
				t.Fatal(err)
			}
		}
	}
	for _, bad := range []string{"", "\n", "0", "\"t JNI global refs: 1\n", "Found 2 deadlocks.\n", "JNI global refs: 4, weak refs: 0"} {
		if err := checkDump([]byte(bad)); !errors.Is(err, ErrTruncated) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func gunzip(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本": "plain é 日本", "\x1b[31mred\x1b[0m": "?[31mred?[0m", "a\nb\tc\x00": "a?b?c?",
		"\u202egnp.exe": "?gnp.exe", "bad \xff": "bad ?", "\u009b31m": "?31m",
	} {
		if got := clean(in, 100); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if got := clean("日本語", 2); got != "日本..." {
		t.Errorf("limit: %q", got)
	}
}
