package score

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/sim"
	"achilles/sim/record"
)

// Open reads the directories that a grading looks at and verifies every digest. The seal is opened last, and only
// where the others belong together; sealed is nil where there is none.
func Open(public, inferred, sealed fs.FS) (Input, error) {
	var in Input
	manifest, err := fs.ReadFile(public, "manifest.json")
	if err != nil {
		return in, fmt.Errorf("public: %w", err)
	}
	sum := sha256.Sum256(manifest)
	in.Manifest = hex.EncodeToString(sum[:])
	if in.Public, err = record.Read(public); err != nil {
		return in, err
	}
	if in.Result, err = infer.Open(inferred); err != nil {
		return in, err
	}
	if err := verify(in); err != nil || sealed == nil {
		return in, err
	}
	if in.Public.Manifest.Sealed == "" {
		return in, errUncommitted
	}
	in.Sealed, err = sim.OpenSealed(sealed, in.Public.Manifest.Sealed)
	return in, err
}

var errUncommitted = errors.New("score: public/manifest.json commits to no sealed part, so this one cannot be verified")
