package vmtext

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func TestMetaspaceFigures(t *testing.T) {
	const K, M, G = 1 << 10, 1 << 20, 1 << 30
	fx := fixtures(t, "metaspace")
	for name, want := range map[string]struct {
		total Space
		class bool
	}{
		// 5.51 MB + 535.53 KB; 8 MB + 1 GB, where the text says "1.01 GB".
		"jdk11-g1-basic.txt": {known(5777654+548383, 5.75*M+640*K, 8*M+G, -1), true},
		// The lines in K of JDK 25+.
		"jdk25-g1-basic.txt":           {known(1134*K, 1472*K, 1114112*K, -1), true},
		"jdk21-noclassspace-basic.txt": {known(6994002, 7014973, 64*M, -1), false},
	} {
		m, err := ParseMetaspaceBasic(fx[name])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Total != want.total || (m.Class != nil) != want.class || (m.NonClass != nil) != want.class {
			t.Errorf("%s: got %+v, class %v; want %+v, class space %v", name, m.Total, m.Class, want.total, want.class)
		}
	}
	m, err := ParseMetaspaceBasic(fx["jdk17-noclassspace-basic.txt"])
	if err != nil || m.Unlimited || m.MaxSize != probes.Some[int64](64*M) || m.ClassMax.OK {
		t.Errorf("limits: %+v, %v", m, err)
	}
	m, err = ParseMetaspaceBasic(fx["jdk17-g1-basic.txt"])
	if err != nil || !m.Unlimited || m.MaxSize.OK || m.ClassMax != probes.Some[int64](G) {
		t.Errorf("limits: %+v, %v", m, err)
	}
}

func TestCodeCacheFigures(t *testing.T) {
	fx := fixtures(t, "codecache")
	c, err := ParseCodeCache(fx["jdk17-g1.txt"])
	if err != nil {
		t.Fatal(err)
	}
	// JDK 17 has no line of the whole: the heaps are added up.
	if want := (CodeHeap{"CodeCache", (120036 + 120032 + 5692) << 10, (42 + 185 + 1102) << 10, (42 + 185 + 1117) << 10, (119993 + 119846 + 4589) << 10}); c.Total != want {
		t.Errorf("total %+v, want %+v", c.Total, want)
	}
	if len(c.Heaps) != 3 || c.Heaps[0].Name != "non-profiled nmethods" || c.Methods != probes.Some[int64](147) || !c.Enabled() {
		t.Errorf("got %+v", c)
	}
	for _, name := range []string{"jdk11-nosegments.txt", "jdk21-nosegments.txt"} {
		if c, err = ParseCodeCache(fx[name]); err != nil || len(c.Heaps) != 1 || c.Total != c.Heaps[0] {
			t.Errorf("%s: got %+v, %v", name, c, err)
		}
	}
	off := strings.Replace(string(fx["jdk21-g1.txt"]), "enabled", "disabled (not enough contiguous free space left)", 1)
	if c, err = ParseCodeCache([]byte(off)); err != nil || c.Enabled() || !strings.Contains(c.Compilation, "not enough") {
		t.Errorf("compilation off: got %+v, %v", c, err)
	}
}

func TestFlagFigures(t *testing.T) {
	fx := fixtures(t, "flags")
	find := func(name, flag string) []string {
		fs, err := ParseFlags(fx[name])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var out []string
		for _, f := range fs {
			if f.Name == flag {
				out = append(out, f.Value+" "+f.Text)
			}
		}
		return out
	}
	for _, c := range []struct {
		file, flag string
		want       []string
	}{
		{"jdk8-g1.txt", "MaxHeapSize", []string{"268435456 -XX:MaxHeapSize=268435456"}},
		{"jdk21-g1.txt", "THPStackMitigation", []string{"false -XX:-THPStackMitigation"}},
		{"jdk21-lists.txt", "OnOutOfMemoryError", []string{"kill -9 %p -XX:OnOutOfMemoryError=kill -9 %p"}},
		{"jdk21-lists.txt", "CompileCommand", []string{"exclude,a.b::c -XX:CompileCommand=exclude,a.b::c", "exclude,a.b::d -XX:CompileCommand=exclude,a.b::d"}},
		{"jdk8-g1-all.txt.gz", "UseG1GC", []string{"true -XX:+UseG1GC"}},
		{"jdk25-g1-all.txt.gz", "ActiveProcessorCount", []string{"-1 -XX:ActiveProcessorCount=-1"}},
		{"jdk25-g1-all.txt.gz", "ErrorFile", []string{" -XX:ErrorFile="}},
		{"jdk25-g1-all.txt.gz", "NativeMemoryTracking", []string{"summary -XX:NativeMemoryTracking=summary"}},
	} {
		if got := find(c.file, c.flag); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: got %q, want %q", c.file, c.flag, got, c.want)
		}
	}
	if n := len(find("jdk17-lists.txt", "CompileCommand")); n != 2 {
		t.Errorf("CompileCommand came %d times, want 2", n)
	}
	// A list in the table goes on below; a secret is masked.
	fs, err := ParseFlags([]byte("[Global flags]\nccstrlist OnError    = a\n      OnError    += run --password=hunter2   {product} {command line}\n"))
	if err != nil || len(fs) != 2 || fs[0].Value != "a" || fs[1].Value != "run --password="+probes.Masked {
		t.Errorf("list: %+v, %v", fs, err)
	}
}

func TestPropertyFigures(t *testing.T) {
	fx := fixtures(t, "properties")
	for name, b := range fx {
		ps, err := ParseProperties(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.IsSortedFunc(ps, func(a, b probes.Property) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: not sorted", name)
		}
		get := func(key string) string {
			for _, p := range ps {
				if p.Name == key {
					return p.Value
				}
			}
			return "-"
		}
		if !strings.HasPrefix(get("sun.java.command")+get("java.command"), "Target alloc=20") {
			t.Errorf("%s: sun.java.command is %q", name, get("sun.java.command"))
		}
		if strings.Contains(name, "agent") {
			continue
		}
		// The program was started with -Dfoo=bar\nx: a backslash and an n.
		if get("foo") != `bar\nx` || get("path.separator") != ":" || get("line.separator") != `\n` {
			t.Errorf("%s: foo %q, path.separator %q, line.separator %q", name, get("foo"), get("path.separator"), get("line.separator"))
		}
	}
}

func TestPropertyEscapes(t *testing.T) {
	for text, want := range map[string]probes.Property{
		"a=b\n":                                  {Name: "a", Value: "b"},
		"a\\=b\\:c\\ d=e\n":                      {Name: "a=b:c d", Value: "e"},
		"  a : b \n":                             {Name: "a", Value: "b "},
		"a b\n":                                  {Name: "a", Value: "b"},
		"a\n":                                    {Name: "a"},
		"a=1\\\n   2\n":                          {Name: "a", Value: "12"},
		"a=1\\\\\n#\n":                           {Name: "a", Value: `1\`},
		"a=\\u65e5\\u672C\n":                     {Name: "a", Value: "日本"},
		"a=\\ud83d\\ude00\n":                     {Name: "a", Value: "😀"},
		"a=\\ud83d\n":                            {Name: "a", Value: "\ufffd"},
		"a=\xe9\n":                               {Name: "a", Value: "é"},
		"a=\\u001b[31m\n":                        {Name: "a", Value: `\x1b[31m`},
		"a=x\\ty\r\n":                            {Name: "a", Value: `x\ty`},
		"db.password=hunter2\n":                  {Name: "db.password", Value: probes.Masked},
		"url=jdbc\\://u\\:hunter2@h/x\n":         {Name: "url", Value: "jdbc://u:" + probes.Masked + "@h/x"},
		"sun.java.command=M --token=hunter2 x\n": {Name: "sun.java.command", Value: "M --token=" + probes.Masked + " x"},
		"sun.java.command=M --token hunter2\n":   {Name: "sun.java.command", Value: "M --token " + probes.Masked},
		"sun.jvm.args=-Xmx1m -Dmy.secret\\=hun\n": {Name: "sun.jvm.args", Value: "-Xmx1m -Dmy.secret=" + probes.Masked},
	} {
		got, err := ParseProperties([]byte(text))
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	refuse(t, ParseProperties, "", "#only a comment\n", "a=\\u12\n", "a=\\uzzzz\n", "a=b", "a=b\\", "a=b\nc=d")
	refuse(t, ParseFlags, "", "\n", "UseG1GC\n", "-XX:\n", "-XX:+UseG1GC", "[Global flags]\n", "[Global flags]\n bool UseG1GC = maybe {product}\n", "[Global flags]\nwhat is this\n")
	refuse(t, ParseUptime, "", "2.926\n", "x s\n", "-1.0 s\n", "2.926 s", "9223372037.0 s\n", "1.0000000000 s\n", "1.2.3 s\n")
	refuse(t, ParseCodeCache, "", "x\n",
		"CodeCache: size=1Kb used=1Kb max_used=1Kb free=\n full_count=0\nCompilation: enabled\n",
		"CodeCache: size=1Kb used=1Kb free=1Kb\n full_count=0\nCompilation: enabled\n",
		"CodeCache: size=9007199254740992Kb used=1Kb max_used=1Kb free=1Kb\n full_count=0\nCompilation: enabled\n",
		"CodeHeap 'a': size=9007199254740991Kb used=1Kb max_used=1Kb free=1Kb\nCodeHeap 'b': size=9007199254740991Kb used=1Kb max_used=1Kb free=1Kb\n full_count=0\nCompilation: enabled\n",
		"CodeCache: size=1Kb used=1Kb max_used=1Kb free=1Kb\n full_count=0\n", "full_count=0\nCompilation: enabled\n")
	refuse(t, ParseMetaspaceBasic, "", "Usage:\n  1.00 MB used.\n\nMaxMetaspaceSize: unlimited\n",
		"Usage:\n  1.00 used.\n\nVirtual space:\n 1.00 MB reserved, 1.00 MB ( 1%) committed\n\nMaxMetaspaceSize: unlimited\n",
		"Usage:\n  1.00 MB used.\n\nVirtual space:\n 1.00 MB reserved, 1.00 MB ( 1%) committed\n\nMaxMetaspaceSize: some\n",
		"Usage:\n  99999999999999.00 GB used.\n\nVirtual space:\n 1.00 MB reserved, 1.00 MB ( 1%) committed\n\nMaxMetaspaceSize: unlimited\n")
}

func refuse[T any](t *testing.T, parse func([]byte) (T, error), texts ...string) {
	t.Helper()
	for _, text := range texts {
		if v, err := parse([]byte(text)); err == nil {
			t.Errorf("%q: got %+v, want an error", text, v)
		} else {
			checkError(t, err)
		}
	}
}

func TestUptime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2.926 s\n":           2926 * time.Millisecond,
		"0.000 s\n":           0,
		"31536000.001 s\n":    31536000*time.Second + time.Millisecond,
		"5 s\n":               5 * time.Second,
		"1.123456789 s\n":     1123456789,
		"9223372035.999 s\n":  9223372035999 * time.Millisecond,
		"  12.5 s\n":          12500 * time.Millisecond,
		"9223372035.000 s \n": 9223372035 * time.Second,
	} {
		if got, err := ParseUptime([]byte(text)); err != nil || got != want {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]size{
		"0B": {0, 1}, "1K": {1 << 10, 1 << 10}, "256 K": {256 << 10, 1 << 10}, "3Kb": {3 << 10, 1 << 10},
		"5.71 MB": {5987369, (1 << 20) / 100}, "1.00 GB": {1 << 30, (1 << 30) / 100}, "7 bytes": {7, 1},
		"9007199254740991K": {9007199254740991 << 10, 1 << 10},
	} {
		if got, rest, err := readSize(text); err != nil || rest != "" || got != want {
			t.Errorf("%q: got %+v, %q, %v; want %+v", text, got, rest, err, want)
		}
	}
	for _, text := range []string{"", "K", "1", "1 ", "1X", "1.K", "1.1234567K", "9223372036854775808B", "9007199254740992K", "-1K"} {
		if got, _, err := readSize(text); err == nil {
			t.Errorf("%q: got %+v, want an error", text, got)
		}
	}
}
