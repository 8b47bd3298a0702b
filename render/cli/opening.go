package cli

import (
	"achilles/infer"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"io/fs"
)

// openResult reads and verifies the inferred part. The error wraps results.ErrNotInferred if there is none.
func openResult(d *results.Dir) (*infer.Result, error) {
	root, err := d.Inferred()
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

// openNamed opens an inferred part by the name of its folder.
func openNamed(d *results.Dir, place string) (*infer.Result, error) {
	_, root, err := d.Part(place)
	if err != nil {
		return nil, err
	}
	return infer.Open(root)
}

// openChecked opens a results directory and verifies everything in it that is not sealed.
func openChecked(dir string) (*results.Dir, error) {
	d, err := results.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// publicOf reads the public part of a results directory that is complete.
func publicOf(dir string) (*record.Dataset, error) {
	d, err := openChecked(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	return record.Read(public)
}

// public reads the public part of a results directory that has no inferred part. The second result has the digest of
// the public manifest.
func public(d *results.Dir) (*record.Dataset, map[string]string, error) {
	root, err := d.Public()
	if err != nil {
		return nil, nil, err
	}
	manifest, err := fs.ReadFile(root, "manifest.json")
	if err != nil {
		return nil, nil, err
	}
	data, err := record.Read(root)
	return data, map[string]string{seal.PublicPart: part.NewFile("", manifest).SHA256}, err
}
