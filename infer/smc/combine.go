package smc

import (
	"math"

	"achilles/sim/num"
)

// Combine returns the log of the mean evidence of independent runs on one target, and its standard error. The standard
// error is the larger of two estimates: one from the spread between the runs, and one from the runs' own standard errors.
// For a single run Combine returns the two figures of this run. It panics if there is no run.
func Combine(runs []*Population) (logEvidence, standardError float64) {
	if len(runs) == 0 {
		panic("smc: no runs to combine")
	}
	logs := make([]float64, len(runs))
	for i, r := range runs {
		logs[i] = r.LogEvidence
	}
	n := float64(len(runs))
	logEvidence = num.LogSumExp(logs) - num.Log(n)
	spread, own := 0.0, 0.0
	for i, r := range runs {
		share := num.Exp(logs[i]-logEvidence) / n // share of this run in the mean evidence
		own += float64(share * share * r.LogEvidenceError * r.LogEvidenceError)
		d := float64(share*n) - 1
		spread += float64(d * d)
	}
	if len(runs) > 1 {
		spread /= n * (n - 1)
	}
	return logEvidence, math.Sqrt(max(own, spread))
}
