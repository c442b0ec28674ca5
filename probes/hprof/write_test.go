package hprof

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"testing"

	"example.com/jtop/probes"
)

// dump writes a dump for tests.
type dump struct {
	ids  int
	out  bytes.Buffer
	heap bytes.Buffer // of the segment that is being written
}

func newDump(ids int) *dump {
	d := &dump{ids: ids}
	d.out.WriteString("JAVA PROFILE 1.0.2\x00")
	put(&d.out, uint32(ids), uint64(1_700_000_000_123))
	return d
}

// put writes numbers, big-endian.
func put(w io.Writer, values ...any) {
	for _, v := range values {
		if err := binary.Write(w, binary.BigEndian, v); err != nil {
			panic(err)
		}
	}
}

func (d *dump) id(v uint64) any {
	if d.ids == 4 {
		return uint32(v)
	}
	return v
}

func (d *dump) record(tag byte, values ...any) {
	var b bytes.Buffer
	put(&b, values...)
	put(&d.out, tag, uint32(0), uint32(b.Len()))
	d.out.Write(b.Bytes())
}

func (d *dump) name(id uint64, text string) { d.record(tagUTF8, d.id(id), []byte(text)) }

// loaded names a class; its name has the id of the class and 1.
func (d *dump) loaded(serial uint32, id uint64, name string) {
	d.name(id+1, name)
	d.record(tagClass, serial, d.id(id), uint32(0), d.id(id+1))
}

// classFields describes a class; fields are pairs of a name's id and a type.
func (d *dump) class(id, super uint64, statics []any, fields ...any) {
	put(&d.heap, byte(subClass), d.id(id), uint32(0), d.id(super))
	for range 5 {
		put(&d.heap, d.id(0))
	}
	put(&d.heap, uint32(0), uint16(0), uint16(len(statics)/3))
	for i := 0; i < len(statics); i += 3 {
		put(&d.heap, d.id(statics[i].(uint64)), statics[i+1], statics[i+2])
	}
	put(&d.heap, uint16(len(fields)/2))
	for i := 0; i < len(fields); i += 2 {
		put(&d.heap, d.id(fields[i].(uint64)), fields[i+1])
	}
}

func (d *dump) instance(id, class uint64, values ...any) {
	var b bytes.Buffer
	put(&b, values...)
	put(&d.heap, byte(subInstance), d.id(id), uint32(0), d.id(class), uint32(b.Len()))
	d.heap.Write(b.Bytes())
}

func (d *dump) objects(id, class uint64, n int) {
	put(&d.heap, byte(subObjects), d.id(id), uint32(0), uint32(n), d.id(class), make([]byte, n*d.ids))
}

func (d *dump) primitives(id uint64, elem byte, n int, data []byte) {
	put(&d.heap, byte(subPrimitives), d.id(id), uint32(0), uint32(n), elem, data)
}

func (d *dump) root(kind byte, id uint64, more ...any) {
	put(&d.heap, kind, d.id(id))
	put(&d.heap, more...)
}

// segment ends a heap segment.
func (d *dump) segment(tag byte) {
	d.record(tag, d.heap.Bytes())
	d.heap.Reset()
}

func (d *dump) bytes() []byte {
	if d.heap.Len() > 0 {
		d.segment(tagSegment)
	}
	d.record(tagEnd)
	return d.out.Bytes()
}

func look(t testing.TB, b []byte, o Options) *probes.HeapDump {
	t.Helper()
	d, err := Read(context.Background(), bytes.NewReader(b), int64(len(b)), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func find(t testing.TB, d *probes.HeapDump, name string) probes.HeapClass {
	t.Helper()
	for _, c := range d.Classes {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no class %s in %+v", name, d.Classes)
	return probes.HeapClass{}
}

// Ids of the example.
const (
	idObject, idClass, idString, idThread, idNode, idNodes = 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500
	nValue, nCoder, nHash, nName, nNext                    = 0x10, 0x12, 0x14, 0x16, 0x18
	nRun, nSource                                          = 0x20, 0x22
)

// example is a small heap: strings, two threads, a list.
func example(ids int, coder bool) *dump {
	d := newDump(ids)
	for id, s := range map[uint64]string{nValue: "value", nCoder: "coder", nHash: "hash", nName: "name", nNext: "next", nRun: "run", nSource: "A.java"} {
		d.name(id, s)
	}
	for i, c := range []struct {
		id   uint64
		name string
	}{{idObject, "java/lang/Object"}, {idClass, "java/lang/Class"}, {idString, "java/lang/String"}, {idThread, "java/lang/Thread"}, {idNode, "a/Node"}, {idNodes, "[La/Node;"}} {
		d.loaded(uint32(i+1), c.id, c.name)
	}
	d.record(tagFrame, d.id(0x51), d.id(nRun), d.id(0), d.id(nSource), uint32(5), uint32(42))
	d.record(tagFrame, d.id(0x52), d.id(nRun), d.id(0), d.id(nSource), uint32(4), int32(-3))
	d.record(tagTrace, uint32(7), uint32(1), uint32(2), d.id(0x51), d.id(0x52))
	d.class(idObject, 0, nil)
	d.class(idClass, idObject, nil)
	if coder {
		d.class(idString, idObject, nil, uint64(nValue), byte(2), uint64(nHash), byte(10), uint64(nCoder), byte(8))
	} else {
		d.class(idString, idObject, nil, uint64(nValue), byte(2), uint64(nHash), byte(10))
	}
	d.class(idThread, idObject, nil, uint64(nHash), byte(11), uint64(nName), byte(2))
	d.class(idNode, idObject, []any{uint64(nHash), byte(10), uint32(1)}, uint64(nNext), byte(2), uint64(nHash), byte(4))
	d.class(idNodes, idObject, nil)
	return d
}

// str writes a String with its array; text is Latin-1 where coder is 0.
func (d *dump) str(id, array uint64, coder byte, text []byte) {
	d.instance(id, idString, d.id(array), uint32(0), coder)
	d.primitives(array, typeByte, len(text), text)
}
