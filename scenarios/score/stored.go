package score

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// rowsFile has the grades with the rows behind them, as report, figures and viewer read them. scores.json has the grades
// alone, for people's scripts.
const rowsFile = "rows.json"

// A stored is the content of rowsFile: the grades, and what scores.json leaves out.
type stored struct {
	Scores    *Scores      `json:"scores"`
	Profiles  []Profile    `json:"profiles,omitempty"`
	Simulated []Simulated  `json:"simulated,omitempty"`
	Units     []infer.Unit `json:"parameters,omitempty"`
	Seen      []Seen       `json:"seen,omitempty"`
	Expected  []Expected   `json:"expected,omitempty"`
	Fits      []infer.Fit  `json:"fits,omitempty"`
	Verdicts  []VerdictRow `json:"classifications,omitempty"`
	Misses    []Miss       `json:"misses,omitempty"`

	Why []*Explanation `json:"why,omitempty"`
}

// rows returns the content of rowsFile. The error says that a number is NaN or infinite.
func rows(s *Scores) ([]byte, error) {
	out := stored{Scores: s, Profiles: s.Profiles, Simulated: s.Simulated, Units: s.Units, Seen: s.Seen, Expected: s.Expected, Fits: s.Fits, Misses: s.Misses, Why: s.Why}
	if s.Verdicts != nil {
		out.Verdicts = s.Verdicts.Rows
	}
	b, err := json.Marshal(out)
	return append(b, '\n'), err
}

// ErrNotScored says that a results directory has no scores.
var ErrNotScored = errors.New("not scored yet")

// Stored returns the public and the inferred part of a results directory, and the grades that score wrote. It opens no
// seal and grades nothing. Both results are nil if the directory has no inferred part. Without scores the second is nil. The error is
// a results.Hint with the command that makes the scores anew if they are of another result, of an older version of the program, or damaged.
func Stored(d *results.Dir) (*Input, *Scores, error) {
	in, err := openDir(d, false)
	if errors.Is(err, results.ErrNotInferred) && !d.Has(seal.ScoresPart) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !d.Has(seal.ScoresPart) {
		return in, nil, nil
	}
	_, fsys, err := OpenScores(d)
	if err != nil {
		return in, nil, err
	}
	s, err := Graded(fsys)
	if err != nil {
		return in, nil, results.Hinted(fmt.Errorf("%s: %w", d.Path(seal.ScoresPart), err), "rerun achilles score %s --force", d)
	}
	return in, s, nil
}

// OpenScores returns the manifest of the scores of a directory, and their files, all of which it has verified. The error is a
// results.Hint if there are none, or if they are damaged, of another result or of an older version of the program.
func OpenScores(d *results.Dir) (*part.Manifest, fs.FS, error) {
	if !d.Has(seal.ScoresPart) {
		return nil, nil, results.Hinted(fmt.Errorf("%s: %w", d, ErrNotScored), "achilles score %s", d)
	}
	return d.Part(seal.ScoresPart)
}

// Load reads the grades in a results directory. It verifies their files, and that they are of the parts that are there. The error
// wraps fs.ErrNotExist if there are none.
func Load(dir fs.FS) (*Scores, error) {
	_, fsys, err := part.Of(dir, part.Scores)
	if err != nil {
		return nil, err
	}
	return Graded(fsys)
}

// Graded reads the grades in the files of OpenScores.
func Graded(fsys fs.FS) (*Scores, error) {
	b, err := fs.ReadFile(fsys, rowsFile)
	if err != nil {
		return nil, err
	}
	s, err := restore(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rowsFile, err)
	}
	return s, nil
}

// restore returns the scores that rows wrote.
func restore(rows []byte) (*Scores, error) {
	var out stored
	if err := json.Unmarshal(rows, &out); err != nil {
		return nil, err
	}
	if out.Scores != nil && out.Scores.Version < Version {
		out = stored{}
		if err := json.Unmarshal(compare.Renew(rows), &out); err != nil {
			return nil, err
		}
	}
	s := out.Scores
	if s == nil {
		return nil, errors.New("no scores")
	}
	s.Profiles, s.Simulated, s.Units, s.Seen, s.Expected, s.Fits = out.Profiles, out.Simulated, out.Units, out.Seen, out.Expected, out.Fits
	s.Misses, s.Why = out.Misses, out.Why
	if s.Verdicts != nil {
		s.Verdicts.Rows = out.Verdicts
	}
	return s, nil
}

// Read returns the digests of the parts that were read for the scores, by part, as ledger entries have them.
func (s *Scores) Read() map[string]string {
	read := map[string]string{seal.PublicPart: s.Public, seal.InferredPart: s.Inferred}
	if s.Sealed != "" {
		read[seal.SealedPart] = s.Sealed
	}
	return read
}
