package session

import (
	"bytes"
	"compress/gzip"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/jtop/probes"
)

func records() []probes.Record {
	t0 := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return []probes.Record{
		{Meta: &probes.Meta{Started: t0, Tool: "jtop", JVM: probes.JVM{PID: 7, Attach: probes.AttachStatus{OK: true}}}},
		{Sample: &probes.Sample{Wall: t0, Elapsed: time.Second, Heap: &probes.HeapSample{Used: probes.Some(int64(5))}}},
		{Event: &probes.Event{Kind: probes.EventGC, Wall: t0, GC: &probes.GCEvent{N: 1, Before: probes.Some(int64(9))}}},
	}
}

func encode(t testing.TB) []byte {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, r := range records() {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(b []byte) (out []probes.Record, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, rec)
	}
}

func TestRoundTrip(t *testing.T) {
	got, err := decode(encode(t))
	if err != nil {
		t.Fatal(err)
	}
	want := records()
	for i := range want {
		want[i].Seq = uint64(i + 1)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestTornEndIsAbsent(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, r := range records() {
		w.Write(r)
		w.Flush()
	}
	whole := b.Bytes() // never closed, as after a crash
	got, err := decode(whole)
	if err != nil || len(got) != 3 {
		t.Errorf("%d records, %v", len(got), err)
	}
	if got, err := decode(whole[:len(whole)-20]); err != nil || len(got) != 2 {
		t.Errorf("cut: %d records, %v; want 2", len(got), err)
	}
}

func TestDamageInTheMiddle(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, `{"seq":1,"event":{"kind":"note"}}`+"\n"+`{"seq":2,"eve`+"\n"+`{"seq":3,"event":{"kind":"note"}}`+"\n")
	z.Close()
	got, err := decode(b.Bytes())
	if len(got) != 1 || err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%d records, %v", len(got), err)
	}
	if _, err := decode([]byte("no recording")); err == nil {
		t.Error("plain text was taken for a recording")
	}
}

func FuzzReader(f *testing.F) {
	f.Add(encode(f))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var z bytes.Buffer
		g := gzip.NewWriter(&z)
		g.Write(b)
		g.Close()
		for _, in := range [][]byte{b, z.Bytes()} {
			recs, _ := decode(in)
			for _, r := range recs {
				if r.Meta == nil && r.Sample == nil && r.Event == nil {
					t.Fatal("a record without content")
				}
			}
		}
	})
}
