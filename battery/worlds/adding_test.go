package worlds_test

import (
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/worlds"
	"achilles/gridworld/gridtest"
)

// TestAddingAParadigm adds a paradigm by its file (added_test.go) and a list that has it. It checks that the battery is whole and
// balanced, that its tests and nothing else ask for its ability, that going to where the reward was last seen does not pass them, and that its film is
// true.
func TestAddingAParadigm(t *testing.T) {
	c := worlds.Added()
	levels := []battery.Factor{{Name: "paradigm", Text: []string{"ladder"}}}
	b, err := c.Design(t.Context(), battery.Request{Levels: levels, Items: 80, Root: 501})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	tests := 0
	for _, it := range b.Items.All() {
		value := func(name string) float64 {
			f, ok := b.Feature(name)
			if !ok {
				t.Fatalf("no feature %s", name)
			}
			return it.Values.At(f).Number
		}
		test := it.Task == "ladder-test"
		if it.Paradigm != "ladder" || test != (value("moves") > 0) || test && value("lastSeenPasses") == 1 || !test && value("coverPasses") != 1 {
			t.Errorf("%s, %s of %s: moves %v, lastSeenPasses %v, coverPasses %v", it.Name, it.Task, it.Paradigm, value("moves"), value("lastSeenPasses"), value("coverPasses"))
		}
		if test {
			tests++
		}
	}
	if tests < 40 { // three quarters have an occluder, and three quarters are not congruent
		t.Errorf("%d of %d items are tests", tests, b.Items.Len())
	}
	_, err = c.Design(t.Context(), battery.Request{Levels: append(levels, battery.Factor{Name: "numPositions", Number: []float64{1}}), Items: 80, Root: 501})
	if err == nil || !strings.Contains(err.Error(), "paradigm ladder: there are not enough items of every level, since the cover needs a well for every move") {
		t.Errorf("error %v does not say what never is", err)
	}
	for _, fault := range gridtest.Film(film(t, []*worlds.Coding{c}, "ladder moves 2")) {
		t.Error(fault)
	}
	if _, err := worlds.Displaced().Design(t.Context(), battery.Request{Levels: levels, Items: 8, Root: 501}); err == nil {
		t.Error("a list without the paradigm has it")
	}
}
