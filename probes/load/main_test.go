package load

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		serveUntilEOF()
		return
	}
	goleak.VerifyTestMain(m)
}
