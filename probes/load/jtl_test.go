package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"example.com/jtop/probes"
	"example.com/jtop/probes/load/plan"
)

// readJTL reports on a JTL given as text.
func readJTL(t *testing.T, text string) (*Report, error) {
	t.Helper()
	j := NewJTLReader(strings.NewReader(text))
	err := j.Read()
	return j.Report("x.jtl"), err
}

func mustJTL(t *testing.T, text string) *Report {
	t.Helper()
	rep, err := readJTL(t, text)
	if err != nil {
		t.Fatalf("%v of\n%s", err, text)
	}
	return rep
}

// A run with a log, and the log read back, have the same table.
func TestJTLRoundTrip(t *testing.T) {
	answers := []string{ok, "HTTP/1.1 500 Oh, \"no\"\r\nContent-Length: 0\r\n\r\n", "", "HTTP/1.1 204\r\n\r\n"}
	srv := serve(t, loopback(t), func(c net.Conn, q request) bool {
		time.Sleep(time.Millisecond)
		_, err := io.WriteString(c, answers[(q.onConn-1)%len(answers)])
		return err == nil && (q.onConn-1)%len(answers) != 2
	})
	var b bytes.Buffer
	w := NewJTLWriter(&b)
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 3), Total: 60, Log: w.Add, Label: `a, "b"` + "\nc"})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	back := mustJTL(t, b.String())
	if got, want := fmt.Sprint(back.Aggregate), fmt.Sprint(rep.Aggregate); got != want {
		t.Errorf("table of the file\n%s\nof the run\n%s", got, want)
	}
	if fmt.Sprint(back.Status) != fmt.Sprint(rep.Status) || len(back.Notes) != 0 || back.Errors != rep.Errors || back.Received != rep.Received || back.Sent != rep.Sent ||
		len(back.Classes) != 1 || back.Classes[0].Class != rep.Classes[0].Class || back.Classes[0].Count != rep.Classes[0].Count {
		t.Errorf("file %+v\nrun %+v", back.Figures, rep.Figures)
	}
	for _, want := range []string{jtlHeader + "\n", `,"Oh, ""no""",`, `,"a, ""b""\nc",`, noHTTP + "closed before the answer,"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	for l := range strings.Lines(b.String()) {
		if strings.Contains(l, ",204,") && !strings.Contains(l, ",204,,") {
			t.Errorf("an answer without a phrase has one: %s", l)
		}
	}
}

const sampleLines = `1000,10,home,200,OK,g 1-1,text,true,100,1,1,5
1005,20,"a,""b""
c",500,"Oh
no",g 1-2,text,false,50,1,1,6
1010,30,home,Non HTTP response code: java.net.ConnectException,Non HTTP response message: refused,g 1-1,,false,0,1,1,0
`

// The same samples with their columns in whatever order, whatever the
// separator, and without a header give the same report.
func TestJTLForms(t *testing.T) {
	old := mustJTL(t, sampleLines)
	if old.Samples != 3 || old.Errors != 2 || len(old.Requests) != 2 || old.Requests[1].Name != `a,"b"\nc` || old.Received.V != 150 || old.Sent.OK {
		t.Fatalf("%+v", old)
	}
	if r := old.Aggregate[2]; r.Label != "TOTAL" || r.Average.V != 20 || r.Max.V != 30 || r.Throughput.V != 3/0.04 || r.Sent.OK || !r.Received.OK {
		t.Errorf("%+v", r)
	}
	if old.Status["200"] != 1 || old.Status["500"] != 1 || len(old.Status) != 2 || old.Classes[0].Class != "java.net.ConnectException" || old.Classes[0].Sample != "refused" {
		t.Errorf("%+v", old.Figures)
	}
	header := "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,bytes,grpThreads,allThreads,Latency\n"
	shuffled := "success,extra,label,elapsed,responseCode,bytes,timeStamp\ntrue,x,home,10,200,100,1000\nfalse,,\"a,\"\"b\"\"\nc\",20,500,50,1005\nfalse,,home,30,Non HTTP response code: java.net.ConnectException,0,1010\n"
	tabs := "timeStamp\telapsed\tlabel\tresponseCode\tsuccess\tbytes\n1000\t10\thome\t200\ttrue\t100\n1005\t20\t\"a,\"\"b\"\"\nc\"\t500\tfalse\t50\n1010\t30\thome\tNon HTTP response code: java.net.ConnectException\tfalse\t0\n"
	for what, text := range map[string]string{"header": header + sampleLines, "BOM": "\uFEFF" + header + sampleLines, "shuffled": shuffled, "tabs": tabs,
		"CRLF": strings.ReplaceAll(strings.ReplaceAll(header+sampleLines, "\n", "\r\n"), "b\"\"\r\n", "b\"\"\n"), "no last line end": header + strings.TrimSuffix(sampleLines, "\n")} {
		rep := mustJTL(t, text)
		if got, want := fmt.Sprint(rep.Aggregate), fmt.Sprint(old.Aggregate); got != want {
			t.Errorf("%s:\n%s, want\n%s", what, got, want)
		}
		notes := slices.DeleteFunc(rep.Notes, func(n string) bool { return strings.Contains(n, "no Connect") })
		if (len(notes) > 0) != (what == "no last line end") {
			t.Errorf("%s: notes %v", what, rep.Notes)
		}
	}
}

func TestJTLBroken(t *testing.T) {
	head := "timeStamp,elapsed,label,success\n"
	for what, tc := range map[string]struct{ text, want string }{
		"empty": {"", "no sample"}, "header only": {head, "no sample"}, "XML": {"<?xml version=\"1.0\"?>\n<testResults>", "XML"}, "prose": {"hello world\n", "no header line"},
		"no success": {"timeStamp,elapsed,label\n1,1,a\n", "what failed is not known"}, "dates": {head + "2024/01/02 03:04:05.678,5,a,true\n", "line 2: timeStamp"},
		"an open quote": {head + "1,1,\"a" + strings.Repeat("x", 2<<20), "longer than 1 MB"},
	} {
		if _, err := readJTL(t, tc.text); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", what, err, tc.want)
		}
	}
	for what, tc := range map[string]struct {
		text, note string
		n          int64
	}{
		"a bad line":   {head + "1,1,a,true\nx,1,a,true\n3,-1,a,true\n4,1,a,maybe\n5,1,a\n6,1,a,true\n", "4 records left out that cannot be read; the first: line 3", 2},
		"a torn line":  {head + "1,1,a,true\n2,1,a", "incomplete", 1},
		"a torn quote": {head + "1,1,a,true\n2,1,\"a", "incomplete", 1},
	} {
		rep := mustJTL(t, tc.text)
		if rep.Samples != tc.n || len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], tc.note) {
			t.Errorf("%s: %d samples, %v", what, rep.Samples, rep.Notes)
		}
	}
	if err := NewJTLReader(iotest.ErrReader(errors.New("the disk is gone"))).Read(); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("%v", err)
	}
}

// A label for each sample costs no memory without end.
func TestJTLLabelsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("timeStamp,elapsed,label,responseCode,success\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%d,1,l%d,%d,true\n", i, i, i)
	}
	rep := mustJTL(t, b.String())
	if len(rep.Requests) != maxLabels+1 || rep.Samples != 3000 || rep.Requests[maxLabels].Samples != 2000 || len(rep.Status) != maxCodes+1 || len(rep.Notes) != 1 {
		t.Errorf("%d requests, %d codes, %v", len(rep.Requests), len(rep.Status), rep.Notes)
	}
}

type slowDisk struct{ gate chan struct{} }

func (s slowDisk) Write(b []byte) (int, error) {
	<-s.gate
	return len(b), nil
}

// A disk that does not take it costs lines, which are counted, not time.
func TestJTLWriterIsBounded(t *testing.T) {
	d := slowDisk{make(chan struct{})}
	w := NewJTLWriter(d)
	for range 3 * jtlBuffer / 100 {
		w.Add(Line{Label: strings.Repeat("x", 100)})
	}
	close(d.gate)
	err := w.Close()
	if err == nil || !strings.Contains(err.Error(), "too slow") || w.lost < jtlBuffer/100 || cap(w.buf)+cap(w.spare) > 5*jtlBuffer {
		t.Errorf("%v, %d lost, %d bytes", err, w.lost, cap(w.buf)+cap(w.spare))
	}
}

func TestJTLFullDisk(t *testing.T) {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	srv := serve(t, loopback(t), say(ok))
	w := NewJTLWriter(f)
	rep := runPlan(t, Plan{LoadConfig: base(srv.url(), 2), Total: 20, Log: w.Add})
	if err := w.Close(); rep.Samples != 20 || err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%d samples, %v", rep.Samples, err)
	}
}

func FuzzJTL(f *testing.F) {
	f.Add(sampleLines)
	f.Add(jtlHeader + "\n1,2,a,200,OK,g,text,true,,1,1,1,1,null,1,0,0\n")
	f.Add("timeStamp;elapsed;success\n1;2;true\n\"1\";\"2\"\"\";true")
	f.Fuzz(func(t *testing.T, text string) {
		j := NewJTLReader(strings.NewReader(text))
		err := j.Read()
		rep := j.Report("f")
		if err == nil && rep.Samples == 0 {
			t.Error("neither samples nor an error")
		}
		sum := int64(0)
		for _, r := range rep.Requests {
			sum += r.Samples
		}
		total := rep.Aggregate[len(rep.Aggregate)-1]
		if sum != rep.Samples || total.Samples != sum || total.P99.V > total.Max.V || rep.Response.P99.V > rep.Response.Max.V {
			t.Errorf("%+v", rep)
		}
		if s := rep.Text(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("not a number: %s", s)
		}
	})
}

func FuzzRecords(f *testing.F) {
	f.Add("a,b")
	f.Add("a\"\"b,\"c\nd\"\"")
	f.Add("\r\n,\r")
	f.Fuzz(func(t *testing.T, field string) {
		// What quote writes comes back as it was.
		line := quote([]byte("x,"), field)
		line = append(line, ",y\n"...)
		c := newRecords(bytes.NewReader(line))
		got, err := c.read()
		if len(field) > maxRecord/4 {
			return
		}
		if err != nil || len(got) != 3 || string(got[1]) != field {
			t.Errorf("%q came back as %q: %v", field, got, err)
		}
		if _, err := c.read(); !errors.Is(err, io.EOF) {
			t.Errorf("after it: %v", err)
		}
	})
}

// A file tells successes and failures apart, Apdex, and how the times divide, as
// far as it has the columns.
func TestJTLFigures(t *testing.T) {
	const head = "timeStamp,elapsed,label,responseCode,success,Latency,Connect\n"
	rep := mustJTL(t, head+"1000,500,a,200,true,400,100\n1000,501,a,200,true,501,0\n1000,70000,a,200,true,0,0\n1000,10,a,500,false,10,0\n1000,61000,b,500,false,99999,70000\n")
	want := func(what string, got Dist, min, mean, p50, max float64) {
		t.Helper()
		if got.Min.V != min || got.Mean.V != mean || got.P50.V != p50 || got.Max.V != max {
			t.Errorf("%s: %+v", what, got)
		}
	}
	want("successes", rep.Success, 500, 71001.0/3, 501, 70000)
	want("failures", rep.Failures, 10, 30505, 10, 61000)
	want("failures of a", rep.Requests[0].Failures, 10, 10, 10, 10)
	if rep.Requests[1].Success.Min.OK {
		t.Errorf("b has no success: %+v", rep.Requests[1].Success)
	}
	// One is satisfied, one tolerates, of five; of b's one none.
	if rep.Apdex.V != 0.3 || rep.Requests[0].Apdex.V != 0.375 || !rep.Requests[1].Apdex.OK || rep.Requests[1].Apdex.V != 0 {
		t.Errorf("apdex %v, %v, %v", rep.Apdex, rep.Requests[0].Apdex, rep.Requests[1].Apdex)
	}
	if len(rep.Parts) != 3 || rep.Parts[0].Part != probes.LoadConnect || rep.Parts[0].Count != 1 || rep.Parts[0].Max.V != 100 ||
		rep.Parts[1].Count != 3 || rep.Parts[1].Max.V != 501 || rep.Parts[1].Min.V != 10 || rep.Parts[2].Max.V != 100 || rep.Parts[2].Min.V != 0 {
		t.Errorf("%+v", rep.Parts)
	}
	j := NewJTLReader(strings.NewReader(head + "1000,300,a,200,true,400,100\n"))
	j.SetApdex(plan.Apdex{Satisfied: 100 * time.Millisecond})
	if err := j.Read(); err != nil || j.Report("x").Apdex.V != 0.5 {
		t.Errorf("%v, apdex %v", err, j.Report("x").Apdex)
	}
	if rep := mustJTL(t, sampleLines); len(rep.Parts) != 2 || len(rep.Notes) != 1 || !strings.Contains(rep.Notes[0], "no Connect") {
		t.Errorf("a file without Connect: %+v", rep.Parts)
	}
}
