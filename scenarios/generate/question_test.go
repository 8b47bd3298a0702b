package generate_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/agents/accuracy"
	"achilles/battery/ctest"
	"achilles/gridworld"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// byName returns the responses of a subject in their order.
func byName(t testing.TB, s *generate.Session, name string) (list []generate.Response) {
	t.Helper()
	for r := range s.All() {
		if s.Subjects[r.Subject].Name == name {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		t.Fatalf("nobody is called %s", name)
	}
	return list
}

// TestSolvers checks the scores of the simple agents on the published test, each item weighted by its complexity. The
// wanted scores are those that an independent program computed. The right answers to only five of the 21 series were
// published; the others are those of our own best programs. Hence the scores show that our agents agree with the
// independent program, and not how good the paper's agents were.
func TestSolvers(t *testing.T) {
	out := run(t, open(t, "ctest"), generate.Config{Seed: 1})
	problems := ctest.Published()
	for name, want := range map[string]float64{
		"mode": 0.040, "min-repetition": 0.115, "min-distance": 0.370, "rarest-distance": 0.335, "max-distance": 0.326, "commonest-distance": 0.286,
		"pattern-1": 0.405, "pattern-2": 0.643, "pattern-3": 0.626, "pattern-4": 0.621, "pattern-5": 0.088, "pattern-6": 0.141,
	} {
		sum, hits := 0.0, 0.0
		for _, r := range byName(t, out, name) {
			sum += float64(problems[r.Item].K)
			hits += r.Value * float64(problems[r.Item].K)
		}
		if math.Abs(hits/sum-want) > 0.0006 {
			t.Errorf("%s scores %.4f, want %.3f", name, hits/sum, want)
		}
	}
}

// TestCollectives compares the responses of groups with those of their members and, if the members' errors are
// independent, with closed forms.
func TestCollectives(t *testing.T) {
	out := run(t, open(t, "ctest", "responses.repetitions=100"), generate.Config{Seed: 2, Jobs: 2})
	value := func(name string) (list []float64) {
		for _, r := range byName(t, out, name) {
			list = append(list, r.Value)
		}
		return list
	}
	if !slices.Equal(value("three alike"), value("min-distance")) {
		t.Error("three of the same kind are not alike")
	}
	if !slices.Equal(value("best"), value("pattern-2")) {
		t.Error("the best member is pattern-2, and the group does not follow it")
	}
	problems := ctest.Published()
	for name, exact := range map[string]func(t accuracy.Task) float64{
		"pi-001": func(t accuracy.Task) float64 { return accuracy.Chance(t, 12.0094) },
		"A1": func(t accuracy.Task) float64 {
			return accuracy.Majority(slices.Repeat([]float64{accuracy.Chance(t, 12.0094)}, 3))
		},
		"A1 by plurality": func(t accuracy.Task) float64 {
			return accuracy.Plurality(slices.Repeat([]float64{accuracy.Chance(t, 12.0094)}, 3), t.Answers)
		},
	} {
		right, mean, variance := 0.0, 0.0, 0.0
		for _, r := range byName(t, out, name) {
			p := exact(accuracy.Task{Difficulty: float64(problems[r.Item].K), Answers: 26})
			right, mean, variance = right+r.Value, mean+p, variance+p*(1-p)
		}
		if z := (right - mean) / math.Sqrt(variance); math.Abs(z) > 4 {
			t.Errorf("%s is right %v times, expected %.1f: z = %.2f", name, right, mean, z)
		}
	}
	// If the members answer without chance, their answers and weights determine the group's vote. To recompute the vote
	// here would repeat the program, so that only bounds are checked: if all members are wrong the group is wrong, and if
	// more than half of them are right it is right.
	var members [][]float64
	for _, name := range []string{"pattern-1", "pattern-2", "pattern-3", "pattern-4"} {
		members = append(members, value(name))
	}
	for _, group := range []string{"patterns", "patterns by majority"} {
		for k, v := range value(group) {
			sum := 0.0
			for _, m := range members {
				sum += m[k]
			}
			if sum == 0 && v == 1 || sum == 4 && v == 0 || sum > 2 && v == 0 {
				t.Fatalf("%s: %v where %v of four are right", group, v, sum)
			}
			if group == "patterns by majority" && sum <= 2 && v == 1 {
				t.Fatalf("%s is right where %v of four are", group, sum)
			}
		}
	}
}

// TestCollectivesOfOtherBatteries checks that, in a battery without questions, members vote on whether the item is
// passed.
func TestCollectivesOfOtherBatteries(t *testing.T) {
	s := open(t, "quickstart")
	group := func(name string, rule accuracy.Rule, members ...string) agents.Spec {
		return agents.Spec{Name: name, Collective: &agents.Collective{Rule: rule, Members: members}}
	}
	s.Collectives = []agents.Spec{
		group("three", accuracy.StrictMajority, "burnt", "forgetful", "fraudster"),
		group("two", accuracy.PluralityVote, "burnt", "forgetful"),
		group("sure", accuracy.BestMember, "coin", "perfect", "burnt"),
	}
	out := run(t, s, generate.Config{Seed: 4, Jobs: 2})
	a, b, c := byName(t, out, "burnt"), byName(t, out, "forgetful"), byName(t, out, "fraudster")
	ties := [2]int{}
	for k, r := range byName(t, out, "three") {
		if sum := a[k].Value + b[k].Value + c[k].Value; (sum >= 2) != (r.Value == 1) || r.Item != a[k].Item {
			t.Fatalf("item %d: the group has %v, its members %v", r.Item, r.Value, sum)
		}
	}
	for k, r := range byName(t, out, "two") {
		if a[k].Value == b[k].Value && r.Value != a[k].Value {
			t.Fatalf("item %d: two agree on %v and decide %v", r.Item, a[k].Value, r.Value)
		} else if a[k].Value != b[k].Value {
			ties[int(r.Value)]++
		}
	}
	if n := float64(ties[0] + ties[1]); math.Abs(float64(ties[1])-n/2) > 2.5*math.Sqrt(n) { // 5 standard deviations
		t.Errorf("ties fall %v", ties)
	}
	for _, r := range byName(t, out, "sure") {
		if r.Value != 1 {
			t.Fatal("the best member is perfect, and the group fails")
		}
	}
}

// TestCollectivesOfBodies checks that bodies vote too, trial by trial.
func TestCollectivesOfBodies(t *testing.T) {
	s := open(t, "embodied", "battery.items=30", "population[0].count=3")
	s.Collectives = []agents.Spec{{Name: "three", Collective: &agents.Collective{Rule: accuracy.StrictMajority, Members: []string{"body-001", "body-002", "body-003"}}}}
	members := s.Collectives[0].Collective.Members
	for i := range members {
		members[i] = s.Populations[0].Member(i)
	}
	out := run(t, s, generate.Config{Seed: 4})
	for k, r := range byName(t, out, "three") {
		sum := 0.0
		for _, m := range members {
			sum += byName(t, out, m)[k].Value
		}
		if (sum >= 2) != (r.Value == 1) {
			t.Fatalf("item %d: the group has %v, its members %v", r.Item, r.Value, sum)
		}
	}
	publish(t, out)
}

// A quizzer answers questions with their first option, and fails at some.
type quizzer struct {
	gridworld.Agent
	asked *[]agents.Question
	fails map[int]error // number of the question, from 0 → error that Answer returns
}

func (q quizzer) Answer(_ context.Context, question agents.Question) (int, error) {
	*q.asked = append(*q.asked, question)
	return 0, q.fails[question.Number]
}

func (quizzer) Close() error { return nil }

// TestProgramsAnswer checks that programs answer questions, that the journal stores their answers, and that a group has
// no answer if one of its members has none.
func TestProgramsAnswer(t *testing.T) {
	s := open(t, "ctest", "battery.coding=published-options")
	s.Populations, s.Collectives = nil, nil
	s.Agents = append(s.Agents[:3:3], agents.Spec{Name: "program", Command: []string{"program"}})
	s.Collectives = []agents.Spec{{Name: "two", Collective: &agents.Collective{Rule: accuracy.PluralityVote, Members: []string{"program", "mode"}}}}
	var asked []agents.Question
	fails := map[int]error{2: excuse("timed out"), 5: errors.New("the disk is full")}
	config := generate.Config{Seed: 3, Journal: &journal{m: map[string][]byte{}}}
	config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) {
		return quizzer{asked: &asked, fails: fails}, nil
	}
	if _, err := generate.Run(context.Background(), s, config); err == nil || err.Error() != "agent program: the disk is full" || len(asked) != 6 {
		t.Fatalf("error %v after %d questions", err, len(asked))
	}
	delete(fails, 5)
	out := run(t, s, config)
	if len(asked) != 6+15 || asked[0].Of != 20 || asked[0].Brief == "" || asked[0].Seed == asked[1].Seed {
		t.Errorf("%d questions; the first is %+v", len(asked), asked[0])
	}
	right := 0
	mode := byName(t, out, "mode")
	two := byName(t, out, "two")
	for k, r := range byName(t, out, "program") {
		it := out.Battery.Items.At(r.Item)
		text, options, _ := out.Battery.Question(r.Item)
		if r.Position == 1 && (asked[0].Text != text || !slices.Equal(asked[0].Options, options)) {
			t.Errorf("the first question is %+v, and item %s has position 1", asked[0], it.Name)
		}
		if want := options[0] == it.Answer; (r.Value == 1) != want && r.Unscored == "" {
			t.Errorf("item %s: %v for %s", it.Name, r.Value, options[0])
		}
		right += int(r.Value)
		fails := r.Position == 3 // the question with number 2 fails
		if (r.Unscored != "") != fails || (two[k].Unscored == generate.MemberMissing) != fails {
			t.Errorf("item %d is unscored: %q, and the group's: %q", r.Item, r.Unscored, two[k].Unscored)
		}
		if r.Value == 1 && mode[k].Value == 1 && two[k].Value != 1 {
			t.Errorf("item %d: both are right, and the group is not", r.Item)
		}
	}
	if right == 0 {
		t.Error("the first option is never right")
	}
	if again := run(t, s, config); len(asked) != 21 || !reflect.DeepEqual(again, out) {
		t.Errorf("a finished run is asked again, or differs: %d questions", len(asked))
	}
	config.Journal = nil
	config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) {
		return struct{ scripted }{scripted{new(int), new(bool), nil}}, nil
	}
	if _, err := generate.Run(context.Background(), s, config); err == nil || !strings.Contains(err.Error(), "does not answer questions") {
		t.Errorf("who only acts is asked: %v", err)
	}
}

// TestSolversNeedQuestions checks that a solver can take batteries of questions only, and that a body cannot take them.
func TestSolversNeedQuestions(t *testing.T) {
	for text, says := range map[string]string{
		"name = \"a\"\n[[agent]]\nname = \"m\"\nsolver = \"mode\"\n":                                                              "f.toml:2: key agent[0]: m answers questions, and item",
		"name = \"a\"\n[battery]\nsuite = \"ctest\"\n[[agent]]\nname = \"b\"\n[agent.body]\nmemory = 2\n":                         "b acts, and item series-abcd has no world",
		"name = \"a\"\n[battery]\nsuite = \"ctest\"\nwhere = \"k > 8\"\n[[agent]]\nname = \"m\"\nsolver = \"pattern\"\nlag = 2\n": "",
	} {
		s, err := scenario.Parse("f.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = generate.Run(context.Background(), s, generate.Config{Seed: 1}); says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("error %v does not say %q", err, says)
		}
	}
}
