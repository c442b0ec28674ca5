package main

import (
	"errors"
	"flag"
	"strings"

	"example.com/jtop/probes/load/plan"
)

// maxBody is the largest request body that is read from a file, in bytes: it
// is kept in memory once.
const maxBody = 256 << 20

// given tells whether a flag was on the command line.
func given(f *flag.FlagSet, name string) bool {
	found := false
	f.Visit(func(fl *flag.Flag) { found = found || fl.Name == name })
	return found
}

// parseRate reads "200", "200/s" or "12000/m" as requests a second, more than
// 0.
func parseRate(s string) (float64, error) {
	r, err := plan.ParseRate(s)
	if err == nil && r == 0 {
		err = errors.New("a rate is a number above 0, such as 200/s or 12000/m")
	}
	return float64(r), err
}

// loadBody is the text, or what the file after @ holds.
func loadBody(s string) (string, error) {
	name, file := strings.CutPrefix(s, "@")
	if !file {
		return s, nil
	}
	b, err := readUpTo("--body", name, maxBody)
	if err != nil {
		return "", err
	}
	return string(b), nil
}
