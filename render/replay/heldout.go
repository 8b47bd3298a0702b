package replay

import (
	"math"

	"achilles/infer"
	"achilles/sim/record"
)

// A HeldOut is how wrong the predictions of an episode were whose response was held out.
type HeldOut struct {
	RMSE     float64 // of the predicted path, in cells; NaN where no path was predicted
	Surprise float64 // −log of the predicted probability of the outcome, in nats; NaN where there is no prediction
}

// leastProbability bounds what an outcome was expected with: a prediction of 0 has a finite surprise.
const leastProbability = 1e-12

// heldOuts reads what was predicted of episodes whose responses were held out.
func (a *Archive) heldOuts() map[record.Key]*HeldOut {
	all := map[record.Key]*HeldOut{}
	at := func(subject, item string, trial, repetition int32) *HeldOut {
		k := record.Key{Subject: subject, Item: item, Trial: int(trial), Repetition: int(repetition)}
		if all[k] == nil {
			all[k] = &HeldOut{RMSE: math.NaN(), Surprise: math.NaN()}
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
		at(p.Subject, p.Item, p.Trial, p.Repetition).Surprise = p.P // of a success, until the outcome is known
	}
	return all
}

// against makes the surprise that of an outcome, where there is one.
func (h *HeldOut) against(outcome string) {
	if h == nil {
		return
	}
	p := h.Surprise
	switch outcome {
	case OutcomePassed:
	case OutcomeFailed:
		p = 1 - p
	default:
		p = math.NaN()
	}
	h.Surprise = -math.Log(max(p, leastProbability))
}
