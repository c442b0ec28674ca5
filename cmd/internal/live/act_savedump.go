package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActStep] = actor{price: func(context.Context, *Session, string) (tui.Price, error) {
		return tui.Price{}, &probes.Problem{What: "this is a live JVM", Why: "its dumps come by schedule", Next: "jtop threads --screen FILE... steps through saved ones"}
	}}
	actors[tui.ActSaveDump] = actor{price: priceSaveDump, do: saveDump}
}

// priceSaveDump asks for a name: the file is jtop's own, and costs the JVM
// nothing.
func priceSaveDump(_ context.Context, s *Session, arg string) (tui.Price, error) {
	b, taken := s.threads.Raw()
	if b == nil {
		return tui.Price{}, &probes.Problem{What: "there is no thread dump to save", Why: "none was taken yet", Next: "r takes one"}
	}
	if arg == "" {
		name := fmt.Sprintf("threads-%d-%s.txt", s.target.PID, taken.Format("20060102-150405"))
		return tui.Price{Title: "Save the thread dump of " + taken.Format("15:04:05"), Prompt: "a new file on this machine: .txt is as jstack's, .json is jtop's", Arg: name}, nil
	}
	return tui.Price{Free: true}, nil
}

// saveDump writes the dump as the JVM gave it, or as JSON. It never writes over
// a file.
func saveDump(_ context.Context, s *Session, arg string) (string, error) {
	b, taken := s.threads.Raw()
	problem := func(err error, next string) error {
		return &probes.Problem{What: "the dump was not saved", Why: probes.Clean(err.Error()), Next: next}
	}
	if b == nil {
		return "", problem(errors.New("it is gone: the tab was left meanwhile"), "r takes another one")
	}
	if strings.HasSuffix(arg, ".json") {
		d, err := threads.Parse(b)
		if err != nil {
			return "", problem(err, "save it as .txt")
		}
		d.Taken = taken
		if b, err = threads.JSON(d); err != nil {
			return "", problem(err, "save it as .txt")
		}
	}
	f, err := os.OpenFile(arg, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", problem(err, "name a file that does not exist yet")
	}
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", problem(err, "what is in the file is not whole")
	}
	return fmt.Sprintf("saved; jtop threads --screen %s shows it", probes.Clean(arg)), nil
}
