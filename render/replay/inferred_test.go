package replay_test

import (
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"achilles/render/replay"
	"achilles/scenarios/score"
)

func TestProfile(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	p, err := a.Profile(a.Key(0).Subject)
	if err != nil {
		t.Fatal(err)
	}
	if p.Subject != a.Rows[0].Subject || p.Layout != "embodied" || len(p.Parameters) != 9 {
		t.Fatalf("profile of %s by %s with %d parameters", p.Subject, p.Layout, len(p.Parameters))
	}
	sum, n := 0.0, 0
	for _, x := range p.Parameters {
		mean := 0.0
		for _, d := range x.Draws {
			mean += d / float64(len(x.Draws))
		}
		if len(x.Draws) != 400 || math.Abs(mean-x.Mean) > 1e-9*(1+math.Abs(mean)) {
			t.Errorf("%s: %d draws with mean %g, the profile says %g", x.Parameter, len(x.Draws), mean, x.Mean)
		}
		if x.Parameter == "flatNav" && (*x.Truth < 16 || *x.Truth > 80) {
			t.Errorf("the truth of flatNav is %g, the scenario draws it from 16 to 80", *x.Truth)
		}
		if off, ok := x.Error(); ok != (x.Truth != nil) || ok && math.Abs(off-(mean-*x.Truth)) > 1e-9*(1+math.Abs(mean)) {
			t.Errorf("%s: error %g (%v) of mean %g", x.Parameter, off, ok, mean)
		}
		if x.Truth != nil && x.Group == "capability" {
			sum += (mean - *x.Truth) * (mean - *x.Truth) / (x.Scale * x.Scale)
			n++
		}
	}
	if n < 5 || p.RMSE == nil || math.Abs(*p.RMSE-math.Sqrt(sum/float64(n))) > 1e-9 {
		t.Errorf("RMSE %v over %d capabilities, want %g", p.RMSE, n, math.Sqrt(sum/float64(n)))
	}
	if _, err := a.Profile("s-nobody"); !errors.Is(err, replay.ErrNoProfile) {
		t.Errorf("the profile of nobody gives %v", err)
	}
	if _, err := open(t, os.DirFS("testdata/bib")).Profile("s-nobody"); !errors.Is(err, replay.ErrNoProfile) {
		t.Errorf("a profile of those who only watch gives %v", err)
	}
}

func TestPredict(t *testing.T) {
	a := open(t, os.DirFS("testdata/embodied"))
	held, right := 0, 0
	for row := range a.Rows {
		e, err := a.Episode(row)
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.Profile(e.Key.Subject)
		if err != nil {
			t.Fatal(err)
		}
		q, err := a.Predict(e, p)
		if err != nil {
			t.Fatal(err)
		}
		if q == nil {
			t.Fatalf("row %d: nothing is predicted", row)
		}
		n := 0
		for _, b := range q.Fan {
			n += b.Count
			if b.Path[0] != e.Trajectory.World.Actor().Pos {
				t.Errorf("row %d: a path begins at %s", row, b.Path[0])
			}
		}
		if n != q.Samples || q.Success < 0 || q.Success > 1 || q.Share <= 0 || len(q.Distance) != len(e.Trajectory.States) {
			t.Errorf("row %d: %d of %d paths, success %g, share %g, %d distances", row, n, q.Samples, q.Success, q.Share, len(q.Distance))
		}
		if q.RMSE == 0 != (slices.Max(q.Distance) == 0) {
			t.Errorf("row %d: RMSE %g, distances up to %g", row, q.RMSE, slices.Max(q.Distance))
		}
		if q.RMSE < 0.5 {
			right++
		}
		if h := e.HeldOut; h != nil {
			held++
			if !(h.RMSE >= 0) || !(h.Surprise >= 0) {
				t.Errorf("row %d: held out, off by %g cells, surprise %g", row, h.RMSE, h.Surprise)
			}
		}
		passed := 0
		for _, b := range q.Fan {
			passed += b.Successes
		}
		if len(q.Chance) != len(q.Distance) || q.Chance[0] != float64(passed)/float64(q.Samples) {
			t.Errorf("row %d: %d chances for %d ticks, first %g; %d of %d paths succeed", row, len(q.Chance), len(q.Distance), q.Chance[0], passed, q.Samples)
		}
		again, err := a.Predict(e, p)
		if err != nil || again.RMSE != q.RMSE || !slices.Equal(again.Path, q.Path) {
			t.Errorf("row %d: predicted again it is another path (%v)", row, err)
		}
	}
	if held == 0 || held == len(a.Rows) || right < len(a.Rows)/3 {
		t.Errorf("of %d episodes %d held out, %d predicted to half a cell", len(a.Rows), held, right)
	}
	if all := a.Scores().Paths[score.Overall]; all.N != held {
		t.Errorf("%d paths are graded, want %d", all.N, held)
	}
	if q, err := a.Predict(&replay.Episode{}, nil); q != nil || err != nil {
		t.Errorf("nothing to predict gives %v, %v", q, err)
	}
}

func TestWatched(t *testing.T) {
	a := open(t, os.DirFS("testdata/bib"))
	if len(a.Rows) != 3 || !a.Unsealed || len(a.Notes) > 0 {
		t.Fatalf("%d rows, unsealed %v, notes %q", len(a.Rows), a.Unsealed, a.Notes)
	}
	for row, r := range a.Rows {
		e, err := a.Episode(row)
		if err != nil {
			t.Fatal(err)
		}
		w := e.Watched
		if !strings.HasPrefix(r.Item, r.Task+" ") {
			t.Errorf("row %d: item %q of task %q", row, r.Item, r.Task)
		}
		if r.Outcome != replay.OutcomeWatched || math.IsNaN(r.Surprise) || w == nil || e.Trajectory != nil || w.Observer != "achilles" || w.Test() != 8 {
			t.Fatalf("row %d: %+v, %+v", row, r, w)
		}
		if w.Videos[0].Outcome != "expected" || w.Videos[1].Outcome != "unexpected" || w.Videos[0].Surprise >= w.Videos[1].Surprise || r.Surprise != w.Videos[1].Surprise {
			t.Errorf("row %d: %s surprises by %g, %s by %g; the row says %g", row, w.Videos[0].Outcome, w.Videos[0].Surprise, w.Videos[1].Outcome, w.Videos[1].Surprise, r.Surprise)
		}
		for k, start := range w.Starts {
			if trial, frame := w.At(0, start); trial != k || frame != 0 {
				t.Errorf("row %d: trial %d begins at tick %d, where frame %d of trial %d is", row, k, start, frame, trial)
			}
		}
		if trial, frame := w.At(1, e.Last+5); trial != 8 || frame != len(w.Videos[1].Trials[8].Path)-1 {
			t.Errorf("row %d: the last frame is %d of trial %d", row, frame, trial)
		}
		for v := range w.Videos {
			curve, ok := w.Surprise(v, e.Last)
			if end := curve[e.Last]; !ok || len(curve) != e.Last+1 || math.Abs(end-w.Videos[v].Surprise) > 1e-6 {
				t.Errorf("row %d: the surprise of video %d ends at %g (%v), its sum is %g", row, v, end, ok, w.Videos[v].Surprise)
			}
		}
		// In the task efficiency_irrational, the two videos differ in the familiarisation trials and share the test; in the
		// other tasks it is the other way round.
		if irrational := strings.HasPrefix(r.Item, "efficiency_irrational"); w.Shared[0] == irrational || w.Shared[8] != irrational {
			t.Errorf("%s: the videos share the first trial %v, the test %v", r.Item, w.Shared[0], w.Shared[8])
		}
		begins := 0
		for _, v := range e.Events {
			if v.Kind == replay.TrialBegins {
				begins++
			}
		}
		if begins != 9 {
			t.Errorf("row %d: %d trials begin", row, begins)
		}
	}
}
