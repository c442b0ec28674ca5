package load

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"example.com/jtop/probes/load/plan"
)

// What is kept of a body is its beginning, whatever frames it comes in and
// however small the buffer is.
func TestKeptBody(t *testing.T) {
	text := strings.Repeat("0123456789", 2000)
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	io.WriteString(w, text)
	w.Close()
	chunks := ""
	for i := 0; i < z.Len(); i += 50 {
		part := z.String()[i:min(i+50, z.Len())]
		chunks += fmt.Sprintf("%x\r\n%s\r\n", len(part), part)
	}
	const head = "HTTP/1.1 200 OK\r\n"
	for name, tc := range map[string]struct {
		answer string
		packed int
	}{
		"length":         {fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(text), text), len(text)},
		"until the end":  {head + "\r\n" + text, len(text)},
		"chunks":         {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(text), text), len(text)},
		"gzip":           {fmt.Sprintf("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", head, z.Len(), z.String()), z.Len()},
		"gzip chunks":    {head + "Content-Encoding: x-gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + "0\r\nT: 1\r\n\r\n", z.Len()},
		"gzip until end": {head + "Content-Encoding: GZIP\r\n\r\n" + z.String(), z.Len()},
	} {
		for _, keep := range []int{0, 1, 5000, 100_000} {
			a := answer{inflate: true, wantHead: true, keep: keep}
			err := a.read(bufio.NewReaderSize(strings.NewReader(tc.answer), 64), false)
			if err != nil || a.size != int64(len(text)) || a.packed != int64(tc.packed) || a.bytes != int64(len(tc.answer)) || string(a.body) != text[:min(keep, len(text))] {
				t.Errorf("%s, %d kept: %v, size %d, packed %d, %d bytes of %d, body of %d", name, keep, err, a.size, a.packed, a.bytes, len(tc.answer), len(a.body))
			}
			if v, ok := a.field("Content-Encoding"); ok != strings.HasPrefix(name, "gzip") || ok && !strings.Contains(strings.ToLower(v), "gzip") {
				t.Errorf("%s: coding %q, %v", name, v, ok)
			}
		}
	}
}

// The head that is kept is that of the final answer.
func TestKeptHead(t *testing.T) {
	a := answer{wantHead: true}
	in := "HTTP/1.1 103 Early\r\nLink: <a>\r\nContent-Encoding: gzip\r\n\r\nHTTP/1.1 204 Fine\r\nA: 1\r\na:  2 \r\nB: 3\r\n\r\n"
	if err := a.read(bufio.NewReader(strings.NewReader(in)), false); err != nil || a.gzipped || string(a.head) != "HTTP/1.1 204 Fine\nA: 1\na:  2 \nB: 3\n" {
		t.Errorf("%v, %q", err, a.head)
	}
	var all []string
	a.each("a", func(v []byte) bool {
		all = append(all, string(v))
		return true
	})
	if fmt.Sprint(all) != "[1 2]" {
		t.Errorf("%q", all)
	}
}

// Whatever claims to be gzip: what is counted is what was taken, and no answer
// keeps more than was wanted.
func FuzzInflated(f *testing.F) {
	f.Add([]byte(zipped(1000)), false)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\x1f\x8b\r\n0\r\n\r\n"+ok), true)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"), true)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\n\x1f\x8b\x08\x00"), false)
	f.Fuzz(func(t *testing.T, in []byte, head bool) {
		src := bytes.NewReader(in)
		r := bufio.NewReaderSize(src, 4096)
		a := answer{inflate: true, wantHead: true, keep: 10}
		err := a.read(r, head)
		taken := int64(len(in)) - int64(src.Len()+r.Buffered())
		if a.bytes > taken || err == nil && a.bytes != taken || a.packed > a.bytes || len(a.body) > 10 || int64(len(a.body)) > a.size || len(a.head) > maxKeptHead {
			t.Fatalf("%v: %d bytes counted of %d, %d packed, %d kept of %d", err, a.bytes, taken, a.packed, len(a.body), a.size)
		}
		plain := answer{}
		perr := plain.read(bufio.NewReaderSize(bytes.NewReader(in), 4096), head)
		if err == nil && (perr != nil || plain.bytes != a.bytes || plain.close != a.close) || err != nil && perr == nil && !errors.Is(err, errGzip) {
			t.Fatalf("inflated: %v, %d bytes; as it is: %v, %d bytes", err, a.bytes, perr, plain.bytes)
		}
	})
}

// Wherever a server sends a client: an error, or one well-formed request that
// carries no secret to another server.
func FuzzRedirected(f *testing.F) {
	for _, to := range []string{"/x", "//other/", "https://h/", "http://h:81@x/", "\r\nX: y", "?\x00", "http://[::1]:80/%zz", "#a"} {
		f.Add(302, to)
	}
	d := &draft{url: "http://h:81/a?b", method: "POST", body: []byte("{}"), auth: "Bearer s3cret", headers: []plan.Pair{{Name: "Cookie", Value: "s3cret=1"}}}
	m, p := d.build()
	if p != nil {
		f.Fatal(p)
	}
	f.Fuzz(func(t *testing.T, status int, to string) {
		next, err := m.redirected(status, to)
		if err != nil {
			return
		}
		head, _, found := strings.Cut(string(next.wire(nil)), "\r\n\r\n")
		if !found || next.at != m.at && strings.Contains(head, "s3cret") {
			t.Fatalf("%q", head)
		}
		for i, l := range strings.Split(head, "\r\n") {
			if strings.ContainsAny(l, "\r\n\x00") || i == 0 && strings.Count(l, " ") != 2 || i > 0 && !strings.Contains(l, ": ") {
				t.Fatalf("line %q of %q", l, head)
			}
		}
	})
}
