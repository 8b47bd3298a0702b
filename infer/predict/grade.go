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
	Error   Metric = iota // 1 if exactly one of p and y is at least ½, otherwise 0
	MAE                   // |p − y|; for binary y also the error rate of predictions drawn at random with probability p
	MSE                   // (p − y)²: the Brier score of a binary measure
	LogLoss               // −y log p − (1−y) log(1−p), with p moved into [1e-15, 1−1e-15]
	Bias                  // p − y
	metrics
)

// Metrics returns all metrics, in the order of a Grade.
func Metrics() []Metric { return []Metric{Error, MAE, MSE, LogLoss, Bias} }

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

// total returns the sum of the losses of a model's predictions for the rows of a table.
func (m Metric) total(of Model, t *table.Table) (sum float64) {
	p := make([]float64, t.Rows())
	of.Predict(t.Subject, t.Item, p)
	for i, v := range t.Value {
		sum += m.loss(p[i], v)
	}
	return sum
}

// A Grade has the mean losses of one model on the test part of one split. The standard errors allow for dependence between
// the responses of a subject (linearised, clustered by subject; NaN with fewer than two subjects). Calibration and
// Refinement add up to the MSE of predictions that are replaced by their mean in each of ten bins of width 0.1.
type Grade struct {
	N, Subjects int // numbers of responses, and of subjects with responses
	gradeNumbers
	Each []SubjectLoss // by subject; nil: not asked for
}

// A SubjectLoss has the number of a subject's test responses, and the mean squared error of its predictions: NaN without a response.
type SubjectLoss struct {
	N   int64
	MSE float64
}

// eachLoss returns the losses of every subject.
func eachLoss(test *table.Table, p []float64) []SubjectLoss {
	each := make([]SubjectLoss, len(test.Subjects))
	for i, s := range test.Subject {
		each[s].N++
		each[s].MSE += MSE.loss(p[i], test.Value[i])
	}
	for s := range each {
		each[s].MSE /= float64(each[s].N)
	}
	return each
}

type gradeNumbers struct {
	Mean, SE                [metrics]float64 // mean losses and their standard errors, by Metric
	Calibration, Refinement float64
	F1, AUC, RMSE           float64       // macro F1 at the threshold ½, area under the ROC curve (NaN without both outcomes), √MSE
	Responses, SubjectMeans IntervalGrade // intervals of single responses, and of the subjects' mean responses
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
	g.F1, g.AUC, g.RMSE = macroF1(test.Value, p), AUC(test.Value, p), math.Sqrt(g.Mean[MSE])
	return g
}

// decompose returns Murphy's (1973) partition of the mean squared error of predictions p, in ten bins of p of width
// 0.1. calibration is the mean squared difference between a bin's mean prediction and mean outcome. refinement is the
// mean variance of outcomes within a bin.
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

// A MetricSummary sums up one metric over all splits: its mean, its standard deviation between splits, and an interval
// for the mean. Low and High are NaN if there is a single split with fewer than two subjects.
type MetricSummary struct{ Mean, SD, Low, High float64 }

// fewSplits is a number of splits whose standard deviation has a standard error of a third.
const fewSplits = 5

// Summarise averages the grades of one model, one for each split, and gives an interval at this level. The training
// parts of several splits share rows; the variance is therefore corrected by the ratio of test to training rows (Nadeau
// and Bengio 2003). The interval of a single split is that of its standard error, that of fewer than fewSplits, which may be alike by chance, at
// least as wide.
func Summarise(m Metric, grades []Grade, splits []Split, level float64) MetricSummary {
	k := float64(len(grades))
	s := MetricSummary{Low: math.NaN(), High: math.NaN()}
	ratio := 0.0
	for i, g := range grades {
		s.Mean += g.Mean[m] / k
		ratio += float64(len(splits[i].Test)) / float64(len(splits[i].Train)) / k
	}
	se, subjects := 0.0, 0.0
	for _, g := range grades {
		se, subjects = se+g.SE[m]/k, subjects+float64(g.Subjects-1)/k
	}
	half := math.NaN()
	if subjects > 0 {
		half = num.StudentTQuantile(0.5+level/2, subjects) * se
	}
	if k > 1 {
		for _, g := range grades {
			s.SD += float64((g.Mean[m] - s.Mean) * (g.Mean[m] - s.Mean))
		}
		s.SD = math.Sqrt(s.SD / (k - 1))
		between := num.StudentTQuantile(0.5+level/2, k-1) * s.SD * math.Sqrt(1/k+ratio)
		if !(k < fewSplits && half > between) {
			half = between
		}
	}
	s.Low, s.High = s.Mean-half, s.Mean+half
	return s
}
