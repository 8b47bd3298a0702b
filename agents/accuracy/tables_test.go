package accuracy_test

import (
	"math"
	"testing"

	"achilles/agents/accuracy"
)

// TestTables checks by hand the tables of two agents and a group on one task with two answers, half of which guessing gets right.
func TestTables(t *testing.T) {
	s, err := accuracy.ReadSelection("s.toml", `accuracy = 0.5
difficulties_to = 10
[[task]]
difficulty = 2
answers = 2
[[agent]]
name = "weak"
ability = 0.5
[[agent]]
name = "better"
ability = 2
cost = 3
[[group]]
name = "both"
members = ["weak", "better"]
rule = "majority"
`)
	if err != nil {
		t.Fatal(err)
	}
	tables := s.Tables(s.Assess(1))
	names := map[string]int{}
	for _, x := range tables {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		names[x.Name]++
	}
	if len(tables) != 5 || len(names) != 5 {
		t.Fatalf("tables %v", names)
	}
	tasks, chances, bounds := tables[0], tables[1], tables[3]
	if x, _ := tasks.Value(0, "ability").Number(); x != 0 {
		t.Errorf("guessing is enough: ability %v", x)
	}
	want := (1 + math.Exp(-1)) / 2 // (1 + (m−1) e^(−D/ability)) / m
	if x, ok := chances.Value(1, "p").Number(); !ok || math.Abs(x-want) > 1e-12 {
		t.Errorf("better is right with %v, want %v", x, want)
	}
	if chances.Value(0, "rule").Text() != "alone" || chances.Value(2, "rule").Text() != "majority" || chances.Value(0, "enough").Text() != "chosen" || chances.Value(1, "enough").Text() != "enough" {
		t.Errorf("%v", chances.Rows)
	}
	if x, _ := bounds.Value(0, "hardest").Number(); bounds.Value(0, "p").Text() != "0.5" || !math.IsInf(x, 1) {
		t.Errorf("the weak one is right with one half up to difficulty %v", x)
	}
	if x, _ := bounds.Value(1, "hardest").Number(); math.Abs(x+0.5*math.Log(0.2)) > 1e-9 {
		t.Errorf("the weak one is right with 0.6 up to difficulty %v", x)
	}
}
