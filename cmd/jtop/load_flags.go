package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
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

// parseRate reads "200", "200/s" or "12000/m" as requests a second.
func parseRate(s string) (float64, error) {
	num, per := strings.TrimSpace(s), 1.0
	for unit, seconds := range map[string]float64{"/s": 1, "/sec": 1, "/m": 60, "/min": 60, "/h": 3600} {
		if n, ok := strings.CutSuffix(num, unit); ok {
			num, per = n, seconds
			break
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if err != nil || !(v > 0) {
		return 0, fmt.Errorf("a rate is a number above 0, such as 200/s or 12000/m")
	}
	return v / per, nil
}

// loadBody is the text, or what the file after @ holds.
func loadBody(s string) (string, error) {
	name, file := strings.CutPrefix(s, "@")
	if !file {
		return s, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", usagef("--body: %v", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxBody+1))
	switch {
	case err != nil:
		return "", usagef("--body: %v", err)
	case len(b) > maxBody:
		return "", usagef("--body: %s is larger than 256 MB", name)
	}
	return string(b), nil
}
