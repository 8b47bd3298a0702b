package documents_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestWarningsAreExplained checks that the page of warnings has every kind that a fit or a score can have, and no other.
func TestWarningsAreExplained(t *testing.T) {
	page := string(clitest.Read(t, filepath.Join(clitest.Repository(t), "docs", "guide", "warnings.md")))
	declared := regexp.MustCompile(`(?m)^\t\w+ +(?:posterior\.)?Kind += "([^"]+)"`)
	known := map[string]bool{}
	for _, file := range []string{"infer/posterior/doubt.go", "scenarios/score/warning.go"} {
		found := declared.FindAllStringSubmatch(string(clitest.Read(t, filepath.Join(clitest.Repository(t), file))), -1)
		if len(found) < 3 {
			t.Fatalf("%s declares %d kinds of warnings", file, len(found))
		}
		for _, m := range found {
			if known[m[1]] = true; !strings.Contains(page, "`"+m[1]+"`") {
				t.Errorf("docs/guide/warnings.md does not explain the kind %s of %s", m[1], file)
			}
		}
	}
	for _, line := range strings.Split(page, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		for _, kind := range strings.Split(cells[1], ",") {
			if kind = strings.Trim(kind, " `"); !known[kind] {
				t.Errorf("docs/guide/warnings.md explains the kind %s, which does not exist", kind)
			}
		}
	}
}
