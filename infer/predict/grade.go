package predict

import (
	"math"

	"achilles/infer/table"
	"achilles/sim/num"
)

// A Metric is a mean loss over test responses.
type Metric int

// The metrics. y is the value of a response and p its prediction.
const (
	Error   Metric = iota // p ≥ ½ and y ≥ ½ disagree
	MAE                   // |p − y|: also the expected error of a rule that draws its answer with probability p
	MSE                   // (p − y)²: the Brier score of a binary measure
	LogLoss               // −log of the probability given to y, which counts as at least 1e-15
	Bias                  // p − y
	metrics
)

// Metrics are all metrics, in the order of a Grade.
func Metrics() []Metric { return []Metric{Error, MAE, MSE, LogLoss, Bias} }

// String is the name in tables and files.
func (m Metric) String() string {
	return [...]string{"error", "mae", "mse", "log_loss", "bias"}[m]
}

func (m Metric) loss(p, y float64) float64 {
	switch m {
	case Error:
		if (p >= 0.5) != (y >= 0.5) {
			return 1
		}
		return 0
	case MAE:
		return math.Abs(p - y)
	case MSE:
		return float64((p - y) * (p - y))
	case LogLoss:
		q := min(max(p, 1e-15), 1-1e-15)
		return -float64(y*num.Log(q)) - float64((1-y)*num.Log1p(-q))
	}
	return p - y
}

// A Grade is the mean losses of one model on the test part of one split. The standard errors allow for dependence between
// the responses of a subject (linearised clusters; NaN with fewer than two subjects). Calibration and Refinement add up
// to the MSE of predictions that are rounded to the means of ten equal bins.
type Grade struct {
	N, Subjects             int
	Mean, SE                [metrics]float64
	Calibration, Refinement float64
}

// newGrade grades predictions p of the rows of a table.
func newGrade(test *table.Table, p []float64) Grade {
	g := Grade{N: test.Rows()}
	n := float64(g.N)
	sums := make([][metrics]float64, len(test.Subjects))
	count := make([]float64, len(test.Subjects))
	for i, y := range test.Value {
		s := test.Subject[i]
		count[s]++
		for m := range metrics {
			sums[s][m] += m.loss(p[i], y)
		}
	}
	for s := range sums {
		if count[s] > 0 {
			g.Subjects++
		}
		for m := range metrics {
			g.Mean[m] += sums[s][m] / n
		}
	}
	for m := range metrics {
		square := 0.0
		for s := range sums {
			d := sums[s][m] - float64(count[s]*g.Mean[m])
			square += float64(d * d)
		}
		k := float64(g.Subjects)
		g.SE[m] = math.Sqrt(square*k/(k-1)) / n
	}
	g.Calibration, g.Refinement = decompose(test.Value, p)
	return g
}

// decompose is Murphy's (1973) partition of the mean squared error in ten bins of p: the squared distance of prediction
// and outcome between bins, and the variance of outcomes within.
func decompose(y, p []float64) (calibration, refinement float64) {
	var n, sp, sy, syy [10]float64
	for i, v := range p {
		b := min(int(v*10), 9)
		n[b]++
		sp[b] += v
		sy[b] += y[i]
		syy[b] += float64(y[i] * y[i])
	}
	for b, k := range n {
		if k > 0 {
			d := (sp[b] - sy[b]) / k
			calibration += float64(k*d*d) / float64(len(p))
			refinement += (syy[b] - float64(sy[b]*sy[b])/k) / float64(len(p))
		}
	}
	return calibration, refinement
}

// A MetricSummary is one metric over all splits: its mean, the standard deviation between splits, and an interval for the
// mean. Low and High are NaN where no interval can be given.
type MetricSummary struct{ Mean, SD, Low, High float64 }

// Summarise averages the grades of one model. Several splits share training rows: their variance is corrected by the
// ratio of test to training rows (Nadeau and Bengio 2003). A single split has the interval of its standard error.
func Summarise(m Metric, grades []Grade, splits []Split, level float64) MetricSummary {
	k := float64(len(grades))
	s := MetricSummary{Low: math.NaN(), High: math.NaN()}
	ratio := 0.0
	for i, g := range grades {
		s.Mean += g.Mean[m] / k
		ratio += float64(len(splits[i].Test)) / float64(len(splits[i].Train)) / k
	}
	se, df := 0.0, k-1
	if len(grades) == 1 {
		se, df = grades[0].SE[m], float64(grades[0].Subjects-1)
	} else {
		for _, g := range grades {
			s.SD += float64((g.Mean[m] - s.Mean) * (g.Mean[m] - s.Mean))
		}
		s.SD = math.Sqrt(s.SD / (k - 1))
		se = s.SD * math.Sqrt(1/k+ratio)
	}
	if df > 0 {
		t := num.StudentTQuantile(0.5+level/2, df)
		s.Low, s.High = s.Mean-float64(t*se), s.Mean+float64(t*se)
	}
	return s
}
