package predict_test

import (
	"fmt"
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A normalTable has scores that are drawn from a factor model with known parameters and moved into [0, 1].
type normalTable struct {
	*table.Table
	mean, psi []float64
	load      [][2]float64
}

func newNormalTable(seed uint64, subjects, items int) normalTable {
	r := rng.Stream(seed, "factor analysis", "test")
	n := normalTable{Table: &table.Table{}}
	factor := make([][2]float64, items)
	for j := range factor {
		n.Items, factor[j] = append(n.Items, fmt.Sprint("i", j)), [2]float64{r.Norm(), r.Norm()}
	}
	for s := range int32(subjects) {
		n.Subjects, n.mean, n.psi = append(n.Subjects, fmt.Sprint("s", s)), append(n.mean, 0.5+0.1*r.Norm()), append(n.psi, 0.002+0.008*r.Float64())
		n.load = append(n.load, [2]float64{0.12 * r.Norm(), 0.12 * r.Norm()})
		for j, f := range factor {
			v := n.mean[s] + n.load[s][0]*f[0] + n.load[s][1]*f[1] + math.Sqrt(n.psi[s])*r.Norm()
			n.Subject, n.Item, n.Value = append(n.Subject, s), append(n.Item, int32(j)), append(n.Value, min(max(v, 0), 1))
		}
	}
	return n
}

// expected returns the expected score of subject s on item j given the training scores of the other subjects on the item: the
// conditional mean of a multivariate normal distribution with the true parameters, by its textbook formula.
func (n normalTable) expected(train map[[2]int32]float64, s, j int32) float64 {
	covariance := func(a, b int32) float64 { return n.load[a][0]*n.load[b][0] + n.load[a][1]*n.load[b][1] }
	var known []int32
	for o := range int32(len(n.Subjects)) {
		if _, ok := train[[2]int32{o, j}]; ok {
			known = append(known, o)
		}
	}
	c, x := num.NewLower(len(known)), make([]float64, len(known))
	for i, a := range known {
		for k, b := range known[:i+1] {
			c.Row(i)[k] = covariance(a, b)
		}
		c.Row(i)[i] += n.psi[a]
		x[i] = train[[2]int32{a, j}] - n.mean[a]
	}
	c.Cholesky()
	c.SolveBoth(x)
	e := n.mean[s]
	for i, a := range known {
		e += covariance(s, a) * x[i]
	}
	return min(max(e, 0), 1)
}

// TestFactorAnalysisAgainstTheTruth compares the RMSE of predictions with that of the expected scores under the true
// parameters, which no model can beat by more than chance. 300 items tell the parameters so well that it may be 6 % larger.
func TestFactorAnalysisAgainstTheTruth(t *testing.T) {
	for seed := range uint64(2) {
		n := newNormalTable(501+seed, 10, 300)
		split := predict.Random(n.Table, predict.Response, 1, 0.75, seed)[0]
		train, known := n.Subset(split.Train), map[[2]int32]float64{}
		for i, v := range train.Value {
			known[[2]int32{train.Subject[i], train.Item[i]}] = v
		}
		test := n.Subset(split.Test)
		p := make([]float64, test.Rows())
		fit(t, predict.DefaultFactorAnalysis("factor_analysis"), train).Predict(test.Subject, test.Item, p)
		ours, best, mean := 0.0, 0.0, 0.0
		for i, v := range test.Value {
			e := n.expected(known, test.Subject[i], test.Item[i])
			ours, best, mean = ours+(p[i]-v)*(p[i]-v), best+(e-v)*(e-v), mean+(n.mean[test.Subject[i]]-v)*(n.mean[test.Subject[i]]-v)
		}
		ours, best, mean = math.Sqrt(ours/float64(len(p))), math.Sqrt(best/float64(len(p))), math.Sqrt(mean/float64(len(p)))
		t.Logf("RMSE %.4f; with the true parameters %.4f; of the true means %.4f", ours, best, mean)
		if ours > 1.06*best || ours < 0.99*best {
			t.Errorf("RMSE %.4f; with the true parameters %.4f", ours, best)
		}
	}
}

// TestFactorAnalysisOfNewUnits checks what is predicted where the factors of an item, or the loadings of a subject, have no
// response: the subject's mean, near its true one, and the same number for all new subjects.
func TestFactorAnalysisOfNewUnits(t *testing.T) {
	n := newNormalTable(1, 8, 200)
	split := predict.By(n.Table, "", func(i int) (bool, bool) { return n.Subject[i] < 6 && n.Item[i] < 199, false })
	o := predict.DefaultFactorAnalysis("factor_analysis")
	o.Factors = []int{2}
	m := fit(t, o, n.Subset(split.Train))
	p := make([]float64, 8)
	m.Predict([]int32{0, 1, 2, 3, 4, 5, 6, 7}, []int32{199, 199, 199, 199, 199, 199, 0, 0}, p)
	for s := range 6 {
		if want := min(max(n.mean[s], 0), 1); math.Abs(p[s]-want) > 0.05 {
			t.Errorf("new item: subject %d has %.3f, true mean %.3f", s, p[s], want)
		}
	}
	near(t, "new subjects", p[6], p[7], 1e-12)
}

// TestFactorSteps compares sums of second moments, over a table with gaps, with sums row by row.
func TestFactorSteps(t *testing.T) {
	for _, factors := range []int{1, 2, 5} {
		tb := newNormalTable(3, 9, 30).Table
		var rows []int32
		for i := range tb.Rows() {
			if i%7 != 0 {
				rows = append(rows, int32(i))
			}
		}
		if variance, identity := predict.FactorSteps(tb.Subset(rows), factors, 4); !(variance < 1e-10 && identity < 1e-10) {
			t.Errorf("%d factors: variances are off by %g, products of precision and covariance by %g", factors, variance, identity)
		}
	}
}
