package main

import (
	"errors"
	"flag"
	"fmt"
	"time"
)

// longest is the longest time that a flag takes.
const longest = 365 * 24 * time.Hour

// timeVar is a flag with a time from least, which is 0 or, where it must be above
// 0, 1 ns, to a year.
func timeVar(f *flag.FlagSet, to *time.Duration, name string, value, least time.Duration) {
	*to = value
	f.Func(name, "", func(s string) error {
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return errors.New("a time is a number with a unit, such as 300ms, 5s or 10m, and no longer than a year")
		case d < least && least == 1:
			return fmt.Errorf("it is above 0; without -%s there is a default", name)
		case d < least:
			return errors.New("no time is negative")
		case d > longest:
			return errors.New("it is a year at most")
		}
		*to = d
		return nil
	})
}
