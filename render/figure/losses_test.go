package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/agents/accuracy"
	"achilles/render/figure"
)

// TestLosses checks that the figure has a panel per agent and a curve per number of answers, and refuses too many agents.
func TestLosses(t *testing.T) {
	file := "difficulties_to = 20\n[[task]]\ndifficulty = 5\nanswers = 3\n[[task]]\nname = \"letters\"\ndifficulty = 5\nanswers = 26\n"
	read := func(agents int) *accuracy.Selection {
		text := file
		for i := range agents {
			text += fmt.Sprintf("[[agent]]\nname = \"agent %d\"\nability = %d\n", i, 10*(i+1))
		}
		s, err := accuracy.ReadSelection("s.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	f, err := figure.Losses(read(3).Losses())
	if err != nil {
		t.Fatal(err)
	}
	svg := string(f.SVG("Loss"))
	for _, want := range []string{">agent 0<", ">agent 2<", ">3 answers<", ">26 answers<", ">loss of accuracy<", ">difficulty, bits<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
	if _, err := figure.Losses(read(41).Losses()); err == nil || !strings.Contains(err.Error(), `'agent == "agent 0"'`) {
		t.Errorf("41 agents: %v", err)
	}
}
