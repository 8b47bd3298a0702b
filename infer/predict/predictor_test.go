package predict_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// bank returns one predictor of every kind, small enough for tests.
func bank(features ...string) []predict.Predictor {
	boost := predict.DefaultBoost("boost", features)
	boost.Rounds, boost.Bags, boost.Folds = 20, 1, 2
	factor := predict.DefaultFactor("factor", features)
	factor.Chains, factor.Warmup, factor.Draws, factor.Dimensions = 1, 10, 20, 2
	pooled := factor
	pooled.ID, pooled.Pooled = "factor_features", true
	rasch := factor
	rasch.ID, rasch.Dimensions, rasch.Features = "rasch", 0, nil
	logistic := predict.DefaultLogistic("logistic", features)
	logistic.Folds = 2
	each := predict.DefaultTree("tree_levels", features)
	each.Sets = false
	return []predict.Predictor{predict.Majority{}, predict.Global{}, predict.Subject{}, predict.ItemMean{}, predict.DefaultFactorAnalysis("factor_analysis"), predict.DefaultTree("tree", features), each,
		boost, logistic, rasch, factor, pooled, predict.Blend{ID: "blend", Parts: []predict.Predictor{boost, pooled}},
		predict.Neighbours{ID: "subjects", Width: 0.1}, predict.Neighbours{ID: "items", Width: 0.1, Items: true},
		predict.DefaultEASE("ease"),
		predict.DefaultStack("stack", []predict.Predictor{predict.Neighbours{ID: "items", Width: 0.1, Items: true}, predict.Subject{}}, false),
		predict.DefaultStack("stack_absolute", []predict.Predictor{predict.Subject{}}, true)}
}

// TestEveryPredictorSurvives fits every kind of predictor to tables that lack rows, subjects, values or successes. All
// predictions must be probabilities.
func TestEveryPredictorSurvives(t *testing.T) {
	r := rng.Stream(1, "bank")
	tb, _ := simulated(&r, 5, 20)
	none := tb.Subset(nil)
	one := tb.Subset(firstRows(20))
	with := func(fs []table.Feature) *table.Table {
		s := *tb
		s.Features = fs
		return &s
	}
	gone := with([]table.Feature{{Name: "x", Value: make([]float64, 20), Missing: trues(20)}, {Name: "side", Levels: []string{}, Value: make([]float64, 20), Missing: trues(20)}})
	constant := with([]table.Feature{{Name: "x", Value: make([]float64, 20)}, {Name: "side", Levels: []string{"a"}, Value: make([]float64, 20)}})
	fractions := *tb
	fractions.Binary, fractions.Value = false, append([]float64(nil), tb.Value...)
	for i := range fractions.Value {
		fractions.Value[i] = r.Float64()
	}
	wins := *tb
	wins.Value = make([]float64, tb.Rows())
	for _, c := range []struct {
		name string
		t    *table.Table
	}{{"no rows", none}, {"one subject", one}, {"features missing everywhere", gone}, {"constant features", constant}, {"degrees of success", &fractions}, {"nobody succeeds", &wins}} {
		for _, p := range bank("x", "side") {
			for i, v := range all(tb, fit(t, p, c.t)) {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%s, %s: row %d has p = %v", c.name, p.Name(), i, v)
					break
				}
			}
		}
	}
}

func firstRows(n int) (rows []int32) {
	for i := range n {
		rows = append(rows, int32(i))
	}
	return rows
}

func trues(n int) []bool {
	b := make([]bool, n)
	for i := range b {
		b[i] = true
	}
	return b
}

func TestUnknownFeatureAndCancel(t *testing.T) {
	r := rng.Stream(1, "bank")
	tb, _ := simulated(&r, 5, 20)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, p := range bank("y") {
		if n := p.Name(); slices.Contains([]string{"majority", "global", "subject", "item", "factor_analysis", "rasch", "subjects", "items", "ease", "stack", "stack_absolute"}, n) {
			continue
		}
		if _, err := p.Fit(context.Background(), tb, 1); err == nil || !strings.Contains(err.Error(), `"y" is not in the table`) {
			t.Errorf("%s: %v", p.Name(), err)
		}
	}
	for _, p := range bank("x") {
		_, err := p.Fit(ctx, tb, 1)
		if n := p.Name(); err == nil && n != "majority" && n != "global" && n != "subject" && n != "item" {
			t.Errorf("%s ignores a cancelled context", n)
		}
		if _, err := predict.Evaluate(ctx, tb, predict.Random(tb, predict.Response, 1, 0.5, 1), []predict.Predictor{p}, predict.Evaluation{Root: 1}); err == nil {
			t.Errorf("%s: an evaluation ignores a cancelled context", p.Name())
		}
	}
}

// TestNoLeak checks that predictions do not depend on test outcomes. It inverts every test outcome; if the predictions
// stay the same, the error becomes exactly one minus the error.
func TestNoLeak(t *testing.T) {
	r := rng.Stream(2, "leak")
	tb, _ := simulated(&r, 8, 30)
	splits := predict.Random(tb, predict.Response, 2, 0.7, 1)
	splits = append(splits, predict.Random(tb, predict.Item, 1, 0.7, 1)...)
	splits[2].Name = "items"
	before, err := predict.Evaluate(context.Background(), tb, splits, bank("x", "side"), predict.Evaluation{Root: 5, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range splits {
		turned := *tb
		turned.Value = append([]float64(nil), tb.Value...)
		for _, i := range s.Test {
			turned.Value[i] = 1 - turned.Value[i]
		}
		after, err := predict.Evaluate(context.Background(), &turned, splits[k:k+1], bank("x", "side"), predict.Evaluation{Root: 5})
		if err != nil {
			t.Fatal(err)
		}
		for m := range before {
			near(t, before[m].Model, after[m].Grades[0].Mean[predict.Error], 1-before[m].Grades[k].Mean[predict.Error], 1e-12)
		}
	}
}

// TestOrderChangesNothing checks that models without random draws predict the same, up to rounding, if subjects and
// items are in another order. (Boosting and models with draws are left out: boosting resolves ties between splits by
// the order of levels.)
func TestOrderChangesNothing(t *testing.T) {
	for s := range 20 {
		r := rng.Stream(uint64(s), "order")
		tb, _ := simulated(&r, 7, 25)
		sp, ip := r.Perm(7), r.Perm(25)
		out := &table.Table{Binary: true, Subjects: tb.Subjects, Items: tb.Items}
		for to := range sp {
			for i, s := range tb.Subject {
				if sp[s] == to {
					out.Subject, out.Item, out.Value = append(out.Subject, int32(to)), append(out.Item, int32(ip[tb.Item[i]])), append(out.Value, tb.Value[i])
				}
			}
		}
		for _, f := range tb.Features {
			g := f
			g.Value, g.Missing = make([]float64, 25), make([]bool, 25)
			for i, j := range ip {
				g.Value[j] = f.Value[i]
				g.Missing[j] = f.Missing != nil && f.Missing[i]
			}
			out.Features = append(out.Features, g)
		}
		logistic := predict.DefaultLogistic("logistic", []string{"x", "side"})
		logistic.Penalties, logistic.Slopes = []float64{1}, []float64{1}
		for _, p := range []predict.Predictor{predict.Majority{}, predict.Global{}, predict.Subject{}, predict.ItemMean{}, predict.DefaultTree("tree", []string{"x", "side"}), logistic} {
			a, b := fit(t, p, tb), fit(t, p, out)
			pa, pb := make([]float64, 1), make([]float64, 1)
			for i := range tb.Value {
				s, j := tb.Subject[i], tb.Item[i]
				a.Predict([]int32{s}, []int32{j}, pa)
				b.Predict([]int32{int32(sp[s])}, []int32{int32(ip[j])}, pb)
				if math.Abs(pa[0]-pb[0]) > 1e-6 {
					t.Fatalf("seed %d, %s: row %d: %v, renamed %v", s, p.Name(), i, pa[0], pb[0])
				}
			}
		}
	}
}

func TestResultsDoNotDependOnJobs(t *testing.T) {
	r := rng.Stream(3, "jobs")
	tb, _ := simulated(&r, 6, 20)
	splits := predict.Random(tb, predict.Response, 3, 0.7, 1)
	one, err := predict.Evaluate(context.Background(), tb, splits, bank("x"), predict.Evaluation{Root: 5})
	if err != nil {
		t.Fatal(err)
	}
	many, err := predict.Evaluate(context.Background(), tb, splits, bank("x"), predict.Evaluation{Root: 5, Jobs: 7})
	if err != nil {
		t.Fatal(err)
	}
	for m := range one {
		for k := range splits {
			if !reflect.DeepEqual(one[m].Grades[k], many[m].Grades[k]) {
				t.Errorf("%s, split %d: %+v, with many jobs %+v", one[m].Model, k, one[m].Grades[k], many[m].Grades[k])
			}
		}
	}
}
