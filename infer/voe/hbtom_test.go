package voe_test

import (
	"math"
	"slices"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// TestHBToMPrior checks the published prior of temperatures, e^−T normalised, to its printed digits.
func TestHBToMPrior(t *testing.T) {
	for k, want := range []float64{.251, .231, .206, .174, .138} {
		if got := voe.Warmth()[k]; math.Abs(got-want) > 5e-4 {
			t.Errorf("temperature %d: %.4f, want %.3f", k, got, want)
		}
	}
}

// TestPlausibility checks the product of three logistic functions, by the points at which each of them is one half: these
// are the published thresholds.
func TestPlausibility(t *testing.T) {
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	if got, want := voe.Plausibility(5.96/11.81, 0, 0), 0.5*logistic(5.90)*logistic(2); !close(got, want, 1e-12) {
		t.Errorf("goal at its threshold: %v, want %v", got, want)
	}
	if got, want := voe.Plausibility(0, 5.90/9.42, 10), 0.25*logistic(5.96); !close(got, want, 1e-12) {
		t.Errorf("temperature and step at their thresholds: %v, want %v", got, want)
	}
}

// TestHalfPath checks a path on half cells by hand. Repeated half cells are dropped, and two orthogonal steps become a
// diagonal one unless a wall is in the corner.
func TestHalfPath(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("o", 160, 160)}
	v := view(walk(s, "a", 45, 45, [3]int16{2, 0, 5}, [3]int16{0, 2, 5}, [3]int16{2, 2, 5}))
	if got, want := v.HalfPath(0), [][2]int{{4, 4}, {5, 5}, {6, 6}}; !slices.Equal(got, want) {
		t.Errorf("the path is %v, want %v", got, want)
	}
	s.Walls = append(s.Walls, record.Rect{X: 40, Y: 50, W: 10, H: 10}) // in the corner
	v = view(walk(s, "a", 45, 45, [3]int16{2, 0, 5}, [3]int16{0, 2, 5}))
	if got, want := v.HalfPath(0), [][2]int{{4, 4}, {5, 4}, {5, 5}}; !slices.Equal(got, want) {
		t.Errorf("round a corner the path is %v, want %v", got, want)
	}
}

// TestHBToMCounts checks that eight trials to the same of two objects give a preference of about 9 to 1, the published
// one. A stranger has no such preference, so that its choice of the other object surprises less than the known actor's.
func TestHBToMCounts(t *testing.T) {
	s := hall()
	s.Objects = []record.Shape{object("up", 100, 160), object("down", 100, 40)}
	go8 := slices.Repeat([]record.SceneTrial{walk(s, "a", 100, 100, [3]int16{0, 2, 24})}, 8)
	known := watch(t, "hbtom", record.Video{Familiarisation: go8, Test: go8[0]})
	if p := known.Beliefs[7].Preference[0].P; !close(p, 0.9, 0.01) {
		t.Errorf("after eight trials the share is %.3f", p)
	}
	other := watch(t, "hbtom", record.Video{Familiarisation: go8, Test: walk(s, "b", 100, 100, [3]int16{0, -2, 24})})
	changed := watch(t, "hbtom", record.Video{Familiarisation: go8, Test: walk(s, "a", 100, 100, [3]int16{0, -2, 24})})
	if !(known.Surprise < other.Surprise && other.Surprise < changed.Surprise) {
		t.Errorf("surprise: the usual %.3f, a stranger %.3f, a change of mind %.3f", known.Surprise, other.Surprise, changed.Surprise)
	}
}
