package joint

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// Laplace draws from a normal approximation to the posterior of all parameters given the cells, on the scale of unconstrained
// parameters. Shared parameters on which the spread of a prior depends, the scales, are not maximised together with the units: that
// density is unbounded where spreads and units shrink together. They maximise the marginal density, in which the units are
// integrated out by Laplace's approximation (Tierney and Kadane 1986), subjects before items. Units are normal given the scales,
// with the inverse of the whole curvature as covariance, around a mean that moves linearly with the scales. c.Chains is the number
// of climbs, from different points, and of groups of draws; c.Warmup, c.Accept and c.MaxDepth are ignored.
//
// Draws are independent, so that the result has no R-hat and no effective sample sizes, and always a warning that it is an
// approximation, and others if climbs ended at different maxima, or if the mean is far from the maximum. Laplace returns an error if a
// parameter is binary, if the responses are impossible where climbs begin, if the posterior has no maximum with a curvature, or none with
// subjects integrated out, if there are too many scales or values, or if ctx is cancelled. The maximum of subjects and items together is no
// substitute: on section 6 of the LSAT it had slopes of 1.000 ± 0.006, which are 0.66 to 0.89 by maximum marginal likelihood (Bock and
// Lieberman 1970; TestLSAT6 of infer/mml).
func Laplace(ctx context.Context, cells *layout.Cells, c posterior.Config, root uint64, path ...string) (*posterior.Posterior, error) {
	if err := cells.Joint().Layout().CheckMovable(); err != nil {
		return nil, err
	}
	if of := sideOf(cells, timesAsMany, mostResampled); of != neither {
		return resample(ctx, cells, of, c, root, path...)
	}
	m, err := newMarginal(ctx, cells, c, resultSlack)
	if err != nil {
		return nil, err
	}
	name := cells.Joint().Layout().Name
	p := &posterior.Posterior{Parameters: Names(cells.Joint()), Engine: posterior.Laplace, LogEvidence: math.NaN(), LogEvidenceError: math.NaN()}
	p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.Approximate, Message: "draws are from a normal approximation around the maximum (Laplace), so that there is no R-hat and no effective sample size; --engine nuts samples the posterior itself"})
	best, other, err := m.highestOf(root, path...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, errFlat) || errors.Is(err, errRestive) {
		if of := sideOf(cells, 1, mostNormal); of != neither {
			if p, not := unweighted(ctx, cells, of, c, root, path...); not == nil {
				return p, nil
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("layout %s: %w", name, err)
	}
	switch {
	case other == c.Chains:
		p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.OtherMaxima, Message: "no other optimisation reached the point on which the draws are centred, which may not be a maximum; rerun with --engine nuts"})
	case other > 0:
		p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.OtherMaxima, Message: fmt.Sprintf("%d of %d optimisations ended at lower maxima than the one on which the draws are centred; the posterior may be multimodal and intervals too narrow; rerun with --engine nuts", other, c.Chains)})
	}
	if err := checkExact(ctx, m, best); err != nil {
		return nil, fmt.Errorf("layout %s: %w", name, err)
	}
	r := rng.Stream(root, append(slices.Clone(path), "laplace", "mean")...)
	if !m.centre(best, &r) {
		p.Warnings = append(p.Warnings, posterior.Warning{Kind: posterior.Skewed, Message: "the posterior is far from normal: its mean is more than half a standard deviation from the maximum on average, or three in one direction, and the draws stay around the maximum; they may be far off; rerun with --engine nuts"})
	}
	for i := range c.Chains {
		r := rng.Stream(root, append(slices.Clone(path), "laplace", strconv.Itoa(i))...)
		p.Draws = append(p.Draws, m.draw(best, c.Draws, &r))
	}
	newMover(cells, c.Chains, root, path...).move(p.Draws)
	p.Summaries = summaries(p.Draws)
	p.Work.Gradients = m.gradients
	if c.Progress != nil {
		c.Progress(1, 1)
	}
	return p, nil
}

// summaries returns the summaries of independent draws: without the diagnostics of chains.
func summaries(draws [][][]float64) (out []diag.Summary) {
	for k := range draws[0][0] {
		s := diag.Describe([][]float64{slices.Concat(diag.Column(draws, k)...)})
		s.MCSEMean = s.SD / math.Sqrt(float64(len(draws)*len(draws[0])))
		out = append(out, s)
	}
	return out
}
