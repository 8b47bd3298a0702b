package analysis_test

import (
	"math"
	"testing"

	"achilles/infer/predict"
)

// TestSubjectLosses: on every split the losses of the subjects, weighted by their test responses, are the model's; the rows have their mean, SD
// and ends over the splits. Items are held out for all subjects alike.
func TestSubjectLosses(t *testing.T) {
	c := quick()
	c.Each = true
	c.Prediction.Splits, c.Prediction.Unit = 4, predict.Item
	a := run(t, simulated(6, 200), c)
	for _, m := range a.Prediction {
		for k, g := range m.Grades {
			n, sum := int64(0), 0.0
			for _, x := range g.Each {
				n += x.N
				sum += float64(x.N) * x.MSE
			}
			if int(n) != g.N || math.Abs(sum/float64(n)-g.Mean[predict.MSE]) > 1e-12 {
				t.Errorf("%s, split %d: %d responses with %v, want %d with %v", m.Model, k, n, sum/float64(n), g.N, g.Mean[predict.MSE])
			}
		}
	}
	d := a.Document()
	if len(d.Tables.SubjectLosses) != 6*len(a.Prediction) {
		t.Fatalf("%d rows of 6 subjects and %d models", len(d.Tables.SubjectLosses), len(a.Prediction))
	}
	x := make([]float64, 4)
	for k, g := range a.Prediction[1].Grades {
		x[k] = g.Each[2].MSE
	}
	mean := (x[0] + x[1] + x[2] + x[3]) / 4
	square := 0.0
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	r := d.Tables.SubjectLosses[2*len(a.Prediction)+1]
	if r.Subject != a.Subjects[2] || r.Model != a.Prediction[1].Model || r.Splits != 4 || math.Abs(r.Mean-mean) > 1e-12 || math.Abs(r.SD-math.Sqrt(square/3)) > 1e-12 ||
		r.Least != min(x[0], x[1], x[2], x[3]) || r.Most != max(x[0], x[1], x[2], x[3]) {
		t.Errorf("%+v of %v", r, x)
	}
	c.Each = false
	if d := run(t, simulated(6, 200), c).Document(); d.Tables.SubjectLosses != nil {
		t.Error("a table that nobody asked for")
	}
}
