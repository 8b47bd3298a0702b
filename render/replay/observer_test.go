package replay_test

import (
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"
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

// TestScores checks that the grades are those that score has written, and that there are none, with a note, if a file was
// changed or the grades are of another result, and without one before anything is graded.
func TestScores(t *testing.T) {
	a := open(t, os.DirFS("testdata/bib"))
	s := a.Scores()
	if s == nil || len(s.Observers) != len(a.Observers) || a.Scores() != s {
		t.Fatalf("scores %+v, notes %q", s, a.Notes)
	}
	if x := s.Observers["achilles"]["preference"]; x.N != 1 || x.Accuracy != 100 {
		t.Errorf("achilles is right in %g %% of %d pairs of preference", x.Accuracy, x.N)
	}
	if acted := open(t, os.DirFS("testdata/embodied")); acted.Observers != nil {
		t.Errorf("%q watch bodies", acted.Observers)
	}
	for why, c := range map[string]struct {
		change func(m fstest.MapFS)
		note   string
	}{
		"changed": {func(m fstest.MapFS) { m["scores/rows.json"].Data = []byte("{}") }, "rows.json"},
		"foreign": {func(m fstest.MapFS) {
			m["inferred/manifest.json"].Data = append(m["inferred/manifest.json"].Data, '\n')
		}, "made from another inferred part"},
		"none": {func(m fstest.MapFS) { delete(m, "scores/manifest.json") }, ""},
	} {
		m := inMemory(t, "testdata/bib")
		c.change(m)
		a := open(t, m)
		before := len(a.Notes)
		if s := a.Scores(); s != nil || len(a.Notes)-before != min(len(c.note), 1) || c.note != "" && !strings.Contains(a.Notes[before], c.note) {
			t.Errorf("%s: scores %v, notes %q", why, s, a.Notes)
		}
	}
}
