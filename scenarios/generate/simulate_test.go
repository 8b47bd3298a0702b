package generate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/conf"
	"achilles/sim/longtest"
)

func open(t testing.TB, name string, settings ...string) *scenario.Scenario {
	t.Helper()
	b, err := scenarios.FS.ReadFile(name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for _, setting := range settings {
		if text, err = scenario.Override("f", text, setting); err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenario.Parse(name+".toml", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func run(t testing.TB, s *scenario.Scenario, c generate.Config) *generate.Session {
	t.Helper()
	out, err := generate.Run(context.Background(), s, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRunBurden checks that the numbers of successes of 30 agents on 2188 items differ from the expected ones by at
// most 5.3 standard deviations.
func TestRunBurden(t *testing.T) {
	s := open(t, "op-burden")
	out := run(t, s, generate.Config{Seed: 7, Jobs: 2})
	responses := slices.Collect(out.All())
	if len(responses) != 30*2188 || out.HoldOut != 0.2 || out.Root != 7 || out.Scenario != s.Text || out.Published == nil {
		t.Fatalf("%d responses, hold-out %v, root %d", len(responses), out.HoldOut, out.Root)
	}
	items := scenario.ItemsOf(&out.Battery)
	for k := range out.Subjects {
		a, err := agents.Compile(&out.Subjects[k], items)
		if err != nil {
			t.Fatal(err)
		}
		mean, variance, got := 0.0, 0.0, 0.0
		for i := range items.Names {
			r := responses[k*2188+i]
			if r.Subject != k || r.Item != i || r.Repetition != 0 || r.Unscored != "" {
				t.Fatalf("response %d of subject %d is %+v", i, k, r)
			}
			mean, variance, got = mean+a.P(i), variance+a.P(i)*(1-a.P(i)), got+r.Value
		}
		if math.Abs(got-mean) > 5.3*math.Sqrt(variance)+1e-9 { // 30 checks: one false alarm in 3·10⁵ seeds
			t.Errorf("%s passes %v instances, expected %.1f ± %.1f", out.Subjects[k].Name, got, mean, math.Sqrt(variance))
		}
	}
}

// TestRunDoesNotDependOnJobs checks that the session is the same for every number of workers, and that another seed
// gives another session.
func TestRunDoesNotDependOnJobs(t *testing.T) {
	for _, name := range scenarios.Names() {
		s := open(t, name)
		if s.Bib != nil || s.Battery.Layout != "" { // TestPublishScenes checks the episodes, package simulate what layouts draw
			continue
		}
		if s.Battery.Items > 0 {
			items := 30
			if longtest.On() {
				items = 200
			}
			s = open(t, name, fmt.Sprint("battery.items=", items))
		}
		want := generate.Unpacked(t, run(t, s, generate.Config{Seed: 3}))
		if !reflect.DeepEqual(generate.Unpacked(t, run(t, s, generate.Config{Seed: 3, Jobs: 7})), want) {
			t.Errorf("%s: seven jobs give another session than one", name)
		}
		if reflect.DeepEqual(slices.Collect(run(t, s, generate.Config{Seed: 4, Jobs: 2}).All()), slices.Collect(want.All())) {
			t.Errorf("%s: another seed gives the same responses", name)
		}
	}
}

// TestAddingShiftsNobody checks that a further agent, item or repetition does not change any other response.
func TestAddingShiftsNobody(t *testing.T) {
	cells := func(s *generate.Session) map[string]float64 {
		m := map[string]float64{}
		for r := range s.All() {
			m[fmt.Sprint(s.Subjects[r.Subject].Name, " ", s.Battery.Items.Name(r.Item), " ", r.Repetition)] = r.Value
		}
		return m
	}
	all := cells(run(t, open(t, "quickstart", "responses.repetitions=2"), generate.Config{Seed: 1}))
	fewerItems := cells(run(t, open(t, "quickstart", "battery.sample=200"), generate.Config{Seed: 1}))
	fewerAgents := open(t, "quickstart")
	fewerAgents.Agents = fewerAgents.Agents[3:5]
	for what, part := range map[string]map[string]float64{"items": fewerItems, "agents": cells(run(t, fewerAgents, generate.Config{Seed: 1}))} {
		if len(part) >= len(all) {
			t.Fatalf("%d cells with fewer %s, %d with all", len(part), what, len(all))
		}
		for cell, x := range part {
			if all[cell] != x {
				t.Fatalf("with fewer %s, %s is %v; with all it is %v", what, cell, x, all[cell])
			}
		}
	}
}

// TestRepetitions checks that each subject takes each item as often as the scenario says, and not always with the same
// outcome.
func TestRepetitions(t *testing.T) {
	out := run(t, open(t, "quickstart", "responses.repetitions=3", "battery.sample=100"), generate.Config{Seed: 1, Jobs: 2})
	responses := slices.Collect(out.All())
	if len(responses) != 9*100*3 {
		t.Fatalf("%d responses, want 2700", len(responses))
	}
	differ := 0
	for k, r := range responses {
		if r.Subject != k/300 || r.Item != k/3%100 || r.Repetition != k%3 {
			t.Fatalf("response %d is %+v: want order by subject, item, repetition", k, r)
		}
		if r.Subject == 1 && r.Repetition > 0 && r.Value != responses[k-1].Value { // subject 1 is the coin
			differ++
		}
	}
	// Of 200 pairs half differ on average; 5 standard deviations are 35.
	if differ < 65 || differ > 135 {
		t.Errorf("the coin's next outcome differs in %d of 200 pairs", differ)
	}
}

func TestRunReportsProgress(t *testing.T) {
	var seen []int
	run(t, open(t, "quickstart"), generate.Config{Seed: 1, Jobs: 3, Progress: func(done, total int) {
		if total != 9 {
			t.Errorf("total %d, want 9", total)
		}
		seen = append(seen, done)
	}})
	if !reflect.DeepEqual(seen, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("progress is %v", seen)
	}
}

func TestRunStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	_, err := generate.Run(ctx, open(t, "op-burden"), generate.Config{Seed: 1, Jobs: 2, Progress: func(int, int) { done++; cancel() }})
	if !errors.Is(err, context.Canceled) || done > 4 {
		t.Errorf("error %v after %d subjects", err, done)
	}
}

// TestRunPlacesErrors checks that a rule that does not fit the battery is an error of the file, the same for every
// number of workers.
func TestRunPlacesErrors(t *testing.T) {
	s := open(t, "quickstart", "agent[4].rule[0].p=goalSize", "agent[6].rule[1].p=goalSize")
	for _, jobs := range []int{1, 5} {
		_, err := generate.Run(context.Background(), s, generate.Config{Seed: 1, Jobs: jobs})
		var p *conf.Error
		if !errors.As(err, &p) || p.Key != "agent[4].rule[0].p" || p.Line == 0 || !strings.Contains(err.Error(), "not a probability") {
			t.Errorf("error %v", err)
		}
	}
}

func TestRunWithoutHoldOut(t *testing.T) {
	if out := run(t, open(t, "quickstart", "responses.held_out=0"), generate.Config{}); out.HoldOut >= 0 {
		t.Errorf("hold-out is %v, want negative: zero would mean the default", out.HoldOut)
	}
}

func BenchmarkRunBurden(b *testing.B) {
	s := open(b, "op-burden")
	b.ReportAllocs()
	for b.Loop() {
		run(b, s, generate.Config{Seed: 1, Jobs: 2})
	}
	b.ReportMetric(float64(b.N)*30*2188/b.Elapsed().Seconds(), "responses/s")
}

// TestFirstFailure checks that the error of a run is that of its first piece of work, whichever fails first.
func TestFirstFailure(t *testing.T) {
	a, b, c := errors.New("a"), errors.New("b"), errors.New("c")
	for _, test := range []struct {
		pieces []int
		errs   []error
		want   error
	}{
		{nil, nil, nil},
		{[]int{0, 1}, []error{nil, nil}, nil},
		{[]int{0, 7, 3, 5}, []error{nil, a, b, c}, b},
		{[]int{3, 5, 0, 7}, []error{b, c, a, nil}, a},
		{[]int{4, 0}, []error{c, nil}, c},
	} {
		if err := generate.FirstFailure(test.pieces, test.errs); err != test.want {
			t.Errorf("pieces %v: %v, want %v", test.pieces, err, test.want)
		}
	}
}
