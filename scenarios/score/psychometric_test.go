package score

import (
	"math"
	"slices"
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
)

// TestPsychometrics checks shares, ties, means of nats and order on a table made by hand; items without a dial or without nats have no
// curve, and only dials that are used have a column.
func TestPsychometrics(t *testing.T) {
	outcome := []battery.Outcome{battery.Expected, battery.Unexpected}
	seen := func(d *bib.Dial, nats, right float64) Seen {
		return Seen{Label: bib.Label{Task: bib.MultiAgent, Dial: d, Nats: &nats, Outcome: outcome}, Right: map[string]float64{"achilles": right, "usual_goal": 0}}
	}
	low, high := &bib.Dial{Trials: 7}, &bib.Dial{Trials: 1}
	unknown := seen(low, 0, 1)
	unknown.Nats = nil
	s := &Scores{Observers: map[string]map[string]ObserverScore{"achilles": {}, "usual_goal": {}}, Seen: []Seen{seen(high, 0.5, 0.5), seen(high, -0.3, 0), seen(low, 1, 1), seen(low, 0, 1), seen(nil, 3, 0), unknown}}
	got := s.Psychometrics()
	if len(got) != 4 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []struct {
		observer              string
		trials                int
		nats, accuracy, ideal float64
		degenerate            bool
	}{{"achilles", 7, 0.5, 100, 75, false}, {"achilles", 1, 0.1, 25, 50, false}, {"usual_goal", 7, 0.5, 0, 75, true}, {"usual_goal", 1, 0.1, 0, 50, true}} {
		if g := got[i]; g.Observer != want.observer || g.Trials != want.trials || math.Abs(g.Nats-want.nats) > 1e-12 || g.Accuracy != want.accuracy || g.Ideal != want.ideal || g.Degenerate != want.degenerate || g.N != 2 {
			t.Errorf("row %d is %+v, want %+v", i, g, want)
		}
	}
	if key := psychometricTable(s).Key; !slices.Equal(key, []string{"observer", "task", "trials"}) {
		t.Errorf("the key is %v", key)
	}
	if s.Seen = []Seen{seen(nil, 1, 1)}; psychometricTable(s) != nil {
		t.Error("a curve of no dial")
	}
}
