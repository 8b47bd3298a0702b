package score

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Published has values of a publication, which the tables show beside ours. In a scenario they are sealed, because they
// name the subjects. All values are optional. Keys that are not fields here are ignored.
type Published struct {
	Source     string                         `json:"source"`
	Recovery   map[string]map[string]float64  `json:"recovery"`       // block → capability → RMSE as a fraction of the maximum
	Prediction map[string]PublishedPrediction `json:"prediction"`     // by subject name
	Profile    map[string]map[string]Moments  `json:"profile"`        // subject name → parameter → posterior mean and sd
	Verdict    map[string]PublishedVerdict    `json:"classification"` // by subject name
	Design     map[string]PublishedDesign     `json:"design"`         // by subject name
	Types      *float64                       `json:"types_correct"`  // share of subjects whose type the authors found; nil: not printed
	CTest      *PublishedCTest                `json:"ctest"`          // nil: none
	Observers  map[string]map[string]float64  `json:"observers"`      // observer → kind of episode → relative accuracy in per cent
	AUC        map[string]map[string]float64  `json:"auc"`            // observer → kind of episode → area under the curve in per cent
	Nearest    map[string]map[string]float64  `json:"nearest"`        // observer → kind of episode → how often it expects the actor at the nearest object, in per cent
	Version    map[string]string              `json:"version"`        // observer → version of the publication
}

// PublishedCTest has published values of agents that took the C-test.
type PublishedCTest struct {
	Weight    float64            `json:"weight"`    // ability = Weight × score
	Abilities []float64          `json:"abilities"` // abilities of agents without names
	Like      map[string]float64 `json:"like"`      // subject name → the published ability to compare with its own
	Votes     map[string]float64 `json:"votes"`     // collective → published score
	Note      string             `json:"note"`      // remark on Votes
}

// A PublishedPrediction has the published grades of one subject's predictions. A grade is nil if none was published.
type PublishedPrediction struct {
	Brier                *float64 `json:"brier,omitempty"`
	BrierAggregate       *float64 `json:"brier_aggregate,omitempty"`
	Calibration          *float64 `json:"calibration,omitempty"`
	CalibrationAggregate *float64 `json:"calibration_aggregate,omitempty"`
	Refinement           *float64 `json:"refinement,omitempty"`
	RefinementAggregate  *float64 `json:"refinement_aggregate,omitempty"`
}

// A PublishedVerdict is the published verdict on one subject, in the words of the publication.
type PublishedVerdict struct {
	Decision string `json:"decision,omitempty"` // the kind of subject
	HasOP    string `json:"has_op,omitempty"`
	Weakness string `json:"weakness,omitempty"`
	Noise    string `json:"noise,omitempty"`
}

// A PublishedDesign says what a subject was made to be, in the words of the publication but for Family and Names.
type PublishedDesign struct {
	Type        string `json:"type,omitempty"`
	Class       string `json:"class,omitempty"` // in another table of the publication
	HasOP       string `json:"has_op,omitempty"`
	Weakness    string `json:"weakness,omitempty"`
	Variability string `json:"variability,omitempty"`
	Family      string `json:"family,omitempty"` // the type in our words
	Names       string `json:"names,omitempty"`  // the weakness in our words; empty: none
}

// Moments is a posterior mean and its standard deviation, written [mean, sd].
type Moments [2]float64

// ParsePublished decodes the published values of a scenario (Scenario.Published).
func ParsePublished(b []byte) (*Published, error) {
	p := &Published{}
	if err := json.Unmarshal(bytes.Replace(b, []byte(`"verdict":`), []byte(`"classification":`), 1), p); err != nil { // its former name
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

func (p *Published) design(name string) *PublishedDesign {
	if v, ok := p.Design[name]; ok {
		return &v
	}
	return nil
}

func (p *Published) vote(name string) *float64 {
	if p.CTest == nil {
		return nil
	}
	if v, ok := p.CTest.Votes[name]; ok {
		return &v
	}
	return nil
}
