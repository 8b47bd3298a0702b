package score

// Bins is the number of equal bins on [0, 1] into which forecasts are sorted. The last bin includes 1.
const Bins = 10

// A Decomposition is Murphy's (1973) partition of the Brier score of N forecasts of binary outcomes.
//
// With n_k forecasts in bin k, their mean f_k and the outcomes' mean o_k, calibration is Σ n_k (f_k − o_k)² / N and
// refinement Σ n_k o_k (1 − o_k) / N. Their sum is the Brier score of the binned forecasts, in which every forecast
// is replaced by the mean of its bin; it differs from the raw score if forecasts vary within bins.
type Decomposition struct {
	N           int
	Brier       float64 // raw: mean of (p − y)²
	Binned      float64 // calibration + refinement
	Calibration float64
	Refinement  float64
	Uncertainty float64 // o (1 − o) for the mean outcome o
	Resolution  float64 // Σ n_k (o_k − o)² / N, so that refinement = uncertainty − resolution

	BrierSE, CalibrationSE, RefinementSE float64 // jackknife over the N outcomes; NaN for N < 2
}

// Decompose partitions the Brier score of forecasts p in [0, 1] of outcomes y in {0, 1}. It panics if the lengths
// differ, if there is no forecast, or if a forecast or an outcome is out of range.
func Decompose(p, y []float64) Decomposition {
	t := tallyAll(p, y)
	errors := squaredErrors(p, y)
	d := Decomposition{N: len(p), Brier: errors.mean(), Calibration: t.calibration(), Refinement: t.refinement()}
	d.Binned = d.Calibration + d.Refinement
	rate := t.rate()
	d.Uncertainty = float64(rate * (1 - rate))
	d.Resolution = t.resolution(rate)
	d.BrierSE = errors.meanSE()
	d.CalibrationSE, d.RefinementSE = t.jackknife(p, y)
	return d
}

// bin returns the k with k/10 ≤ p < (k+1)/10, where the edges are the nearest float64 values. 1 is in the last bin.
func bin(p float64) int {
	k := min(int(float64(p*Bins)), Bins-1)
	if p < float64(k)/Bins { // p·Bins was rounded up to k; rounding down never crosses an edge
		return k - 1
	}
	return k
}

// A tally has, for every bin, the number of forecasts, their sum and the sum of the outcomes.
type tally [Bins]struct{ n, f, o float64 }

func tallyAll(p, y []float64) *tally {
	if len(p) == 0 || len(p) != len(y) {
		panic("score: forecasts and outcomes must be as many, and not none")
	}
	t := &tally{}
	for i := range p {
		if !(p[i] >= 0 && p[i] <= 1) || (y[i] != 0 && y[i] != 1) {
			panic("score: forecasts must lie in [0, 1] and outcomes be 0 or 1")
		}
		b := &t[bin(p[i])]
		b.n, b.f, b.o = b.n+1, b.f+p[i], b.o+y[i]
	}
	return t
}

// gap returns n (f − o)², and spread returns n o (1 − o), for a bin of n forecasts with mean forecast f and mean
// outcome o. The arguments are n and the sums over the bin. Both return 0 for an empty bin.
func gap(n, f, o float64) float64 {
	if n == 0 {
		return 0
	}
	d := f - o
	return float64(d*d) / n
}

func spread(n, o float64) float64 {
	if n == 0 {
		return 0
	}
	return float64(o*(n-o)) / n
}

func (t *tally) count() (n float64) {
	for _, b := range t {
		n += b.n
	}
	return n
}

func (t *tally) rate() float64 {
	o := 0.0
	for _, b := range t {
		o += b.o
	}
	return o / t.count()
}

func (t *tally) calibration() float64 {
	s := 0.0
	for _, b := range t {
		s += gap(b.n, b.f, b.o)
	}
	return s / t.count()
}

func (t *tally) refinement() float64 {
	s := 0.0
	for _, b := range t {
		s += spread(b.n, b.o)
	}
	return s / t.count()
}

func (t *tally) resolution(rate float64) float64 {
	s := 0.0
	for _, b := range t {
		s += gap(b.n, b.o, float64(b.n*rate))
	}
	return s / t.count()
}

// jackknife returns the standard errors of calibration and refinement. Leaving out one outcome changes only the bin
// of that outcome.
func (t *tally) jackknife(p, y []float64) (calibration, refinement float64) {
	n := t.count()
	sumCal, sumRef := float64(t.calibration()*n), float64(t.refinement()*n)
	cal := sample{len(p), func(i int) float64 {
		b := &t[bin(p[i])]
		return (sumCal - gap(b.n, b.f, b.o) + gap(b.n-1, b.f-p[i], b.o-y[i])) / (n - 1)
	}}
	ref := sample{len(p), func(i int) float64 {
		b := &t[bin(p[i])]
		return (sumRef - spread(b.n, b.o) + spread(b.n-1, b.o-y[i])) / (n - 1)
	}}
	return cal.jackknifeSE(), ref.jackknifeSE()
}

// squaredErrors returns (p − y)².
func squaredErrors(p, y []float64) sample {
	return sample{len(p), func(i int) float64 {
		d := p[i] - y[i]
		return float64(d * d)
	}}
}
