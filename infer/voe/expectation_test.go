package voe_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// TestExpect checks a worked example: the actor starts by the cup and ends by the heart; a key lies before the heart.
func TestExpect(t *testing.T) {
	trial := record.SceneTrial{Scene: record.Scene{Width: 200, Height: 200, Agent: record.Shape{X: 44, Y: 44, Half: 6},
		Objects: []record.Shape{{X: 61, Y: 41, Half: 9, Icon: "cup"}, {X: 141, Y: 41, Half: 9, Icon: "heart"}},
		Keys:    []record.Shape{{X: 114, Y: 44, Half: 6, Icon: "key"}}},
		Path: []record.Point{{X: 44, Y: 44}, {X: 134, Y: 44}}}
	for _, c := range []struct {
		x    float64
		path []record.Point
		want voe.Expectation
	}{
		{150, nil, voe.Expectation{Goal: "heart#000000", Reached: true}},
		{72, nil, voe.Expectation{Goal: "cup#000000", Nearest: true}},
		// The walk is 90 pixels long, on y = 50; a way 10 above it is 10 apart.
		{72, []record.Point{{X: 50, Y: 60}, {X: 140, Y: 60}}, voe.Expectation{Goal: "cup#000000", Nearest: true, Apart: 10}},
		// Half the way: of the walk's 91 points 45 are 1, 2, …, 45 away from it, of its own none.
		{72, []record.Point{{X: 50, Y: 50}, {X: 95, Y: 50}}, voe.Expectation{Goal: "cup#000000", Nearest: true, Apart: 45 * 46 / 2. / 91}},
		{120, nil, voe.Expectation{Goal: "key#000000"}}, // the key is nearer than the heart, where the actor ends
	} {
		got, ok := voe.Expect(&trial, c.x, 50, c.path)
		c.want.Path = c.path
		if !ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("at %v: %+v, want %+v", c.x, got, c.want)
		}
	}
	trial.Scene.Objects = nil
	if e, ok := voe.Expect(&trial, 0, 0, nil); ok {
		t.Errorf("without objects: %+v", e)
	}
}

// TestExpectations checks where the two observers with beliefs expect the actors of golden pairs: where the expected outcome ends, and not
// the other, wherever outcomes end at different objects; hbtom, to which actors know where objects are, errs about false beliefs. The order
// in which scenes have their objects makes no difference.
func TestExpectations(t *testing.T) {
	chosen, err := voe.Select([]string{"achilles", "hbtom"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	list := pairs(t)
	for _, w := range pairs(t) {
		list = append(list, turned(w))
	}
	err = voe.Run(context.Background(), list, voe.Watching{Observers: chosen}, func(s *voe.Sighting) error {
		task, _, _ := strings.Cut(s.Item, "-")
		switch task {
		case "preference", "constrained_preference", "true_belief", "unseen_return", "false_belief":
			n++
			if p := s.Expected.Path; len(p) < 2 {
				t.Errorf("%s, video %d: %s expects the way %v", s.Item, s.Video, s.Observer, p)
			}
			if want := (s.Video == 0) == (task != "false_belief" || s.Observer != "hbtom"); s.Expected == nil || s.Expected.Reached != want {
				t.Errorf("%s, video %d: %s expects %+v, and it comes true: want %v", s.Item, s.Video, s.Observer, s.Expected, want)
			}
		}
		return nil
	})
	if err != nil || n != 80 {
		t.Errorf("%d videos (%v)", n, err)
	}
}

// TestExpectedWays checks the ways that observers expect of golden pairs whose outcome is as expected: by key and lock, if the way to the
// object is barred, and as the actor walks, but for the touch of the goal and what noise of the motion leaves.
func TestExpectedWays(t *testing.T) {
	goals := map[string]bool{}
	err := voe.Run(context.Background(), golden(t), voe.Watching{}, func(s *voe.Sighting) error {
		task, _, _ := strings.Cut(s.Item, "-")
		if s.Expected == nil || s.Video != 0 {
			return nil
		}
		goals[s.Observer] = true
		switch {
		case s.Observer == "achilles" && (task == "preference" || task == "efficiency_time" || task == "instrumental_no_barrier") && s.Expected.Apart > 5:
			t.Errorf("%s: the walk is %.1f pixels from the way that achilles expects, %v", s.Item, s.Expected.Apart, s.Expected.Path)
		case s.Observer == "achilles" && task == "instrumental_action" && (len(s.Expected.Path) < 4 || s.Expected.Apart > 5):
			t.Errorf("%s: the way past key and lock is %+v", s.Item, s.Expected)
		case s.Observer == "closest_euclid" && (!s.Expected.Nearest || len(s.Expected.Path) != 2):
			t.Errorf("%s: closest_euclid expects %+v", s.Item, s.Expected)
		case s.Observer == "previous_location" && s.Expected.Path != nil:
			t.Errorf("%s: previous_location expects the way %v", s.Item, s.Expected.Path)
		}
		return nil
	})
	want := []string{"achilles", "closest_euclid", "closest_path", "goto_object", "hbtom", "key_first", "key_if_barrier", "last_goal", "previous_location", "usual_goal"}
	if got := slices.Sorted(maps.Keys(goals)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v say where actors go (%v), want %v", got, err, want)
	}
}

// turned returns an item whose scenes have their objects in the reverse order.
func turned(w record.Watched) record.Watched {
	back := func(list []record.Shape) []record.Shape {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	turn := func(t record.SceneTrial) record.SceneTrial {
		t.Scene.Objects, t.Changes = back(t.Scene.Objects), slices.Clone(t.Changes)
		for i := range t.Changes {
			t.Changes[i].Objects = back(t.Changes[i].Objects)
		}
		return t
	}
	w.Item, w.Videos = w.Item+"-turned", slices.Clone(w.Videos)
	for i, v := range w.Videos {
		w.Videos[i].Familiarisation = nil
		for _, t := range v.Familiarisation {
			w.Videos[i].Familiarisation = append(w.Videos[i].Familiarisation, turn(t))
		}
		w.Videos[i].Test = turn(v.Test)
	}
	return w
}
