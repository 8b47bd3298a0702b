package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"achilles/render/figure"
	"achilles/sim/table"
)

// TestLosses checks that the figure has a panel per agent and a curve per number of answers, and refuses too many agents.
func TestLosses(t *testing.T) {
	type row struct {
		agent, tasks string
		d, loss      float64
	}
	of := func(agents int) *table.Table {
		var rows []row
		for i := range agents {
			for d := range 3 {
				rows = append(rows, row{fmt.Sprintf("agent %d", i), "3 answers", float64(d), 0.1 * float64(d)}, row{fmt.Sprintf("agent %d", i), "26 answers", float64(d), 0.2 * float64(d)})
			}
		}
		return table.Of(table.Table{Name: "losses"}, rows, []table.Field[row]{
			table.Col(table.Column{Name: "agent", Kind: table.Text}, func(r row) table.Value { return table.String(r.agent) }),
			table.Col(table.Column{Name: "tasks", Kind: table.Text}, func(r row) table.Value { return table.String(r.tasks) }),
			table.Col(table.Column{Name: "difficulty"}, func(r row) table.Value { return table.Float(r.d) }),
			table.Col(table.Column{Name: "loss"}, func(r row) table.Value { return table.Float(r.loss) }),
		})
	}
	f, err := figure.Losses(of(3))
	if err != nil {
		t.Fatal(err)
	}
	svg := string(f.SVG("Loss"))
	for _, want := range []string{">agent 0<", ">agent 2<", ">3 answers<", ">26 answers<", ">loss of accuracy<", ">difficulty, bits<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the figure lacks %s", want)
		}
	}
	if _, err := figure.Losses(of(41)); err == nil || !strings.Contains(err.Error(), `'agent == "agent 0"'`) {
		t.Errorf("41 agents: %v", err)
	}
}
