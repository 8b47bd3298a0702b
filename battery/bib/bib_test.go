package bib_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/gridworld/lattice"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// lazy is an actor that never walks. hasty is one that walks to the first thing that it wants, through everything but walls.
type lazy struct{}

func (lazy) Walk(*lattice.Planner, *lattice.Problem) (lattice.Walk, bool) {
	return lattice.Walk{}, false
}

type hasty struct{ steps int }

func (h *hasty) Walk(l *lattice.Planner, s *lattice.Problem) (w lattice.Walk, ok bool) {
	m := s.Open
	if s.Shut != nil {
		m = s.Shut
	}
	to := s.Things[s.Wants[0]]
	way := l.From(m, to).Descend(nil, s.Start, to)
	for i := 2; i < len(way); i += 2 {
		h.steps++
		w.Track = append(w.Track, way[i])
		if lattice.Square(way[i], to) <= 144 {
			break
		}
	}
	w.Took, w.Opened, w.Thing = -1, -1, s.Wants[0]
	return w, len(w.Track) > 0
}

// TestHopeless checks that an actor that never walks leads to an error that names the unmet constraint.
func TestHopeless(t *testing.T) {
	g := bib.NewGenerator(bib.Design{Episodes: 1}, bib.Actors{Rational: lazy{}, Irrational: lazy{}})
	if !longtest.On() {
		g.SetTries(100)
	}
	_, err := g.Episode(1, bib.BackgroundMultiAgent, 3)
	if err == nil || !strings.Contains(err.Error(), "background_multi_agent, episode 3") || !strings.Contains(err.Error(), "an object close to the start") {
		t.Errorf("the error is %v", err)
	}
}

// TestAnotherActor checks that the generator works with an actor of this test.
func TestAnotherActor(t *testing.T) {
	actor := &hasty{}
	g := bib.NewGenerator(bib.Design{Episodes: 4}, bib.Actors{Rational: actor, Irrational: actor})
	for i := range 4 {
		e, err := g.Episode(1, bib.MultiAgent, i)
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Expected.Familiarisation) != 8 || !e.Paired() || actor.steps == 0 {
			t.Errorf("episode %d: %d trials, paired %v", i, len(e.Expected.Familiarisation), e.Paired())
		}
	}
}

// TestBlind checks the order of the videos that Blind returns, with and without swapping, and the outcomes in the label.
func TestBlind(t *testing.T) {
	video := func(x int16) record.Video { return record.Video{Test: record.SceneTrial{Path: []record.Point{{X: x}}}} }
	e := bib.Episode{Task: bib.Preference, Index: 7, Variant: "v", Expected: video(1), Unexpected: video(2)}
	for _, swapped := range []bool{false, true} {
		w, l := e.Blind("id", swapped)
		for i, v := range w.Videos {
			want := battery.Expected
			if v.Test.Path[0].X == 2 {
				want = battery.Unexpected
			}
			if l.Outcome[i] != want {
				t.Errorf("swapped %v: video %d is labelled %s", swapped, i, l.Outcome[i])
			}
		}
		if (w.Videos[0].Test.Path[0].X == 2) != swapped || w.Item != "id" || l.Item != "id" || l.Task != e.Task || l.Index != 7 || l.Variant != "v" {
			t.Errorf("swapped %v: %+v, %+v", swapped, w, l)
		}
	}
	e.Unexpected = record.Video{}
	if w, l := e.Blind("id", true); len(w.Videos) != 1 || len(l.Outcome) != 1 {
		t.Errorf("an episode without a pair has %d videos and %d labels", len(w.Videos), len(l.Outcome))
	}
}

// TestSealedFields checks that all fields of an Episode, and all of a Label except Item, have the tag sealed.
func TestSealedFields(t *testing.T) {
	public := map[string]bool{"Item": true}
	for _, v := range []any{bib.Label{}, bib.Episode{}} {
		r := reflect.TypeOf(v)
		for i := range r.NumField() {
			f := r.Field(i)
			if _, sealed := f.Tag.Lookup("sealed"); sealed == public[f.Name] {
				t.Errorf("%s.%s is sealed: %v", r.Name(), f.Name, sealed)
			}
		}
	}
}

// TestTasks checks that the lists of tasks are consistent.
func TestTasks(t *testing.T) {
	seen := map[bib.Task]bool{}
	for _, task := range bib.All() {
		if seen[task] || !task.Known() {
			t.Errorf("%s is listed twice, or not known", task)
		}
		seen[task] = true
	}
	if bib.Task("efficiency").Known() || bib.SingleObject.Paired() || !bib.Preference.Paired() || !bib.ConstrainedPreference.Paired() || len(seen) != 19 {
		t.Error("the tasks are not what they were")
	}
}

// TestDialOfDesign checks that a design refuses dials out of range, and that only evaluation tasks have one.
func TestDialOfDesign(t *testing.T) {
	for _, d := range []bib.Dial{{Mixed: 0.6}, {Noise: 5}, {Noise: math.NaN()}, {Hidden: 1, Noise: 1}, {Hidden: 0.5}, {Trials: 8}, {Distractors: 4}} {
		if design := (bib.Design{Episodes: 1, Dials: []bib.Dial{d}}); design.Check() == nil {
			t.Errorf("%+v passes", d)
		}
	}
	if d := (bib.Dial{}); d.Compare(bib.Dial{Trials: 7}) >= 0 || d.Compare(bib.Dial{Mixed: 0.1}) >= 0 || d.Compare(d) != 0 {
		t.Error("dials are out of order")
	}
}
