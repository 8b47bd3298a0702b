package adaptive_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"achilles/infer/adaptive"
	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// simulated draws responses of subjects, each with an ability, to items. Subjects belong in turn to the families a and b. Every
// third item is passed with probability ½, whatever the ability.
func simulated(seed uint64, subjects, items int) *table.Table {
	r := rng.Stream(seed, "short form", "simulated")
	t := &table.Table{Binary: true}
	difficulty := make([]float64, items)
	for j := range items {
		t.Items = append(t.Items, fmt.Sprint("i", j))
		difficulty[j] = r.Norm()
	}
	for s := range subjects {
		t.Subjects = append(t.Subjects, fmt.Sprint([]string{"a", "b"}[s%2], s))
		ability := 2 * r.Norm()
		for j := range items {
			p, v := num.Logistic(2*(ability-difficulty[j])), 0.0
			if j%3 == 0 {
				p = 0.5
			}
			if r.Bernoulli(p) {
				v = 1
			}
			t.Subject, t.Item, t.Value = append(t.Subject, int32(s)), append(t.Item, int32(j)), append(t.Value, v)
		}
	}
	return t
}

func settings() adaptive.ShortForms {
	return adaptive.ShortForms{Items: []int{5, 10}, Folds: 4, Families: []string{"a", "b"}, Level: 0.9, Rivals: []predict.Predictor{predict.Subject{}}, Root: 1}
}

func evaluate(t *testing.T, tb *table.Table, s adaptive.ShortForms) map[string]adaptive.ShortForm {
	t.Helper()
	rs, err := s.Evaluate(context.Background(), tb)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]adaptive.ShortForm{}
	for _, r := range rs {
		out[fmt.Sprint(r.New, " ", r.Way, " ", r.Items, " ", r.Model)] = r
	}
	return out
}

// TestChosenItems checks that, for new subjects and for new families, ten chosen items predict totals with at most 0.95 of the
// RMSE of ten random items, of the mean of the subject's responses to the chosen items, and of the mean of the other subjects;
// and that ten chosen items predict better than five.
func TestChosenItems(t *testing.T) {
	rs := evaluate(t, simulated(1, 120, 60), settings())
	for _, group := range []string{"subject", "family"} {
		ours := rs[group+" chosen 10 short_form"]
		if ours.Subjects != 120 {
			t.Errorf("%s: %d subjects are new once", group, ours.Subjects)
		}
		for _, rival := range []string{" random 10 short_form", " chosen 10 subject", " chosen 10 item"} {
			if r := rs[group+rival]; !(ours.RMSE < 0.95*r.RMSE) {
				t.Errorf("%s: RMSE %.4f, and %.4f of%s", group, ours.RMSE, r.RMSE, rival)
			}
		}
		if more := rs[group+" chosen 5 short_form"]; !(ours.RMSE < more.RMSE && ours.HalfWidth < more.HalfWidth) {
			t.Errorf("%s: ten items are not better than five: %+v, %+v", group, ours, more)
		}
	}
}

// TestShortFormsCover checks that intervals of 90 % contain 84 to 96 % of the totals of the 360 new subjects of three simulated
// tables, by chosen and by adaptive items. The tolerance is nearly four standard errors.
func TestShortFormsCover(t *testing.T) {
	covered, n := map[string]float64{}, 0.0
	for seed := range uint64(3) {
		s := settings()
		s.Items, s.Families = []int{8}, nil
		rs := evaluate(t, simulated(501+seed, 120, 40), s)
		for _, way := range []string{"chosen", "adaptive"} {
			r := rs["subject "+way+" 8 short_form"]
			covered[way] += r.Covered * float64(r.Subjects)
		}
		n += 120
	}
	for way, c := range covered {
		if c /= n; c < 0.84 || c > 0.96 {
			t.Errorf("%s: intervals of 90 %% cover %.3f", way, c)
		}
	}
}

// TestAdaptiveItems checks that of subjects of ten kinds, who respond as their kind to all but a thirtieth of the items, six items chosen
// for each of them predict totals with at most 0.8 of the RMSE of six items chosen for all.
func TestAdaptiveItems(t *testing.T) {
	s := settings()
	s.Items, s.Families, s.Rivals = []int{6}, nil, nil
	var chosen, adaptive float64
	for seed := range uint64(3) {
		tb := simulated(510+seed, 120, 60)
		r := rng.Stream(510+seed, "short form", "kinds")
		for i, s := range tb.Subject {
			if tb.Value[i] = tb.Value[int(s%10)*60+int(tb.Item[i])]; s >= 10 && r.Bernoulli(1./30) {
				tb.Value[i] = 1 - tb.Value[i]
			}
		}
		rs := evaluate(t, tb, s)
		chosen += rs["subject chosen 6 short_form"].RMSE
		adaptive += rs["subject adaptive 6 short_form"].RMSE
	}
	t.Logf("RMSE of chosen items %.4f, of adaptive ones %.4f", chosen/3, adaptive/3)
	if !(adaptive < 0.8*chosen) {
		t.Errorf("RMSE of chosen items %.4f, of adaptive ones %.4f", chosen/3, adaptive/3)
	}
}

// TestShortFormsCoverFamilies checks that intervals of 90 % contain 88 to 92 % of the totals of families that are new, within 3.5 standard
// errors over tables (a false alarm in 2000 tests of a shape), of six families with other difficulties each; in the long suite of three and ten,
// with equal and less different difficulties, too. Intervals from subjects of known families contain 84 %, the largest of all families' 98 %.
func TestShortFormsCoverFamilies(t *testing.T) {
	counts, shifts, tables := []int{6}, []float64{1.5}, 12
	if longtest.On() {
		counts, shifts, tables = []int{3, 6, 10}, []float64{0, 0.7, 1.5}, 24
	}
	for _, families := range counts {
		for _, shift := range shifts {
			s := settings()
			s.Items, s.Rivals, s.Families = []int{8}, nil, nil
			for f := range families {
				s.Families = append(s.Families, string(rune('a'+f)))
			}
			var covered []float64
			for k := range tables {
				r := evaluate(t, related(601+uint64(k), families, 10, 60, shift), s)["family chosen 8 short_form"]
				covered = append(covered, r.Covered)
			}
			mean, variance := num.Moments(covered)
			se := math.Sqrt(variance / float64(tables))
			t.Logf("%d families, shift %g: %.3f ± %.3f", families, shift, mean, se)
			if !(math.Abs(mean-0.9) <= 0.02+3.5*se) {
				t.Errorf("%d families, shift %g: intervals of 90 %% cover %.3f ± %.3f", families, shift, mean, se)
			}
		}
	}
}

// related draws responses of subjects of some families, each of 5 to 15 subjects and with a mean ability of its own, to items whose difficulties
// differ between families with a standard deviation of shift.
func related(seed uint64, families, each, items int, shift float64) *table.Table {
	r := rng.Stream(seed, "short form", "related")
	t := &table.Table{Binary: true}
	common := make([]float64, items)
	for j := range items {
		t.Items = append(t.Items, fmt.Sprint("i", j))
		common[j] = r.Norm()
	}
	for f := range families {
		own := make([]float64, items)
		for j := range own {
			own[j] = common[j] + float64(shift*r.Norm())
		}
		mean := r.Norm()
		for k := range each/2 + r.IntN(each+1) {
			ability := mean + float64(0.7*r.Norm())
			for j := range items {
				v := 0.0
				if r.Bernoulli(num.Logistic(2 * (ability - own[j]))) {
					v = 1
				}
				t.Subject, t.Item, t.Value = append(t.Subject, int32(len(t.Subjects))), append(t.Item, int32(j)), append(t.Value, v)
			}
			t.Subjects = append(t.Subjects, fmt.Sprint(string(rune('a'+f)), k))
		}
	}
	return t
}

// TestLawsOfShortForms checks that a second run gives the same results and that another root gives other folds. It checks which results
// there are for tables with missing or equal responses, few subjects or items, or no rows: every model for every kind of new
// subjects, ways and numbers of items, unless there are no two folds or families, or not more items than the short form has. All
// of them are shares, and where all responses are equal, every total is predicted. A cancelled context is an error.
func TestLawsOfShortForms(t *testing.T) {
	tb := simulated(2, 30, 20)
	s := settings()
	other := s
	other.Root = 2
	if a, b, c := fmt.Sprint(evaluate(t, tb, s)), fmt.Sprint(evaluate(t, tb, s)), fmt.Sprint(evaluate(t, tb, other)); a != b || a == c { // as text, in which NaN is NaN
		t.Errorf("results: %v, again %v, of another root %v", a, b, c)
	}
	var some []int32
	for i := range tb.Value {
		if i%7 > 0 {
			some = append(some, int32(i))
		}
	}
	ones := *tb
	ones.Value = make([]float64, tb.Rows())
	for i := range ones.Value {
		ones.Value[i] = 1
	}
	const every = 2 * (2*2*3 + 1) // 5 or 10 items × new subjects or families × three models of chosen and random items, and one of adaptive ones for new subjects
	for _, c := range []struct {
		name    string
		t       *table.Table
		results int
	}{{"missing", tb.Subset(some), every}, {"all ones", &ones, every}, {"few subjects", simulated(3, 5, 20), every}, {"few items", simulated(3, 12, 8), every / 2},
		{"one item", simulated(3, 12, 1), 0}, {"one subject", simulated(3, 1, 20), 0}, {"no rows", tb.Subset(nil), every}} {
		rs := evaluate(t, c.t, s)
		if len(rs) != c.results {
			t.Errorf("%s: %d results, want %d", c.name, len(rs), c.results)
		}
		for what, r := range rs {
			if !(r.Within >= 0 && r.Within <= 1) || !(r.RMSE >= 0 && r.RMSE <= 1) || r.Covered < 0 || r.Covered > 1 || math.IsNaN(r.Covered) != (r.Model != "short_form") {
				t.Errorf("%s, %s: %+v", c.name, what, r)
			}
			if c.name == "all ones" && r.Within < 1 {
				t.Errorf("%s: %s misses: %+v", c.name, what, r)
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	s.Rivals = []predict.Predictor{embedding.Converged(embedding.IRT, nil)}
	if _, err := s.Evaluate(ctx, tb); err == nil {
		t.Error("a cancelled context is ignored")
	}
}

// TestTitanic prints the table of docs/guide/abilities.md.
func TestTitanic(t *testing.T) {
	longtest.Only(t, "takes minutes")
	dir := os.Getenv("ACHILLES_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "camilla", "titanic.csv"))
	if err != nil {
		t.Skipf("the table is not here: %v", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tb := &table.Table{Binary: true, Subjects: rows[0][1:]}
	for s := range tb.Subjects {
		for j, r := range rows[1:] {
			if s == 0 {
				tb.Items = append(tb.Items, r[0])
			}
			v := 0.0
			if r[s+1] == "1" {
				v = 1
			}
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(j)), append(tb.Value, v)
		}
	}
	rs, err := adaptive.ShortForms{Items: []int{5, 10, 20, 40}, Folds: 5, Families: []string{"random_forest", "SGD", "knn", "SVC", "perceptron", "decision_tree"}, Level: 0.9,
		Rivals: []predict.Predictor{predict.Subject{}, predict.Neighbours{ID: "neighbours", Width: 0.05}, embedding.Converged(embedding.IRT, nil)}, Root: 1}.Evaluate(context.Background(), tb)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rs {
		t.Logf("%-8s %-7s %3d %-11s within %.3f, RMSE %.4f, covered %.3f ± %.4f (%d)", r.New, r.Way, r.Items, r.Model, r.Within, r.RMSE, r.Covered, r.HalfWidth, r.Subjects)
	}
}
