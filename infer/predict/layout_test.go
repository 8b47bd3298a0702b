package predict_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"achilles/infer/layout"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
	"achilles/sim/rng"
)

const jump = `name = "jump"
[metafeature]
height = { column = "height", range = [0, 10] }
[capability]
strength = { prior = "uniform(0, 10)" }
[robustness]
noise = { prior = "beta(1, 9)" }
[response.success]
p = "mix(noise, logistic(2*(strength - height)), 0.5)"
`

// jumpers returns a table of subjects whose strengths are drawn from the layout's prior, and who respond to items of
// every height, and the predictor of the layout.
func jumpers(t *testing.T, text string, subjects, items int, root uint64) (*table.Table, *predict.LayoutPredictor) {
	t.Helper()
	tb := &table.Table{Binary: true}
	height := record.Column{Feature: record.Feature{Name: "height", Kind: record.Number, Role: record.Demand}}
	var it record.Items
	for i := range items {
		it.ID, it.Suite, it.Paradigm, it.Task = append(it.ID, fmt.Sprint("i", i)), append(it.Suite, "s"), append(it.Paradigm, "p"), append(it.Task, "t")
		height.Number = append(height.Number, 10*float64(i)/float64(items-1))
	}
	it.Columns = []record.Column{height}
	measures := []record.Measure{{Name: "steps", Family: record.Count}, {Name: "success", Family: record.Binary}}
	l, err := layout.Parse("jump.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	design, err := l.Bind(&it, measures)
	if err != nil {
		t.Fatal(err)
	}
	tb.Items, tb.Features = it.ID, []table.Feature{{Name: "height", Role: table.Relevant, Value: height.Number}}
	theta := make([]float64, len(design.Parameters()))
	for s := range subjects {
		r := rng.Stream(root, "jumper", fmt.Sprint(s))
		tb.Subjects = append(tb.Subjects, fmt.Sprint("s", s))
		design.DrawPrior(&r, theta)
		for _, x := range design.Simulate(theta, &r) {
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, x.Item), append(tb.Value, x.Value)
		}
	}
	p, err := predict.NewLayoutPredictor(design, measures, "success")
	if err != nil {
		t.Fatal(err)
	}
	return tb, p
}

// TestLayoutUnderShift trains on the easy half of the items and tests on the hard half. Aggregates and models that
// learn from the levels they have seen must be too optimistic there. A layout extrapolates along a demand, and must not
// be biased.
func TestLayoutUnderShift(t *testing.T) {
	tb, l := jumpers(t, jump, 40, 40, 1)
	shift, err := predict.Shift{Name: "hard", Features: []string{"height"}}.Split(tb)
	if err != nil {
		t.Fatal(err)
	}
	tree := predict.DefaultTree("tree", []string{"height"})
	results, err := predict.Evaluate(context.Background(), tb, []predict.Split{shift}, []predict.Predictor{predict.Global{}, predict.Subject{}, tree, l}, predict.Evaluation{Root: 1, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		g := r.Grades[0]
		t.Logf("%-8s error %.3f MSE %.4f bias %+.3f ± %.3f", r.Model, g.Mean[predict.Error], g.Mean[predict.MSE], g.Mean[predict.Bias], g.SE[predict.Bias])
		z := g.Mean[predict.Bias] / g.SE[predict.Bias]
		if r.Model == "jump" {
			if math.Abs(z) > 4.5 || g.Mean[predict.MSE] > 0.13 { // |z| > 4.5: with other seeds, a false alarm once in 150 000
				t.Errorf("%s: bias is %.1f standard errors, MSE %.4f", r.Model, z, g.Mean[predict.MSE])
			}
		} else if z < 4.5 || g.Mean[predict.MSE] < 1.3*results[3].Grades[0].Mean[predict.MSE] {
			t.Errorf("%s: bias is %.1f standard errors, MSE %.4f: the shift was no shift", r.Model, z, g.Mean[predict.MSE])
		}
	}
}

// TestLayoutAgainstQuadrature compares predictions with posterior means that are computed by quadrature on a grid.
func TestLayoutAgainstQuadrature(t *testing.T) {
	tb, l := jumpers(t, jump, 3, 21, 2)
	m := fit(t, l, tb)
	got := all(tb, m)
	bounds := tb.Bounds()
	for s := range tb.Subjects {
		rows := slices.Clone(tb.Value[bounds[s]:bounds[s+1]])
		sum, weight := make([]float64, len(rows)), 0.0
		const n = 300
		for a := range n {
			for b := range n {
				strength, noise := 10*(float64(a)+0.5)/n, 1-math.Pow(1-(float64(b)+0.5)/n, 1.0/9) // quantiles of beta(1, 9)
				w, p := 1.0, make([]float64, len(rows))
				for i, y := range rows {
					q := 1 / (1 + math.Exp(-2*(strength-tb.Features[0].Value[tb.Item[bounds[s]+i]])))
					p[i] = (1-noise)*q + noise*0.5
					w *= p[i]*y + (1-p[i])*(1-y)
				}
				weight += w
				for i := range p {
					sum[i] += w * p[i]
				}
			}
		}
		for i := range rows {
			near(t, fmt.Sprintf("subject %d, item %d", s, i), got[bounds[s]+i], sum[i]/weight, 0.03) // tolerance: three times the largest standard error of a mean of 1000 draws
		}
	}
}

// TestLayoutOfStrangers checks that a subject without training responses gets the mean of the predictions for the
// others, and that, if nobody has responses, the prediction is ½.
func TestLayoutOfStrangers(t *testing.T) {
	tb, l := jumpers(t, jump, 3, 11, 3)
	m := fit(t, l, tb.Subset(firstRows(22)))
	for item := range int32(11) {
		p := make([]float64, 3)
		m.Predict([]int32{0, 1, 2}, []int32{item, item, item}, p)
		near(t, "unseen", p[2], (p[0]+p[1])/2, 1e-12)
	}
	p := []float64{0}
	fit(t, l, tb.Subset(nil)).Predict([]int32{0}, []int32{0}, p)
	near(t, "nobody", p[0], 0.5, 0)
}

func TestLayoutMeasure(t *testing.T) {
	tb, l := jumpers(t, jump, 1, 5, 4)
	if l.Name() != "jump" || tb.Rows() != 5 {
		t.Errorf("name %s, %d rows", l.Name(), tb.Rows())
	}
	_, err := predict.NewLayoutPredictor(bound(t), []record.Measure{{Name: "success", Family: record.Binary}}, "steps")
	if err == nil {
		t.Error("a measure that the layout does not explain is taken")
	}
}

func bound(t *testing.T) *layout.Design {
	l, err := layout.Parse("jump.toml", jump)
	if err != nil {
		t.Fatal(err)
	}
	it := &record.Items{ID: []string{"a"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""},
		Columns: []record.Column{{Feature: record.Feature{Name: "height", Kind: record.Number}, Number: []float64{1}}}}
	d, err := l.Bind(it, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
