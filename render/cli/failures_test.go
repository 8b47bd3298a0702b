package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestFailuresAreTold checks that a run says whose trials have no score, and why: also when it finds them among those that are kept.
func TestFailuresAreTold(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "broken.toml")
	write(t, file, []byte(`name = "broken"
[battery]
coding = "worlds"
items = 4
[inference]
layout = "constant"
[[agent]]
name = "broken"
command = ["false"]
[[agent]]
name = "fine"
body = {}
`))
	for _, how := range []string{"--force=false", "--force"} {
		code, _, stderr := clitest.Achilles(t, "generate", file, "--out", filepath.Join(dir, "out"), how)
		if code != 0 || !strings.Contains(stderr, "warning: broken: 4 trials unscored; the first: crashed: exit status 1") || strings.Contains(stderr, "fine") {
			t.Errorf("%s: %d %s", how, code, stderr)
		}
	}
}
