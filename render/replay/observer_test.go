package replay_test

import (
	"math"
	"os"
	"testing"
)

// TestObserve checks that, after Observe, rows and episodes have the surprises of the chosen observer, and that a name
// that no observer has changes nothing.
func TestObserve(t *testing.T) {
	a := open(t, os.DirFS("testdata/bib"))
	if a.Observer != "achilles" || len(a.Observers) < 2 {
		t.Fatalf("%q of %q", a.Observer, a.Observers)
	}
	other := a.Observers[1]
	before := a.Rows
	a.Observe("nobody")
	if a.Observer != "achilles" {
		t.Errorf("nobody was chosen: %q", a.Observer)
	}
	a.Observe(other)
	e, err := a.Episode(0)
	if err != nil {
		t.Fatal(err)
	}
	w := e.Watched
	if w.Observer != other || before[0].Surprise == a.Rows[0].Surprise || math.Max(w.Videos[0].Surprise, w.Videos[1].Surprise) != a.Rows[0].Surprise {
		t.Errorf("%s, %g and %g, the row says %g, before %g", w.Observer, w.Videos[0].Surprise, w.Videos[1].Surprise, a.Rows[0].Surprise, before[0].Surprise)
	}
	if name, unit := w.Shift(); name == "surprise" || unit == "nats" {
		t.Errorf("the beliefs of %s move by %s, %s", other, name, unit)
	}
}

// TestAccuracies checks that every observer has an accuracy for each kind of episode, and that there are no observers
// if subjects act.
func TestAccuracies(t *testing.T) {
	a := open(t, os.DirFS("testdata/bib"))
	all, err := a.Accuracies()
	if err != nil || len(all) != len(a.Observers) {
		t.Fatalf("%d observers of %d, %v", len(all), len(a.Observers), err)
	}
	if s := all["achilles"]["preference"]; s.N != 1 || s.Accuracy != 100 {
		t.Errorf("achilles is right in %g %% of %d pairs of preference", s.Accuracy, s.N)
	}
	if acted := open(t, os.DirFS("testdata/embodied")); acted.Observers != nil {
		t.Errorf("%q watch bodies", acted.Observers)
	}
}
