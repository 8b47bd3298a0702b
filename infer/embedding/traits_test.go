package embedding_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/chargrid"
	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

func traits(t *testing.T, p embedding.Predictor, seed uint64, subjects, items int) (predict.Traits, []float64) {
	t.Helper()
	tb, truth := simulated(seed, subjects, items)
	m := fitted(t, p, tb).(*embedding.Model)
	rate := make([]float64, subjects) // true expected success rates
	for i, q := range truth {
		rate[tb.Subject[i]] += q / float64(items)
	}
	return m.Traits(0.9), rate
}

// TestCoverage checks that the 90 % intervals of abilities contain the true expected success rate of 86 to 94 % of the
// subjects, of which there are 60 in each of 8 simulated tables. The tolerance is nearly three standard errors. With -long
// there are 40 tables, and 88 to 92 % are required.
func TestCoverage(t *testing.T) {
	for _, kind := range []embedding.Kind{embedding.MIRT, embedding.CamillaBase} {
		inside, n, width, tables, slack := 0.0, 0.0, 0.0, uint64(8), 0.04
		if longtest.On() {
			tables, slack = 40, 0.02
		}
		for seed := range tables {
			p := embedding.Converged(kind, skills)
			p.Starts, p.Candidates = min(p.Starts, 2), p.Candidates[1:2]
			tr, rate := traits(t, p, 500+seed, 60, 50)
			for s, a := range tr.Ability {
				n++
				width += a.High - a.Low
				if a.Low <= rate[s] && rate[s] <= a.High {
					inside++
				}
			}
		}
		t.Logf("%s: coverage %.3f, width %.3f", kind, inside/n, width/n)
		if c := inside / n; math.Abs(c-0.9) > slack {
			t.Errorf("%s: intervals of 90 %% cover %.3f", kind, c)
		}
	}
}

// TestTraits checks that the traits of every model are complete: one ability for each subject, one difficulty and one
// discrimination for each item, skills and masks if the model has them, and no negative slope in monotone models.
func TestTraits(t *testing.T) {
	const subjects, items = 25, 18
	for _, p := range every() {
		p.Starts, p.Epochs = min(p.Starts, 2), min(p.Epochs, 10)
		if p.Published {
			p.Epochs = 300 // a small table has few steps in an epoch
		}
		if p.Kind == embedding.NeuralCD || p.Kind == embedding.Camilla {
			p.Epochs = 2
		}
		tr, _ := traits(t, p, 9, subjects, items)
		if len(tr.Ability) != subjects || len(tr.Difficulty) != items || len(tr.Discrimination) != items {
			t.Fatalf("%s: %d abilities, %d difficulties, %d discriminations", p.ID, len(tr.Ability), len(tr.Difficulty), len(tr.Discrimination))
		}
		for s, a := range tr.Ability {
			if math.IsNaN(a.Value) || a.Low > a.Value || a.High < a.Value {
				t.Errorf("%s: ability of subject %d is %v", p.ID, s, a)
			}
		}
		network := p.Kind == embedding.NeuralCD || p.Kind == embedding.Camilla
		if (network || p.ID == "irt_published") && tr.Negative != 0 {
			t.Errorf("%s is monotone, but %.2f of its slopes are negative", p.ID, tr.Negative)
		}
		if got := tr.Mask != nil; got != (network || p.Kind == embedding.CamillaBase) {
			t.Errorf("%s has masks: %v", p.ID, got)
		}
		for j, m := range tr.Mask {
			sum := 0.0
			for _, q := range m {
				sum += q
			}
			if p.Kind == embedding.Camilla && math.Abs(sum-1) > 1e-9 || p.Kind != embedding.Camilla && fmt.Sprint(m) != fmt.Sprint([...][]float64{{1, 0}, {1, 1}, {0, 1}}[j%3]) {
				t.Errorf("%s: item %d has the skills %v", p.ID, j, m)
			}
		}
		if !p.Published && (p.Kind == embedding.CamillaBase || p.Kind == embedding.NeuralCD) && len(tr.Skills) != 2 {
			t.Errorf("%s has %d abilities by skill", p.ID, len(tr.Skills))
		}
	}
}

// TestParametersPredict checks that the ability θ of a subject and the difficulty b and discrimination a of an item give the
// prediction of the two-parameter model, σ(a(θ − b)), also where a is negative.
func TestParametersPredict(t *testing.T) {
	tb, _ := simulated(12, 30, 12)
	for i, j := range tb.Item {
		if j < 3 {
			tb.Value[i] = 1 - tb.Value[i] // the able fail
		}
	}
	m := fitted(t, embedding.Converged(embedding.IRT, nil), tb).(*embedding.Model)
	tr, p, negative := m.Traits(0.9), all(tb, m), 0
	for i, j := range tb.Item {
		a, b := tr.Discrimination[j], tr.Difficulty[j]
		if want := num.Logistic(a * (tr.Ability[tb.Subject[i]].Value - b)); math.Abs(p[i]-want) > 1e-9 {
			t.Fatalf("row %d: p = %.6f, of the parameters %.6f (a = %.3f, b = %.3f)", i, p[i], want, a, b)
		}
		if a < 0 {
			negative++
		}
	}
	if negative == 0 {
		t.Error("no item has a negative discrimination")
	}
}

// TestItemsOfSeveralAbilities checks that a model of several abilities finds the order of the discriminations and difficulties of one,
// that an item on which the able fail has a negative one, and that its share of such items is the model's. The 95 % quantile of the rank
// correlation of 30 unrelated pairs is .31.
func TestItemsOfSeveralAbilities(t *testing.T) {
	const subjects, items = 200, 30
	r := rng.Stream(77, "several")
	tb := &table.Table{Binary: true}
	a, b := make([]float64, items), make([]float64, items)
	for j := range items {
		a[j], b[j] = math.Exp(0.7*r.Norm()), r.Norm()
		tb.Items = append(tb.Items, fmt.Sprint("i", j))
	}
	a[3] = -1.5
	for s := range subjects {
		tb.Subjects = append(tb.Subjects, fmt.Sprint("s", s))
		θ := r.Norm()
		for j := range items {
			y := 0.0
			if r.Bernoulli(num.Logistic(a[j] * (θ - b[j]))) {
				y = 1
			}
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(j)), append(tb.Value, y)
		}
	}
	m := fitted(t, quick(embedding.Converged(embedding.MIRT, nil)), tb).(*embedding.Model)
	tr := m.Traits(0.9)
	if got := chargrid.Spearman(tr.Discrimination, a, nil); got < 0.6 {
		t.Errorf("discriminations have the rank correlation %.2f with the true ones", got)
	}
	if got := chargrid.Spearman(tr.Difficulty, b, nil); got < 0.8 {
		t.Errorf("difficulties have the rank correlation %.2f with the true ones", got)
	}
	below := 0
	for _, x := range tr.Discrimination {
		if x < 0 {
			below++
		}
	}
	if tr.Discrimination[3] > -0.5 || math.Abs(tr.Negative-float64(below)/items) > 1e-9 {
		t.Errorf("the reversed item has the discrimination %.2f; %d are negative, a share of %.3f", tr.Discrimination[3], below, tr.Negative)
	}
}

// TestUnknownItems checks that items without responses have no part in the abilities: half of the items, or a table of these
// items alone, give the same.
func TestUnknownItems(t *testing.T) {
	tb, _ := simulated(13, 12, 20)
	half := tb.Subset(predict.By(tb, "", func(i int) (bool, bool) { return tb.Item[i] < 10, false }).Train)
	alone := *half
	alone.Items = tb.Items[:10]
	for _, kind := range []embedding.Kind{embedding.MF, embedding.MIRT, embedding.CamillaBase, embedding.NeuralCD} {
		p := quick(embedding.Converged(kind, skills))
		a, b := fitted(t, p, half).(*embedding.Model).Traits(0.9), fitted(t, p, &alone).(*embedding.Model).Traits(0.9)
		for s := range a.Ability {
			if math.Abs(a.Ability[s].Value-b.Ability[s].Value) > 0.02 {
				t.Errorf("%s: ability of subject %d is %.4f with unknown items, %.4f without", kind, s, a.Ability[s].Value, b.Ability[s].Value)
			}
		}
	}
}
