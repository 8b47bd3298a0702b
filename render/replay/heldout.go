package replay

import (
	"math"

	"achilles/infer"
	"achilles/sim/record"
)

// A HeldOut says how wrong the predictions for an episode were. Only episodes whose responses were held out have one.
type HeldOut struct {
	RMSE     float64 // distance between the predicted and the actual path, in cells; NaN if no path was predicted
	Surprise float64 // −log of the predicted probability of the outcome, in nats; NaN if there is no prediction
	passing  float64 // predicted probability of success; NaN if there is no prediction
}

// leastProbability is the least probability that Surprise gives an outcome. It keeps the surprise finite if the
// predicted probability is 0.
const leastProbability = 1e-12

// heldOuts reads the predictions for episodes with held-out responses. It does not set Surprise; the method against
// does.
func (a *Archive) heldOuts() map[record.Key]*HeldOut {
	all := map[record.Key]*HeldOut{}
	at := func(subject, item string, trial, repetition int32) *HeldOut {
		k := record.Key{Subject: subject, Item: item, Trial: int(trial), Repetition: int(repetition)}
		if all[k] == nil {
			all[k] = &HeldOut{RMSE: math.NaN(), Surprise: math.NaN(), passing: math.NaN()}
		}
		return all[k]
	}
	paths, err := readTable[infer.PathPrediction](a, "paths.parquet")
	if err != nil {
		a.note("errors of predicted paths are not shown: %v", err)
	}
	for _, p := range paths {
		at(p.Subject, p.Item, p.Trial, p.Repetition).RMSE = p.RMSE
	}
	predictions, err := readTable[infer.Prediction](a, "predictions.parquet")
	if err != nil {
		a.note("predictions are not shown: %v", err)
	}
	for _, p := range predictions {
		at(p.Subject, p.Item, p.Trial, p.Repetition).passing = p.P
	}
	return all
}

// against sets Surprise to the surprise at an outcome, or to NaN if the outcome is neither passed nor failed.
func (h *HeldOut) against(outcome string) {
	if h == nil {
		return
	}
	p := h.passing
	switch outcome {
	case OutcomePassed:
	case OutcomeFailed:
		p = 1 - p
	default:
		p = math.NaN()
	}
	h.Surprise = -math.Log(max(p, leastProbability))
}
