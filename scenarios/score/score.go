// Package score opens the sealed truth and grades a result against it: recovery, coverage, prediction, verdicts,
// paths and observers. No other package reads both the sealed truth and the result. docs/reference/scoring.md defines
// every number.
package score

import (
	"fmt"
	"sync"

	"achilles/infer"
	"achilles/sim/conf"
	"achilles/sim/record"
)

// Format and Version name the format of scores.json. A reader must refuse any other format and any version that it
// does not know, and ignore top-level keys that it does not know, so that keys can be added.
const (
	Format  = "achilles-scores"
	Version = 2
)

// Scores has the grades of one result. Grades that could not be computed are absent; Notes says why.
type Scores struct {
	Format    string             `json:"format"`
	Version   int                `json:"version"`
	Name      string             `json:"name,omitempty"`   // of the scenario; empty without a sealed part
	Public    string             `json:"public"`           // digest of the public manifest
	Inferred  string             `json:"inferred"`         // digest of the manifest of the result
	Sealed    string             `json:"sealed,omitempty"` // digest of the sealed files
	Layout    infer.LayoutDigest `json:"layout,omitzero"`
	Data      Data               `json:"data"`
	Unblinded bool               `json:"unblinded"` // inferred after the seal was opened; the caller sets it from the ledger
	Notes     []string           `json:"notes,omitempty"`

	NotConfined bool `json:"not_confined,omitempty"` // programs acted or observed that could read what their user can

	Recovery    map[string]map[string]Recovery `json:"recovery,omitempty"`  // block (overall or a group of subjects) → capability
	Drawn       []ParameterRecovery            `json:"simulated,omitempty"` // in the layout's order, subjects' first; nil unless a layout drew the data
	Models      []ModelRecovery                `json:"models,omitempty"`    // in the order of the analysis; nil without one
	Analysis    string                         `json:"analysis,omitempty"`  // digest of the manifest of the analysis
	Patterns    *Share                         `json:"patterns,omitempty"`  // subjects all of whose binary values are told right; nil with fewer than two
	Coverage    *Coverage                      `json:"coverage,omitempty"`
	Prediction  *Predictions                   `json:"prediction,omitempty"`
	Values      map[string]*Values             `json:"values,omitempty"` // by measure: predictions of held-out numbers
	Paths       map[string]PathScore           `json:"paths,omitempty"`  // by paradigm, and Overall
	Verdicts    *Verdicts                      `json:"classifications,omitempty"`
	CTest       *CTest                         `json:"ctest,omitempty"`
	Collectives map[string]Collective          `json:"collectives,omitempty"` // by name
	Takers      []Taker                        `json:"subjects,omitempty"`    // by kind and name; nil if all are of this program
	Diagnostics Diagnostics                    `json:"diagnostics,omitzero"`
	Warnings    []Warning                      `json:"warnings,omitempty"` // sorted, the gravest first
	Apart       string                         `json:"apart,omitempty"`    // that subjects are compared within parts only; empty if responses connect all
	Unranked    string                         `json:"unranked,omitempty"` // why there are no Misses; empty if there are, and where nothing is predicted of subjects
	Source      string                         `json:"published_source,omitempty"`

	Observers          map[string]map[string]ObserverScore `json:"observers,omitempty"`           // observer → kind of episode
	Asked              []Asked                             `json:"language_models,omitempty"`     // observers that are language models, in their order
	PublishedObservers map[string]map[string]float64       `json:"published_observers,omitempty"` // observer → kind of episode → accuracy in per cent
	PublishedAUC       map[string]map[string]float64       `json:"published_auc,omitempty"`       // observer → kind of episode → area under the curve in per cent
	PublishedNearest   map[string]map[string]float64       `json:"published_nearest,omitempty"`   // observer → kind of episode → how often it expects the actor at the nearest object, in per cent
	PublishedVersion   map[string]string                   `json:"published_version,omitempty"`   // observer → version of the publication

	Profiles  []Profile    `json:"-"` // rows of profiles.csv, sorted by subject in natural order, then in the layout's order
	Simulated []Simulated  `json:"-"` // rows of parameters.csv, sorted by parameter in the order of Drawn, then by name
	Units     []infer.Unit `json:"-"` // rows of parameters.csv where no layout drew the data
	Seen      []Seen       `json:"-"` // rows of episodes.csv, sorted by item
	Expected  []Expected   `json:"-"` // rows of expectations.csv, in the order of tasks
	Fits      []infer.Fit  `json:"-"` // rows of fits.csv, in the order of the result

	Misses []Miss         `json:"-"` // rows of misses.csv, the most wrong first
	Why    []*Explanation `json:"-"` // of Misses, in their order, as far as the last that is explained; nil where none is kept (see LeadingMisses) or the response is not found

	indexed sync.Once             // makes warned
	warned  map[string][]*Warning // by subject
}

// Data says how many subjects took how many items, or how many items were watched if Subjects is 0.
type Data struct {
	Subjects  int `json:"subjects"`
	Items     int `json:"items"`
	Responses int `json:"responses"`
	HeldOut   int `json:"held_out"` // scored responses that were kept back for predictions
}

// nameOf returns the name of a scenario, which its text has; "" if it has none. It does not parse the text as a scenario,
// because that may be of an earlier version.
func nameOf(text string) string {
	root, err := conf.Parse("", text)
	if err != nil {
		return ""
	}
	return root.Text("name")
}

func countData(d *record.Dataset) Data {
	out := Data{Subjects: len(d.Subjects), Items: d.Items.Len(), Responses: d.Responses.Len()}
	for _, r := range d.Responses.All() {
		if r.Split == record.HeldOut && r.Unscored == 0 {
			out.HeldOut++
		}
	}
	return out
}

// Run verifies that the public, the inferred and the sealed part belong together. It grades what the result has:
// profiles of subjects that responded, or surprises of observers.
func Run(in Input) (*Scores, error) {
	if err := verify(in); err != nil {
		return nil, err
	}
	s := &Scores{Format: Format, Version: Version, Public: in.Manifest, Inferred: in.Inferred, Layout: in.Result.Settings.Layout, Data: countData(in.Public)}
	s.NotConfined = in.Public.Manifest.NotConfined || in.Result.Settings.NotConfined()
	if in.Sealed != nil {
		s.Sealed, s.Name = in.Sealed.Digest, nameOf(in.Sealed.Scenario)
	}
	key, err := openKey(in)
	if err != nil {
		return nil, err
	}
	s.Source, s.PublishedObservers, s.PublishedAUC = key.published.Source, key.published.Observers, key.published.AUC
	s.PublishedNearest, s.PublishedVersion = key.published.Nearest, key.published.Version
	if len(in.Result.Surprises) > 0 {
		if err := gradeObservers(s, in); err != nil {
			return nil, err
		}
		s.Asked = sumAsked(in.Result.Asked)
	}
	if len(in.Public.Subjects) > 0 {
		err = gradeSubjects(s, in, key)
	}
	return s, err
}

// gradeSubjects grades what was inferred about subjects.
func gradeSubjects(s *Scores, in Input, key *key) error {
	if err := profiles(s, in, key); err != nil {
		return err
	}
	diagnose(s, in.Result)
	if in.Result.Settings.Submitted {
		s.note("submitted by %s: not inferred by this program", s.Layout.Name)
	}
	gradePaths(s, in)
	if in.Sealed == nil || in.Sealed.Parameters == nil {
		s.Units = in.Result.Units
	}
	switch {
	case in.Sealed == nil:
		s.note("no sealed part: only predictions are scored, not recovery and coverage")
	case in.Sealed.Parameters != nil:
		if err := gradeSimulated(s, in, key); err != nil {
			return err
		}
	default:
		gradeRecovery(s, key)
		if err := gradeCoverage(s, in.Result); err != nil {
			return err
		}
	}
	if err := gradeModels(s, in); err != nil {
		return err
	}
	if err := gradeVerdicts(s, in, key); err != nil {
		return err
	}
	gradeTakers(s, in)
	warn(s, in.Result, key)
	if err := gradeVotes(s, in, key); err != nil {
		return err
	}
	if err := gradeValues(s, in, key); err != nil {
		return err
	}
	if err := gradePrediction(s, in, key); err != nil {
		return err
	}
	return gradeMisses(s, in, key)
}

func (s *Scores) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// from returns a sentence that names where published values are from; none if there are no such values.
func (s *Scores) from(published bool) []string {
	if !published || s.Source == "" {
		return nil
	}
	return []string{"Published: " + s.Source + "."}
}

// gradeVotes grades the C-test and the collectives, if there are any.
func gradeVotes(s *Scores, in Input, k *key) error {
	tasks, groups := seriesTasks(&in.Public.Items), false
	if in.Sealed != nil {
		for _, spec := range in.Sealed.Subjects {
			groups = groups || spec.Collective != nil
		}
	}
	if tasks == nil && !groups {
		return nil
	}
	c, err := NewChances(in)
	if err != nil {
		return err
	}
	if tasks != nil {
		if err := gradeCTest(s, in, k, c, tasks); err != nil {
			return err
		}
	}
	if groups {
		return gradeCollectives(s, in, k, c, tasks)
	}
	return nil
}
