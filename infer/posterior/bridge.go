package posterior

import (
	"math"
	"slices"

	"achilles/infer/diag"
	"achilles/infer/mixture"
	"achilles/infer/nuts"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// draws has chains of equal length, on the unconstrained scale.
type draws struct {
	q    [][][]float64 // [chain][draw][coordinate]
	logp [][]float64   // [chain][draw], the log density
}

// evidence is a log marginal likelihood with its standard error.
type evidence struct{ log, se float64 }

// Bridge returns an estimate of the log integral of the target's density, and its standard error, from draws of it, q, with their log densities
// [chain][draw], and as many evaluations of it as there are proposals. Both are NaN if a half of the draws has fewer than two for each coordinate.
func Bridge(target nuts.Target, q [][][]float64, logp [][]float64, proposals int, rng rng.Rand) (logIntegral, standardError float64) {
	e := bridge(target, draws{q, logp}, nil, proposals, rng)
	return e.log, e.se
}

// bridge estimates the log integral of the target's density from draws of it, by bridge sampling (Meng and Wong 1996,
// Statistica Sinica 6; the scheme of Gronau et al. 2017, Journal of Mathematical Psychology 81). It fits a mixture of
// normal densities, one for each centre, to one half of the draws. It estimates the ratio of the target's integral to
// the mixture's from both densities, at the other half of the draws and at draws from the mixture. It does this twice,
// with the halves exchanged, and averages. proposals is the number of draws from the mixtures in all. Modes without
// draws are left out. The result is NaN if a half has fewer than 2·Dim draws, if the draws do not vary, or if the
// density is not bounded.
func bridge(target nuts.Target, d draws, centres [][]float64, proposals int, rng rng.Rand) evidence {
	first, last := d.halves()
	a := oneWay(target, first, last, centres, proposals/2, &rng)
	b := oneWay(target, last, first, centres, proposals/2, &rng)
	return evidence{log: (a.log + b.log) / 2, se: math.Sqrt(float64(a.se*a.se)+float64(b.se*b.se)) / 2}
}

// halves returns the first and the second half of every chain.
func (d *draws) halves() (first, last draws) {
	for i, c := range d.q {
		h := len(c) / 2
		first.q = append(first.q, c[:h])
		last.q = append(last.q, c[len(c)-h:])
		first.logp = append(first.logp, d.logp[i][:h])
		last.logp = append(last.logp, d.logp[i][len(c)-h:])
	}
	return first, last
}

// oneWay fits the mixture to the posterior draws in fitTo. It estimates the integral from draws of the mixture and from
// other posterior draws, those in use.
func oneWay(target nuts.Target, fitTo, use draws, centres [][]float64, proposals int, rng *rng.Rand) evidence {
	n, ok := mixture.Fit(slices.Concat(fitTo.q...), centres)
	if !ok {
		return evidence{math.NaN(), math.NaN()}
	}
	b := ratios{posterior: make([][]float64, len(use.q))}
	for i, c := range use.q {
		for j, q := range c {
			b.posterior[i] = append(b.posterior[i], use.logp[i][j]-n.LogDensity(q))
		}
	}
	q, grad := make([]float64, target.Dim()), make([]float64, target.Dim())
	for range proposals {
		n.Draw(q, rng)
		l := target.LogDensity(q, grad) - n.LogDensity(q)
		if math.IsNaN(l) {
			l = math.Inf(-1)
		}
		b.proposal = append(b.proposal, l)
	}
	return b.solve()
}

// ratios has the log ratios of the target's density to the mixture's.
type ratios struct {
	posterior [][]float64 // at draws from the posterior, [chain][draw]
	proposal  []float64   // at draws from the mixture
}

// solve returns the log of the ratio r of the two integrals. It computes r from the optimal bridge function, which
// depends on r itself, and repeats this until r does not change. It divides the ratios by their median, so that
// exponentials do not overflow.
func (b *ratios) solve() evidence {
	all := slices.Concat(b.posterior...)
	slices.Sort(all)
	middle := num.SortedQuantile(all, 0.5)
	n1, n2 := 0.0, float64(len(b.proposal))
	for _, c := range b.posterior {
		n1 += float64(len(c))
	}
	effective := min(n1, diag.ESSMean(b.posterior))
	if math.IsNaN(effective) {
		effective = n1 // the density is exactly normal: all ratios are the same
	}
	share1, share2 := effective/(effective+n2), n2/(effective+n2)
	var atProposal, atPosterior []float64
	for _, l := range b.proposal {
		atProposal = append(atProposal, num.Exp(min(l-middle, 700)))
	}
	for _, c := range b.posterior {
		for _, l := range c {
			atPosterior = append(atPosterior, num.Exp(min(l-middle, 700)))
		}
	}
	r := 1.0
	for range 1000 {
		up, down := 0.0, 0.0
		for _, e := range atProposal {
			up += e / (float64(share1*e) + float64(share2*r)) / n2
		}
		for _, e := range atPosterior {
			down += 1 / (float64(share1*e) + float64(share2*r)) / n1
		}
		next := up / down
		if math.Abs(next-r) <= 1e-10*r || math.IsNaN(next) || next == 0 {
			r = next
			break
		}
		r = next
	}
	return evidence{num.Log(r) + middle, b.relativeError(r, middle, share1, share2)}
}

// relativeError returns the relative standard error of r (Frühwirth-Schnatter 2004, Econometrics Journal 7). It combines
// the error of the mean over proposals with that of the mean over posterior draws, which are autocorrelated.
func (b *ratios) relativeError(r, middle, share1, share2 float64) float64 {
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
	mean, variance := num.Moments(atProposal)
	one := math.Sqrt(variance) / mean / math.Sqrt(float64(len(atProposal)))
	two := diag.MCSEMean(atPosterior) / num.Mean(slices.Concat(atPosterior...))
	if math.IsNaN(two) && one < 1e-9 {
		two = 0 // nothing varies: the density is exactly normal
	}
	return math.Sqrt(float64(one*one) + float64(two*two))
}
