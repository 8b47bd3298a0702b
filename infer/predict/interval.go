package predict

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// An IntervalGrade says how well the intervals of a model are calibrated on the test part of one split. N is 0 where there are none;
// the other numbers are then 0, too.
type IntervalGrade struct {
	N         float64 // number of intervals
	Covered   float64 // proportion of these that hold the truth
	HalfWidth float64 // mean, of intervals within [0, 1]
	MAE, RMSE float64 // of the predictions in the middle
}

// A calibration makes intervals at a level by responses that a model was not fitted to, and its predictions of them: split conformal
// prediction (Papadopoulos et al. 2002, Lei et al. 2018). Test responses must be drawn like these.
//
// A response lies between its prediction plus the lower and the upper quantile of the errors, with the correction for their finite number,
// of the fifth of the responses whose predictions are the most similar, at least leastAlike (Boström et al. 2017). The mean response of a
// subject lies within t·√(v + τ²) of its mean prediction, where v is the variance by single responses, each the mean squared
// error of the responses whose predictions are the most similar; τ² is what the subjects' mean errors vary beyond it, by the method of moments.
type calibration struct {
	centre []float64    // mean predictions of overlapping groups of responses, ascending
	errors [][2]float64 // by group: lower and upper quantile of the errors
	square []float64    // by group: mean squared error
	tau2   float64
	t      float64 // quantile of Student's t distribution with as many degrees of freedom as there are subjects, less one
}

// leastAlike is the least number of errors by whose quantiles an interval is made: an interval of 90 % needs 19.
const leastAlike = 100

// A heldOut part has responses that a model was not fitted to, and its predictions of them.
type heldOut struct {
	*table.Table
	p []float64
}

// newCalibration calibrates with parts that have responses.
func newCalibration(parts []heldOut, level float64, unit Unit) *calibration {
	c := &calibration{}
	var y, p []float64
	for _, h := range parts {
		y, p = append(y, h.Value...), append(p, h.p...)
	}
	order := num.Indices(len(p))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	size := min(len(p), max(leastAlike, len(p)/5))
	tail := int(float64(size+1) * (1 - level) / 2)
	rest := make([]float64, size)
	for start := 0; ; start += max(1, size/10) {
		start = min(start, len(p)-size)
		mean, square := 0.0, 0.0
		for k, i := range order[start : start+size] {
			rest[k] = y[i] - p[i]
			mean += p[i] / float64(size)
			square += float64(rest[k]*rest[k]) / float64(size)
		}
		slices.Sort(rest)
		ends := [2]float64{-1, 1} // too few errors to leave any out
		if tail > 0 {
			ends = [2]float64{rest[tail-1], rest[size-tail]}
		}
		c.centre, c.errors = append(c.centre, mean), append(c.errors, ends)
		c.square = append(c.square, square)
		if start == len(p)-size {
			break
		}
	}
	var means []subjectMean
	for _, h := range parts { // one by one: a response of one part was seen by the fit for another
		means = append(means, c.subjects(h.Table, h.p)...)
	}
	for _, s := range means {
		c.tau2 += (float64((s.y-s.p)*(s.y-s.p)) - s.v) / float64(len(means))
	}
	c.tau2 = max(c.tau2, 0)
	subjects := len(means)
	if unit == Response || unit == Item {
		subjects /= len(parts) // each is in every part
	}
	c.t = num.StudentTQuantile(0.5+level/2, float64(max(subjects-1, 1)))
	return c
}

// group returns the group whose mean prediction is the nearest to p.
func (c *calibration) group(p float64) int {
	k, _ := slices.BinarySearch(c.centre, p)
	if k == len(c.centre) || k > 0 && p-c.centre[k-1] < c.centre[k]-p {
		k--
	}
	return k
}

// response returns the interval of a response with the prediction p.
func (c *calibration) response(p float64) (low, high float64) {
	k := c.group(p)
	return unit(p + c.errors[k][0]), unit(p + c.errors[k][1])
}

func unit(x float64) float64 { return min(max(x, 0), 1) }

// A subjectMean is the mean response y of a subject, its mean prediction p and the variance of y around it by single responses.
type subjectMean struct{ y, p, v float64 }

// subjects returns the means of all subjects with rows.
func (c *calibration) subjects(t *table.Table, p []float64) (out []subjectMean) {
	of, n := make([]subjectMean, len(t.Subjects)), make([]float64, len(t.Subjects))
	for i, s := range t.Subject {
		n[s]++
		of[s].y, of[s].p, of[s].v = of[s].y+t.Value[i], of[s].p+p[i], of[s].v+c.square[c.group(p[i])]
	}
	for s, k := range n {
		if k > 0 {
			out = append(out, subjectMean{of[s].y / k, of[s].p / k, of[s].v / (k * k)})
		}
	}
	return out
}

// grade grades the intervals of the responses of a table with predictions p, unless these are successes and failures, and of the
// subjects' means.
func (c *calibration) grade(test *table.Table, p []float64) (responses, means IntervalGrade) {
	if !test.Binary {
		for i, y := range test.Value {
			low, high := c.response(p[i])
			responses.add(y, p[i], low, high)
		}
	}
	for _, s := range c.subjects(test, p) {
		half := float64(c.t * math.Sqrt(s.v+c.tau2))
		means.add(s.y, s.p, unit(s.p-half), unit(s.p+half))
	}
	return responses.mean(), means.mean()
}

func (g *IntervalGrade) add(y, p, low, high float64) {
	const slack = 1e-12 // rounding of sums
	g.N++
	if y >= low-slack && y <= high+slack {
		g.Covered++
	}
	g.HalfWidth += (high - low) / 2
	g.MAE += math.Abs(y - p)
	g.RMSE += float64((y - p) * (y - p))
}

// mean divides sums by their number.
func (g IntervalGrade) mean() IntervalGrade {
	n := max(g.N, 1)
	return IntervalGrade{g.N, g.Covered / n, g.HalfWidth / n, g.MAE / n, math.Sqrt(g.RMSE / n)}
}

// enough is the number of responses after which no further fold is left out to calibrate by.
const enough = 1000

// calibrated returns a calibration of a predictor. Folds of a fifth of the units of the training part are left out one after the other, until
// they have enough responses (Vovk 2015). ok is false if these are too few to divide.
func (f *fitting) calibrated(ctx context.Context, p Predictor) (c *calibration, ok bool, err error) {
	const folds = 5
	train := f.table.Subset(f.split.Train)
	r := rng.Stream(f.root, "calibration", f.split.Name)
	in := f.folds(train, folds, &r)
	var parts []heldOut
	for k, n := 0, 0; k < folds && (n < enough || f.unit != Response); k++ {
		var fit, rest []int32
		for i, row := range f.split.Train {
			switch known, tested := in(i, k); {
			case known:
				fit = append(fit, row)
			case tested:
				rest = append(rest, int32(i))
			}
		}
		if len(fit) == 0 || len(rest) == 0 {
			continue
		}
		m, err := Split{Train: fit, Check: f.split.Check}.fit(ctx, f.table, p, rng.Derive(f.root, "calibration", p.Name(), f.split.Name, strconv.Itoa(k)))
		if err != nil {
			return nil, false, err
		}
		h := heldOut{train.Subset(rest), make([]float64, len(rest))}
		m.Predict(h.Subject, h.Item, h.p)
		parts, n = append(parts, h), n+len(rest)
	}
	if len(parts) == 0 {
		return nil, false, nil
	}
	return newCalibration(parts, f.level, f.unit), true, nil
}

// folds deals the units of a table into folds. in reports whether a row is known to the fit without fold k, and whether it tests it: with
// Both, a row of which the subject or the item alone is in the fold does neither.
func (f *fitting) folds(t *table.Table, folds int, r *rng.Rand) (in func(row, k int) (known, tested bool)) {
	deal := func(n int) []int {
		fold := make([]int, n)
		for place, u := range r.Perm(n) {
			fold[u] = place % folds
		}
		return fold
	}
	units, of := unitsOf(t, f.unit)
	fold := deal(units)
	if f.unit != Both {
		return func(row, k int) (bool, bool) { return fold[of(row)] != k, fold[of(row)] == k }
	}
	subject := deal(len(t.Subjects))
	return func(row, k int) (bool, bool) {
		s, j := subject[t.Subject[row]] == k, fold[of(row)] == k
		return !s && !j, s && j
	}
}
