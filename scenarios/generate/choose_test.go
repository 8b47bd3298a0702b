package generate_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"achilles/agents"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/sim/record"
)

// choosing returns a choice of n items, each of which depends on the first response to the one before.
func choosing(n int) func(*record.Dataset) (generate.Choosing, error) {
	return func(d *record.Dataset) (generate.Choosing, error) {
		if d.Responses.Len() > 0 {
			return nil, errors.New("responses are known before anybody responds")
		}
		return func(ctx context.Context, subject int, take generate.Take) error {
			item := subject % len(d.Items.ID)
			for range n {
				responses, err := take(ctx, item)
				if err != nil {
					return err
				}
				item = (item + 1 + int(responses[0].Value)) % len(d.Items.ID)
			}
			return nil
		}, nil
	}
}

// choice returns a scenario in which bodies, rules and a program take items that are chosen for them.
func choice(t *testing.T) *scenario.Scenario {
	s := acting(t, "responses.repetitions=1", "population[0].count=2")
	s.Agents = append(s.Agents, agents.Spec{Name: "program", Command: []string{"program"}})
	s.Adaptive = &scenario.Adaptive{Items: 8}
	return s
}

// TestProgramsTakeChosenItems checks that a program takes only the items that are chosen for it, that a failure does not
// end the choice, and that a stopped run goes on where it stopped, with the same result and nothing taken twice.
func TestProgramsTakeChosenItems(t *testing.T) {
	s := choice(t)
	plays, closed := 0, false
	fails := map[int]error{2: excuse("timed out"), 5: errors.New("the disk is full")}
	config := generate.Config{Seed: 3, Jobs: 2, Choose: choosing(8), Journal: &journal{m: map[string][]byte{}}}
	config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) {
		closed = false
		return scripted{&plays, &closed, fails}, nil
	}
	if _, err := generate.Run(context.Background(), s, config); err == nil || err.Error() != "agent program: the disk is full" || plays != 5 || !closed {
		t.Fatalf("error %v after %d items", err, plays)
	}
	delete(fails, 5)
	out := run(t, s, config)
	if plays != 5+4 || !closed {
		t.Errorf("%d items were taken, want 5 and then the 4 that were left", plays)
	}
	generate.Unpack(t, out)
	program := byName(t, out, "program")
	for k, r := range program {
		if r.Position != k+1 || (r.Unscored != "") != (k == 1) {
			t.Errorf("response %d: %+v", k, r)
		}
	}
	if len(program) != 8 || len(out.Responses) != 8*len(out.Subjects) || len(out.Episodes) != 8*(len(out.Subjects)-1) {
		t.Errorf("%d responses of the program, %d responses and %d episodes of %d subjects", len(program), len(out.Responses), len(out.Episodes), len(out.Subjects))
	}
	again := run(t, s, config)
	if generate.Unpack(t, again); plays != 9 || !reflect.DeepEqual(again, out) {
		t.Errorf("a finished run takes more, or differs: %d items", plays)
	}
	config.Choose = choosing(9)
	if run(t, s, config); plays != 10 {
		t.Errorf("%d items were taken, want one more", plays)
	}
	publishTo(t, out, 2)
}

// TestChosenSharesOfPrograms checks that programs can take chosen items in shares, and that a run then asks none of them.
func TestChosenSharesOfPrograms(t *testing.T) {
	s := choice(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "other", Command: []string{"program"}})
	config := generate.Config{Seed: 3, Choose: choosing(8), Journal: &journal{m: map[string][]byte{}}}
	plays, names := 0, map[string]bool{}
	config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) {
		return scripted{&plays, new(bool), nil}, nil
	}
	for share := range 2 {
		list, _, err := generate.Act(context.Background(), s, config, share, 2)
		if err != nil || len(list) != 8 {
			t.Fatalf("share %d: %d pieces, %v", share, len(list), err)
		}
		for _, name := range list {
			names[name] = true
		}
	}
	if out := run(t, s, config); plays != 16 || len(names) != 16 || len(byName(t, out, "other")) != 8 {
		t.Errorf("%d items were taken, %d pieces", plays, len(names))
	}
}

// TestChoiceWaitsForTheAbsent checks that the choice for a player that leaves ends, that what it took is kept, and that the
// choice goes on in the next run. Who takes nothing has one response, which is unscored.
func TestChoiceWaitsForTheAbsent(t *testing.T) {
	s := choice(t)
	config := generate.Config{Seed: 3, Choose: choosing(8), Journal: &journal{m: map[string][]byte{}}}
	var took []int
	for _, c := range []struct{ to, took, all int }{{0, 0, 1}, {3, 3, 3}, {3, 0, 3}, {8, 5, 8}} {
		took = took[:0]
		config.Outside = func(*agents.Spec, generate.Journal) (generate.Player, error) { return guest{0, c.to, 8, &took}, nil }
		out := run(t, s, config)
		if list := byName(t, out, "program"); len(took) != c.took || len(list) != c.all || (list[0].Unscored != "") != (c.to == 0) {
			t.Errorf("to %d: took %v, and responses %v; want %d and %d", c.to, took, list, c.took, c.all)
		}
		publishTo(t, out, 1)
	}
}
