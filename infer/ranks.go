package infer

import (
	"math"
	"slices"

	"achilles/infer/sbc"
	"achilles/sim/rng"
)

// A Calibration is the result of simulation-based calibration on the items of a directory. A replication is a subject that is
// drawn from the layout's prior, simulated and fitted. The result says whether the layout's posteriors are right, and which
// errors in the fits so many replications would have found.
type Calibration struct {
	Replications int     // number of simulated subjects with a posterior
	Unresolved   int     // number of simulated subjects without one, because the chains disagree
	Alarm        float64 // probability that right posteriors are called wrong because of any quantity
	Quantities   []CalibratedQuantity
	Planted      []PlantedError
	Lower, Upper []float64 // bounds of the shares of ranks below 1, 2, …; outside them, posteriors are wrong
}

// A CalibratedQuantity is a parameter, or the joint log likelihood, with the p-value of its ranks (package sbc).
type CalibratedQuantity struct {
	Name  string
	P     float64
	Ranks []int // [replication] rank of the truth among calibrationDraws draws
}

// A PlantedError is an error that was made in the fits on purpose. P is the smallest p-value over all quantities, times
// the number of quantities, at most 1. Power is the share of random halves of the replications in which the calibration
// finds the error. By is the quantity whose ranks find the error most often.
type PlantedError struct {
	Name   string
	P      float64
	Power  float64
	By     string
	Refits int     // number of replications fitted with the error, because the right posterior could not be reweighted
	Ranks  [][]int // [quantity][replication] rank of the truth in the wrong fits
}

// jointLikelihood names the quantity that is the log likelihood of all responses. Unlike a parameter, it depends on
// the data.
const jointLikelihood = "log likelihood"

// A replication has the ranks of one simulated subject. ranks[0] has the ranks in the right posterior, ranks[1+i] those
// under fault i, by quantity. refit[i] is whether the subject was refitted for fault i.
type replication struct {
	ranks [][]int
	refit []bool
}

// evenly returns copies of calibrationDraws draws, taken at even steps of the cumulative weights. nil weights stand
// for equal ones.
func evenly(draws [][]float64, weights []float64) (out [][]float64) {
	sum, i := 0.0, -1
	for k := range calibrationDraws {
		at := (float64(k) + 0.5) / calibrationDraws
		for sum <= at && i < len(draws)-1 {
			i++
			if weights == nil {
				sum = float64(i+1) / float64(len(draws))
			} else {
				sum += weights[i]
			}
		}
		out = append(out, append([]float64(nil), draws[i]...))
	}
	return out
}

// rank returns, for every parameter and for the log likelihood, the number of draws below the truth. own has the log
// likelihoods of the truth and of the draws. Ties are broken at random.
func rank(own, truth []float64, draws [][]float64, random *rng.Rand) []int {
	out := make([]int, len(truth)+1)
	for k := range out {
		ties := 0
		for i, d := range draws {
			x, mine := own[i+1], own[0]
			if k < len(truth) {
				x, mine = d[k], truth[k]
			}
			switch {
			case x < mine || math.IsInf(x, -1) && !math.IsInf(mine, -1):
				out[k]++
			case x == mine:
				ties++
			}
		}
		out[k] += random.IntN(ties + 1)
	}
	return out
}

// calibration tests the ranks of all replications, and computes the power of the test for each fault.
func calibration(quantities []string, faults []fault, all []*replication, seed uint64) *Calibration {
	out := &Calibration{Alarm: calibrationAlarm}
	r := ranked{quantities: quantities}
	for _, one := range all {
		if one != nil {
			r.fitted = append(r.fitted, one)
		}
	}
	out.Replications, out.Unresolved = len(r.fitted), len(all)-len(r.fitted)
	if out.Replications == 0 {
		return out
	}
	test := sbc.NewTest(out.Replications, calibrationDraws)
	out.Lower, out.Upper = test.Band(test.Critical(calibrationAlarm / float64(len(quantities))))
	for q, name := range quantities {
		ranks := r.ranks(0, q, r.fitted)
		out.Quantities = append(out.Quantities, CalibratedQuantity{name, test.P(test.Statistic(ranks)), ranks})
	}
	half := sbc.NewTest(out.Replications/2, calibrationDraws)
	critical := half.Critical(calibrationAlarm / float64(len(quantities)))
	for i, f := range faults {
		p := PlantedError{Name: f.name, P: 1}
		for q := range quantities {
			p.Ranks = append(p.Ranks, r.ranks(1+i, q, r.fitted))
			p.P = min(p.P, float64(len(quantities))*test.P(test.Statistic(p.Ranks[q])))
		}
		random := rng.Stream(seed, "calibrate", "power", f.name)
		p.Power, p.By = r.power(1+i, half, critical, &random)
		for _, one := range r.fitted {
			if one.refit[i] {
				p.Refits++
			}
		}
		out.Planted = append(out.Planted, p)
	}
	return out
}

// ranked has the replications in which every fit has a posterior.
type ranked struct {
	quantities []string
	fitted     []*replication
}

// ranks returns the ranks of a quantity in some replications. fault is 0 for the right fits, 1 + i for those under
// fault i.
func (r *ranked) ranks(fault, quantity int, some []*replication) (ranks []int) {
	for _, one := range some {
		ranks = append(ranks, one.ranks[fault][quantity])
	}
	return ranks
}

// power tests resampled random halves of the replications, drawn without replacement. It returns the share of halves in
// which at least one quantity has a statistic of at most critical, and the quantity that has one most often.
func (r *ranked) power(fault int, half *sbc.Test, critical float64, random *rng.Rand) (power float64, by string) {
	found, finds := 0, make([]int, len(r.quantities))
	for range resampled {
		set := slices.Clone(r.fitted)
		for i := range len(set) / 2 {
			k := i + random.IntN(len(set)-i)
			set[i], set[k] = set[k], set[i]
		}
		noticed := false
		for q := range r.quantities {
			if half.Statistic(r.ranks(fault, q, set[:len(set)/2])) <= critical {
				noticed = true
				finds[q]++
			}
		}
		if noticed {
			found++
		}
	}
	most := 0
	for q, n := range finds {
		if n > most {
			most, by = n, r.quantities[q]
		}
	}
	return float64(found) / resampled, by
}

const (
	calibrationDraws = 99   // ranks are 0 … 99
	calibrationAlarm = 0.01 // false-alarm rate of all quantities together
	resampled        = 500  // number of random halves of the replications from which a power is computed
	leastWeighed     = 300  // smallest effective number of reweighted draws; with fewer, a subject is refitted
)
