package scenario_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"achilles/agents/goaldirected"
	"achilles/battery/bib"
	"achilles/scenarios"
	"achilles/scenarios/scenario"
)

const watched = `name = "watched"
[bib]
episodes = 24
tasks = ["preference", "efficiency_path"]
split = "collinear"
go_on = true
[[bib.actor]]
name = "straight"
contact = 11
[[bib.actor]]
name = "roundabout"
manner = "detour"
[inference]
observers = ["achilles", "hbtom"]
moments = 3
[published]
source = "a paper"
[published.observers]
hbtom = { preference = 99.7, efficiency = 96 }
`

func TestParseEpisodes(t *testing.T) {
	s, err := scenario.Parse("f", watched)
	if err != nil {
		t.Fatal(err)
	}
	b := s.Bib
	if b == nil || b.Episodes != 24 || !slices.Equal(b.Tasks, []bib.Task{bib.Preference, bib.EfficiencyPath}) || b.Split != bib.Collinear || b.Shapes != bib.Seen || !b.GoOn {
		t.Fatalf("the episodes are %+v", b)
	}
	straight := goaldirected.Default("straight", goaldirected.Direct)
	straight.Contact = 11
	if !slices.Equal(b.Actors, []goaldirected.Actor{straight, goaldirected.Default("roundabout", goaldirected.Detour)}) {
		t.Errorf("the actors are %+v", b.Actors)
	}
	if got := s.Inference.Texts("observers"); !slices.Equal(got, []string{"achilles", "hbtom"}) {
		t.Errorf("the observers are %q", got)
	}
	var p struct {
		Source    string
		Observers map[string]map[string]float64
	}
	if err := json.Unmarshal(s.Published, &p); err != nil || p.Source != "a paper" || fmt.Sprint(p.Observers) != "map[hbtom:map[efficiency:96 preference:99.7]]" {
		t.Errorf("published is %s (%v)", s.Published, err)
	}
	least, err := scenario.Parse("f", "name = \"x\"\n[bib]\n")
	if err != nil {
		t.Fatal(err)
	}
	if b := least.Bib; b.Episodes != 120 || !slices.Equal(b.Tasks, bib.Evaluation()) || b.Split != bib.Natural || b.Motion != bib.Measured || b.Actors != nil {
		t.Errorf("the least scenario is %+v", b)
	}
}

func TestBadEpisodes(t *testing.T) {
	for _, c := range []struct{ why, from, to, want string }{
		{"no episodes", "episodes = 24", "episodes = 0", "f:3: key bib.episodes: want a whole number from 1 to 999999, not 0"},
		{"a key that means nothing", "go_on", "go_om", "f:6: key bib.go_om: unknown key: did you mean go_on?"},
		{"more than chance", "go_on = true", "mixed = 0.6", "f:6: key bib.mixed: want a probability from 0 to 0.5, or a list of them, not 0.6"},
		{"levels", "go_on = true", "mixed = [0.1, 0.1]", "f:6: key bib.mixed: two levels are the same: want each once"},
		{"levels of two dials", "go_on = true", "mixed = [0.1, 0.2]\ntrials = [1, 2, 3]", "f:7: key bib.trials: 3 levels, and another key of a dial has 2: want one number, or as many"},
		{"half a trial", "go_on = true", "trials = 2.5", "f:6: key bib.trials: want a whole number from 1 to 8, or a list of them, not 2.5"},
		{"a hidden end of an exact walk", "go_on = true", "hidden = 0.5", "f:6: key bib.hidden: want noise above 0 with it"},
		{"no room", "go_on = true", "apart = 40", "f:6: key bib.apart: want a whole number from 56 to 90, not 40"},
		{"an old spelling", "go_on", "goOn", "f:6: key bib.goOn: unknown key: write go_on"},
		{"a task that there is not", `"efficiency_path"`, `"efficiency_paths"`, `f:4: key bib.tasks: "efficiency_paths" is not one of "preference"`},
		{"a task twice", `"efficiency_path"`, `"preference"`, `f:4: key bib.tasks: "preference" is listed twice`},
		{"no task", `["preference", "efficiency_path"]`, `[]`, `f:4: key bib.tasks: no task`},
		{"a split that there is not", `"collinear"`, `"colinear"`, `f:5: key bib.split: "colinear" is not one of "natural", "telling", "collinear": did you mean collinear?`},
		{"two direct actors", `manner = "detour"`, `manner = "direct"`, `f:12: key bib.actor[1].manner: bib.actor[0] is direct already`},
		{"one actor", "[[bib.actor]]\nname = \"roundabout\"\nmanner = \"detour\"\n", "", "f:7: key bib.actor: want one actor"},
		{"a touch too far", "contact = 11", "contact = 99", "f:9: key bib.actor[0].contact: want a whole number from 1 to 15, not 99"},
		{"an actor without a name", `name = "straight"`, "", "f:7: key bib.actor[0].name: is missing"},
		{"a subject", "[inference]", "[[agent]]\nname = \"a\"\nrule = [{ p = 1 }]\n[inference]", "f:13: key agent[0]: nobody takes a battery"},
		{"an accuracy of no kind", "efficiency = 96", "efficient = 96", "f:19: key published.observers.hbtom.efficient: unknown key: did you mean efficiency?"},
		{"a share for per cent", "efficiency = 96", "efficiency = 960", "f:19: key published.observers.hbtom.efficiency: want an accuracy in per cent"},
	} {
		text := strings.Replace(watched, c.from, c.to, 1)
		if text == watched {
			t.Fatalf("%s: %q is not in the text", c.why, c.from)
		}
		errs := scenario.Check(t.Context(), "f", text)
		if len(errs) == 0 || !strings.HasPrefix(errs[0].Error(), c.want) {
			t.Errorf("%s: errors are %v, want %s", c.why, errs, c.want)
		}
	}
	for _, err := range scenario.Check(t.Context(), "f", small[:strings.Index(small, "[published]")]+"[published]\nsource = \"s\"\n[published.observers]\nx = { preference = 1 }\n") {
		if !strings.Contains(err.Error(), "key published.observers: unknown key") {
			t.Errorf("observers of a battery: %v", err)
		}
	}
}

// TestShortSettings checks that a key may be given without its table, and that an ambiguous key is an error.
func TestShortSettings(t *testing.T) {
	text, err := scenarios.FS.ReadFile("bib.toml")
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	for _, setting := range []string{"episodes=1000", "split=collinear", "bib.shapes=new", "seed=9", "moments=0"} {
		if changed, err = scenario.Override("bib.toml", changed, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.Parse("bib.toml", changed)
	if err != nil || s.Bib.Episodes != 1000 || s.Bib.Split != bib.Collinear || s.Bib.Shapes != bib.New || s.Seed != 9 || s.Inference.Whole("moments", 60, 0, 60) != 0 {
		t.Errorf("error %v, changed to %+v, seed %d", err, s.Bib, s.Seed)
	}
	for setting, want := range map[string]string{
		"preference=1": "preference is a key of several tables: want one of published.auc.mask.preference",
		"episode=3":    "",
	} {
		out, err := scenario.Override("bib.toml", string(text), setting)
		if err == nil {
			_, err = scenario.Parse("f", out)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", setting, err, want)
		}
	}
}
