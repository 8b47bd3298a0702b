package posterior

import (
	"cmp"
	"context"
	"math"
	"slices"

	"achilles/infer/mixture"
	"achilles/infer/nuts"
	"achilles/infer/smc"
	"achilles/sim/rng"
)

// A mode is a local maximum of the density on the unconstrained scale. An ascent from a draw of the prior has found it;
// the pilots have no part in this.
type mode struct {
	q        []float64
	logp     float64
	evidence float64 // log integral of the density around q: Laplace's approximation, or the estimate from sample
	sample   *smc.Population
}

// Limits of the comparison with modes.
const (
	modeDepth = 40.0 // a mode whose log density is more than this below the highest is ignored, in nats
	modeGap   = 4.0  // a mode has weight if its log evidence is at most this far below the best, in nats (a weight of 2 %)
	roughGap  = 6.0  // replaces modeGap for Laplace's approximation, which was wrong by up to 2 nats on object permanence
	ridge     = 1.0  // nats by which the log density may fall on a line between two maxima of one mode
	descent   = 3.0  // nats by which the log density may fall on a line between a draw and the maximum of its mode
	nearest   = 5    // a mode counts as visited if one of this number of points nearest to its maximum belongs to it
)

// findModes ascends from draws of the prior and returns the distinct modes, the highest first.
func (f *fitter) findModes(ctx context.Context) ([]mode, error) {
	found := make([]mode, f.config.Ascents)
	work := make([]int, len(found))
	jobs := max(1, f.config.Jobs)
	err := f.parallel(jobs, func(job int) error {
		p := f.problem()
		for i := job; i < len(found); i += jobs {
			if err := ctx.Err(); err != nil {
				return err
			}
			rng := f.stream("ascent", i)
			found[i], work[i] = findMode(p, &rng)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, w := range work {
		f.work.Gradients += w
	}
	return distinct(f.counted(), found), nil
}

// counted is a target that counts its evaluations in calls.
type counted struct {
	nuts.Target
	calls *int
}

// LogDensity adds 1 to the count and returns the log density of the target.
func (c counted) LogDensity(q, grad []float64) float64 {
	*c.calls++
	return c.Target.LogDensity(q, grad)
}

// counted returns the target of the fit. Its evaluations are added to f.work.Gradients.
func (f *fitter) counted() nuts.Target { return counted{f.problem(), &f.work.Gradients} }

// findMode ascends from a draw of the prior. It returns the mode and the number of gradients computed.
func findMode(p Problem, rng *rng.Rand) (m mode, gradients int) {
	q := make([]float64, p.Dim())
	priorDraw(p, q, rng)
	m.q, m.logp, gradients = ascend(p, q)
	return m, gradients
}

// distinct returns the distinct modes among those found, the highest first, with Laplace's approximation as their
// evidence.
func distinct(target nuts.Target, found []mode) (modes []mode) {
	slices.SortStableFunc(found, func(a, b mode) int { return cmp.Compare(b.logp, a.logp) })
	for _, m := range found {
		if !(m.logp > found[0].logp-modeDepth) {
			break
		}
		if slices.ContainsFunc(modes, func(n mode) bool { return connected(target, m.q, n.q, ridge) }) {
			continue
		}
		m.evidence = laplace(target, m.q, m.logp)
		modes = append(modes, m)
	}
	return modes
}

// Missed returns the largest log evidence, by Laplace's approximation, of the modes with weight that ascents from draws of the
// prior find and a population lacks: −Inf if it lacks none. It also returns the number of gradients computed. A mode has weight
// if its evidence is at most six nats below the population's. A mode whose evidence is more than six nats above counts
// as missed even if the population has points in it.
func Missed(p Problem, population *smc.Population, ascents int, rng rng.Rand) (evidence float64, gradients int) {
	found := make([]mode, ascents)
	for i := range found {
		var n int
		found[i], n = findMode(p, &rng)
		gradients += n
	}
	points := unconstrained(p, population.Points)
	target := counted{p, &gradients}
	evidence = math.Inf(-1)
	for _, m := range distinct(target, found) {
		above := m.evidence - population.LogEvidence
		if above > roughGap || above >= -roughGap && !visited(target, points, m.q) {
			evidence = max(evidence, m.evidence)
		}
	}
	return evidence, gradients
}

// gap returns how far the log evidence of m may be below the best if m still has weight, in nats.
func (m *mode) gap() float64 {
	if m.sample != nil {
		return modeGap
	}
	return roughGap
}

// addModes finds the modes of weight that the pilots have not visited, or whose evidence is far above the pilots'. It
// draws a sample of each and adds it to the pilots' points, so that chains start in the mode and use its points for
// proposals.
func (f *fitter) addModes(ctx context.Context, ps *pilots) error {
	p := f.problem()
	var samples []*smc.Population
	for i := range f.modes {
		m := &f.modes[i]
		above := m.evidence - ps.best.LogEvidence
		if above < -m.gap() || above <= m.gap() && visited(f.counted(), ps.q, m.q) {
			continue
		}
		if err := f.sampleMode(ctx, m, i); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			continue // nothing can be drawn in the mode, which keeps Laplace's evidence
		}
		if m.evidence >= ps.best.LogEvidence-m.gap() {
			samples = append(samples, m.sample)
		}
	}
	ps.include(p, samples)
	return nil
}

// setCentres sets f.centres to the maxima of the modes that have weight. best is the best log evidence.
func (f *fitter) setCentres(best float64) {
	for i := range f.modes {
		if m := &f.modes[i]; m.evidence >= best-m.gap() {
			f.centres = append(f.centres, m.q)
		}
	}
}

// leastWeight is the smallest weight of a mode that is reported.
const leastWeight = 0.02

// weights returns the weights of the modes among the draws, the largest first, or nil if there is only one mode.
func (f *fitter) weights(d *sample) (weights []float64) {
	if len(f.centres) < 2 {
		return nil
	}
	points := slices.Concat(d.q...)
	m, ok := mixture.Fit(points, f.centres)
	if !ok {
		return nil
	}
	for _, w := range m.Shares(points) {
		if w >= leastWeight {
			weights = append(weights, w)
		}
	}
	if len(weights) < 2 {
		return nil
	}
	slices.SortFunc(weights, func(a, b float64) int { return cmp.Compare(b, a) })
	return weights
}

// visited reports whether one of the points, among the nearest to q, lies in the mode with maximum q.
func visited(target nuts.Target, points [][]float64, q []float64) bool {
	for _, i := range closest(points, q, nearest) {
		if connected(target, points[i], q, descent) {
			return true
		}
	}
	return false
}

// closest returns the indices of the n points, or of all if there are fewer, that are nearest to q in standard deviations
// of the points, the nearest first. Of points at the same distance the earlier comes first.
func closest(points [][]float64, q []float64, n int) []int {
	scale := spread(points)
	order, far := make([]int, 0, n+1), make([]float64, 0, n+1)
	for i, x := range points {
		d := distance(x, q, scale)
		if len(far) == n && !(d < far[n-1]) {
			continue
		}
		at := len(far)
		for at > 0 && d < far[at-1] {
			at--
		}
		order, far = slices.Insert(order, at, i), slices.Insert(far, at, d)
		order, far = order[:min(len(order), n)], far[:min(len(far), n)]
	}
	return order
}

// Settings of the chain that samples a mode: numbers of draws of the warm-up and after it, and the largest number of
// doublings of a trajectory. This is small because the draws are only used for proposals and are not reported.
const (
	modeWarmup = 100
	modeDraws  = 200
	modeTree   = 6
)

// sampleMode draws from the posterior with a NUTS chain that starts at the maximum of m, and estimates the evidence
// of m.
func (f *fitter) sampleMode(ctx context.Context, m *mode, i int) error {
	p := f.problem()
	s, err := nuts.Start(ctx, p, m.q, nuts.Config{Warmup: modeWarmup, Accept: f.config.Accept, MaxDepth: modeTree}, f.stream("mode", i))
	if err != nil {
		return err
	}
	if err := s.Draw(ctx, modeDraws); err != nil {
		return err
	}
	c := s.Chain()
	d := draws{q: [][][]float64{c.Draws}, logp: make([][]float64, 1)}
	for _, x := range c.Stats {
		d.logp[0] = append(d.logp[0], x.LogDensity)
	}
	e := bridge(p, d, nil, modeDraws, f.stream("mode-bridge", i))
	f.work.Gradients += c.Gradients + c.WarmupGradients + modeDraws
	m.sample = &smc.Population{Points: odds(p, c.Draws), Steps: modeDraws, LogEvidence: e.log, LogEvidenceError: e.se}
	if !math.IsNaN(e.log) {
		m.evidence = e.log
	}
	return nil
}

// modeDoubts returns a doubt for every mode that has weight but no draw in d.
func (f *fitter) modeDoubts(d *sample) (ds []Doubt) {
	var points [][]float64
	for _, c := range d.q {
		points = append(points, c...)
	}
	for i := range f.modes {
		m := &f.modes[i]
		if above := m.evidence - d.evidence.log; !(above < -m.gap()) && !visited(f.counted(), points, m.q) {
			ds = append(ds, Doubt{Kind: MissedMode, Value: above, Limit: -m.gap()})
		}
	}
	return ds
}
