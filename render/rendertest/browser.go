package rendertest

import (
	"os/exec"
	"testing"
)

// Browser returns the path of a Chromium, or skips the test where there is none. A test calls it before it builds anything
// that only a browser needs: the viewer for browsers takes minutes.
func Browser(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine")
	return ""
}
