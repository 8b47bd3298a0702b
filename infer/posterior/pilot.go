package posterior

import (
	"context"
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// pilots has the tempered populations of a fit.
type pilots struct {
	runs   []*smc.Population
	best   *smc.Population // the run with the highest log evidence
	points [][]float64     // in log odds: of runs close to the best (evidenceGap), by walker, then of modes that they lack
	q      [][]float64     // the same points, unconstrained
	theta  [][]float64     // parameters at the points of the runs
}

// evidenceGap is the largest difference between the log evidence of the best run and that of a run whose points are used.
// Estimates are several nats too low if walkers move slowly, and tens of nats if a run has missed the main mode.
const evidenceGap = 5

// Limits of the steps of a pilot's walkers: the fewer dimensions there are, the sooner a walker has moved along all of them.
const (
	stepsEach  = 3  // most steps for each dimension
	leastSteps = 12 // of which there are at least so many
)

func (f *fitter) runPilots(ctx context.Context) (*pilots, error) {
	ps := &pilots{runs: make([]*smc.Population, f.config.Pilots)}
	err := f.parallel(len(ps.runs), func(i int) error {
		p, c := f.problem(), f.config.Pilot
		c.Steps = min(c.Steps, max(stepsEach*p.Dim(), leastSteps))
		var err error
		ps.runs[i], err = smc.Run(ctx, p, c, f.stream("pilot", i))
		return err
	})
	if err != nil {
		return nil, err
	}
	ps.best = ps.runs[0]
	for _, r := range ps.runs {
		f.work.Likelihoods += r.Evaluations
		if r.LogEvidence > ps.best.LogEvidence {
			ps.best = r
		}
	}
	for _, r := range ps.runs {
		if r.LogEvidence >= ps.best.LogEvidence-evidenceGap {
			ps.points = append(ps.points, r.Points...)
		}
	}
	p := f.problem()
	ps.q = unconstrained(p, ps.points)
	ps.theta = constrained(p, ps.q, len(f.names))
	return ps, nil
}

// include adds samples of modes that the runs have not visited. If the log evidence of a sample exceeds that of every run
// by more than evidenceGap, the runs have missed the main mode, and include drops their points.
func (ps *pilots) include(p Problem, samples []*smc.Population) {
	for _, s := range samples {
		if s.LogEvidence > ps.best.LogEvidence+evidenceGap {
			ps.points, ps.q, ps.theta = nil, nil, nil
		}
	}
	for _, s := range samples {
		if s.LogEvidence > ps.best.LogEvidence {
			ps.best = s
		}
	}
	for _, s := range samples {
		if s.LogEvidence >= ps.best.LogEvidence-evidenceGap {
			ps.points = append(ps.points, s.Points...)
			ps.q = append(ps.q, unconstrained(p, s.Points)...)
		}
	}
}

// unconstrained converts points from log odds to the unconstrained scale.
func unconstrained(p Problem, points [][]float64) [][]float64 {
	qs := num.Rows(len(points), p.Dim())
	for i, z := range points {
		p.FromOdds(z, qs[i])
	}
	return qs
}

// odds converts points from the unconstrained scale to log odds.
func odds(p Problem, qs [][]float64) [][]float64 {
	points := num.Rows(len(qs), p.Dim())
	for i, q := range qs {
		p.Odds(q, points[i])
	}
	return points
}

// constrained converts points from the unconstrained scale to parameters.
func constrained(p Density, qs [][]float64, parameters int) [][]float64 {
	thetas := num.Rows(len(qs), parameters)
	for i, q := range qs {
		p.Constrain(q, thetas[i])
	}
	return thetas
}

// starts chooses the indices of n points that are far apart (Arthur and Vassilvitskii 2007). It draws the first at
// random, and each further one with probability in proportion to its squared distance from the nearest chosen one, in
// standard deviations on the unconstrained scale. A distant mode then gets a chain even if few points lie in it, and
// R-hat shows that chains stay in different modes.
func (ps *pilots) starts(n int, rng *rng.Rand) []int {
	scale := spread(ps.q)
	nearest := slices.Repeat([]float64{math.Inf(1)}, len(ps.q))
	chosen := []int{rng.IntN(len(ps.q))}
	for len(chosen) < n {
		total := 0.0
		for i, q := range ps.q {
			nearest[i] = min(nearest[i], distance(q, ps.q[chosen[len(chosen)-1]], scale))
			total += nearest[i]
		}
		at := float64(total * rng.Float64())
		next := 0
		for i, d := range nearest {
			if at -= d; at < 0 {
				next = i
				break
			}
		}
		chosen = append(chosen, next)
	}
	return chosen
}

func distance(a, b, scale []float64) float64 {
	d := 0.0
	for i, x := range a {
		z := (x - b[i]) / scale[i]
		d += float64(z * z)
	}
	return d
}

// spread returns the standard deviation of every coordinate, or 1 for a coordinate that does not vary.
func spread(qs [][]float64) []float64 {
	sd := make([]float64, len(qs[0]))
	for k := range sd {
		_, variance := moments(qs, func(q []float64) float64 { return q[k] })
		sd[k] = math.Sqrt(variance)
		if !(sd[k] > 0) {
			sd[k] = 1
		}
	}
	return sd
}

// moments returns the mean and the sample variance of the values of f over rows.
func moments(rows [][]float64, f func([]float64) float64) (mean, variance float64) {
	n := float64(len(rows))
	for _, r := range rows {
		mean += f(r) / n
	}
	for _, r := range rows {
		d := f(r) - mean
		variance += float64(d*d) / (n - 1)
	}
	return mean, variance
}

// pilotError multiplies the standard errors of the pilots' means. Walkers share ancestors, so that the spread between
// them shows only about half of the error.
const pilotError = 2

// z returns the difference between a mean of parameter k and the pilots' mean, in units of their combined standard
// error. mcse is the standard error of mean. z returns 0 if the pilots have missed the main mode.
func (ps *pilots) z(k int, mean, mcse float64) float64 {
	steps := ps.runs[0].Steps
	if len(ps.theta) == 0 {
		return 0
	}
	walkers := make([][]float64, len(ps.theta)/steps)
	for i := range walkers {
		m, _ := moments(ps.theta[i*steps:(i+1)*steps], func(theta []float64) float64 { return theta[k] })
		walkers[i] = []float64{m}
	}
	centre, variance := moments(walkers, func(w []float64) float64 { return w[0] })
	if mean == centre {
		return 0
	}
	return (mean - centre) / math.Hypot(pilotError*math.Sqrt(variance/float64(len(walkers))), mcse)
}

// outside returns the share of pilot points whose parameter k lies outside the range of the draws.
func (ps *pilots) outside(k int, draws [][][]float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range draws {
		for _, theta := range c {
			low, high = min(low, theta[k]), max(high, theta[k])
		}
	}
	out := 0
	for _, theta := range ps.theta {
		if theta[k] < low || theta[k] > high {
			out++
		}
	}
	return float64(out) / max(1, float64(len(ps.theta)))
}

// tailQuantile is the share of draws on one side of which pilots are asked how many of their points are there.
const tailQuantile = 0.005

// beyond returns the larger of the shares of pilot points whose parameter k is below the quantile tailQuantile of the draws, and above its opposite.
func (ps *pilots) beyond(k int, draws [][][]float64) float64 {
	var values []float64
	for _, chain := range diag.Column(draws, k) {
		values = append(values, chain...)
	}
	slices.Sort(values)
	at := int(tailQuantile * float64(len(values)))
	low, high := values[at], values[len(values)-1-at]
	below, above := 0, 0
	for _, theta := range ps.theta {
		if theta[k] < low {
			below++
		}
		if theta[k] > high {
			above++
		}
	}
	return float64(max(below, above)) / max(1, float64(len(ps.theta)))
}
