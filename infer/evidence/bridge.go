// Package evidence estimates the marginal likelihood of a posterior from draws of it, by bridge sampling.
//
// A normal density is fitted to one half of the draws; the other half, and draws from the normal density, are weighed
// against each other at both densities, which gives the ratio of their norms with the least error (Meng and Wong 1996,
// Statistica Sinica 6; the scheme of Gronau et al. 2017, Journal of Mathematical Psychology 81). It costs one density
// a proposal, needs little overlap, and is far more precise than what tempering finds on its way, but it knows only
// the modes that the draws know.
package evidence

import (
	"math"

	"achilles/infer/diag"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Target is a log density on ℝ^Dim with all its constants: its integral is the marginal likelihood. The gradient is
// not used.
type Target interface {
	Dim() int
	LogDensity(q, grad []float64) float64
}

// Draws are chains of a posterior with the log density at every draw.
type Draws struct {
	Chains       [][][]float64 // [chain][draw][coordinate], all of one length
	LogDensities [][]float64   // [chain][draw]
}

// Estimate is a log marginal likelihood with its standard error; NaN where draws or target do not allow one.
type Estimate struct {
	LogEvidence, Error float64
}

// LogEvidence estimates the integral of the target's density from draws of it and so many proposals. The halves of
// the draws change roles once. Fewer than 2·Dim draws in a half, draws that do not vary, or a density without bounds
// give NaN.
func LogEvidence(target Target, d Draws, proposals int, rng rng.Rand) Estimate {
	first, last := d.halves()
	a := oneWay(target, first, last, proposals/2, &rng)
	b := oneWay(target, last, first, proposals/2, &rng)
	return Estimate{
		LogEvidence: (a.LogEvidence + b.LogEvidence) / 2,
		Error:       math.Sqrt(float64(a.Error*a.Error)+float64(b.Error*b.Error)) / 2,
	}
}

// halves are the first and the last draws of every chain.
func (d *Draws) halves() (first, last Draws) {
	for i, c := range d.Chains {
		h := len(c) / 2
		first.Chains = append(first.Chains, c[:h])
		last.Chains = append(last.Chains, c[len(c)-h:])
		first.LogDensities = append(first.LogDensities, d.LogDensities[i][:h])
		last.LogDensities = append(last.LogDensities, d.LogDensities[i][len(c)-h:])
	}
	return first, last
}

// oneWay fits the normal density to one set of draws and bridges between it and the other.
func oneWay(target Target, fitTo, use Draws, proposals int, rng *rng.Rand) Estimate {
	n, ok := fit(fitTo.Chains)
	if !ok {
		return Estimate{math.NaN(), math.NaN()}
	}
	b := problem{posterior: make([][]float64, len(use.Chains))}
	for i, c := range use.Chains {
		for j, q := range c {
			b.posterior[i] = append(b.posterior[i], use.LogDensities[i][j]-n.logDensity(q))
		}
	}
	q, grad := make([]float64, target.Dim()), make([]float64, target.Dim())
	for range proposals {
		n.draw(q, rng)
		l := target.LogDensity(q, grad) - n.logDensity(q)
		if math.IsNaN(l) {
			l = math.Inf(-1)
		}
		b.proposal = append(b.proposal, l)
	}
	return b.solve()
}

// problem holds the log ratios of target to normal density, at draws of either.
type problem struct {
	posterior [][]float64 // as chains, for their effective size
	proposal  []float64
}

// solve iterates the optimal bridge to its fixed point. Ratios are taken relative to a middle one, so that no
// exponential overflows where it matters.
func (b *problem) solve() Estimate {
	middle := diag.Quantile(b.posterior, 0.5)
	n1, n2 := 0.0, float64(len(b.proposal))
	for _, c := range b.posterior {
		n1 += float64(len(c))
	}
	effective := min(n1, diag.ESSMean(b.posterior))
	if math.IsNaN(effective) {
		effective = n1 // the density is exactly normal: all ratios are the same
	}
	share1, share2 := effective/(effective+n2), n2/(effective+n2)
	r := 1.0
	for range 1000 {
		up, down := 0.0, 0.0
		for _, l := range b.proposal {
			e := num.Exp(min(l-middle, 700))
			up += e / (float64(share1*e) + float64(share2*r)) / n2
		}
		for _, c := range b.posterior {
			for _, l := range c {
				down += 1 / (float64(share1*num.Exp(min(l-middle, 700))) + float64(share2*r)) / n1
			}
		}
		next := up / down
		if math.Abs(next-r) <= 1e-10*r || math.IsNaN(next) || next == 0 {
			r = next
			break
		}
		r = next
	}
	return Estimate{num.Log(r) + middle, b.relativeError(r, middle, share1, share2)}
}

// relativeError is that of Frühwirth-Schnatter (2004): of the mean of g-weighted target over proposals, and of the
// mean of target-weighted g over autocorrelated posterior draws.
func (b *problem) relativeError(r, middle, share1, share2 float64) float64 {
	var atProposal []float64
	atPosterior := make([][]float64, len(b.posterior))
	for _, l := range b.proposal {
		p := num.Exp(min(l-middle, 700)) / r
		atProposal = append(atProposal, p/(float64(share1*p)+share2))
	}
	for i, c := range b.posterior {
		for _, l := range c {
			p := num.Exp(min(l-middle, 700)) / r
			atPosterior[i] = append(atPosterior[i], 1/(float64(share1*p)+share2))
		}
	}
	chains := [][]float64{atProposal}
	one := diag.SD(chains) / diag.Mean(chains) / math.Sqrt(float64(len(atProposal)))
	two := diag.MCSEMean(atPosterior) / diag.Mean(atPosterior)
	if math.IsNaN(two) && one < 1e-9 {
		two = 0 // nothing varies: the density is exactly normal
	}
	return math.Sqrt(float64(one*one) + float64(two*two))
}
