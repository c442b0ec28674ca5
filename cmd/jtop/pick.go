package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/jvm"
)

// pick finds the JVM that a word on the command line means: a pid, or a part
// of a name that fits one JVM only. The name as it stands wins over parts of
// others.
func pick(word string) (int, error) {
	if pid, err := strconv.Atoi(word); err == nil {
		if pid <= 0 {
			return 0, usagef("%q is no pid", word)
		}
		_, err := attach.Inspect("/proc", pid)
		return pid, err
	}
	l := jvm.NewLister("/proc")
	defer l.Close()
	rows, err := l.List(time.Now())
	if err != nil {
		return 0, err
	}
	found := match(rows, word)
	switch len(found) {
	case 1:
		return found[0].PID, nil
	case 0:
		return 0, noJVMError{fmt.Sprintf("no JVM here has a name with %q in it; `jtop ps` lists them", word)}
	}
	var list []string
	for _, j := range found {
		list = append(list, fmt.Sprintf("%d %s", j.PID, j.Name))
	}
	return 0, noJVMError{fmt.Sprintf("%d JVMs fit %q: %s; name one by its pid", len(found), word, strings.Join(list, ", "))}
}

func match(rows []probes.JVM, word string) (found []probes.JVM) {
	for _, j := range rows {
		if j.Name == word || j.MainClass == word {
			found = append(found, j)
		}
	}
	if len(found) > 0 {
		return found
	}
	w := strings.ToLower(word)
	for _, j := range rows {
		if strings.Contains(strings.ToLower(j.Name), w) || strings.Contains(strings.ToLower(j.MainClass), w) {
			found = append(found, j)
		}
	}
	return found
}
