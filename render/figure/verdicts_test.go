package figure_test

import (
	"bytes"
	"testing"

	"achilles/render/rendertest"
	"achilles/scenarios/score"
)

// TestDesign checks that the published design is drawn beside what its authors and we inferred, and only where there is one.
func TestDesign(t *testing.T) {
	m := rendertest.Results()
	if _, err := m.Find("design"); err == nil {
		t.Error("there is a figure of a design that nobody published")
	}
	r := &m.Scores.Verdicts.Rows[1]
	r.Design = &score.PublishedDesign{Type: "Reference", HasOP: "No", Weakness: "Nonspecific", Variability: "Low", Family: "nonspecific"}
	r.Published = &score.PublishedVerdict{Decision: "Random/Reference", HasOP: "No", Noise: "V. High"}
	e, err := m.Find("design")
	if err != nil {
		t.Fatal(err)
	}
	svg := e.Make().SVG(e.Title)
	for _, want := range []string{"agent-2", "Random/Reference", "capable", "0.95", "V. High", "Nonspecific"} {
		if !bytes.Contains(svg, []byte(">"+want+"<")) {
			t.Errorf("the figure does not say %q", want)
		}
	}
	if bytes.Contains(svg, []byte(">agent-1<")) {
		t.Error("a subject without a design is drawn")
	}
}
