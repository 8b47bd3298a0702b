package score

import (
	"encoding/json"
	"fmt"
)

// Published values stand beside ours in the tables. A scenario carries them as data, sealed, because they name the
// subjects. All of them are optional, and keys of no concern here are ignored.
type Published struct {
	Source     string                         `json:"source"`
	Recovery   map[string]map[string]float64  `json:"recovery"`   // block → capability → RMSE as a fraction of the maximum
	Prediction map[string]PublishedPrediction `json:"prediction"` // by subject name
	Profile    map[string]map[string]Moments  `json:"profile"`    // subject name → parameter → posterior mean and sd
}

// A PublishedPrediction has the published grades of one subject's predictions; nil where none was published.
type PublishedPrediction struct {
	Brier                *float64 `json:"brier,omitempty"`
	BrierAggregate       *float64 `json:"brier_aggregate,omitempty"`
	Calibration          *float64 `json:"calibration,omitempty"`
	CalibrationAggregate *float64 `json:"calibration_aggregate,omitempty"`
	Refinement           *float64 `json:"refinement,omitempty"`
	RefinementAggregate  *float64 `json:"refinement_aggregate,omitempty"`
}

// Moments are a posterior mean and its standard deviation, written [mean, sd].
type Moments [2]float64

func parsePublished(b []byte) (*Published, error) {
	p := &Published{}
	if len(b) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(b, p); err != nil {
		return nil, fmt.Errorf("score: published values: %w", err)
	}
	return p, nil
}

func (p *Published) recovery(block, capability string) *float64 {
	if v, ok := p.Recovery[block][capability]; ok {
		return &v
	}
	return nil
}

func (p *Published) prediction(name string) *PublishedPrediction {
	if v, ok := p.Prediction[name]; ok {
		return &v
	}
	return nil
}

func (p *Published) profile(name, parameter string) *Moments {
	if v, ok := p.Profile[name][parameter]; ok {
		return &v
	}
	return nil
}
