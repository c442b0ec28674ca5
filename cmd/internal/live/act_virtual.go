package live

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"example.com/jtop/attach"
	"example.com/jtop/probes"
	"example.com/jtop/probes/threads"
	"example.com/jtop/tui"
)

func init() {
	actors[tui.ActVirtual] = actor{price: priceVirtual, do: virtual}
}

const (
	virtualWithin = 2 * time.Minute // 10,000 threads take a second, a million two minutes
	virtualMost   = 512 << 20       // bytes of a dump that are read
	noVirtual     = "no dump of virtual threads"
)

func priceVirtual(_ context.Context, s *Session, _ string) (tui.Price, error) {
	if p := s.commands.Allowed(); p != nil {
		return tui.Price{}, p
	}
	if v := probes.Feature(s.row.JDK); v > 0 && v < 21 {
		return tui.Price{}, &probes.Problem{What: "this JVM has no virtual threads", Why: "JDK " + s.row.JDK + " came before them: they are in 21 and later"}
	}
	text := "The JVM writes every thread to a new file in its /tmp (Thread.dump_to_file), which is read and deleted. It is not stopped, but one of its threads works for it and fills the heap " +
		"meanwhile: 10,000 virtual threads took 0.1 to 1.5 s and a file of 8 MB."
	if f := s.free("/tmp/x"); f.OK {
		text += fmt.Sprintf(" %s is free there.", megabytes(f.V))
	}
	return tui.Price{Title: "Dump the virtual threads?", Text: text}, nil
}

// virtual takes the dump as JSON, or as text where JSON does not mark virtual
// threads (before 25) or the name of a thread breaks it.
func virtual(ctx context.Context, s *Session, _ string) (string, error) {
	s.progress(probes.Job{Title: "virtual threads", Started: time.Now(), Text: "the JVM writes them to a file"})
	forms := []string{"json", "plain"}
	if v := probes.Feature(s.row.JDK); v > 0 && v < 25 {
		forms = forms[1:]
	}
	var v *probes.VirtualDump
	note := ""
	for i, form := range forms {
		var err error
		v, err = s.dumpToFile(ctx, form)
		if err == nil {
			break
		}
		if i == len(forms)-1 {
			return "", err
		}
		note = "The JSON could not be read, as happens where a thread's name has control characters: this is of the text, in which a name may pass for a thread."
	}
	v.Note = note
	if b, err := s.client.Jcmd(ctx, "Thread.vthread_scheduler"); err == nil {
		v.Scheduler = threads.ParseScheduler(b)
	} // before 25 there is no such command
	if err := s.deliver(ctx, func(c *probes.Sample) { c.Virtual = v }); err != nil {
		return "", err
	}
	if v.Virtual.OK {
		return fmt.Sprintf("%d virtual threads", v.Virtual.V), nil
	}
	return "the dump was read", nil
}

// dumpToFile makes one dump in the target's own /tmp, reads it and deletes it,
// whatever happens.
func (s *Session) dumpToFile(ctx context.Context, form string) (v *probes.VirtualDump, err error) {
	bad := func(why, next string) error { return &probes.Problem{What: noVirtual, Why: why, Next: next} }
	file := fmt.Sprintf("/tmp/jtop-threads-%s.%s", rand.Text(), form)
	if p := s.checkTarget(noVirtual, file); p != nil {
		return nil, p
	}
	defer func() {
		if rerr := os.Remove(s.inTarget(file)); rerr != nil && !os.IsNotExist(rerr) && err == nil {
			err = bad("its file could not be deleted: "+probes.Clean(rerr.Error()), "delete "+file+" where the JVM runs")
		}
	}()
	begun := time.Now()
	out, err := s.client.Jcmd(attach.ReplyWithin(ctx, virtualWithin), "Thread.dump_to_file -format="+form+" "+file)
	if err != nil {
		return nil, bad(probes.Clean(err.Error()), "")
	}
	took := time.Since(begun)
	b, err := readNoFollow(s.inTarget(file))
	if err != nil {
		return nil, bad(fmt.Sprintf("%s; the JVM said: %.200s", probes.Clean(err.Error()), probes.Clean(strings.TrimSpace(string(out)))), "its user must be able to write to its /tmp")
	}
	found, err := threads.Open(b)
	if err != nil {
		return nil, bad(probes.Clean(err.Error()), "")
	}
	if found[0].Err != nil {
		return nil, bad(probes.Clean(found[0].Err.Error()), "")
	}
	v = threads.VirtualOf(found[0])
	v.Taken, v.Took, v.Bytes = begun, took, int64(len(b))
	v.Form = map[string]string{"json": "JSON", "plain": "text"}[form]
	return v, nil
}

// readNoFollow reads a file that the target made: what somebody put in its
// place, a link for instance, is not followed.
func readNoFollow(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("the dump is not there: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("the dump cannot be read: %w", err)
	}
	if !st.Mode().IsRegular() || st.Size() > virtualMost {
		return nil, fmt.Errorf("the dump has %d bytes, %d at most are read", st.Size(), int64(virtualMost))
	}
	b, err := io.ReadAll(io.LimitReader(f, virtualMost))
	if err != nil {
		return nil, fmt.Errorf("the dump cannot be read: %w", err)
	}
	return b, nil
}
