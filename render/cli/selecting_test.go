package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSelect compares what select prints with the corrected numbers of Chmait et al. (2017): the difficulties at which
// the accuracies of two groups are equal, and the ability that an agent needs.
func TestSelect(t *testing.T) {
	out := must(t, "select", "chmait")
	for _, line := range []string{
		`few answers +14 +3 +10.10`,
		`A1 +majority +3 +enough +0.6121 +0.5716 +0.5615`,
		`A1 +A4 +19.22`,
		`A2 +A4 +40.05`,
		`A4 +pi +14.33`,
		`A1 +A4 +20.21`,
		`A4 +pi +8.01`,
		`A1 +A4 +23.02`,
		`A1 by plurality +A4 by plurality +18.87`,
		`cheapest sufficiently accurate candidate: pi, at a cost of 1`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out) {
			t.Errorf("no line %q in\n%s", line, out)
		}
	}
	if out = must(t, "select", "chmait", "--accuracy", "0.6"); !strings.Contains(out, "candidate: A1 by plurality, at a cost of 3") {
		t.Errorf("for 0.6 is printed\n%s", out)
	}
	if code, out, err := achilles(t, "select", "chmait", "--set", "accuracy=0.99"); code != 1 || !strings.Contains(err, "no agent or group reaches accuracy 0.99") || !strings.Contains(err, "hint: a single agent needs an ability of") || !strings.Contains(out, "A4") {
		t.Errorf("exit %d, %s\n%s", code, err, out)
	}
	if code, out, err := achilles(t, "select", "chmait", "--accuracy", "1"); code != 1 || !strings.Contains(err, "no finite ability reaches accuracy 1") || strings.Contains(out+err, "Inf") {
		t.Errorf("exit %d, %s\n%s", code, err, out)
	}
	drawing := filepath.Join(t.TempDir(), "losses.svg")
	must(t, "select", "chmait", "--table", "losses", "--where", "agent == \"pi\"", "--figure", drawing)
	if svg := string(read(t, drawing)); !strings.Contains(svg, ">26 answers<") || strings.Contains(svg, ">weak<") {
		t.Errorf("the figure of losses is\n%s", svg)
	}
	if code, _, err := achilles(t, "select", "chmait", "--figure", drawing); code != 2 || !strings.Contains(err, "--figure is for --table losses") {
		t.Errorf("exit %d, %s", code, err)
	}
	mine := filepath.Join(t.TempDir(), "mine.toml")
	write(t, mine, []byte("[[task]]\ndifficulty = 1\nanswers = 2\n[[agent]]\nname = \"a\"\nability = -1\n"))
	if code, _, err := achilles(t, "select", mine); code != 1 || !strings.Contains(err, "mine.toml:6: key agent[0].ability") {
		t.Errorf("exit %d, %s", code, err)
	}
}
