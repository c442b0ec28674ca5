package attach

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
)

// loader maps libjvm.so, runs no JVM in it, and counts SIGQUIT on its stdout.
const loader = `
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>
static void quit(int s) { (void)s; if (write(1, "QUIT", 4)) {} }
int main(int c, char **v) {
  if (c < 2 || !dlopen(v[1], RTLD_NOW)) return 1;
  signal(SIGQUIT, quit);
  if (write(1, "READY", 5)) {}
  for (;;) pause();
}`

// TestLoadedButNoJVM: a program that has loaded the library and handles SIGQUIT
// is still no JVM, and gets no signal.
func TestLoadedButNoJVM(t *testing.T) {
	java, err := filepath.EvalSymlinks(attachtest.Java(t, 17))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	src, bin, log := filepath.Join(dir, "l.c"), filepath.Join(dir, "l"), filepath.Join(dir, "log")
	if err := os.WriteFile(src, []byte(loader), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-o", bin, src, "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("gcc (apt-get install gcc libc6-dev; make test does it): %v\n%s", err, out)
	}
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command(bin, filepath.Join(filepath.Dir(filepath.Dir(java)), "lib", "server", "libjvm.so"))
	cmd.Stdout = f
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	read := func() string { b, _ := os.ReadFile(log); return string(b) }
	for i := 0; read() != "READY"; i++ {
		if i == 500 {
			t.Fatalf("the program does not run: %q", read())
		}
		time.Sleep(10 * time.Millisecond)
	}
	target, err := Inspect("", cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewClient(target).Jcmd(t.Context(), "VM.uptime"); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "VM Thread") {
		t.Errorf("want a refusal that says why, have %v", err)
	}
	time.Sleep(100 * time.Millisecond)
	if read() != "READY" {
		t.Errorf("it was sent a signal: %q", read())
	}
}
