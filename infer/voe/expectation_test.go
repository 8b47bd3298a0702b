package voe_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"achilles/infer/voe"
	"achilles/sim/record"
)

// TestExpect checks a worked example: the actor starts by the cup and ends by the heart.
func TestExpect(t *testing.T) {
	trial := record.SceneTrial{Scene: record.Scene{Width: 200, Height: 200, Agent: record.Shape{X: 44, Y: 44, Half: 6},
		Objects: []record.Shape{{X: 61, Y: 41, Half: 9, Icon: "cup"}, {X: 141, Y: 41, Half: 9, Icon: "heart"}}},
		Path: []record.Point{{X: 44, Y: 44}, {X: 134, Y: 44}}}
	for _, c := range []struct {
		x    float64
		want voe.Expectation
	}{{150, voe.Expectation{Goal: "heart#000000", Reached: true}}, {72, voe.Expectation{Goal: "cup#000000", Nearest: true}}} {
		if got, ok := voe.Expect(&trial, c.x, 50); !ok || got != c.want {
			t.Errorf("at %v: %+v, want %+v", c.x, got, c.want)
		}
	}
	trial.Scene.Objects = nil
	if e, ok := voe.Expect(&trial, 0, 0); ok {
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
