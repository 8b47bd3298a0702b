package score_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"achilles/battery/bib"
	"achilles/battery/bib/format"
	"achilles/infer/voe"
	"achilles/scenarios"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// readScenario returns the shipped episodes, without those that are not graded, and the published values.
func readScenario(t *testing.T) (scenario.Episodes, score.Published) {
	t.Helper()
	text, err := scenarios.FS.ReadFile("bib.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenario.Parse("bib.toml", string(text))
	if err != nil {
		t.Fatal(err)
	}
	var p score.Published
	if err := json.Unmarshal(s.Published, &p); err != nil {
		t.Fatal(err)
	}
	plan := *s.Bib
	if len(plan.Tasks) != 14 || len(plan.Actors) != 2 || plan.Actors[1].Manner != "detour" || len(p.Observers) != 11 {
		t.Fatalf("the scenario reads as %+v", plan)
	}
	plan.Tasks = bib.Evaluation()
	return plan, p
}

// watchAll makes episodes, task by task, lets every observer watch them, and returns the grades.
func watchAll(t *testing.T, p scenario.Episodes, best map[string]float64, root uint64) map[string]map[string]score.ObserverScore {
	t.Helper()
	var rows []voe.Surprise
	var labels []bib.Label
	tasks := p.Tasks
	for _, task := range tasks {
		p.Tasks = []bib.Task{task}
		episodes := generatetest.Episodes(t, p, root)
		var items []record.Watched
		for i := range episodes {
			id := fmt.Sprintf("%s-%06d", task, i)
			coin := rng.Stream(root, "test", "coin", id)
			w, l := episodes[i].Blind(id, coin.Bernoulli(0.5))
			items, labels = append(items, w), append(labels, l)
		}
		var tables voe.Tables
		err := voe.Run(context.Background(), items, voe.Watching{Jobs: 2, Observers: voe.All(root)}, func(s *voe.Sighting) error {
			s.Beliefs = nil // the steps of beliefs are not needed for grading
			tables.Add(s)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, tables.Surprises...)
	}
	scores, err := score.Observers(rows, labels, best)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// TestObservers checks the whole way from generated episodes to scores. With -long it makes 1000 episodes of every
// task, for three root seeds and both splits, in about five minutes on two cores. Our observer must be at or above the
// best published accuracy on every kind of episode at once. Every degenerate observer must have the score that the
// episodes are designed to give it: ties are exact, and it fails a control that is designed against it.
func TestObservers(t *testing.T) {
	plan, published := readScenario(t)
	if plan.Episodes = 12; testing.Short() {
		plan.Episodes = 4
	}
	roots, splits := []uint64{1}, []bib.Split{bib.Telling}
	if longtest.On() {
		plan.Episodes = 1000
		roots, splits = []uint64{1, 2, 3}, []bib.Split{bib.Telling, bib.Collinear}
	}
	plan.Motion = bib.Ideal // with exactly shortest ways ties are exact
	best := score.Best(published.Observers)
	for _, split := range splits {
		for _, root := range roots {
			plan.Split = split
			scores := watchAll(t, plan, best, root)
			if longtest.On() {
				t.Logf("split %s, root seed %d\n%s", split, root, tables(&score.Scores{Observers: scores, PublishedObservers: published.Observers, Source: published.Source}))
			}
			what := fmt.Sprintf("split %s, root seed %d", split, root)
			for _, kind := range bib.Kinds() {
				if ours := scores["achilles"][kind]; ours.Best != nil && ours.Accuracy < *ours.Best {
					t.Errorf("%s: achilles is right about %.2f %% of %s, the best published is %.1f", what, ours.Accuracy, kind, *ours.Best)
				}
			}
			if split == bib.Telling {
				checkDegenerate(t, what, scores)
			}
		}
	}
}

// degenerate returns the scores that the episodes are designed to give to degenerate observers, in the order of
// bib.Evaluation. A plain number is exact; "~" means chance; "?" means that the score is not designed.
func degenerate() map[string][]string {
	return map[string][]string{
		"random":            {"~", "~", "~", "~", "~", "~", "~", "~", "~", "~"},
		"closest_euclid":    {"50", "50", "50", "100", "100", "50", "50", ">95", ">95", "50"},
		"closest_path":      {"50", "50", "75", "100", "100", "50", "50", "100", "100", "?"},
		"previous_location": {"0", "50", "50", "?", "?", "50", "50", "?", "?", "50"},
		"previous_path":     {"0", "50", "50", "0", "0", "50", "50", "?", "?", "50"},
		"any_object":        {"50", "50", "50", "100", "100", "50", "50", "50", "50", "50"},
		"key_first":         {"50", "50", "50", "100", "100", "50", "50", "0", "0", "50"},
		"key_if_barrier":    {"50", "50", "75", "100", "100", "50", "50", "100", "0", "50"},
		"goto_object":       {"50", "50", "?", "100", "100", "50", "50", "100", "100", "50"},
		"duration":          {"?", "50", "50", "100", "50", "50", "50", "50", "50", "50"},
		"familiarity":       {"?", "50", "0", "0", "0", "100", "50", "?", "?", "?"},
		"new_agent":         {"50", "50", "50", "50", "50", "50", "50", "50", "50", "50"},
	}
}

func checkDegenerate(t *testing.T, what string, scores map[string]map[string]score.ObserverScore) {
	t.Helper()
	for observer, row := range degenerate() {
		for i, task := range bib.Evaluation() {
			s := scores[observer][string(task)]
			switch want := row[i]; want {
			case "?":
			case ">95": // the observer does not see walls, so that it is wrong now and then
				if s.Accuracy <= 95 {
					t.Errorf("%s: %s scores %.2f on %s, by design more than 95", what, observer, s.Accuracy, task)
				}
			case "~": // z = 5.6: two-sided, α = 1e−6 over about fifty checks
				if bound := 100 * 5.6 * 0.5 / math.Sqrt(float64(s.N)); s.Accuracy < 50-bound || s.Accuracy > 50+bound {
					t.Errorf("%s: %s scores %.2f on %s, beyond chance", what, observer, s.Accuracy, task)
				}
			default:
				if exact, _ := strconv.ParseFloat(want, 64); s.Accuracy != exact {
					t.Errorf("%s: %s scores %.4f on %s, by design it must be exactly %s", what, observer, s.Accuracy, task, want)
				}
			}
		}
	}
	if a, b := scores["new_agent"]["multi_agent_a"], scores["new_agent"]["multi_agent_b"]; a.Accuracy != 100 || b.Accuracy != 0 {
		t.Errorf("%s: new_agent scores %.2f and %.2f on the two types of multi_agent, by design 100 and 0", what, a.Accuracy, b.Accuracy)
	}
}

// TestControls checks that observers which count ends, remember the last one, or expect the nearest object, the straightest or the
// shortest way fail the control, and that ours passes it.
func TestControls(t *testing.T) {
	plan, published := readScenario(t)
	if plan.Episodes = 12; longtest.On() {
		plan.Episodes = 600
	}
	plan.Tasks, plan.Motion, plan.Split = bib.Controls(), bib.Ideal, bib.Telling
	scores := watchAll(t, plan, score.Best(published.Observers), 1)
	for observer, want := range map[string]float64{"achilles": 100, "usual_goal": 0, "last_goal": 0, "straight": 0, "closest_euclid": 0, "closest_path": 0,
		"goto_object": 0, "any_object": 50, "key_first": 50, "key_if_barrier": 0, "new_agent": 50} {
		if s := scores[observer][string(bib.ConstrainedPreference)]; s.N != plan.Episodes || s.Accuracy != want {
			t.Errorf("%s scores %.2f on %d episodes, by design exactly %v", observer, s.Accuracy, s.N, want)
		}
	}
}

// TestBeliefs checks that the observer that attributes beliefs to actors passes all tests of them, and that those which take actors to
// know what the observer knows, to know nothing once they were away, or to learn of no change fail where that makes a difference. That
// which guesses is at chance where an actor was away, 5.6 standard errors at most. The root seed is fresh.
func TestBeliefs(t *testing.T) {
	plan, published := readScenario(t)
	if plan.Episodes = 12; longtest.On() {
		plan.Episodes = 600
	}
	plan.Tasks, plan.Motion, plan.Split = bib.Beliefs(), bib.Ideal, bib.Telling
	scores := watchAll(t, plan, score.Best(published.Observers), 531)
	for observer, row := range map[string][4]float64{"achilles": {100, 100, 100, 100}, "reality": {0, 100, 100, 50}, "ignorance": {-1, 100, -1, 100},
		"first_place": {100, 0, 100, 50}, "hbtom": {0, 100, 100, 50}, "usual_goal": {0, 100, 100, 50}, "last_goal": {0, 100, 100, 50},
		"closest_path": {50, 50, 50, 50}, "closest_euclid": {50, 50, 50, 50}, "any_object": {50, 50, 50, 50}, "new_agent": {50, 50, 50, 50}} {
		for i, task := range bib.Beliefs() {
			s, want := scores[observer][string(task)], row[i]
			bound := 0.0
			if want < 0 {
				want, bound = 50, 100*5.6*0.5/math.Sqrt(float64(s.N))
			}
			if s.N != plan.Episodes || math.Abs(s.Accuracy-want) > bound {
				t.Errorf("%s scores %.2f on %d episodes of %s, by design %v within %.1f", observer, s.Accuracy, s.N, task, want, bound)
			}
		}
	}
}

// TestRealEpisodes watches the two published pairs of the benchmark. In both, our observer must be more surprised by
// the unexpected outcome. The observers that remember where the actor was before, and on what path, say the opposite by
// design.
func TestRealEpisodes(t *testing.T) {
	root := os.Getenv("ACHILLES_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, "bib")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no episodes of the benchmark: set ACHILLES_DATA to the folder that has bib (%v)", err)
	}
	fsys := os.DirFS(dir)
	stems, err := format.Files(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var rows voe.Tables
	var labels []bib.Label
	for _, stem := range stems {
		it, err := format.Open(fsys, "bib", stem)
		if err != nil {
			t.Fatal(err)
		}
		e := it.Episode()
		w, l := e.Blind(stem, len(labels)%2 == 1)
		labels = append(labels, l)
		err = voe.Run(context.Background(), []record.Watched{w}, voe.Watching{}, func(s *voe.Sighting) error { rows.Add(s); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	scores, err := score.Observers(rows.Surprises, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", tables(&score.Scores{Observers: scores}))
	for observer, want := range map[string]float64{"achilles": 100, "previous_location": 0, "previous_path": 0, "familiarity": 0} {
		if s := scores[observer]["preference"]; s.N < 2 || s.Accuracy != want {
			t.Errorf("%s is right about %.0f %% of %d real pairs, want %.0f", observer, s.Accuracy, s.N, want)
		}
	}
}
