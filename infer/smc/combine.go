package smc

import (
	"math"

	"achilles/sim/num"
)

// Combine returns the log of the mean evidence of independent runs on one target, with its standard error: the larger of
// that from the spread between the runs and that from their own standard errors. One run gives its own figures. Combine
// panics without a run.
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
		share := num.Exp(logs[i]-logEvidence) / n // of the mean evidence
		own += float64(share * share * r.LogEvidenceError * r.LogEvidenceError)
		d := share*n - 1
		spread += float64(d * d)
	}
	if len(runs) > 1 {
		spread /= n * (n - 1)
	}
	return logEvidence, math.Sqrt(max(own, spread))
}
