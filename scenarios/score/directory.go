package score

import (
	"errors"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
)

// openDir reads and verifies what a results directory holds, and opens the seal where there is one.
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
	if err != nil || !unseal || !d.Has(seal.SealedPart) {
		return &in, err
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return nil, err
	}
	return &in, in.Unseal(sealed)
}

// grade grades what was opened.
func (in *Input) grade(d *results.Dir, published *Published) (*Scores, error) {
	in.Published = published
	s, err := Run(*in)
	if err != nil {
		return nil, err
	}
	s.Unblinded, err = d.Unblinded(in.Inferred)
	return s, err
}

// Grade opens the seal of a results directory, grades what was inferred and writes the scores. Published values are
// printed beside ours where the sealed part has none; they may be nil. Other scores are replaced under force only.
func Grade(d *results.Dir, published *Published, force bool) (*Scores, error) {
	in, err := openDir(d, true)
	if err != nil {
		return nil, err
	}
	s, err := in.grade(d, published)
	if err != nil {
		return nil, err
	}
	files, err := s.Files()
	if err != nil {
		return nil, err
	}
	return s, d.PutScores(files, in.Digests(), force)
}

// Known returns what may be known of a results directory, and its grades: the truth is among it only where scores say that
// it was opened before. Both are nil where nothing is inferred yet.
func Known(d *results.Dir, published *Published) (*Input, *Scores, error) {
	in, err := openDir(d, d.Has(seal.ScoresPart))
	if errors.Is(err, results.ErrNotInferred) && !d.Has(seal.ScoresPart) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	s, err := in.grade(d, published)
	return in, s, err
}

// Digests are those of the parts that in was read from, as a ledger has them.
func (in *Input) Digests() map[string]string {
	read := map[string]string{seal.PublicPart: in.Manifest, seal.InferredPart: in.Inferred}
	if in.Sealed != nil {
		read[seal.SealedPart] = in.Sealed.Digest
	}
	return read
}
