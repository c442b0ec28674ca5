package main

import (
	"flag"
	"io"
	"strings"
	"testing"
	"time"
)

func TestTimeVar(t *testing.T) {
	for _, tc := range []struct {
		text  string
		least time.Duration
		want  time.Duration
		err   string
	}{
		{"5s", 0, 5 * time.Second, ""},
		{"0", 0, 0, ""},
		{"0", 1, 0, "above 0"},
		{"1ns", 1, 1, ""},
		{"-1s", 0, 0, "negative"},
		{"-1s", 1, 0, "above 0"},
		{"5", 0, 0, "with a unit"},
		{"", 0, 0, "with a unit"},
		{"100000000h", 0, 0, "with a unit"},
		{"9000h", 0, 0, "a year at most"},
	} {
		f := flag.NewFlagSet("x", flag.ContinueOnError)
		f.SetOutput(io.Discard)
		var d time.Duration
		timeVar(f, &d, "d", time.Minute, tc.least)
		if d != time.Minute {
			t.Errorf("without the flag it is %v", d)
		}
		err := f.Parse([]string{"-d", tc.text})
		if tc.err == "" && (err != nil || d != tc.want) || tc.err != "" && (err == nil || !strings.Contains(err.Error(), tc.err)) {
			t.Errorf("%q from %v: %v, %v; want %v, %s", tc.text, tc.least, d, err, tc.want, tc.err)
		}
	}
}
