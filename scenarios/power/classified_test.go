package power_test

import (
	"path"
	"reflect"
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/power"
)

// classifier returns a classifier by a shipped candidate set and the shipped layout constant, and the subjects of a scenario.
func classifier(t *testing.T, set, scenario string, settings ...string) (*power.Classifier, []power.Subject, error) {
	t.Helper()
	s := open(t, scenario, settings...)
	b, err := s.MakeBattery(t.Context(), s.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := power.Subjects(s, &b, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) compare.Text {
		x, err := scenarios.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return compare.Text{File: name, Text: string(x)}
	}
	source := compare.Source{Text: text("candidates/" + set + ".toml")}
	names, err := compare.List(source.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		source.Rivals = append(source.Rivals, text(path.Join("candidates", name)))
	}
	bank, err := compare.Parse(source)
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Parse("constant.toml", text("layouts/constant.toml").Text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := power.NewClassifier(&generate.Session{Battery: b, Root: s.Seed}, bank, l)
	return c, subjects, err
}

// TestPredict checks that who passes all items is always classified correctly by 60 items, that one item classifies no
// fraudster, that whoever has no agent type is left out, and that the number of goroutines changes nothing.
func TestPredict(t *testing.T) {
	c, all, err := classifier(t, "op", "op-burden", "battery.coding=design")
	if err != nil {
		t.Fatal(err)
	}
	able, cheat := all[0], all[15]
	if able.Family != "capable" || cheat.Family != "fraudster" {
		t.Fatalf("subjects are %s and %s", able.Family, cheat.Family)
	}
	untyped := power.Subject{Name: "untyped", P: able.P}
	predict := func(n, jobs int, list ...power.Subject) []power.Predicted {
		out, err := c.Predict(t.Context(), list, n, 3, 7, jobs, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	many, one := predict(60, 1, untyped, able), predict(1, 1, cheat)
	if len(many) != 1 || many[0].Correct != 3 || many[0].Runs != 3 || many[0].Weight < 0.9 {
		t.Errorf("60 items: %+v", many)
	}
	if one[0].Correct != 0 || one[0].Weight > 0.5 {
		t.Errorf("one item: correct %d of %d, probability %v", one[0].Correct, one[0].Runs, one[0].Weight)
	}
	if !reflect.DeepEqual(many, predict(60, 4, able)) {
		t.Error("the number of goroutines changes a prediction")
	}
}

// TestClassifierRefuses checks that no types are predicted by models of the position of a response.
func TestClassifierRefuses(t *testing.T) {
	if _, _, err := classifier(t, "learning", "op-burden"); err == nil || !strings.Contains(err.Error(), "position") {
		t.Errorf("error %v", err)
	}
}
