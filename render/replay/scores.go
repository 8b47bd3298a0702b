package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"

	"achilles/scenarios/score"
)

// Scores returns the grades that achilles score has written of these results. It returns nil if there are none, while the seal
// is closed, and also, with a note, if they are damaged or of another result.
func (a *Archive) Scores() *score.Scores {
	if a.graded {
		return a.scores
	}
	if a.graded = true; a.data.Manifest.Sealed != "" && !a.Unsealed {
		return nil
	}
	sub, err := fs.Sub(a.dir, scoresPart)
	if err != nil {
		panic("replay: the name of a part is no path")
	}
	s, err := score.Load(sub)
	if err == nil && (s.Public != a.manifest(publicPart) || s.Inferred != a.manifest(inferredPart)) {
		err = errors.New("they are of other data, or of another inferred part")
	}
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

// manifest returns the digest of the manifest of a part; "" if it cannot be read.
func (a *Archive) manifest(part string) string {
	b, err := fs.ReadFile(a.dir, part+"/manifest.json")
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
