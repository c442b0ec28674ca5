package main

import (
	"os"
	"strings"
	"testing"
)

const twoSamples = "timeStamp,elapsed,label,responseCode,success,allThreads\n1700000000000,5,question,200,true,3\n1700000001000,7,question,500,false,3\n"

func TestScreenOfAJTLIsRefused(t *testing.T) {
	jtl := write(t, "r.jtl", twoSamples)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--jtl", jtl, "--screen"}, "goes with --jtl and --follow"},
		{[]string{"--jtl", jtl, "--follow", "--screen", "--json"}, "shows no report"},
		{[]string{"--jtl", jtl, "--follow", "--screen", "--fail-if", "errors>1%"}, "shows no report"},
		{[]string{"http://127.0.0.1:1/", "--screen"}, "goes with --jtl and --follow"},
		{[]string{"http://127.0.0.1:1/", "--ascii"}, "--ascii is of the screen"},
		{[]string{"--jtl", jtl, "--follow", "--screen"}, "not a terminal"},
		{[]string{"--jtl", jtl, "--follow", "--screen", "--pid", "4194303"}, "no such process"},
	} {
		if code, out, errs := jtopLoad(c.args...); code != exitUsage && code != exitNoJVM || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %q %q", c.args, code, out, errs)
		}
	}
}

// A JTL that grows is on the screen; x lets it go, its figures stay.
func TestScreenOfAJTL(t *testing.T) {
	jtl := write(t, "r.jtl", twoSamples)
	tm := newTerminal(t, 100, 30, nil, binary(t)+" load --jtl "+jtl+" --follow --screen")
	tm.until("following", "2 samples of 1 label", "threads 3", "500: 1")
	f, err := os.OpenFile(jtl, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("1700000002000,9,answer,200,true,3\n"); err != nil {
		t.Fatal(err)
	}
	tm.until("3 samples of 2 labels")
	tm.keys("]")
	tm.until("answer", "question", "TOTAL")
	tm.keys("]")
	tm.until("A JTL has no requests and no answers")
	tm.keys("]", "x")
	tm.until("stopped after 2.0 s", "3 finished")
	tm.keys("q")
	tm.ended(0)
}
