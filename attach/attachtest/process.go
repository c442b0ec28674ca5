package attachtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Process is what the files of a fake process say.
type Process struct {
	Comm      string
	State     byte   // as in stat: R, S, D, T, Z
	Flags     uint64 // stat field 9
	StartTime uint64 // stat field 22
	UID, GID  int    // effective ids are the same
	// SigCgt is the mask of caught signals; bit 2 is SIGQUIT.
	SigCgt uint64
	// Maps is the text of the file maps.
	Maps string
	// Args is the command line, Env the environment.
	Args, Env []string
}

// HotSpotMaps are mappings of a JVM.
const HotSpotMaps = `55d0c8a00000-55d0c8a01000 r-xp 00001000 08:01 11 /usr/lib/jvm/java-17/bin/java
7f0000000000-7f0000800000 rw-p 00000000 00:00 0 
7f1000000000-7f1000100000 r--p 00000000 08:01 12 /usr/lib/jvm/java-17/lib/server/libjvm.so
7f1000100000-7f1001100000 r-xp 00100000 08:01 12 /usr/lib/jvm/java-17/lib/server/libjvm.so
`

func newProcess() Process {
	return Process{
		Comm: "java", State: 'S', StartTime: 4242,
		UID: os.Geteuid(), GID: os.Getegid(),
		SigCgt: 1<<2 | 1<<14, Maps: HotSpotMaps,
		Args: []string{"/usr/bin/java", "-Xmx64m", "Target"},
	}
}

// Update changes the process and writes its files anew, each by a rename, so
// that a reader sees the old or the new text.
func (f *Fake) Update(change func(*Process)) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.process)
	p := f.process

	stat := fmt.Sprintf("%d (%s) %c 1 1 1 0 -1 %d 0 0 0 0 10 5 0 0 20 0 12 0 %d 1000 100 18446744073709551615",
		f.PID, p.Comm, p.State, p.Flags, p.StartTime) + strings.Repeat(" 0", 27) + "\n"
	status := fmt.Sprintf("Name:\t%s\nState:\t%c\nTgid:\t%d\nPid:\t%d\nUid:\t%d\t%d\t%d\t%d\nGid:\t%d\t%d\t%d\t%d\nGroups:\t%d \nNSpid:\t%d\t%d\nSigCgt:\t%016x\n",
		p.Comm, p.State, f.PID, f.PID, p.UID, p.UID, p.UID, p.UID, p.GID, p.GID, p.GID, p.GID, p.GID, f.PID, f.NSPID, p.SigCgt)
	for name, text := range map[string]string{
		"stat": stat, "status": status, "maps": p.Maps,
		"cmdline": nulEnded(p.Args), "environ": nulEnded(p.Env),
	} {
		path := filepath.Join(f.Root, strconv.Itoa(f.PID), name)
		if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
			f.t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			f.t.Fatal(err)
		}
	}
}

// Vanish removes the process's files, as its end does.
func (f *Fake) Vanish() {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.Root, strconv.Itoa(f.PID))); err != nil {
		f.t.Fatal(err)
	}
}

func nulEnded(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, "\x00") + "\x00"
}
