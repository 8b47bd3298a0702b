package score

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

var errUncommitted = errors.New("score: public/manifest.json commits to no sealed part, so this one cannot be verified")

// Open reads a public and an inferred directory. It verifies every digest, and that the inferred directory was made
// from the public one. It does not open the seal.
func Open(public, inferred fs.FS) (in Input, err error) {
	if in.Manifest, err = manifestDigest(public); err != nil {
		return in, fmt.Errorf("public: %w", err)
	}
	if in.Public, err = record.Read(public); err != nil {
		return in, err
	}
	if in.Inferred, err = manifestDigest(inferred); err != nil {
		return in, fmt.Errorf("inferred: %w", err)
	}
	if in.Result, err = infer.Open(inferred); err != nil {
		return in, err
	}
	return in, verify(in)
}

// Unseal reads the sealed directory and verifies it against the commitment of the public one. The caller must record in
// the ledger that it was read, before it shows the scores: whatever is inferred from these data afterwards is
// unblinded. Of items that no grade is about, it forgets the truth.
func (in *Input) Unseal(sealed fs.FS) (err error) {
	if in.Public.Manifest.Parents[part.Sealed] == "" {
		return errUncommitted
	}
	if in.Sealed, err = seal.Open(sealed, in.Public.Manifest.Parents[part.Sealed]); err != nil {
		return err
	}
	if in.Sealed.Parameters == nil && !in.Public.Manifest.Watched() {
		in.Sealed.Items = nil // only drawn parameters and what observers watch have grades by item, and a million names take 200 MB
	}
	return nil
}

func manifestDigest(dir fs.FS) (string, error) {
	b, err := fs.ReadFile(dir, "manifest.json")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
