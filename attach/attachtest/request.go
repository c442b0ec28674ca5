package attachtest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// readRequest reads a request of version 1 (a name and three arguments) or 2 (a
// size, then a name and arguments), each string ended by NUL.
func readRequest(in io.Reader) (Request, error) {
	br := bufio.NewReader(in)
	word := func() (string, error) {
		s, err := br.ReadString(0)
		if err != nil {
			return "", err
		}
		return s[:len(s)-1], nil
	}
	var r Request
	version, err := word()
	if err != nil {
		return r, err
	}
	switch version {
	case "1":
		r.Version = 1
		if r.Name, err = word(); err != nil {
			return r, err
		}
		for range 3 {
			a, err := word()
			if err != nil {
				return r, err
			}
			r.Args = append(r.Args, a)
		}
		return r, nil
	case "2":
		r.Version = 2
		text, err := word()
		if err != nil {
			return r, err
		}
		size, err := strconv.Atoi(text)
		if err != nil {
			return r, err
		}
		for n := 0; n < size; {
			s, err := word()
			if err != nil {
				return r, err
			}
			n += len(s) + 1
			if r.Name == "" {
				r.Name = s
			} else {
				r.Args = append(r.Args, s)
			}
		}
		return r, nil
	}
	return r, fmt.Errorf("version %q", version)
}
