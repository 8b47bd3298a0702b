package score

import (
	"encoding/json"
	"fmt"
)

// Published values stand beside ours in the tables. A scenario carries them as data, sealed, because they name the
// subjects. All of them are optional, and keys of no concern here are ignored.
type Published struct {
	Source     string                         `json:"source" toml:"source"`
	Recovery   map[string]map[string]float64  `json:"recovery" toml:"recovery"`     // block → capability → RMSE as a fraction of the maximum
	Prediction map[string]PublishedPrediction `json:"prediction" toml:"prediction"` // by subject name
	Profile    map[string]map[string]Moments  `json:"profile" toml:"profile"`       // subject name → parameter → posterior mean and sd
	Verdict    map[string]PublishedVerdict    `json:"verdict" toml:"verdict"`       // by subject name
	Observers  map[string]map[string]float64  `json:"observers" toml:"observers"`   // observer → kind of episode → relative accuracy in per cent
}

// A PublishedPrediction has the published grades of one subject's predictions; nil where none was published.
type PublishedPrediction struct {
	Brier                *float64 `json:"brier,omitempty" toml:"brier"`
	BrierAggregate       *float64 `json:"brier_aggregate,omitempty" toml:"brier_aggregate"`
	Calibration          *float64 `json:"calibration,omitempty" toml:"calibration"`
	CalibrationAggregate *float64 `json:"calibration_aggregate,omitempty" toml:"calibration_aggregate"`
	Refinement           *float64 `json:"refinement,omitempty" toml:"refinement"`
	RefinementAggregate  *float64 `json:"refinement_aggregate,omitempty" toml:"refinement_aggregate"`
}

// A PublishedVerdict is what was published about one subject, in the words of the publication.
type PublishedVerdict struct {
	Decision string `json:"decision,omitempty" toml:"decision"` // the kind of subject
	HasOP    string `json:"has_op,omitempty" toml:"hasOP"`
	Weakness string `json:"weakness,omitempty" toml:"weakness"`
	Noise    string `json:"noise,omitempty" toml:"noise"`
}

// Moments are a posterior mean and its standard deviation, written [mean, sd].
type Moments [2]float64

func parsePublished(b []byte) (*Published, error) {
	p := &Published{}
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

func (p *Published) verdict(name string) *PublishedVerdict {
	if v, ok := p.Verdict[name]; ok {
		return &v
	}
	return nil
}
