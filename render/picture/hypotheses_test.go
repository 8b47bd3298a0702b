package picture_test

import (
	"slices"
	"testing"

	"achilles/infer/voe"
	"achilles/render/canvas"
	"achilles/render/picture"
	"achilles/render/replay"
	"achilles/sim/record"
)

// TestHypotheses checks the probabilities of an item with one familiarisation trial and two tests: what is most probable now, and that every
// hypothesis of every kind has a line with its number after the present trial.
func TestHypotheses(t *testing.T) {
	share := func(names []string, ps ...float64) (out []voe.Share) {
		for i, p := range ps {
			out = append(out, voe.Share{Name: names[i], P: p})
		}
		return out
	}
	goals, manners := []string{"star#ff0000", "moon#0000ff"}, []string{"temperature 0.1", "wander"}
	trial := record.SceneTrial{Path: make([]record.Point, 3)}
	video := func(outcome string, test float64) replay.Video {
		return replay.Video{Name: "a", Outcome: outcome, Trials: []record.SceneTrial{trial, trial}, Beliefs: []replay.ObserverBelief{
			{Goals: share(goals, 0.5, 0.5), Preference: share(goals, 0.6, 0.4), Manner: share(manners, 0.9, 0.1)},
			{Goals: share(goals, 1-test, test), Preference: share(goals, 0.7, 0.3), Manner: share(manners, 0.2, 0.8)},
		}}
	}
	e := &replay.Episode{Last: 5, Watched: &replay.Watched{Observer: "achilles", Starts: []int{0, 3}, Shared: []bool{true, false}, Videos: []replay.Video{video("expected", 0.03), video("unexpected", 0.96)}}}
	h, ok := picture.HypothesesOf(e)
	if !ok {
		t.Fatal("no hypotheses")
	}
	for tick, want := range map[int][]string{
		1: {"most probable goal: star#ff0000, 50 %", "most probable likes best: star#ff0000, 60 %", "most probable manner: temperature 0.1, 90 %"},
		4: {"most probable goal: star#ff0000, 97 %", "most probable likes best: star#ff0000, 70 %", "most probable manner: wander, 80 %"},
	} {
		if got := h.Words(e, tick); !slices.Equal(got, want) {
			t.Errorf("at tick %d it says %q", tick, got)
		}
	}
	c := canvas.New(300, 300)
	h.Draw(c, c.Bounds(), e, 4)
	var said []string
	for _, op := range c.Ops {
		if x, ok := op.(canvas.Text); ok {
			said = append(said, x.Text)
		}
	}
	heads := []string{"1", "e", "u"}
	want := slices.Concat([]string{"goal"}, heads, []string{"97 %", "3 %", "likes best"}, heads, []string{"70 %", "30 %", "manner"}, heads, []string{"temperature 0.1", "20 %", "wander", "80 %"})
	if len(said) < len(want) || !slices.Equal(said[:len(want)], want) {
		t.Errorf("it is written\n%q\nwant\n%q", said, want)
	}
	if _, ok := picture.HypothesesOf(&replay.Episode{Watched: &replay.Watched{Starts: []int{0}, Videos: []replay.Video{{Name: "a", Trials: []record.SceneTrial{trial}}}}}); ok {
		t.Error("an episode without an observer has hypotheses")
	}
}

// TestNamesAreWhole checks that two hypotheses whose names differ at their ends do not have the same name in a narrow panel.
func TestNamesAreWhole(t *testing.T) {
	trial := record.SceneTrial{Path: make([]record.Point, 3)}
	manners := []voe.Share{{Name: "temperature 0.025", P: 0.9}, {Name: "temperature 0.05", P: 0.1}}
	e := &replay.Episode{Last: 2, Watched: &replay.Watched{Observer: "achilles", Starts: []int{0}, Videos: []replay.Video{{Name: "a", Trials: []record.SceneTrial{trial}, Beliefs: []replay.ObserverBelief{{Manner: manners}}}}}}
	h, _ := picture.HypothesesOf(e)
	c := canvas.New(184, 300)
	h.Draw(c, c.Bounds(), e, 0)
	for _, m := range manners {
		if !slices.ContainsFunc(c.Ops, func(op canvas.Op) bool { x, ok := op.(canvas.Text); return ok && x.Text == m.Name }) {
			t.Errorf("%s has not its name", m.Name)
		}
	}
}

// TestLinesAreWhole checks that no line below a test with a single video is cut off, however much room there is.
func TestLinesAreWhole(t *testing.T) {
	e := *open(t, "bib", "", "preference 000000")
	w := *e.Watched
	w.Videos = w.Videos[:1]
	e.Watched = &w
	for _, size := range [][2]float32{{375, 375}, {600, 480}, {600, 520}, {850, 560}, {400, 700}} {
		c := canvas.New(size[0], size[1])
		picture.Moment{Episode: &e, Tick: e.Last, Show: picture.All()}.Draw(c, c.Bounds())
		said := false
		for _, op := range c.Ops {
			if x, ok := op.(canvas.Text); ok {
				said = said || x.Text == "surprise so far"
				if x.At.Y+x.Size/4 > size[1] {
					t.Errorf("at %g × %g %q is cut", size[0], size[1], x.Text)
				}
			}
		}
		if !said {
			t.Errorf("at %g × %g the surprise is not said", size[0], size[1])
		}
	}
}
