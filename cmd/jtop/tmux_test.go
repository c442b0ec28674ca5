package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/jtop/attach/attachtest"
	"example.com/jtop/cmd/internal/demo"
)

// terminal is a real terminal: a tmux server of its own with one window, and
// a shell in it that runs jtop and then tells its exit code.
type terminal struct {
	t      *testing.T
	socket string
}

func newTerminal(t *testing.T, cols, rows int, env []string, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal("tmux is needed: apt-get install tmux (`make test` does it)")
	}
	tm := &terminal{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	line := strings.Join(append([]string{"env", "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "NO_COLOR="}, env...), " ") + " " + command + "; echo \"exit code $?\"; exec sh"
	tm.run("new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), line)
	tm.run("set-option", "-g", "status", "off")
	tm.run("resize-window", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))
	t.Cleanup(func() { exec.Command("tmux", "-S", tm.socket, "kill-server").Run() })
	return tm
}

func (tm *terminal) run(args ...string) string {
	tm.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", tm.socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	if err != nil {
		tm.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (tm *terminal) screen() string { return tm.run("capture-pane", "-p") }

func (tm *terminal) keys(keys ...string) {
	tm.t.Helper()
	for _, k := range keys {
		tm.run("send-keys", "--", k)
	}
}

// until waits for a screen that has every text.
func (tm *terminal) until(texts ...string) string {
	tm.t.Helper()
	var s string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		s = tm.screen()
		missing := ""
		for _, x := range texts {
			if !strings.Contains(s, x) {
				missing = x
			}
		}
		if missing == "" {
			return s
		}
	}
	tm.t.Fatalf("no screen with %q:\n%s", texts, s)
	return ""
}

// ended waits for the exit code and checks that the terminal is as before.
func (tm *terminal) ended(code int) string {
	tm.t.Helper()
	s := tm.until(fmt.Sprintf("exit code %d", code))
	if alt := strings.TrimSpace(tm.run("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}")); alt != "0 0 1" {
		tm.t.Errorf("alternate screen, mouse, cursor = %s after the end, want 0 0 1", alt)
	}
	return s
}

// The whole path of the main job: pick a JVM, look at every tab, fire load at
// it, quit, and find the summary in the shell.
func TestPickerTabsLoadQuit(t *testing.T) {
	java, _, err := demo.FindJava()
	if err != nil {
		t.Fatal(err)
	}
	d, err := demo.Start(t.Context(), java, nil, demo.WithEphemeralPorts(), demo.WithChurn(5))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Stop()
	tm := newTerminal(t, 120, 40, nil, binary(t))
	tm.until("gateway.jar", "question.jar")
	tm.keys("/")
	// By its pid: other tests may run gateways, too.
	for _, c := range fmt.Sprint(d.Gateway.PID) {
		tm.keys(string(c))
	}
	tm.keys("Enter")
	tm.until("gateway.jar")
	tm.keys("Enter")
	tm.until("Overview", "Heap", "MB used")
	tm.keys("2")
	tm.until("Eden", "Metaspace")
	tm.keys("3")
	tm.until("HTTP-Dispatcher", "stopped the JVM for")
	tm.keys("4")
	tm.until("COLLECTOR")
	tm.keys("5")
	tm.until("loaded")
	tm.keys("6")
	tm.until("gateway.jar", "-Xmn32m")
	tm.keys("7")
	tm.until(fmt.Sprintf("http://127.0.0.1:%d/", d.Gateway.Port))
	tm.keys("Enter")
	tm.until("running")
	time.Sleep(3 * time.Second)
	tm.keys("x")
	tm.until("stopped after")
	tm.keys("q")
	s := tm.ended(0)
	for _, want := range []string{"throughput", "p99"} {
		if !strings.Contains(strings.ToLower(s), want) {
			t.Errorf("the summary lacks %q:\n%s", want, s)
		}
	}
}

func TestQuitWays(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	for _, c := range []struct {
		name string
		end  func(tm *terminal)
		code int
	}{
		{"q", func(tm *terminal) { tm.keys("q") }, 0},
		{"ctrl+c", func(tm *terminal) { tm.keys("C-c") }, 0},
		{"SIGTERM", func(tm *terminal) { tm.signal("TERM") }, 143},
		{"SIGHUP", func(tm *terminal) { tm.signal("HUP") }, 129},
	} {
		t.Run(c.name, func(t *testing.T) {
			tm := newTerminal(t, 80, 24, nil, fmt.Sprint(binary(t), " ", j.PID))
			tm.until("MB")
			c.end(tm)
			tm.ended(c.code)
		})
	}
}

// signal sends a signal to the jtop that runs in the terminal.
func (tm *terminal) signal(name string) {
	tm.t.Helper()
	shell := strings.TrimSpace(tm.run("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("pgrep", "-P", shell).Output()
	if err != nil {
		tm.t.Fatalf("no jtop in the terminal: %v", err)
	}
	if out, err := exec.Command("kill", "-"+name, strings.Fields(string(out))[0]).CombinedOutput(); err != nil {
		tm.t.Fatalf("kill: %v %s", err, out)
	}
}

func TestLostTargetAndBack(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	other := attachtest.StartJVM(t, 17)
	tm := newTerminal(t, 100, 30, nil, fmt.Sprint(binary(t), " ", j.PID))
	tm.until("MB")
	j.Stop()
	tm.until("ended", "MB")
	tm.keys("Escape")
	tm.until("Target", fmt.Sprint(other.PID))
	tm.keys("q")
	tm.ended(0)
}

func TestResizeToNothingAndBack(t *testing.T) {
	j := attachtest.StartJVM(t, 17)
	tm := newTerminal(t, 100, 30, nil, fmt.Sprint(binary(t), " ", j.PID))
	tm.until("Overview", "MB")
	tm.run("resize-window", "-x", "10", "-y", "3")
	time.Sleep(time.Second)
	tm.run("resize-window", "-x", "120", "-y", "40")
	tm.until("Overview", "MB", "CPU")
	tm.keys("q")
	tm.ended(0)
}

// Without UTF-8 and without colour the screen has ASCII only and no SGR.
func TestPlainTerminal(t *testing.T) {
	j := attachtest.StartJVM(t, 17, "alloc=20")
	tm := newTerminal(t, 80, 24, []string{"LANG=C", "LC_ALL=C", "NO_COLOR=1"}, fmt.Sprint(binary(t), " ", j.PID))
	s := tm.until("Overview", "MB")
	for _, r := range s {
		if r > 126 {
			t.Fatalf("%q on a screen without UTF-8:\n%s", r, s)
		}
	}
	if raw := tm.run("capture-pane", "-e", "-p"); strings.Contains(raw, "\x1b[3") || strings.Contains(raw, "\x1b[9") {
		t.Errorf("colour in spite of NO_COLOR: %q", raw)
	}
	tm.keys("q")
	tm.ended(0)
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		args []string
		code int
		say  string
	}{
		{"stdout is no terminal", nil, nil, 2, "not a terminal"},
		{"no such pid", nil, []string{"snapshot", "4194303"}, 3, "no such process"},
		{"not a JVM", nil, []string{"snapshot", fmt.Sprint(os.Getpid())}, 3, "not a"},
		{"no such name", nil, []string{"threads", "no-such-jvm-here"}, 3, "no JVM"},
		{"bad flag", nil, []string{"--nonsense"}, 2, "nonsense"},
		{"two names", nil, []string{"a", "b"}, 2, "one pid or name"},
		{"snapshot without a name", nil, []string{"snapshot"}, 2, "one pid or name"},
		{"bad colour", nil, []string{"ps", "--color"}, 2, "color"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(binary(t), c.args...)
			cmd.Env = append(os.Environ(), c.env...)
			out, err := cmd.CombinedOutput()
			code := 0
			if e, ok := err.(*exec.ExitError); ok {
				code = e.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != c.code || !strings.Contains(string(out), c.say) {
				t.Errorf("exit %d, want %d, with %q:\n%s", code, c.code, c.say, out)
			}
		})
	}
}
