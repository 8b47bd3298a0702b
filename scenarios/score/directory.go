package score

import (
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/table"
)

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
	if err != nil || !unseal || !d.Has(seal.SealedPart) {
		return &in, err
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return nil, err
	}
	return &in, in.Unseal(sealed)
}

// grade grades the input, and adds whether the ledger of d says that the result is unblinded.
func (in *Input) grade(d *results.Dir, published *Published) (*Scores, error) {
	in.Published = published
	s, err := Run(*in)
	if err != nil {
		return nil, err
	}
	s.Unblinded, err = d.Unblinded(in.Inferred)
	return s, err
}

// Grade opens the seal of a results directory, grades the inferred part and writes the scores, with a file that csv makes
// of each table. It uses published if the sealed part has no published values; published may be nil. If the directory has
// other scores, it replaces them if force is true, and else returns an error.
func Grade(d *results.Dir, published *Published, force bool, csv func(*table.Table) []byte) (*Scores, error) {
	in, err := openDir(d, true)
	if err != nil {
		return nil, err
	}
	s, err := in.grade(d, published)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(csv)
	if err != nil {
		return nil, err
	}
	return s, d.PutScores(files, in.Digests(), force)
}

// Digests returns the digests of the parts that were read, by part, as ledger entries have them.
func (in *Input) Digests() map[string]string {
	read := map[string]string{seal.PublicPart: in.Manifest, seal.InferredPart: in.Inferred}
	if in.Sealed != nil {
		read[seal.SealedPart] = in.Sealed.Digest
	}
	return read
}
