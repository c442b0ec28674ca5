package probes

import "time"

// HeapDump is what a first look into a heap dump tells. Sizes are shallow
// sizes in bytes, as the JVM that wrote the dump counts them: header, fields
// and padding, computed by the rules that Layout names, because the file holds
// none. Texts are cleaned and bounded.
type HeapDump struct {
	Format      string     `json:"format"` // of the file: "JAVA PROFILE 1.0.2"
	IDBytes     int        `json:"id_bytes"`
	Taken       *time.Time `json:"taken"`        // by the clock of the JVM's machine; nil: not told
	JavaVersion string     `json:"java_version"` // of the JVM, from its own classes; "": not found
	FileBytes   int64      `json:"file_bytes"`
	Compressed  bool       `json:"compressed"` // by gzip

	Objects          int64 `json:"objects"` // all of them, in Bytes
	Bytes            int64 `json:"bytes"`
	Instances        int64 `json:"instances"` // of Objects, those that are neither arrays nor classes
	ObjectArrays     int64 `json:"object_arrays"`
	PrimitiveArrays  int64 `json:"primitive_arrays"`
	ClassObjects     int64 `json:"class_objects"`      // java.lang.Class, one a loaded class
	ClassObjectBytes int64 `json:"class_object_bytes"` // of Bytes, approximate: the JVM's hidden fields of a class are not in the file

	Layout HeapLayout  `json:"layout"`
	Roots  []HeapRoots `json:"roots"` // by count
	// Classes is the histogram, by bytes. Two loaders' classes of one name are
	// two rows.
	Classes    []HeapClass    `json:"classes"`
	Arrays     []HeapArray    `json:"arrays"` // the biggest
	Strings    HeapStrings    `json:"strings"`
	Duplicates HeapDuplicates `json:"duplicates"`
	Threads    []HeapThread   `json:"threads"` // by bytes of locals

	Notes   []string `json:"notes"`   // what is approximate or was left out, and why
	Partial *Problem `json:"partial"` // set: the figures are of the part before the trouble only
}

// HeapLayout is how object sizes were computed.
type HeapLayout struct {
	HeaderBytes    int `json:"header_bytes"`    // of an object that is no array
	ReferenceBytes int `json:"reference_bytes"` // 4: compressed oops
	// Packed tells the layout of JDK 15 and newer, which puts fields into the
	// gaps that superclasses leave.
	Packed bool `json:"packed"`
	// Classes of which the distance between neighbours in the heap confirms the
	// computed size, of so many with a distance to compare with.
	Confirmed int    `json:"confirmed"`
	Compared  int    `json:"compared"`
	Text      string `json:"text"` // the rules and the assumption, in words
}

// HeapRoots counts the GC roots of one kind.
type HeapRoots struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count"`
}

// HeapClass is a row of the histogram.
type HeapClass struct {
	Name      string `json:"name"` // as in Java source: java.lang.String, byte[]
	Instances int64  `json:"instances"`
	Bytes     int64  `json:"bytes"`
}

// HeapArray is one array.
type HeapArray struct {
	Class  string `json:"class"`
	ID     string `json:"id"`     // its address, hexadecimal
	Length int64  `json:"length"` // elements
	Bytes  int64  `json:"bytes"`
}

// HeapStrings is what instances of java.lang.String hold.
type HeapStrings struct {
	Instances Opt[int64]   `json:"instances"` // unknown: the dump does not describe java.lang.String
	Arrays    Opt[int64]   `json:"arrays"`    // that hold their text; strings may share one
	Bytes     Opt[int64]   `json:"bytes"`     // of these arrays
	Biggest   []HeapString `json:"biggest"`
}

// HeapString is the text of one array of a string.
type HeapString struct {
	ID    string `json:"id"`    // of the array
	Chars int64  `json:"chars"` // UTF-16 units
	Bytes int64  `json:"bytes"` // of the array
	Head  string `json:"head"`  // of the text; "" where texts were not asked for
}

// HeapDuplicates is text that more than one array holds.
type HeapDuplicates struct {
	Texts  Opt[int64] `json:"texts"`  // that occur more than once
	Copies Opt[int64] `json:"copies"` // arrays with such a text
	Wasted Opt[int64] `json:"wasted_bytes"`
	// LowerBound: there were more different texts than are kept at a time, and
	// the true figures may be higher.
	LowerBound bool            `json:"lower_bound"`
	Top        []HeapDuplicate `json:"top"` // by wasted bytes
}

// HeapDuplicate is one text with its copies.
type HeapDuplicate struct {
	Copies int64  `json:"copies"`
	Chars  int64  `json:"chars"`
	Each   int64  `json:"each_bytes"`   // of one array
	Wasted int64  `json:"wasted_bytes"` // of all copies but one
	Head   string `json:"head"`
}

// HeapThread is the stack of a thread and what its locals refer to.
type HeapThread struct {
	Name   Opt[string] `json:"name"`  // "" is that of a virtual thread without one
	Class  string      `json:"class"` // of the thread object
	Serial int64       `json:"serial"`
	Locals int64       `json:"locals"` // different objects that its frames refer to
	Bytes  int64       `json:"bytes"`  // of these objects, not of what they refer to
	Frames []HeapFrame `json:"frames"` // innermost first
}

// HeapFrame is one frame of a stack.
type HeapFrame struct {
	Method string `json:"method"` // as in a thread dump
	Locals int64  `json:"locals"` // references of the frame, locals and JNI handles
	Bytes  int64  `json:"bytes"`  // of the different objects they refer to
}

// HeapLook is the dump that the user looked into.
type HeapLook struct {
	File string    `json:"file"` // as the user named it
	Dump *HeapDump `json:"dump"`
}
