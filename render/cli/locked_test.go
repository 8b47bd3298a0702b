package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
)

// TestOneWriter checks that, while one process writes into a directory, others that would write into it are refused at
// once, and readers are not. The attempts must not change what the first process writes.
func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	alone, r, analysis := filepath.Join(dir, "alone"), filepath.Join(dir, "r"), filepath.Join(dir, "analysis")
	smallRun(t, alone)
	tried := false
	watch := clitest.Writer(func(p []byte) (int, error) { // the first output, which says that the data are made; the inference comes next
		if tried {
			return len(p), nil
		}
		tried = true
		for _, line := range [][]string{
			{"run", trio(t), "--out", r}, {"generate", "quickstart", "--out", r}, {"infer", r, "--layout", "op"}, {"score", r}, {"report", r},
			{"play", "embodied", "--text", "--items", "1", "--out", r, "--force"},
		} {
			code, _, stderr := achilles(t, line...)
			if code != 1 || !strings.Contains(stderr, r+": another achilles process is writing there\nachilles: hint: wait") {
				t.Errorf("achilles %s: exit %d, %s", strings.Join(line, " "), code, stderr)
			}
		}
		must(t, "export", r, "--out", filepath.Join(dir, "csv"))
		return len(p), nil
	})
	var errs bytes.Buffer
	if code := cli.Run(context.Background(), cli.Host{}, []string{"run", trio(t), "--out", r}, watch, &errs); code != 0 || !tried {
		t.Fatalf("exit %d, tried %v, %s", code, tried, errs.String())
	}
	if x, y := tree(t, alone), tree(t, r); !equal(x, y) {
		t.Errorf("with others about, %v differ", differing(x, y))
	}
	must(t, "analyse", r, "--out", analysis, "--config", fewFile(t))
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 4 {
		t.Errorf("left beside the directories: %v (%v)", names, err)
	}
}
