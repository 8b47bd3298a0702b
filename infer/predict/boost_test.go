package predict_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// simulated returns a complete table of subjects × items. Success falls with x, with a slope that differs between
// subjects, and depends on a nominal feature. The second result has the true probability of success in each row.
func simulated(r *rng.Rand, subjects, items int) (*table.Table, []float64) {
	t := &table.Table{Binary: true}
	x := table.Feature{Name: "x", Missing: make([]bool, items)}
	side := table.Feature{Name: "side", Levels: []string{"left", "middle", "right"}}
	for i := range items {
		t.Items = append(t.Items, fmt.Sprint("i", i))
		x.Value = append(x.Value, math.Round(10*r.Norm())/10)
		x.Missing[i] = i%10 == 9
		side.Value = append(side.Value, float64(r.IntN(3)))
	}
	t.Features = []table.Feature{x, side}
	var truth []float64
	for s := range subjects {
		t.Subjects = append(t.Subjects, fmt.Sprint("s", s))
		level, slope := 0.5*r.Norm(), 1+0.5*r.Norm()
		for i := range items {
			p := 1 / (1 + math.Exp(-(level - slope*x.Value[i] + side.Value[i] - 1)))
			v := 0.0
			if r.Bernoulli(p) {
				v = 1
			}
			t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(i)), append(t.Value, v)
			truth = append(truth, p)
		}
	}
	return t, truth
}

// TestBoostSplitAgainstBruteForce compares the gain of the best split with the largest gain over every subset of
// levels, or every threshold, with missing values on either side.
func TestBoostSplitAgainstBruteForce(t *testing.T) {
	b := predict.DefaultBoost("boost", nil)
	b.MinLeaf, b.Smooth = 1, 0
	for s := range 200 {
		r := rng.Stream(uint64(s), "boost", "split")
		nominal := s%2 == 0
		b.MinLeaf = float64(1 + s/2%2*5)
		f := table.Feature{Name: "x", Value: make([]float64, 25), Missing: make([]bool, 25)}
		if nominal {
			f.Levels = []string{"a", "b", "c", "d", "e"}
		}
		tb := &table.Table{Binary: true, Subjects: []string{"s"}, Items: make([]string, 25), Features: []table.Feature{f}}
		for i := range f.Value {
			f.Value[i], f.Missing[i] = float64(r.IntN(5)), r.Bernoulli(0.2)
			if f.Missing[i] {
				f.Value[i] = 0
			}
			v := 0.0
			if r.Bernoulli(0.5) {
				v = 1
			}
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, v)
		}
		gain, left := predict.BestSplit(b, tb, "x")
		best := 0.0
		for set := range 1 << 6 { // bit 5: missing
			if !nominal && set&31&(set&31+1) != 0 { // the set is not 0…01…1, so that no threshold gives it
				continue
			}
			if nominal && b.MinLeaf > 1 && !ordered(tb, &f, set) {
				continue // split considers only ordered sets; if leaves have a smallest size, another set may be better
			}
			best = max(best, setGain(b, tb, &f, set))
		}
		chosen := 0
		for _, code := range left {
			chosen |= 1 << code
		}
		if math.Abs(gain-best) > 1e-9 {
			t.Fatalf("seed %d: gain %v, want %v", s, gain, best)
		}
		// A numeric column has no code for values that no item has, so that its codes are not those of set. Only the gains
		// are compared then.
		if nominal && gain > 0 && math.Abs(setGain(b, tb, &f, chosen)-gain) > 1e-9 {
			t.Fatalf("seed %d: the set %v does not have the gain %v", s, left, gain)
		}
	}
}

// ordered reports whether every level of a set has at least the success rate of every level outside the set. Of two
// levels with equal rates, the first counts as higher.
func ordered(t *table.Table, f *table.Feature, set int) bool {
	var k, n [5]float64
	for i, v := range t.Value {
		if x, ok := f.At(int(t.Item[i])); ok {
			n[int(x)]++
			k[int(x)] += v
		}
	}
	for a := range n {
		for b := range n {
			in, out := set>>a&1 == 1, set>>b&1 == 0
			ra, rb := k[a]/n[a], k[b]/n[b]
			if n[a] > 0 && n[b] > 0 && in && out && (ra < rb || ra == rb && a > b) { // gradients fall as success rises
				return false
			}
		}
	}
	return true
}

// setGain returns the gain of a split that sends the codes of a bit set to one side.
func setGain(b predict.Boost, t *table.Table, f *table.Feature, set int) float64 {
	var g, h, n [2]float64
	for i, v := range t.Value {
		code := 5
		if x, ok := f.At(int(t.Item[i])); ok {
			code = int(x)
		}
		side := set >> code & 1
		g[side] += 0.5 - v
		h[side] += 0.25
		n[side]++
	}
	if n[0] < b.MinLeaf || n[1] < b.MinLeaf {
		return 0
	}
	q := func(g, h float64) float64 { return g * g / (h + b.Ridge) }
	return q(g[0], h[0]) + q(g[1], h[1]) - q(g[0]+g[1], h[0]+h[1])
}

// TestOneTreeByHand checks that one split, at full learning rate and without a penalty, is a Newton step from the base
// rate.
func TestOneTreeByHand(t *testing.T) {
	tb := &table.Table{Binary: true, Subjects: []string{"s"}, Items: make([]string, 8), Features: []table.Feature{{Name: "x", Value: []float64{1, 1, 1, 1, 2, 2, 2, 2}}}}
	for i, v := range []float64{1, 1, 1, 0, 0, 0, 0, 1} {
		tb.Subject, tb.Item, tb.Value = append(tb.Subject, 0), append(tb.Item, int32(i)), append(tb.Value, v)
	}
	b := predict.Boost{ID: "one", Features: []string{"x"}, Bags: 1, Rounds: 1, Rate: 1, Depth: 1, MinLeaf: 1, Rows: 1, Columns: 1, MaxWork: 1}
	p := make([]float64, 2)
	fit(t, b, tb).Predict([]int32{0, 0}, []int32{0, 7}, p)
	// The base prediction is p = ½. In the left leaf, the step is −Σ(p−y)/Σp(1−p) = −(4·½ − 3)/1 = 1; in the right leaf, −1.
	near(t, "left", p[0], 1/(1+math.Exp(-1)), 1e-12)
	near(t, "right", p[1], 1/(1+math.Exp(1)), 1e-12)
}

// TestBoostLaws checks that no prediction changes if a feature is transformed monotonically and a constant feature is added,
// and that more trees fit the training rows better.
func TestBoostLaws(t *testing.T) {
	r := rng.Stream(1, "boost", "laws")
	tb, _ := simulated(&r, 12, 40)
	b := predict.DefaultBoost("boost", []string{"x", "side"})
	b.Bags, b.Folds, b.Rounds, b.Rows, b.Columns = 1, 0, 30, 1, 1
	want := all(tb, fit(t, b, tb))
	changed := *tb
	changed.Features = append([]table.Feature{}, tb.Features...)
	x := tb.Features[0]
	x.Value = append([]float64(nil), x.Value...)
	for i, v := range x.Value {
		x.Value[i] = math.Exp(v)
	}
	changed.Features[0] = x
	changed.Features = append(changed.Features, table.Feature{Name: "constant", Value: make([]float64, 40)})
	b.Features = append(b.Features, "constant")
	for i, p := range all(tb, fit(t, b, &changed)) {
		if p != want[i] {
			t.Fatalf("row %d: %v, want %v", i, p, want[i])
		}
	}
	b.Features = b.Features[:2]
	before := math.Inf(1)
	for _, rounds := range []int{1, 5, 20, 60} {
		b.Rounds = rounds
		loss := predict.NewGrade(tb, all(tb, fit(t, b, tb))).Mean[predict.LogLoss]
		if loss >= before {
			t.Errorf("%d trees: log loss %v, before %v", rounds, loss, before)
		}
		before = loss
	}
}

// TestBoostTuning checks that, if outcomes do not depend on features or subjects, cross-validation picks few trees:
// predictions range over at most half as much as without it.
func TestBoostTuning(t *testing.T) {
	r := rng.Stream(1, "boost", "noise")
	tb, _ := simulated(&r, 10, 40)
	for i := range tb.Value {
		tb.Value[i] = float64(r.IntN(2))
	}
	b := predict.DefaultBoost("boost", []string{"x", "side"})
	spread := func() float64 {
		p := all(tb, fit(t, b, tb))
		return slices.Max(p) - slices.Min(p)
	}
	tuned := spread()
	b.Folds = 0
	if all := spread(); tuned > all/2 {
		t.Errorf("predictions range over %.2f, untuned %.2f", tuned, all)
	}
}

// all returns the predictions for every row of a table.
func all(t *table.Table, m predict.Model) []float64 {
	p := make([]float64, t.Rows())
	m.Predict(t.Subject, t.Item, p)
	return p
}

// TestAbsoluteLossByHand checks one tree under absolute loss: items with x = 0 have the values 0, 0.1 and 0.2, those with x = 1 0.6, 0.8 and
// 1. The base is the median of all, 0.4; the leaves are the medians 0.1 and 0.8, because nothing is shrunk.
func TestAbsoluteLossByHand(t *testing.T) {
	tb := &table.Table{Subjects: []string{"A"}, Items: []string{"a", "b", "c", "d", "e", "f"}, Features: []table.Feature{{Name: "x", Value: []float64{0, 0, 0, 1, 1, 1}}},
		Subject: make([]int32, 6), Item: []int32{0, 1, 2, 3, 4, 5}, Value: []float64{0, 0.1, 0.2, 0.6, 0.8, 1}}
	m := fit(t, predict.Boost{ID: "boost", Absolute: true, Features: []string{"x"}, Bags: 1, Rounds: 1, Rate: 1, Depth: 1, MinLeaf: 1, Rows: 1, Columns: 1, MaxWork: 100}, tb)
	for i, p := range all(tb, m) {
		near(t, "prediction", p, []float64{0.1, 0.8}[i/3], 1e-12)
	}
}

// TestTreesBeginWhereTheyAreTold grows trees from given log odds, on a column that has the true ones with noise. If they begin with the true
// ones, cross-validation finds hardly any use in trees, and in most tables none, so that predictions are those of the start. If they begin with
// these turned round, trees take away seven tenths of the error; where the number of trees is chosen as if they began elsewhere, they do not.
func TestTreesBeginWhereTheyAreTold(t *testing.T) {
	alone := 0
	for seed := range uint64(10) {
		r := rng.Stream(seed, "begin")
		tb := &table.Table{Binary: true, Subjects: []string{""}, Features: []table.Feature{{Name: "near"}}}
		b, truth := predict.DefaultBoost("boost", []string{"near"}), []float64(nil)
		for j := range int32(400) {
			z, v := 2*r.Norm(), 0.0
			if r.Bernoulli(num.Logistic(z)) {
				v = 1
			}
			truth, tb.Features[0].Value = append(truth, z), append(tb.Features[0].Value, r.Norm()+2*z)
			tb.Items, tb.Subject, tb.Item, tb.Value = append(tb.Items, ""), append(tb.Subject, 0), append(tb.Item, j), append(tb.Value, v)
		}
		for _, times := range []float64{1, -1} {
			b.Start = nil
			for _, z := range truth {
				b.Start = append(b.Start, times*z)
			}
			m, err := b.Fit(context.Background(), tb, seed)
			if err != nil {
				t.Fatal(err)
			}
			p, away, at := make([]float64, tb.Rows()), 0.0, 0.0 // mean distances from the truth
			m.Predict(tb.Subject, tb.Item, p)
			for j, z := range truth {
				away += math.Abs(p[j]-num.Logistic(z)) / float64(len(p))
				at += math.Abs(num.Logistic(times*z)-num.Logistic(z)) / float64(len(p))
			}
			t.Logf("seed %d, %g times the truth: %.4f, start %.4f", seed, times, away, at)
			if times == 1 && away == 0 {
				alone++
			}
			if away > max(0.05, 0.3*at) {
				t.Errorf("seed %d, %g times the truth: predictions are %.4f from it, the start %.4f", seed, times, away, at)
			}
		}
	}
	if alone < 5 {
		t.Errorf("%d of 10 tables went without trees", alone)
	}
}
