package attach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

func listed(t *testing.T, root string, c *Cache) []*Target {
	t.Helper()
	found, err := ListJVMs(ProcRoot(root), c)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestListReal finds a JVM, also behind a launcher of another name, and not the
// processes around it.
func TestListReal(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	cache := &Cache{}
	for range 2 {
		found := listed(t, "", cache)
		i := slices.IndexFunc(found, func(x *Target) bool { return x.PID == j.PID })
		if i < 0 {
			t.Fatalf("pid %d is not among %d JVMs", j.PID, len(found))
		}
		if !strings.HasSuffix(found[i].LibJVM, "/libjvm.so") || found[i].Comm != "java" || !Preflight(found[i], "").OK {
			t.Errorf("found %+v", found[i])
		}
		for _, x := range found {
			if x.PID == os.Getpid() {
				t.Error("the test itself is listed as a JVM")
			}
		}
	}
	j.Stop()
	for _, x := range listed(t, "", cache) {
		if x.PID == j.PID {
			t.Error("it is listed after its end")
		}
	}
}

func TestListCache(t *testing.T) {
	const none = "55d0c8a00000-55d0c8a01000 r-xp 00001000 08:01 11 /bin/sh\n"
	now := time.Unix(5000, 0)
	f := attachtest.NewFake(t)
	cache := &Cache{now: func() time.Time { return now }}
	count := func() int { return len(listed(t, f.Root, cache)) }
	set := func(change func(*attachtest.Process)) { f.Update(change) }

	set(func(p *attachtest.Process) { p.Comm, p.Maps = "entrypoint.sh", none })
	if count() != 0 {
		t.Fatal("a shell is listed")
	}
	// A young process maps libjvm.so a moment after exec.
	now = now.Add(time.Second)
	set(func(p *attachtest.Process) { p.Maps = attachtest.HotSpotMaps })
	if count() != 1 {
		t.Error("a young process is not looked at again")
	}
	// It stays a JVM without another look at its mappings.
	set(func(p *attachtest.Process) { p.Maps = none; p.State = 'T' })
	if found := listed(t, f.Root, cache); len(found) != 1 || found[0].State != 'T' {
		t.Errorf("cached: %+v", found)
	}
	// Another process has got the pid.
	set(func(p *attachtest.Process) { p.StartTime++; p.State = 'S' })
	if count() != 0 {
		t.Error("a reused pid is listed")
	}
	// Settled, it is left alone for a while, then looked at again.
	now = now.Add(settled)
	count()
	set(func(p *attachtest.Process) { p.Maps = attachtest.HotSpotMaps })
	if now = now.Add(time.Second); count() != 0 {
		t.Error("a settled process is read every time")
	}
	if now = now.Add(recheck + 16*time.Second); count() != 1 {
		t.Error("a late JVM is never found")
	}
	// exec keeps pid and start time; the name changes.
	set(func(p *attachtest.Process) { p.Comm, p.Maps, p.StartTime = "sh", none, 99 })
	count()
	now = now.Add(settled + time.Second)
	count()
	set(func(p *attachtest.Process) { p.Comm, p.Maps = "java", attachtest.HotSpotMaps })
	if now = now.Add(time.Second); count() != 1 {
		t.Error("exec java is not noticed")
	}
	set(func(p *attachtest.Process) { p.State = 'Z' })
	if count() != 0 {
		t.Error("a zombie is listed")
	}
	set(func(p *attachtest.Process) { p.State = 'S'; p.Flags = flagKThread; p.StartTime++ })
	if count() != 0 {
		t.Error("a kernel thread is listed")
	}
}

func TestListNothing(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		found, err := ListJVMs(ProcRoot(dir), nil)
		if err == nil || found != nil || !strings.Contains(err.Error(), "mount") {
			t.Errorf("%s: %v, %v", dir, found, err)
		}
	}
}
