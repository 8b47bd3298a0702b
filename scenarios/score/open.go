package score

import (
	"errors"
	"fmt"
	"io/fs"

	"achilles/infer"
	"achilles/infer/analysis"
	"achilles/infer/layout"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// An Input has everything that a grading reads. Open and Unseal fill it from directories.
type Input struct {
	Public    *record.Dataset
	Manifest  string          // SHA-256, in hex, of the bytes of public/manifest.json
	Inferred  string          // SHA-256, in hex, of the bytes of inferred/manifest.json: the result's name in the ledger
	Result    *infer.Result   // result of infer.Open
	Sealed    *seal.Truth     // nil if the seal is not opened
	Published *Published      // values to print beside ours if the sealed part has none; may be nil
	Analysis  *Analysed       // models to grade, too; nil: none
	Layouts   *layout.Library // nil: each is parsed where it is needed
}

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
	b, err := fs.ReadFile(dir, part.ManifestFile)
	if err != nil {
		return "", err
	}
	return part.Digest(b), nil
}

// verify checks that the inferred part was made from the public part, and that the sealed part is the one to which
// the public part commits.
func verify(in Input) error {
	if err := in.Result.Manifest.MadeFrom(seal.InferredPart, seal.PublicPart, in.Manifest); err != nil || in.Sealed == nil {
		return err
	}
	if in.Public.Manifest.Parents[part.Sealed] == "" {
		return errUncommitted
	}
	return in.Public.Manifest.MadeFrom(seal.PublicPart, seal.SealedPart, in.Sealed.Digest)
}

// openDir reads and verifies the public and the inferred part of a results directory. If unseal is true, it opens the
// sealed part as well, if there is one.
func openDir(d *results.Dir, unseal bool) (*Input, error) {
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	inferred, err := d.Inferred()
	if err != nil {
		return nil, err
	}
	in, err := Open(public, inferred)
	if err != nil {
		if _, _, bad := d.Part(seal.InferredPart); bad != nil { // says where, and the command that makes it anew
			err = bad
		}
		return nil, err
	}
	if !unseal || !d.Has(seal.SealedPart) {
		return &in, err
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return nil, err
	}
	return &in, in.Unseal(sealed)
}

// Digests returns the digests of the parts that were read, by part, as ledger entries have them.
func (in *Input) Digests() map[string]string {
	read := map[string]string{seal.PublicPart: in.Manifest, seal.InferredPart: in.Inferred}
	if in.Sealed != nil {
		read[seal.SealedPart] = in.Sealed.Digest
	}
	return read
}

// An Analysed is an analysis of the public part, whose models' traits are graded against what a layout drew.
type Analysed struct {
	Document *analysis.Document
	Public   string // digest of the public manifest of the data that it describes
	Digest   string // SHA-256, in hex, of its manifest
}
