package load

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// An answer that comes byte by byte is the same answer.
func TestReadAnswerByteByByte(t *testing.T) {
	text := "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nX-A: b\r\n folded\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"
	r := bufio.NewReader(iotest.OneByteReader(strings.NewReader(text + "more")))
	a, err := readAnswer(r, false)
	if err != nil || a.status != 200 || a.close || a.bytes != int64(len(text)) {
		t.Errorf("%+v, %v", a, err)
	}
	if rest, _ := io.ReadAll(r); string(rest) != "more" {
		t.Errorf("left %q", rest)
	}
}

func TestMalformedHeads(t *testing.T) {
	for _, text := range []string{
		"HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.x 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\n folded: first\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\n: empty\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
	} {
		if a, err := readAnswer(bufio.NewReader(strings.NewReader(text)), false); !errors.Is(err, errMalformed) {
			t.Errorf("%q: %+v, %v", text, a, err)
		}
	}
}

func TestConnectionTokens(t *testing.T) {
	for head, want := range map[string]bool{
		"HTTP/1.1 204 x\r\n":                                                    false,
		"HTTP/1.1 204 x\r\nConnection: closet\r\n":                              false,
		"HTTP/1.1 204 x\r\nConnection: upgrade, CLOSE\r\n":                      true,
		"HTTP/1.1 204 x\r\nConnection: close\r\nConnection: keep-alive\r\n":     true,
		"HTTP/1.0 204 x\r\n":                                                    true,
		"HTTP/1.0 204 x\r\nConnection: Keep-Alive\r\n":                          false,
		"HTTP/1.1 100 x\r\nConnection: close\r\n\r\nHTTP/1.1 204 x\r\n":         false,
		"HTTP/1.1 204\r\n":                                                      false,
		"HTTP/1.1 204 x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n": true,
	} {
		a, err := readAnswer(bufio.NewReader(strings.NewReader(head+"\r\n")), false)
		if err != nil || a.close != want || a.status != 204 {
			t.Errorf("%q: %+v, %v", head, a, err)
		}
	}
}

func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(ok), false)
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"+ok), false)
	f.Add([]byte("HTTP/1.1 103 x\r\n\r\nHTTP/1.0 200 OK\r\n\r\nbody"), false)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\n"), true)
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n"), false)
	f.Fuzz(func(t *testing.T, in []byte, head bool) {
		src := strings.NewReader(string(in))
		r := bufio.NewReaderSize(src, 4096)
		a, err := readAnswer(r, head)
		// What was counted is what was taken, no more and no less.
		if left := int64(src.Len() + r.Buffered()); a.bytes != int64(len(in))-left && err == nil || a.bytes > int64(len(in))-left {
			t.Fatalf("%d counted, %d of %d left", a.bytes, left, len(in))
		}
		if a.began != (a.bytes > 0) && len(in) > 0 {
			t.Fatalf("began %v with %d bytes", a.began, a.bytes)
		}
		switch {
		case err == nil && (a.status < 200 || a.status > 999):
			t.Fatalf("an answer of status %d", a.status)
		case errors.Is(err, io.EOF) && len(in) > 0:
			t.Fatalf("nothing came, it says, of %d bytes", len(in))
		}
	})
}
