package infer

import (
	"encoding/json"
	"fmt"
	"io/fs"

	"achilles/sim/part"
	"achilles/sim/record"
)

const unitsFile = "parameters.parquet"

// Expect returns the manifest that Run would give, without its tables and files: two runs with equal manifests give equal bytes.
func Expect(from fs.FS, j Job) (*part.Manifest, error) {
	parent, s, err := expect(from, &j)
	if err != nil {
		return nil, err
	}
	return s.manifest(parent), nil
}

// expect returns the digest of the manifest of a public part, and the settings that a result depends on.
func expect(from fs.FS, j *Job) (parent string, s Settings, err error) {
	raw, err := fs.ReadFile(from, part.ManifestFile)
	if err != nil {
		return "", s, fmt.Errorf("public: %w", err)
	}
	m, err := record.ReadManifest(from)
	if err != nil {
		return "", s, err
	}
	if err := j.Check(m.Answered(), m.Watched()); err != nil {
		return "", s, err
	}
	s, err = j.used(m.Answered(), m.Watched())
	return part.Digest(raw), s, err
}

// manifest returns the manifest of a part without tables and files, made from a public part whose manifest has the digest parent.
func (s *Settings) manifest(parent string) *part.Manifest {
	return part.New(part.Inferred, map[string]string{part.Public: parent}, s)
}

// key returns the digest of everything that the stored partial results depend on. Results stored under another key
// are not reused.
func (s Settings) key(parent string) string {
	s.Outside = nil // no stored result depends on external observers
	return part.Digest(append(s.manifest(parent).Encode(), pieceForm...))
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}

// Names of the tables that are written while the fits are read.
const (
	averagedFile    = "averaged.parquet"
	drawsFile       = "draws.parquet"
	predictionsFile = "predictions.parquet"
	samplerFile     = "sampler.parquet"
)
