package predict_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// half predicts ½.
type half struct{}

func (half) Name() string { return "half" }
func (h half) Fit(context.Context, *table.Table, uint64) (predict.Model, error) {
	return h, nil
}

func (half) Predict(_, _ []int32, p []float64) {
	for i := range p {
		p[i] = 0.5
	}
}

// TestIntervalsByHand has 1000 scores k/1000. With the prediction ½ the interval of 90 % leaves out the least and the greatest twentieth
// of those that were left out for it, and covers what it covers of the others; all that is known by subject is that they are alike.
func TestIntervalsByHand(t *testing.T) {
	tb := &table.Table{}
	for s := range 10 {
		tb.Subjects = append(tb.Subjects, fmt.Sprint(s))
	}
	for j := range 100 {
		tb.Items = append(tb.Items, fmt.Sprint(j))
	}
	for i := range 1000 {
		tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(i/100)), append(tb.Item, int32(i%100)), append(tb.Value, float64((i*637)%1000)/1000)
	}
	grade := func(e predict.Evaluation) predict.Grade {
		t.Helper()
		e.Root, e.Unit = 1, predict.Response
		splits := predict.Random(tb, predict.Response, 1, 0.75, 1)
		g, err := predict.Evaluate(context.Background(), tb, splits, []predict.Predictor{half{}}, e)
		if err != nil {
			t.Fatal(err)
		}
		return g[0].Grades[0]
	}
	if g := grade(predict.Evaluation{}); g.Responses.N != 0 || g.SubjectMeans.N != 0 {
		t.Errorf("intervals that nobody asked for: %+v", g)
	}
	g := grade(predict.Evaluation{Level: 0.9})
	near(t, "number", g.Responses.N, 250, 0)
	near(t, "half width", g.Responses.HalfWidth, 0.45, 0.03)
	near(t, "coverage", g.Responses.Covered, 0.9, 0.06)
	near(t, "MAE", g.Responses.MAE, g.Mean[predict.MAE], 1e-12)
	near(t, "RMSE", g.Responses.RMSE, g.RMSE, 1e-12)
	near(t, "subjects", g.SubjectMeans.N, 10, 0)
	// The mean of about 25 scores with the SD 0.289, times t(0.95; 9).
	near(t, "half width of means", g.SubjectMeans.HalfWidth, 1.833*0.2887/5, 0.03)
	tb.Binary = true
	for i, v := range tb.Value {
		tb.Value[i] = math.Round(v)
	}
	g = grade(predict.Evaluation{Level: 0.9})
	near(t, "number of intervals of successes and failures", g.Responses.N, 0, 0)
	near(t, "half width of rates", g.SubjectMeans.HalfWidth, 1.833*0.5/5, 0.03)
}

// newBinaryTable draws successes and failures from two factors.
func newBinaryTable(seed uint64, subjects, items int) *table.Table {
	r := rng.Stream(seed, "intervals", "binary")
	tb := &table.Table{Binary: true}
	f := make([][3]float64, items)
	for j := range f {
		tb.Items, f[j] = append(tb.Items, fmt.Sprint(j)), [3]float64{1 + 1.5*r.Norm(), 1 + 0.5*r.Norm(), r.Norm()}
	}
	for s := range subjects {
		tb.Subjects = append(tb.Subjects, fmt.Sprint(s))
		a, b := r.Norm(), r.Norm()
		for j := range f {
			v := 0.0
			if r.Bernoulli(num.Logistic(f[j][0] + f[j][1]*a + f[j][2]*b)) {
				v = 1
			}
			tb.Subject, tb.Item, tb.Value = append(tb.Subject, int32(s)), append(tb.Item, int32(j)), append(tb.Value, v)
		}
	}
	return tb
}

// intervalModels returns models from the simplest to a stack.
func intervalModels() []predict.Predictor {
	ease, alike := predict.DefaultEASE("ease"), predict.Neighbours{ID: "neighbours", Width: 0.05}
	return []predict.Predictor{predict.Subject{}, predict.ItemMean{}, alike, ease, predict.DefaultFactorAnalysis("factor_analysis"),
		predict.DefaultStack("stack", []predict.Predictor{ease, alike, predict.Subject{}, predict.ItemMean{}}, false)}
}

// TestIntervalsCover draws tables of three sizes. Intervals of 90 % for held-out responses from 0 to 1 cover 85 to 95 %, those of the success
// rates of subjects in held-out responses of either kind 85 to 97 %, on the mean of the tables: where responses are few, the fits to four
// fifths of them are worse than that to all, and intervals are wide. The standard error of 400 subjects' coverage is 0.015: false alarms are
// below 1 in 1000 per model.
func TestIntervalsCover(t *testing.T) {
	sizes, models := [][2]int{{15, 100}}, intervalModels()[:4]
	if longtest.On() {
		sizes, models = [][2]int{{15, 100}, {42, 500}, {22, 1127}}, intervalModels()
	}
	for _, size := range sizes {
		for _, kind := range []string{"unit", "binary"} {
			t.Run(fmt.Sprint(size[0], "x", size[1], kind), func(t *testing.T) { intervalsCover(t, size[0], size[1], kind == "binary", models) })
		}
	}
}

func intervalsCover(t *testing.T, subjects, items int, binary bool, models []predict.Predictor) {
	n := uint64(420/subjects + 1)
	responses, means := make([]predict.IntervalGrade, len(models)), make([]predict.IntervalGrade, len(models))
	for seed := uint64(801); seed < 801+n; seed++ {
		tb := newNormalTable(seed, subjects, items).Table
		if binary {
			tb = newBinaryTable(seed, subjects, items)
		}
		splits := predict.Random(tb, predict.Response, 1, 0.6, seed)
		g, err := predict.Evaluate(context.Background(), tb, splits, models, predict.Evaluation{Root: seed, Jobs: 2, Level: 0.9, Unit: predict.Response})
		if err != nil {
			t.Fatal(err)
		}
		for i := range g {
			add(&responses[i], g[i].Grades[0].Responses, float64(n))
			add(&means[i], g[i].Grades[0].SubjectMeans, float64(n))
		}
	}
	for i, m := range models {
		t.Logf("%s: responses %+.3v, subjects' means %+.3v", m.Name(), responses[i], means[i])
		if !binary {
			near(t, m.Name()+": coverage of responses", responses[i].Covered, 0.9, 0.05)
		}
		near(t, m.Name()+": coverage of subjects' means", means[i].Covered, 0.91, 0.06)
	}
}

func add(sum *predict.IntervalGrade, g predict.IntervalGrade, n float64) {
	sum.N += g.N / n
	sum.Covered += g.Covered / n
	sum.HalfWidth += g.HalfWidth / n
	sum.MAE += g.MAE / n
	sum.RMSE += g.RMSE / n
}

// TestIntervalsOfTheNewCover: intervals of 90 % for the success rates of new subjects, of all on new items, or of new subjects on new items cover
// 85 to 95 % on the mean of the tables (10 or 40 intervals each, of which some are wrong together: the standard error of 40 tables is some 0.02).
func TestIntervalsOfTheNewCover(t *testing.T) {
	tables, about := 16, 0.1 // three standard errors
	if longtest.On() {
		tables, about = 40, 0.05
	}
	models := intervalModels()[:4]
	for _, unit := range []predict.Unit{predict.Person, predict.Item, predict.Both} {
		means := make([]predict.IntervalGrade, len(models))
		for seed := uint64(541); seed < 541+uint64(tables); seed++ {
			tb := newBinaryTable(seed, 40, 80)
			splits := predict.Random(tb, unit, 1, 0.75, seed)
			g, err := predict.Evaluate(context.Background(), tb, splits, models, predict.Evaluation{Root: seed, Jobs: 2, Level: 0.9, Unit: unit})
			if err != nil {
				t.Fatal(err)
			}
			for i := range g {
				add(&means[i], g[i].Grades[0].SubjectMeans, float64(tables))
			}
		}
		for i, m := range models {
			t.Logf("new: %s, %s: %+.3v", unit, m.Name(), means[i])
			near(t, "coverage of "+m.Name()+" with new: "+string(unit), means[i].Covered, 0.9, about)
		}
	}
}
