package voe_test

import (
	"math"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// TestBaselines checks every degenerate observer on scenes that are so small that its surprise is known, in pixels.
func TestBaselines(t *testing.T) {
	diagonal := func(x, y float64) float64 { return max(x, y) + (math.Sqrt2-1)*min(x, y) }
	objects := func(change func(s *record.Scene)) record.Scene {
		s := hall()
		s.Objects = []record.Shape{object("left", 50, 100), object("right", 160, 100)}
		if change != nil {
			change(&s)
		}
		return s
	}
	right := [3]int16{2, 0, 25}       // from (100, 100) to (150, 100)
	back := 50 + 100.0 - 50           // pixels wasted on the way to the left object
	walled := func(s *record.Scene) { // a wall before the left object: the way leads over (90, 130) and (50, 130)
		s.Walls = append(s.Walls, record.Rect{X: 60, Y: 60, W: 20, H: 60})
	}
	round := func(s *record.Scene) { // a barrier in place of this wall, and only the left object
		s.Objects = s.Objects[:1]
		s.Barrier = []record.Rect{{X: 60, Y: 60, W: 20, H: 60}}
	}
	narrow := func(s *record.Scene) { // a key at (150, 100), and a wall whose edge is 8 pixels from the start, nearer than an actor should come
		s.Keys = []record.Shape{{X: 142, Y: 92, Half: 8, Icon: "key"}}
		s.Walls = append(s.Walls, record.Rect{X: 80, Y: 60, W: 12, H: 60})
	}
	barred := func(s *record.Scene) {
		for y := int16(20); y < 180; y += 20 {
			s.Barrier = append(s.Barrier, record.Rect{X: 60, Y: y, W: 20, H: 20})
		}
	}
	withKey := func(s *record.Scene) { s.Keys = []record.Shape{{X: 92, Y: 142, Half: 8, Icon: "key"}} } // at (100, 150)
	up := diagonal(50, 50) + 50 - 50                                                                    // pixels wasted on the way to the key
	both := func(s *record.Scene) { barred(s); withKey(s) }
	old := walk(objects(nil), "a", 100, 100, [3]int16{-2, 0, 20})
	for _, c := range []struct {
		observer, why string
		familiar      []record.SceneTrial
		test          record.SceneTrial
		want          float64
	}{
		{"closest_euclid", "the left object is nearer", nil, walk(objects(nil), "a", 100, 100, right), back},
		{"closest_euclid", "it does not see walls", nil, walk(objects(walled), "a", 100, 100, right), back},
		{"closest_path", "the left object is nearer", nil, walk(objects(nil), "a", 100, 100, right), back},
		{"closest_path", "the way to the right one is shorter", nil, walk(objects(walled), "a", 100, 100, right), 0},
		{"key_first", "the start is too close to a wall for a way from there", nil, walk(objects(narrow), "a", 100, 100, right), 0},
		{"closest_path", "only the right one is within reach", nil, walk(objects(barred), "a", 100, 100, right), 0},
		{"closest_path", "round a barrier", nil, walk(objects(round), "a", 100, 100, right), 50 + diagonal(60, 30) - diagonal(10, 30)},
		{"goto_object", "the left one is nearer, through the barrier", nil, walk(objects(barred), "a", 100, 100, right), back},
		{"any_object", "it goes to the right object", nil, walk(objects(nil), "a", 100, 100, right), 0},
		{"any_object", "ten pixels in vain", nil, walk(objects(nil), "a", 100, 100, [3]int16{-2, 0, 5}, right, [3]int16{2, 0, 5}), 20},
		{"key_first", "no key", nil, walk(objects(nil), "a", 100, 100, right), 0},
		{"key_first", "a key", nil, walk(objects(withKey), "a", 100, 100, right), up},
		{"key_if_barrier", "a key and no barrier: the nearest object", nil, walk(objects(withKey), "a", 100, 100, right), back},
		{"key_if_barrier", "a key and a barrier", nil, walk(objects(both), "a", 100, 100, right), up},
		{"previous_location", "it ended at (60, 100)", []record.SceneTrial{old}, walk(objects(nil), "a", 100, 100, right), 90},
		{"previous_location", "on average at (60, 100) and (150, 100)", []record.SceneTrial{old, walk(objects(nil), "a", 100, 100, right)}, walk(objects(nil), "a", 100, 100, right), 45},
		{"previous_path", "the same again", []record.SceneTrial{old}, old, 0},
		{"previous_path", "two pixels apart after each of two moves", []record.SceneTrial{walk(objects(nil), "a", 100, 100, [3]int16{2, 0, 2})}, walk(objects(nil), "a", 100, 102, [3]int16{2, 0, 2}), 2},
		{"duration", "25 moves", nil, walk(objects(nil), "a", 100, 100, right), 25},
		{"duration", "a pause counts", nil, walk(objects(nil), "a", 100, 100, [3]int16{2, 0, 3}, [3]int16{0, 0, 4}, [3]int16{2, 0, 3}), 10},
		{"familiarity", "the same again", []record.SceneTrial{old}, old, 0},
		{"familiarity", "another actor", []record.SceneTrial{old}, walk(objects(nil), "b", 100, 100, [3]int16{-2, 0, 20}), 5},
		{"familiarity", "a wall more", []record.SceneTrial{old}, walk(objects(walled), "a", 100, 100, [3]int16{-2, 0, 20}), 0.08},
		{"last_goal", "it went left", []record.SceneTrial{old}, walk(objects(nil), "a", 100, 100, right), back},
		{"last_goal", "it went left, then right", []record.SceneTrial{old, walk(objects(nil), "a", 100, 100, right)}, walk(objects(nil), "a", 100, 100, right), 0},
		{"last_goal", "it went left, where it cannot go now", []record.SceneTrial{old}, walk(objects(barred), "a", 100, 100, right), 0},
		{"usual_goal", "twice left, then right", []record.SceneTrial{old, old, walk(objects(nil), "a", 100, 100, right)}, walk(objects(nil), "a", 100, 100, right), back},
		{"usual_goal", "left and right: the earlier", []record.SceneTrial{old, walk(objects(nil), "a", 100, 100, right)}, walk(objects(nil), "a", 100, 100, right), back},
		{"usual_goal", "it never acted", nil, walk(objects(nil), "a", 100, 100, right), 0},
		{"straight", "it is", nil, walk(objects(nil), "a", 100, 100, right), 0},
		{"straight", "round a corner", nil, walk(objects(nil), "a", 100, 100, right, [3]int16{0, 2, 25}), math.Sqrt2 - 1},
		{"straight", "back to the start", nil, walk(objects(nil), "a", 100, 100, right, [3]int16{-2, 0, 25}), 0},
		{"new_agent", "known", []record.SceneTrial{old}, old, 0},
		{"new_agent", "unknown", []record.SceneTrial{old}, walk(objects(nil), "b", 100, 100, right), 1},
	} {
		got := watch(t, c.observer, record.Video{Familiarisation: c.familiar, Test: c.test}).Surprise
		if !close(got, c.want, 2e-6) {
			t.Errorf("%s, %s: %.5f, want %.5f", c.observer, c.why, got, c.want)
		}
	}
}

// TestGuess checks that the observer random gives the same surprise for the same video, other surprises for other
// videos, and 0.5 on average.
func TestGuess(t *testing.T) {
	sum, n, seen := 0.0, 0.0, map[float64]bool{}
	var s voe.Studio
	for _, w := range golden(t) {
		for _, v := range s.Prepare(&w) {
			for _, o := range voe.Observers(1) {
				if o.Name != "random" {
					continue
				}
				g := o.Watch(v).Surprise
				if g != o.Watch(v).Surprise || seen[g] {
					t.Errorf("%s: it guesses %v", w.Item, g)
				}
				seen[g] = true
				sum, n = sum+g, n+1
			}
		}
	}
	if mean := sum / n; mean < 0.5-5*0.29/math.Sqrt(n) || mean > 0.5+5*0.29/math.Sqrt(n) {
		t.Errorf("the mean guess is %v", mean)
	}
}
