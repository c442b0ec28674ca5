package hsperf

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// jdks maps each JDK under test to the suite of the JDK folder that has it; 17 is the host's.
var jdks = map[int]string{8: "sid", 11: "bullseye", 17: "", 21: "trixie", 25: "trixie"}

func javaOf(t testing.TB, jdk int) string {
	t.Helper()
	if jdks[jdk] == "" {
		path, err := exec.LookPath("java")
		if err != nil {
			t.Fatalf("no java for JDK %d: apt-get install openjdk-17-jdk-headless (%v)", jdk, err)
		}
		return path
	}
	root := os.Getenv("JTOP_JDKS")
	if root == "" {
		root = "/opt/jdks"
	}
	path := filepath.Join(root, jdks[jdk], "usr/lib/jvm/java-"+strconv.Itoa(jdk)+"-openjdk-amd64/bin/java")
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no JDK %d: set JTOP_JDKS or install it with make jdks (%v)", jdk, err)
	}
	return path
}

// jvm is a running JVM that idles until stop.
type jvm struct {
	pid   int
	stdin io.Closer
	cmd   *exec.Cmd
}

func (j *jvm) stop() {
	_ = j.cmd.Process.Kill()
	_ = j.cmd.Wait()
}

// launchJVM starts a JVM and returns at once, with the stream on which it will print READY.
func launchJVM(t testing.TB, jdk int, flags ...string) (*jvm, io.Reader) {
	t.Helper()
	args := append([]string{"-Xmx32m", "-XX:+UseSerialGC"}, flags...)
	cmd := exec.Command(javaOf(t, jdk), append(args, "-cp", "testdata/jvm", "Idle")...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	j := &jvm{pid: cmd.Process.Pid, stdin: in, cmd: cmd}
	t.Cleanup(j.stop)
	return j, out
}

func startJVM(t testing.TB, jdk int, flags ...string) *jvm {
	t.Helper()
	j, out := launchJVM(t, jdk, flags...)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "READY\n" {
		t.Fatalf("JDK %d did not start: %q, %v", jdk, line, err)
	}
	return j
}
