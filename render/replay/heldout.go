package replay

import (
	"math"
	"slices"

	"achilles/infer"
	"achilles/scenarios/score"
	"achilles/sim/record"
)

// A HeldOut says how wrong the predictions for an episode were. Only episodes whose responses were held out have one.
type HeldOut struct {
	RMSE     float64         // distance between the predicted and the actual path, in cells; NaN if no path was predicted
	Surprise float64         // −log of the predicted probability of the outcome, in nats; NaN if there is no prediction
	P        float64         // predicted probability of success; NaN if there is no prediction
	Truth    float64         // probability of success under the truth; NaN if it is sealed or unknown, or if this is not one of the most wrong
	Residual *score.Residual // where no truth is known: the greatest residual of a demand's level that the item has; nil: none
}

// Wrong returns by how much the prediction is wrong: |P − Truth| or, where no truth is known, the least difference that the residual supports. It
// returns NaN if neither is known.
func (h *HeldOut) Wrong() float64 {
	if h.Residual != nil {
		return h.Residual.Least()
	}
	return math.Abs(h.P - h.Truth)
}

// leastProbability is the least probability that Surprise gives an outcome. It keeps the surprise finite if the
// predicted probability is 0.
const leastProbability = 1e-12

// heldOuts reads the predictions for episodes with held-out responses. It does not set Surprise; the method against
// does.
func (a *Archive) heldOuts() (map[record.Key]*HeldOut, []infer.Prediction) {
	all := map[record.Key]*HeldOut{}
	at := func(subject, item string, trial, repetition int32) *HeldOut {
		k := record.Key{Subject: subject, Item: item, Trial: int(trial), Repetition: int(repetition)}
		if all[k] == nil {
			all[k] = &HeldOut{RMSE: math.NaN(), Surprise: math.NaN(), P: math.NaN(), Truth: math.NaN()}
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
		at(p.Subject, p.Item, p.Trial, p.Repetition).P = p.P
	}
	return all, predictions
}

// mostWrong adds to the rows where their predictions are wrong: the misses that achilles score found or, of subjects of whom no truth is
// known, the residuals by level of demand.
func (a *Archive) mostWrong(predictions []infer.Prediction) {
	if len(predictions) == 0 {
		return
	}
	at := map[record.Key]*HeldOut{}
	for i, k := range a.keys {
		if h := a.Rows[i].HeldOut; h != nil {
			at[k] = h
		}
	}
	without := map[string]bool{} // subjects of whom no truth is known
	s := a.Scores()
	if s != nil {
		for _, m := range s.Misses {
			h := at[record.Key{Subject: m.ID, Item: m.Item, Trial: m.Trial, Repetition: m.Repetition}]
			switch {
			case m.Truth == nil:
				without[m.ID] = true
			case h != nil:
				h.Truth = *m.Truth
			}
		}
		if len(without) == 0 {
			return
		}
	}
	l := a.layout()
	if l == nil {
		return
	}
	residuals := score.ResidualsOf(a.data, l, predictions)
	for i, k := range a.keys {
		h, y := a.Rows[i].HeldOut, 0.0
		if h == nil || math.IsNaN(h.P) || s != nil && !without[k.Subject] {
			continue
		}
		if a.Rows[i].Outcome == OutcomePassed {
			y = 1
		}
		subject, _ := slices.BinarySearch(a.data.Subjects, k.Subject)
		item, _ := slices.BinarySearch(a.data.Items.ID, k.Item)
		if r, ok := residuals.Of(subject, item, h.P, y); ok {
			h.Residual = &r
		}
	}
}

// against sets Surprise to the surprise at an outcome, or to NaN if the outcome is neither passed nor failed.
func (h *HeldOut) against(outcome string) {
	if h == nil {
		return
	}
	p := h.P
	switch outcome {
	case OutcomePassed:
	case OutcomeFailed:
		p = 1 - p
	default:
		p = math.NaN()
	}
	h.Surprise = -math.Log(max(p, leastProbability))
}
