package tuitest

import (
	"fmt"

	"example.com/jtop/probes"
)

// HeapDump is a first look into a dump, with n entries in each list.
func HeapDump(n int) *probes.HeapDump {
	taken := Wall
	d := &probes.HeapDump{
		Format: "JAVA PROFILE 1.0.2", IDBytes: 8, Taken: &taken, JavaVersion: "17.0.15", FileBytes: 1_216_145_760,
		Objects: 24_582_776, Bytes: 943_900_000, Instances: 12_292_356, ObjectArrays: 76_608, PrimitiveArrays: 12_213_294, ClassObjects: 518, ClassObjectBytes: 64_800,
		Layout:     probes.HeapLayout{HeaderBytes: 12, ReferenceBytes: 4, Packed: true, Confirmed: 146, Compared: 151, Text: "header of 12 bytes, compressed oops of 4 bytes, all rounded up to 8; chosen because it fits the addresses: 146 of 151 classes have an instance with exactly that distance to the next object"},
		Roots:      []probes.HeapRoots{{Kind: "class of the JVM (sticky)", Count: 420}, {Kind: "JNI global", Count: 30}, {Kind: "thread", Count: 7}},
		Strings:    probes.HeapStrings{Instances: probes.Some[int64](7_282_295), Arrays: probes.Some[int64](7_282_294), Bytes: probes.Some[int64](330_000_000)},
		Duplicates: probes.HeapDuplicates{Texts: probes.Some[int64](2_522), Copies: probes.Some[int64](2_426_929), Wasted: probes.Some[int64](97_000_000)},
		Notes:      []string{"the file holds more than one dump: the first one was read"},
	}
	d.Classes = append(d.Classes, probes.HeapClass{Name: "byte[]", Instances: 12_137_322, Bytes: 548_000_000})
	for i := range n {
		size := int64(160_000_000 / (i + 1))
		d.Classes = append(d.Classes, probes.HeapClass{Name: fmt.Sprintf("com.example.orders.Entry%d", i), Instances: size / 24, Bytes: size})
		d.Arrays = append(d.Arrays, probes.HeapArray{Class: "java.lang.Object[]", ID: fmt.Sprintf("0x%x", 0xa9419f28+i*64), Length: size / 4, Bytes: size + 16})
		d.Strings.Biggest = append(d.Strings.Biggest, probes.HeapString{ID: "0xa2396250", Chars: size / 2, Bytes: size, Head: fmt.Sprintf(`{"order": %d, "customer": "Jane Doe", "lines": [{"article": 4711, "count": 3}, {"article"...`, i)})
		d.Duplicates.Top = append(d.Duplicates.Top, probes.HeapDuplicate{Copies: size / 1000, Chars: 24, Each: 40, Wasted: size / 25, Head: fmt.Sprintf("one of few texts: %d", i)})
		d.Threads = append(d.Threads, probes.HeapThread{Name: probes.Some(fmt.Sprintf("http-nio-8080-exec-%d", i)), Class: "java.lang.Thread", Serial: int64(i + 1), Locals: 12, Bytes: size / 2, Frames: []probes.HeapFrame{
			{Method: "java.lang.Thread.sleep(Native Method)"}, {Method: "com.example.orders.Report.render(Report.java:42)", Locals: 3, Bytes: size / 2}, {Method: "java.lang.Thread.run(Thread.java:840)", Locals: 1, Bytes: 112},
		}})
	}
	return d
}

// NastyHeapDump has hostile text wherever a dump has any.
func NastyHeapDump() *probes.HeapDump {
	d := HeapDump(3)
	d.JavaVersion, d.Layout.Text, d.Notes = Nasty, Nasty, []string{Nasty}
	d.Partial = &probes.Problem{What: Nasty, Why: Nasty, Next: Nasty}
	d.Roots[0].Kind, d.Classes[0].Name, d.Classes[1].Name, d.Arrays[0].Class = Nasty, Nasty, Nasty, Nasty
	d.Strings.Biggest[0].Head, d.Duplicates.Top[0].Head = Nasty, Nasty
	d.Threads[0].Name, d.Threads[0].Class, d.Threads[0].Frames[0].Method = probes.Some(Nasty), Nasty, Nasty
	return d
}
