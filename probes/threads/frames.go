package threads

import (
	"strings"

	"example.com/jtop/probes"
)

// methodOf is a frame's class and method without the place and without what
// stands before the class: "java.lang.Thread.sleep" of
// "java.lang.Thread.sleep(java.base@17.0.21/Native Method)" (jstack) and of
// "java.base/java.lang.Thread.sleep(Thread.java:509)" (dump_to_file). The slash
// in a hidden class's name stays: "A$$Lambda/0x0000.run".
func methodOf(frame string) string {
	if i := strings.IndexByte(frame, '('); i >= 0 {
		frame = frame[:i]
	}
	for {
		i := strings.IndexByte(frame, '/')
		if i < 0 || strings.IndexByte(frame[:i], '$') >= 0 {
			return frame
		}
		frame = frame[i+1:]
	}
}

// placeOf is a frame's method and line in a form that is the same in every
// kind of dump: "java.lang.Thread.sleep(Thread.java:509)".
func placeOf(frame string) string {
	m := methodOf(frame)
	i := strings.IndexByte(frame, '(')
	if i < 0 {
		return m
	}
	where := frame[i+1:]
	if k := strings.LastIndexByte(where, '/'); k >= 0 {
		where = where[k+1:] // behind the module's version
	} else if m == frame[:i] {
		return frame // as it stands, without a copy
	}
	return m + "(" + where
}

// lockedAt is the outermost frame in which a monitor was entered, "" where the
// dump does not say. A lock line ends its id with ">".
func lockedAt(stack []probes.StackFrame, id string) string {
	mark := "- locked <" + id + ">"
	for i := len(stack) - 1; i >= 0; i-- {
		for _, l := range stack[i].Locks {
			if strings.HasPrefix(l, mark) {
				return stack[i].Method
			}
		}
	}
	return ""
}
