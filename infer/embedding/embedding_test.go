package embedding_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

var skills = []string{"red", "round"}

// simulated draws responses of subjects with an ability in each of two skills to items that need one or both. truth has the
// probability of success of each row.
func simulated(root uint64, subjects, items int) (t *table.Table, truth []float64) {
	r := rng.Stream(root, "simulated")
	t = &table.Table{Binary: true, Features: []table.Feature{{Name: "red"}, {Name: "round"}}}
	difficulty := make([]float64, items)
	for j := range items {
		t.Items = append(t.Items, fmt.Sprint("i", j))
		need := [...][2]float64{{1, 0}, {1, 1}, {0, 1}}[j%3]
		t.Features[0].Value, t.Features[1].Value = append(t.Features[0].Value, need[0]), append(t.Features[1].Value, need[1])
		difficulty[j] = r.Norm()
	}
	for s := range subjects {
		t.Subjects = append(t.Subjects, fmt.Sprint("s", s))
		ability := [2]float64{1.5 * r.Norm(), 1.5 * r.Norm()}
		for j := range items {
			z := t.Features[0].Value[j]*ability[0] + t.Features[1].Value[j]*ability[1] - difficulty[j]
			p, v := num.Logistic(z), 0.0
			if r.Bernoulli(p) {
				v = 1
			}
			t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(j)), append(t.Value, v)
			truth = append(truth, p)
		}
	}
	return t, truth
}

// quick returns the predictor with short training.
func quick(p embedding.Predictor) embedding.Predictor {
	p.Epochs, p.Steps, p.Starts = min(p.Epochs, 1), min(p.Steps, 60), min(p.Starts, 2)
	p.Candidates = p.Candidates[:min(len(p.Candidates), 1)]
	return p
}

// every returns two predictors of every kind: one trained as released, and one until convergence.
func every() (ps []embedding.Predictor) {
	for _, k := range embedding.Kinds() {
		ps = append(ps, embedding.Released(k, skills), embedding.Converged(k, skills))
	}
	return ps
}

// TestGradients compares every partial derivative with a central difference, with dropout and priors, for every loss, for
// responses of 0 and 1 and for responses between 0 and 1. It compares the gradient and the value over all rows at once, and in three random parts, with those row by
// row. The tolerance allows for the error of the difference: rounding
// divided by h = 1e-5, and h²/6 times a third derivative of at most 100.
func TestGradients(t *testing.T) {
	for seed := range uint64(3) {
		tb, _ := simulated(seed, 4, 6)
		unit := *tb
		unit.Binary, unit.Value = false, slices.Clone(tb.Value)
		r := rng.Stream(seed, "unit")
		for i := range unit.Value {
			unit.Value[i] = r.Float64()
		}
		for _, p := range every() {
			for _, loss := range []embedding.Loss{embedding.CrossEntropy, embedding.Squared, embedding.Absolute} {
				for _, data := range []*table.Table{tb, &unit} {
					p.Loss = loss
					problem, err := embedding.NewProblem(p, data, seed)
					if err != nil {
						t.Fatal(err)
					}
					g, x := slices.Clone(problem.Gradient(int(seed))), problem.Parameters()
					for _, parts := range []int{1, 3} {
						whole, value := problem.Whole(parts)
						if whole == nil {
							break
						}
						if want := problem.Value(int(seed)); math.Abs(value-want) > 1e-12*(1+want) {
							t.Fatalf("seed %d, %s, loss %s: value %g in parts: %d, %g row by row", seed, p.ID, loss, value, parts, want)
						}
						for i, d := range whole {
							if math.Abs(d-g[i]) > 1e-12 {
								t.Fatalf("seed %d, %s, loss %s: parameter %d: gradient %g in parts: %d, %g row by row", seed, p.ID, loss, i, d, parts, g[i])
							}
						}
					}
					for i := range x {
						const h = 1e-5
						at := x[i]
						x[i] = at + h
						up := problem.Value(int(seed))
						x[i] = at - h
						down := problem.Value(int(seed))
						x[i] = at
						if want := (up - down) / (2 * h); math.Abs(g[i]-want) > 1e-8+1e-6*math.Abs(want) {
							t.Fatalf("seed %d, %s, loss %s: parameter %d of %d: gradient %g, difference %g", seed, p.ID, loss, i, len(x), g[i], want)
						}
					}
				}
			}
		}
	}
}

func fitted(t *testing.T, p embedding.Predictor, tb *table.Table) predict.Model {
	t.Helper()
	m, err := p.Fit(context.Background(), tb, 1)
	if err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	return m
}

func all(tb *table.Table, m predict.Model) []float64 {
	p := make([]float64, tb.Rows())
	m.Predict(tb.Subject, tb.Item, p)
	return p
}

// TestRecovery checks how close predictions come to the true probabilities of success if two thirds of the responses are for
// training and the other third for testing. IRT must come closer than the subjects' success rates; MIRT, NeuralCD and
// Camilla-Base closer than IRT. With -long Camilla is trained too, which has to learn the skills. It must only come closer than the
// success rates: to do better than IRT, it needs more responses than these.
func TestRecovery(t *testing.T) {
	tb, truth := simulated(7, 80, 60)
	var train []int32
	r, tested := rng.Stream(7, "test"), make([]bool, tb.Rows())
	for i := range tb.Value {
		if tested[i] = r.IntN(3) == 0; !tested[i] {
			train = append(train, int32(i))
		}
	}
	sub := tb.Subset(train)
	miss := func(m predict.Model) float64 {
		p, sum, n := all(tb, m), 0.0, 0.0
		for i := range p {
			if tested[i] {
				sum, n = sum+(p[i]-truth[i])*(p[i]-truth[i]), n+1
			}
		}
		return math.Sqrt(sum / n)
	}
	base, err := predict.Subject{}.Fit(context.Background(), sub, 1)
	if err != nil {
		t.Fatal(err)
	}
	one := miss(fitted(t, embedding.Converged(embedding.IRT, nil), sub))
	if b := miss(base); one > 0.9*b {
		t.Errorf("irt is off by %.3f, the subjects' rates by %.3f", one, b)
	}
	for _, c := range []struct {
		kind embedding.Kind
		most float64
	}{{embedding.MIRT, 0.85 * one}, {embedding.CamillaBase, 0.7 * one}, {embedding.NeuralCD, 0.9 * one}, {embedding.Camilla, 0.95 * miss(base)}} {
		if c.kind == embedding.Camilla && !longtest.On() {
			continue
		}
		p := embedding.Converged(c.kind, skills)
		p.Starts, p.Epochs = min(p.Starts, 2), 8
		if got := miss(fitted(t, p, sub)); got > c.most {
			t.Errorf("%s is off by %.3f, more than %.3f; one ability by %.3f", c.kind, got, c.most, one)
		}
	}
}

// TestRenaming checks that other names of the subjects and items change no prediction.
func TestRenaming(t *testing.T) {
	tb, _ := simulated(3, 6, 9)
	renamed := *tb
	renamed.Subjects, renamed.Items = slices.Clone(tb.Subjects), slices.Clone(tb.Items)
	slices.Reverse(renamed.Subjects)
	slices.Reverse(renamed.Items)
	for _, p := range every() {
		p = quick(p)
		if a, b := all(tb, fitted(t, p, tb)), all(tb, fitted(t, p, &renamed)); !slices.Equal(a, b) {
			t.Errorf("%s: names change predictions", p.ID)
		}
	}
}

// TestOrder checks that reversing the order of subjects and items changes no prediction of IRT and MF, whose posterior density
// has a single maximum.
func TestOrder(t *testing.T) {
	tb, _ := simulated(4, 41, 31)
	turned := &table.Table{Binary: true, Subjects: tb.Subjects, Items: tb.Items}
	for i := tb.Rows() - 1; i >= 0; i-- { // subject s becomes 40 − s, item j becomes 30 − j
		turned.Subject, turned.Item, turned.Value = append(turned.Subject, 40-tb.Subject[i]), append(turned.Item, 30-tb.Item[i]), append(turned.Value, tb.Value[i])
	}
	for _, k := range []embedding.Kind{embedding.IRT, embedding.MF} {
		p := embedding.Converged(k, nil)
		p.Steps, p.Candidates = 1500, p.Candidates[:min(len(p.Candidates), 1)]
		a, b := all(tb, fitted(t, p, tb)), all(turned, fitted(t, p, turned))
		slices.Reverse(b)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-3 {
				t.Fatalf("%s: row %d: %v, turned %v", k, i, a[i], b[i])
			}
		}
	}
}

// TestEdges checks tables with no response, one response, one subject, one item or equal values: predictions lie between 0 and 1;
// where all pass or all fail, models that have converged predict so for every response; and every subject has an ability, inside
// its interval if it has one.
func TestEdges(t *testing.T) {
	tb, _ := simulated(5, 5, 8)
	with := func(value float64) *table.Table {
		c := *tb
		c.Value = make([]float64, tb.Rows())
		for i := range c.Value {
			c.Value[i] = value
		}
		return &c
	}
	first := func(keep func(i int) bool) *table.Table {
		var rows []int32
		for i := range tb.Value {
			if keep(i) {
				rows = append(rows, int32(i))
			}
		}
		return tb.Subset(rows)
	}
	for _, c := range []struct {
		name string
		t    *table.Table
	}{{"no responses", tb.Subset(nil)}, {"one subject", first(func(i int) bool { return tb.Subject[i] == 0 })}, {"one item", first(func(i int) bool { return tb.Item[i] == 0 })},
		{"one response", tb.Subset([]int32{3})}, {"all pass", with(1)}, {"all fail", with(0)}, {"halves", with(0.5)}} {
		for _, p := range every() {
			m := fitted(t, quick(p), c.t).(*embedding.Model)
			for i, v := range all(tb, m) {
				if !(v >= 0 && v <= 1) || !p.Published && (c.name == "all pass" && v < 0.5 || c.name == "all fail" && v > 0.5) {
					t.Fatalf("%s, %s: row %d has p = %v", c.name, p.ID, i, v)
				}
			}
			tr := m.Traits(0.9)
			if len(tr.Ability) != len(c.t.Subjects) || len(tr.Difficulty) != len(c.t.Items) {
				t.Fatalf("%s, %s: %d abilities, %d difficulties", c.name, p.ID, len(tr.Ability), len(tr.Difficulty))
			}
			for s, a := range tr.Ability {
				if math.IsNaN(a.Value) || a.Low > a.Value || a.High < a.Value {
					t.Errorf("%s, %s: ability of subject %d is %v", c.name, p.ID, s, a)
				}
			}
		}
	}
}

// TestCheck checks that published training keeps the epoch with the highest AUC on the responses for checking, and that
// converged training does not look at them.
func TestCheck(t *testing.T) {
	tb, _ := simulated(6, 20, 30)
	var train, check []int32
	for i := range tb.Value {
		if i%4 == 0 {
			check = append(check, int32(i))
		} else {
			train = append(train, int32(i))
		}
	}
	a, b := tb.Subset(train), tb.Subset(check)
	p := embedding.Released(embedding.MIRT, nil)
	p.Epochs = 40
	best := math.Inf(-1)
	for epochs := range 41 {
		q := p
		q.Epochs = epochs
		best = max(best, predict.AUC(b.Value, all(b, fitted(t, q, a))))
	}
	m, err := p.FitChecked(context.Background(), a, b, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := predict.AUC(b.Value, all(b, m)); got != best {
		t.Errorf("AUC %v, the best of all epochs has %v", got, best)
	}
	own := quick(embedding.Converged(embedding.MIRT, nil))
	blind := fitted(t, own, a)
	seen, err := own.FitChecked(context.Background(), a, b, 1)
	if err != nil || !slices.Equal(all(tb, blind), all(tb, seen)) {
		t.Errorf("a converged model looks at the responses for checking: %v", err)
	}
}

func TestUnknownSkill(t *testing.T) {
	tb, _ := simulated(1, 2, 3)
	for _, k := range []embedding.Kind{embedding.NeuralCD, embedding.CamillaBase} {
		if _, err := embedding.Released(k, []string{"blue"}).Fit(context.Background(), tb, 1); err == nil {
			t.Errorf("%s: no error for a skill that is not there", k)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, p := range every() {
		if _, err := p.Fit(ctx, tb, 1); err == nil {
			t.Errorf("%s ignores a cancelled context", p.ID)
		}
	}
}
