package catalog_test

import (
	"context"
	"testing"

	"achilles/battery"
	"achilles/battery/catalog"
)

// TestTrainingWorldsAreApart checks of every task that training worlds are no items of a battery with the same root seed and levels, that
// the same seed makes the same ones, and that they are of the paradigm.
func TestTrainingWorldsAreApart(t *testing.T) {
	const items = 24
	ctx := context.Background()
	names := map[string]bool{}
	for _, task := range catalog.Tasks() {
		if names[task.Name] {
			t.Errorf("two tasks are called %s", task.Name)
		}
		names[task.Name] = true
		training, err := task.Training(ctx, 7, items, 1)
		if err != nil {
			t.Fatalf("%s: %v", task.Name, err)
		}
		again, err := task.Training(ctx, 7, items, 2)
		if err != nil {
			t.Fatal(err)
		}
		suite, _ := catalog.ByName(task.Suite)
		coding, ok := suite.Coding(task.Coding)
		if !ok {
			t.Fatalf("%s: no coding %s of suite %s", task.Name, task.Coding, task.Suite)
		}
		r := battery.Request{Root: 7, Items: items}
		if task.Paradigm != "" {
			factor := "paradigm"
			if task.Suite == "opiaagets" {
				factor = "family"
			}
			r.Levels = []battery.Factor{{Name: factor, Text: []string{task.Paradigm}}}
		}
		b, err := coding.Build(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		tested := map[string]bool{}
		paradigms := map[string]bool{}
		for _, it := range b.Items.All() {
			tested[it.Trials[0].World.String()] = true
			paradigms[it.Paradigm] = true
		}
		for i, it := range training.Items.All() {
			if tested[it.Trials[0].World.String()] {
				t.Errorf("%s: training world %d is an item of the battery with this root seed", task.Name, i)
			}
			if it.Trials[0].World.String() != again.Items.At(i).Trials[0].World.String() {
				t.Errorf("%s: training world %d differs when it is made again", task.Name, i)
			}
			if !paradigms[it.Paradigm] {
				t.Errorf("%s: training world %d is of paradigm %s", task.Name, i, it.Paradigm)
			}
		}
	}
}
