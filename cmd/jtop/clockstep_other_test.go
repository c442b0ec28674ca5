//go:build !(linux && amd64)

package main

import (
	"fmt"
	"os"
)

func launchStepped([]string, string) int {
	fmt.Fprintln(os.Stderr, "stepped clock: needs ptrace of Linux on amd64")
	return 125
}
