package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/infer/mixture"
	"achilles/infer/smc"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Limits of the normal approximation of single subjects.
const (
	normalAscents = 24   // ascents from draws of the prior: few, as nothing but the highest maximum is used
	normalTries   = 4    // draws from the normal density for each draw of the result
	normalESS     = 1000 // effective sample size of the weighted draws that is aimed at
	temperedESS   = 500  // least effective sample size of the weights by which draws are resampled: weights of fewer are flattened
	normalRounds  = 6    // further rounds of draws, from a density that fits the posterior better each time
	normalShape   = 0.7  // Pareto shape of the weights up to which draws are resampled
)

// normal draws from a normal approximation to the posterior around its highest maximum, with the curvature there, on the unconstrained
// scale. The draws are resampled by the ratio of the two densities (Rubin 1987), which makes up for what the posterior is not normal in,
// unless some few would stand for all: the Pareto shape of the ratios says so (Vehtari et al. 2024). Then they are drawn again, from a
// density whose margins are those of the resampled ones. The draws are independent, so that there is neither R-hat nor an effective
// sample size.
func (f *fitter) normal(ctx context.Context) (*Posterior, error) {
	f.config.Ascents = normalAscents
	modes, err := f.findModes(ctx)
	if err != nil {
		return nil, err
	}
	p := f.problem()
	top := modes[0]
	curvature := Differences(p, top.q)
	if !curvature.Cholesky() || math.IsInf(top.logp, 0) {
		return nil, errors.New("no maximum with a curvature was found, which engine laplace needs; rerun with --engine nuts")
	}
	n, r := f.config.Chains*f.config.Draws, f.stream("laplace", 0)
	out := &Posterior{Parameters: f.names, Engine: Laplace, LogEvidence: math.NaN(), LogEvidenceError: math.NaN()}
	out.Warnings = f.normalWarnings(modes)
	d, shape := propose(ctx, p, top.q, curvature, normalTries*n, n, normalESS, &r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.work.Gradients += d.gradients
	points := d.points
	if shape <= normalShape {
		out.LogEvidence, out.LogEvidenceError = meanWeight(d.weights)
		out.Warnings = append(out.Warnings, Warning{Kind: Approximate, Message: fmt.Sprintf("draws are from a normal approximation (Laplace), resampled to match the posterior (Pareto shape of the weights %.2f, good up to %.1f), so that there is no R-hat; --engine auto samples the posterior itself", shape, normalShape)})
	} else {
		out.Warnings = append(out.Warnings, Warning{Kind: Skewed, Message: fmt.Sprintf("the posterior is far from normal (Pareto shape of the weights %.2f, above %.1f): draws of the normal approximation (Laplace) may be far off; rerun with --engine auto", shape, normalShape)})
	}
	weights := tempered(d.weights)
	points = resampled(points, weights, n, &r)
	out.Work = f.work
	theta := constrained(p, points, len(f.names))
	out.Draws = slices.Collect(slices.Chunk(theta, f.config.Draws))
	out.Summaries = independent(theta, effective(weights))
	return out, nil
}

// propose draws from a normal density, and n of these again from densities that fit the posterior better each time, until the Pareto shape of
// the weights, which it returns, is good and their effective sample size is large enough.
func propose(ctx context.Context, p Density, mean []float64, precision num.Lower, tries, n int, ess float64, r *rng.Rand) (d *proposals, shape float64) {
	d = &proposals{density: p, points: num.Rows(tries, len(mean)), weights: make([]float64, tries)}
	d.around(mean, precision, r)
	shape = weightShape(d.weights)
	for round := 0; round < normalRounds && (shape > normalShape || effective(d.weights) < ess) && ctx.Err() == nil; round++ {
		d.again(resampled(d.points, tempered(d.weights), n, r), r)
		shape = weightShape(d.weights)
	}
	return d, shape
}

// weightedESS is the least effective sample size of the ratios of draws that stand for a density.
const weightedESS = 100

// GoodShape is the largest Pareto shape of weights up to which weighted draws stand for the posterior (Vehtari et al. 2024).
const GoodShape = normalShape

// A Weighted is draws near a density, resampled by the ratio of the density to that from which they were drawn.
type Weighted struct {
	Points    [][]float64 // on the scale of the density's coordinates
	Shape     float64     // Pareto shape of the ratios
	Effective float64     // effective sample size of the ratios
	Good      bool        // whether the draws stand for the density
	Gradients int         // evaluations of the density
}

// Around returns n draws near a density, as engine Laplace does for a single subject: drawn `tries` times from a normal density with this mean
// and this Cholesky factor of the inverse of its covariance, drawn again from one that fits better where that is far off, and resampled by
// the ratio of the densities. The density need not write gradients.
func Around(ctx context.Context, density Density, mean []float64, precision num.Lower, tries, n int, r *rng.Rand) Weighted {
	d, shape := propose(ctx, density, mean, precision, tries, min(n, tries), min(normalESS, float64(tries)/10), r)
	ess := effective(d.weights)
	return Weighted{resampled(d.points, d.weights, n, r), shape, ess, shape <= GoodShape && ess >= weightedESS, d.gradients}
}

// proposals are draws from a density near the posterior, with the logarithms of the ratios of the posterior's density to theirs.
type proposals struct {
	density   Density
	points    [][]float64
	weights   []float64
	gradients int
}

// around draws from the normal density with this mean, and this Cholesky factor of the inverse of its covariance.
func (d *proposals) around(mean []float64, precision num.Lower, r *rng.Rand) {
	scale := num.LogSqrt2Pi * float64(len(mean))
	for i := range mean {
		scale -= num.Log(precision.Row(i)[i])
	}
	grad := make([]float64, len(mean))
	for i, q := range d.points {
		squares := 0.0
		for k := range q {
			q[k] = r.Norm()
			squares += float64(q[k] * q[k])
		}
		precision.SolveTransposed(q)
		num.AddTo(q, 1, mean)
		d.weigh(i, d.density.LogDensity(q, grad), scale+float64(squares/2))
	}
}

// again draws from the density that is normal where the margins of these points are made nearly normal (gaussianise), with their mean and
// covariance there.
func (d *proposals) again(points [][]float64, r *rng.Rand) {
	g := gaussianise(d.density, fitMargins(points))
	ys := g.normal(points)
	mean := make([]float64, len(ys[0]))
	for k := range mean {
		mean[k], _ = moments(ys, func(y []float64) float64 { return y[k] })
	}
	n, ok := mixture.Fit(ys, [][]float64{mean})
	if !ok {
		return
	}
	n.Widen()
	y, grad := make([]float64, len(mean)), make([]float64, len(mean))
	for i, q := range d.points {
		n.Draw(y, r)
		d.weigh(i, g.LogDensity(y, grad), -n.LogDensity(y))
		copy(q, g.q)
	}
}

// weigh sets the weight of a point by the log density of the posterior, and minus that of the proposal.
func (d *proposals) weigh(i int, logp, less float64) {
	d.gradients++
	if d.weights[i] = logp + less; math.IsNaN(d.weights[i]) {
		d.weights[i] = math.Inf(-1)
	}
}

// normalWarnings warns of maxima other than the highest that have weight.
func (f *fitter) normalWarnings(modes []mode) (ws []Warning) {
	for _, m := range modes[1:] {
		if m.evidence >= modes[0].evidence-modeGap {
			ws = append(ws, Warning{Kind: OtherMaxima, Message: "there is another maximum with weight, so that the posterior has several modes, and draws are from one; rerun with --engine auto"})
			break
		}
	}
	return ws
}

// weightShape returns the Pareto shape of importance weights, given as logarithms: that of an observation that is left out, whose draws
// have weights of the same kind.
func weightShape(weights []float64) float64 {
	logLik := make([]float64, len(weights))
	top := math.Inf(-1)
	for _, w := range weights {
		top = max(top, w)
	}
	for i, w := range weights {
		logLik[i] = -max(w, top-500)
	}
	return diag.PSISLOO([][][]float64{{logLik}}, nil).Each[0].K
}

// meanWeight returns the logarithm of the mean of weights that are given as logarithms, and its standard error.
func meanWeight(weights []float64) (log, se float64) {
	n := float64(len(weights))
	log = num.LogSumExp(weights) - num.Log(n)
	squares := 0.0
	for _, w := range weights {
		x := num.Exp(w-log) - 1
		squares += float64(x * x)
	}
	return log, math.Sqrt(squares) / n
}

// resampled returns n points drawn with probabilities in proportion to their weights, evenly spread (systematic resampling), in random order.
func resampled(points [][]float64, weights []float64, n int, r *rng.Rand) [][]float64 {
	chosen := smc.Resample(num.Softmax(weights), n, r)
	shuffled := make([][]float64, n)
	for i, k := range r.Perm(n) {
		shuffled[i] = points[chosen[k]]
	}
	return shuffled
}

// tempered returns weights with a power, at most 1, at which their effective sample size is at least temperedESS, or a quarter of their number: draws of a density
// between the proposal and the posterior. Without it a few draws would stand for all where the proposal is far off, and their
// spread would be far too small.
func tempered(weights []float64) []float64 {
	least := min(temperedESS, float64(len(weights))/4)
	if effective(weights) >= least {
		return weights
	}
	out := make([]float64, len(weights))
	low, high := 0.0, 1.0
	for range 40 {
		power := 0.5 * (low + high)
		for i, w := range weights {
			out[i] = float64(power * max(w, -math.MaxFloat64))
		}
		if effective(out) >= least {
			low = power
		} else {
			high = power
		}
	}
	for i, w := range weights {
		out[i] = float64(low * max(w, -math.MaxFloat64))
	}
	return out
}

// effective returns the effective sample size of weighted draws (Kong 1992). The weights are given as logarithms.
func effective(weights []float64) float64 {
	shares := num.Softmax(weights)
	return 1 / num.Dot(shares, shares)
}

// independent returns the summaries of resampled draws with this effective sample size. They have no R-hat, as there are no chains.
func independent(theta [][]float64, ess float64) (out []diag.Summary) {
	xs := make([]float64, len(theta))
	for k := range theta[0] {
		for i, t := range theta {
			xs[i] = t[k]
		}
		s := diag.Describe([][]float64{xs})
		s.ESSBulk, s.ESSTail, s.RHat = ess, ess, math.NaN()
		s.MCSEMean = s.SD / math.Sqrt(ess)
		out = append(out, s)
	}
	return out
}
