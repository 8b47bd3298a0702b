package embedding_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/embedding"
	"achilles/infer/table"
	"achilles/sim/num"
)

// TestSubsets checks, for every model, that the ability on all items is the overall one where that is a success rate or Camilla's, that
// abilities on a third and on the rest average to it, and that an unknown or a nominal subset is refused.
func TestSubsets(t *testing.T) {
	tb, _ := simulated(3, 12, 9)
	third, rest, all := make([]float64, 9), make([]float64, 9), slices.Repeat([]float64{1}, 9)
	for j := range 9 {
		if j%3 == 0 {
			third[j] = 1
		} else {
			rest[j] = 1
		}
	}
	tb.Features = append(tb.Features, table.Feature{Name: "third", Value: third}, table.Feature{Name: "rest", Value: rest}, table.Feature{Name: "all", Value: all},
		table.Feature{Name: "labels", Value: all, Levels: []string{"a", "b"}})
	for _, p := range every() {
		p = quick(p)
		p.Subsets = []string{"third", "rest", "all"}
		tr, err := p.Measure(context.Background(), tb, 0.9, 1)
		if err != nil {
			t.Fatal(err)
		}
		for s := range tb.Subjects {
			whole := tr.Subsets[2][s].Value
			if got := (tr.Subsets[0][s].Value + 2*tr.Subsets[1][s].Value) / 3; math.Abs(got-whole) > 1e-9 {
				t.Errorf("%s: subject %d has %v on all items, %v on its parts", p.ID, s, whole, got)
			}
			rates := !p.Published && p.Kind != embedding.IRT || p.Published && p.Kind == embedding.Camilla
			if rates && math.Abs(whole-tr.Ability[s].Value) > 1e-9 {
				t.Errorf("%s: subject %d has %v on all items, %v overall", p.ID, s, whole, tr.Ability[s].Value)
			}
		}
		for _, name := range []string{"nowhere", "labels"} {
			p.Subsets = []string{name}
			if _, err := p.Measure(context.Background(), tb, 0.9, 1); err == nil {
				t.Errorf("%s: no error for subset %s", p.ID, name)
			}
		}
	}
}

// TestPublishedSkills checks the skills of published models against their vectors, and Eq. 12 by hand: of the three kinds of items one needs
// red, one both and one round, so that both weigh a half.
func TestPublishedSkills(t *testing.T) {
	tb, _ := simulated(4, 8, 6)
	for _, kind := range []embedding.Kind{embedding.NeuralCD, embedding.CamillaBase, embedding.Camilla} {
		tr, err := quick(embedding.Released(kind, skills)).Measure(context.Background(), tb, 0.9, 1)
		if err != nil {
			t.Fatal(err)
		}
		for s, u := range tr.Vector {
			for k, skill := range tr.Skills {
				if skill[s].Value != num.Logistic(u[k]) {
					t.Errorf("%s: skill %d of subject %d is %v", kind, k, s, skill[s].Value)
				}
			}
			if kind == embedding.CamillaBase && math.Abs(tr.Printed[s].Value-(u[0]+u[1])/2) > 1e-12 {
				t.Errorf("Eq. 12 gives subject %d %v, by hand %v", s, tr.Printed[s].Value, (u[0]+u[1])/2)
			}
		}
		if (tr.Printed != nil) != (kind == embedding.CamillaBase) || tr.Learnt != (kind == embedding.Camilla) || len(tr.Skills) != len(tr.Mask[0]) {
			t.Errorf("%s: printed %v, learnt %v, %d skills", kind, tr.Printed, tr.Learnt, len(tr.Skills))
		}
	}
}
