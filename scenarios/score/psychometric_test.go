package score

import (
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
)

// TestPsychometrics checks shares, ties and order on a table made by hand; items of one level have no curve.
func TestPsychometrics(t *testing.T) {
	outcome := []battery.Outcome{battery.Expected, battery.Unexpected}
	seen := func(q *float64, right float64) Seen {
		return Seen{Label: bib.Label{Task: bib.MultiAgent, Mixed: q, Outcome: outcome}, Right: map[string]float64{"achilles": right, "usual_goal": 0}}
	}
	low, high := 0.0, 0.5
	s := &Scores{Observers: map[string]map[string]ObserverScore{"achilles": {}, "usual_goal": {}}, Seen: []Seen{seen(&high, 0.5), seen(&high, 0), seen(&low, 1), seen(&low, 1), seen(nil, 0)}}
	got := s.Psychometrics()
	if len(got) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct {
		observer               string
		mixed, accuracy, ideal float64
		degenerate             bool
	}{{"achilles", 0, 100, 100, false}, {"achilles", 0.5, 25, 50, false}, {"usual_goal", 0, 0, 100, true}, {"usual_goal", 0.5, 0, 50, true}} {
		if g := got[i]; g.Observer != want.observer || g.Mixed != want.mixed || g.Accuracy != want.accuracy || g.Ideal != want.ideal || g.Degenerate != want.degenerate || g.N != 2 {
			t.Errorf("row %d is %+v, want %+v", i, g, want)
		}
	}
	if s.Seen = []Seen{seen(nil, 1)}; psychometricTable(s) != nil {
		t.Error("a curve of one level")
	}
}
