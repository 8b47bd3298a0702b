// Package score opens the sealed truth and grades a result against it: recovery, coverage, prediction. It is the only
// package that sees both. It reads values and returns bytes; docs/reference/scoring.md says what every number means.
package score

import (
	"fmt"

	"achilles/infer"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// Format and Version name the format of scores.json. A reader refuses any other format, and any version it does not
// know; it ignores top-level keys that it does not know, which later stages add.
const (
	Format  = "achilles-scores"
	Version = 1
)

// An Input is what a grading looks at: Open and Unseal read one from directories.
type Input struct {
	Public    *record.Dataset
	Manifest  string        // SHA-256, in hex, of the bytes of public/manifest.json
	Inferred  string        // SHA-256, in hex, of the bytes of inferred/manifest.json: the result's name in the ledger
	Result    *infer.Result // as infer.Open returned it
	Sealed    *seal.Truth   // nil where there is no truth to unseal
	Published *Published    // values to print beside ours where no sealed part has any; may be nil
}

// Scores are the grades of one result. What could not be graded is absent, and Notes say why.
type Scores struct {
	Format    string             `json:"format"`
	Version   int                `json:"version"`
	Public    string             `json:"public"`           // digest of the public manifest
	Inferred  string             `json:"inferred"`         // digest of the manifest of the result
	Sealed    string             `json:"sealed,omitempty"` // digest of the sealed files
	Layout    infer.LayoutDigest `json:"layout,omitzero"`
	Unblinded bool               `json:"unblinded"` // inferred after the seal was opened; filled in from the ledger by the caller
	Notes     []string           `json:"notes,omitempty"`

	Recovery    map[string]map[string]Recovery `json:"recovery,omitempty"` // block (overall or a group of subjects) → capability
	Coverage    *Coverage                      `json:"coverage,omitempty"`
	Prediction  *Predictions                   `json:"prediction,omitempty"`
	Paths       map[string]PathScore           `json:"paths,omitempty"` // paradigm, and overall
	Verdicts    *Verdicts                      `json:"verdicts,omitempty"`
	CTest       *CTest                         `json:"ctest,omitempty"`
	Collectives map[string]Collective          `json:"collectives,omitempty"` // by name
	Diagnostics Diagnostics                    `json:"diagnostics,omitzero"`
	Warnings    []Warning                      `json:"warnings,omitempty"` // the gravest first
	Source      string                         `json:"published_source,omitempty"`

	Observers          map[string]map[string]ObserverScore `json:"observers,omitempty"`           // observer → kind of episode
	PublishedObservers map[string]map[string]float64       `json:"published_observers,omitempty"` // observer → kind of episode → accuracy in per cent

	Profiles []Profile `json:"-"` // profiles.csv: sorted by subject in natural order, then in the layout's order
	Seen     []Seen    `json:"-"` // episodes.csv: sorted by item
}

// Diagnostics are the worst of each diagnostic over all fits.
type Diagnostics struct {
	Fits        int      `json:"fits"`
	Divergences int      `json:"divergences"`
	WorstRHat   *float64 `json:"worst_rhat,omitempty"`
	MinESSBulk  *float64 `json:"min_ess_bulk,omitempty"`
	Replaced    int      `json:"replaced"` // fits whose chains disagreed, replaced by the mode-moving engine
	Warned      int      `json:"warned"`   // fits with a warning
}

// Run verifies that the public data, the result and the sealed part belong together and grades what the result has: the
// profiles of subjects that responded, and the surprises of observers.
func Run(in Input) (*Scores, error) {
	if err := verify(in); err != nil {
		return nil, err
	}
	s := &Scores{Format: Format, Version: Version, Public: in.Manifest, Inferred: in.Inferred, Layout: in.Result.Manifest.Layout}
	if in.Sealed != nil {
		s.Sealed = in.Sealed.Digest
	}
	key, err := openKey(in)
	if err != nil {
		return nil, err
	}
	s.Source, s.PublishedObservers = key.published.Source, key.published.Observers
	if len(in.Result.Surprises) > 0 {
		if err := s.gradeObservers(in); err != nil {
			return nil, err
		}
	}
	if len(in.Public.Subjects) > 0 {
		err = s.gradeSubjects(in, key)
	}
	return s, err
}

// gradeSubjects grades profiles, predictions and verdicts.
func (s *Scores) gradeSubjects(in Input, key *key) error {
	if err := s.profiles(in, key); err != nil {
		return err
	}
	s.diagnose(in.Result)
	s.gradePaths(in)
	if in.Sealed != nil {
		s.gradeRecovery(key)
		s.gradeCoverage(in.Result)
	} else {
		s.note("no sealed part: recovery and coverage are not graded, predictions are")
	}
	if err := s.gradeVerdicts(in, key); err != nil {
		return err
	}
	s.warn(in.Result, key)
	if err := s.gradeVotes(in, key); err != nil {
		return err
	}
	return s.gradePrediction(in, key)
}

func (s *Scores) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

// diagnose sums up the fits.
func (s *Scores) diagnose(r *infer.Result) {
	d := r.Diagnostics
	s.Diagnostics = Diagnostics{
		Fits: len(d.Fits), Divergences: d.Divergences, WorstRHat: d.WorstRHat, MinESSBulk: d.MinESSBulk, Replaced: d.Replaced,
	}
	for _, f := range d.Fits {
		if len(f.Warnings) > 0 {
			s.Diagnostics.Warned++
		}
	}
}
