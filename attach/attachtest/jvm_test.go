package attachtest

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestStartJVM(t *testing.T) {
	for _, jdk := range JDKs {
		j := StartJVM(t, jdk, "-Xmx32m", "extra=1")
		if !strings.Contains(j.Output(), "READY\n") {
			t.Errorf("JDK %d: no READY in %q", jdk, j.Output())
		}
		if err := syscall.Kill(j.PID, 0); err != nil {
			t.Errorf("JDK %d: pid %d is not there: %v", jdk, j.PID, err)
		}
		j.Stop()
		if err := syscall.Kill(j.PID, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("JDK %d: pid %d after Stop: %v", jdk, j.PID, err)
		}
		if left, err := filepath.Glob("/tmp/hsperfdata_*/" + strconv.Itoa(j.PID)); err != nil || left != nil {
			t.Errorf("JDK %d: left in /tmp: %v, %v", jdk, left, err)
		}
		j.Stop() // a second one is harmless
	}
}

func TestMissingJDK(t *testing.T) {
	_, err := findJava(3)
	if err == nil || !strings.Contains(err.Error(), "no JDK 3") {
		t.Fatalf("findJava(3) = %v", err)
	}
}
