package rendertest

import (
	"os/exec"
	"testing"

	"achilles/sim/longtest"
)

// Browser returns the path of a Chromium. It skips the test unless the long suite runs, or if this machine has none. A test should call it before the
// test builds the viewer for browsers, because the build takes minutes.
func Browser(t testing.TB) string {
	t.Helper()
	longtest.Only(t, "starts a browser")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine")
	return ""
}
