package hprof

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/attach/attachtest"
	"example.com/jtop/probes"
)

// row is a line of GC.class_histogram.
type row struct{ instances, bytes int64 }

var histogramLine = regexp.MustCompile(`^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)`)

func histogram(t *testing.T, text string) map[string]row {
	t.Helper()
	rows := map[string]row{}
	for line := range strings.Lines(text) {
		m := histogramLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		size, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		r := rows[className(m[3])]
		rows[className(m[3])] = row{r.instances + n, r.bytes + size}
	}
	if len(rows) < 100 {
		t.Fatalf("no histogram:\n%.500s", text)
	}
	return rows
}

// known are the classes of the test program with their instances.
var known = map[string]int64{
	"Target$Empty": 1000, "Target$Mixed": 1001, "Target$Below": 1002, "Target$Refs": 1003, "Target$Chain": 1004,
	"Target$Mixed[]": 3, "Target$Mixed[][]": 1,
}

// hiddenParts are classes whose size a dump does not tell: padding around
// @Contended fields, and fields of the JVM's own.
func hiddenParts(name string) bool {
	return name == "java.lang.Class" || strings.Contains(name, "Thread") || strings.Contains(name, "ReferenceHandler") || strings.Contains(name, "ClassLoader") || strings.HasSuffix(name, "Error")
}

// holds checks a dump of the test program against a histogram of the same JVM.
func holds(t *testing.T, d *probes.HeapDump, histo map[string]row) {
	t.Helper()
	for name, want := range known {
		c := find(t, d, name)
		if c.Instances != want || histo[name] != (row{c.Instances, c.Bytes}) {
			t.Errorf("%s: %+v, the program has %d, the JVM says %+v", name, c, want, histo[name])
		}
	}
	same, differ := 0, []string{}
	for _, c := range d.Classes {
		h := histo[c.Name]
		switch {
		case h.instances != c.Instances || hiddenParts(c.Name):
			// The dump's and the histogram's own commands allocate in between.
		case h.bytes == c.Bytes:
			same++
		default:
			differ = append(differ, fmt.Sprintf("%s: %d bytes, the JVM says %d", c.Name, c.Bytes, h.bytes))
		}
	}
	if len(differ) > 0 || same < 150 {
		t.Errorf("sizes: %d agree, %q", same, differ)
	}
	if s := find(t, d, "java.lang.String"); s.Instances < histo["java.lang.String"].instances*95/100 || s.Instances > histo["java.lang.String"].instances {
		t.Errorf("strings: %d, the JVM says %d", s.Instances, histo["java.lang.String"].instances)
	}
	story(t, d)
}

// story checks what the test program has put there to be found.
func story(t *testing.T, d *probes.HeapDump) {
	t.Helper()
	if d.Partial != nil || d.Taken == nil {
		t.Errorf("partial %v, taken %v", d.Partial, d.Taken)
	}
	if a := d.Arrays[0]; a.Class != "byte[]" || a.Length != 1_234_567 {
		t.Errorf("biggest array: %+v", a)
	}
	if s := d.Strings.Biggest[0]; s.Chars != 400_001 || !strings.HasPrefix(s.Head, `begin of the biggest text\n\x1b[31m0123`) || !strings.HasSuffix(s.Head, "...") {
		t.Errorf("biggest text: %+v", s)
	}
	if s := d.Strings.Biggest[1]; !strings.HasPrefix(s.Head, "€ the biggest wide text 中文") {
		t.Errorf("biggest wide text: %+v", s)
	}
	// The constant itself is one more than the copies.
	if x := d.Duplicates.Top[0]; x.Head != "the same text in five hundred copies" || x.Copies != 501 || x.Wasted != 500*x.Each {
		t.Errorf("duplicates: %+v", x)
	}
	if x := d.Duplicates.Top[1]; x.Head != "wide € 中文 text" || x.Copies != 21 {
		t.Errorf("wide duplicates: %+v", x)
	}
	th := d.Threads[0]
	if th.Name.V != "holder of big locals" || th.Class != "java.lang.Thread" || th.Bytes < 1_234_567 {
		t.Errorf("thread: %+v", th)
	}
	for _, f := range th.Frames {
		// -Xint or not: the interpreter keeps the arguments.
		if strings.HasPrefix(f.Method, "Target.holding(Target.java:") {
			if f.Bytes < 1_234_567+4000 || f.Bytes > 1_234_567+4100 {
				t.Errorf("frame: %+v", f)
			}
			return
		}
	}
	t.Errorf("no frame Target.holding in %+v", th.Frames)
}

// gunzip reads a compressed file of testdata.
func gunzip(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
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

// The two dumps of testdata: JDK 8, and JDK 25 with compact object headers in
// the chunks of GC.heap_dump -gz=9.
func TestRecordedDumps(t *testing.T) {
	for name, version := range map[string]string{"jdk8": "1.8.0_504", "jdk25-compact": "25.0.5.1"} {
		t.Run(name, func(t *testing.T) {
			z, err := os.ReadFile(filepath.Join("testdata", name+".hprof.gz"))
			if err != nil {
				t.Fatal(err)
			}
			d := look(t, z, Options{})
			if !d.Compressed || d.JavaVersion != version {
				t.Errorf("compressed %v, JDK %q", d.Compressed, d.JavaVersion)
			}
			holds(t, d, histogram(t, string(gunzip(t, name+".histo.gz"))))
			agree(t, gunzip(t, name+".hprof.gz"))
		})
	}
}

// dumped takes a dump of a JVM, and returns what sends it commands.
func dumped(t *testing.T, j *attachtest.JVM, options string) ([]byte, func(line string) string) {
	t.Helper()
	target, err := attach.Inspect("", j.PID)
	if err != nil {
		t.Fatal(err)
	}
	client := attach.NewClient(target, attach.WithDeadlines(20*time.Second, 60*time.Second))
	jcmd := func(line string) string {
		t.Helper()
		out, err := client.Jcmd(context.Background(), line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		return string(out)
	}
	file := filepath.Join(t.TempDir(), "heap.hprof")
	out := jcmd("GC.heap_dump " + options + file)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return b, jcmd
}

// Dumps of real JVMs, each against its own histogram and the second reader.
func TestRealJVMs(t *testing.T) {
	for _, c := range []struct {
		jdk         int
		args        []string
		gz          string
		header, ref int
		packed      bool
	}{
		{jdk: 8, args: []string{"-XX:+UseParallelGC"}, header: 12, ref: 4},
		{jdk: 8, args: []string{"-XX:-UseCompressedOops"}, header: 16, ref: 8},
		{jdk: 17, args: []string{"-XX:+UseG1GC"}, gz: "-gz=1 ", header: 12, ref: 4, packed: true},
		{jdk: 25, args: []string{"-XX:+UseZGC"}, header: 12, ref: 8, packed: true},
	} {
		t.Run(fmt.Sprint(c.jdk, c.args), func(t *testing.T) {
			t.Parallel()
			classes, err := filepath.Abs(filepath.Join("testdata", "heap"))
			if err != nil {
				t.Fatal(err)
			}
			j := attachtest.Start(t, attachtest.Config{JDK: c.jdk, Args: c.args, ClassPath: classes})
			b, jcmd := dumped(t, j, c.gz)
			histo := histogram(t, jcmd("GC.class_histogram -all"))
			d := look(t, b, Options{})
			if l := d.Layout; l.HeaderBytes != c.header || l.ReferenceBytes != c.ref || l.Packed != c.packed {
				t.Errorf("layout: %+v", l)
			}
			if !strings.Contains(d.JavaVersion, strconv.Itoa(c.jdk)) || d.Compressed != (c.gz != "") {
				t.Errorf("JDK %q, compressed %v", d.JavaVersion, d.Compressed)
			}
			holds(t, d, histo)
			if d.Compressed {
				z, err := gzip.NewReader(bytes.NewReader(b))
				if err != nil {
					t.Fatal(err)
				}
				if b, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			agree(t, b)
		})
	}
}
