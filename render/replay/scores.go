package replay

import (
	"errors"
	"io/fs"

	"achilles/scenarios/score"
	"achilles/sim/part"
)

// Scores returns the grades that achilles score has written of these results. It returns nil if there are none, while the seal
// is closed, and also, with a note, if they are damaged or of another result.
func (a *Archive) Scores() *score.Scores {
	if a.graded {
		return a.scores
	}
	if a.graded = true; a.data.Manifest.Parents[part.Sealed] != "" && !a.Unsealed {
		return nil
	}
	s, err := score.Load(a.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		a.note("scores are not shown: %v; rerun achilles score with --force", err)
		return nil
	}
	a.scores = s
	return s
}
