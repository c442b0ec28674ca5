//go:build !linux

package gclog

import "os"

// openIn opens a name below another root directory.
func openIn(root, name string) (*os.File, error) { return os.Open(root + "/" + name) }
