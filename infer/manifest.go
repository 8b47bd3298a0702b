package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"

	"achilles/infer/layout"
	"achilles/sim/part"
	"achilles/sim/record"
)

const unitsFile = "parameters.parquet"

// A LayoutDigest names a layout by its text.
type LayoutDigest struct {
	Name    string          `json:"name"`
	SHA256  string          `json:"sha256"`
	Walking *layout.Walking `json:"walking,omitempty"` // section [walking] of the layout; absent if it has none
}

// DigestOf returns the digest of a layout's text.
func DigestOf(l *layout.Layout) LayoutDigest {
	return LayoutDigest{Name: l.Name, SHA256: digest([]byte(l.Text)), Walking: l.Walking}
}

// Expect returns the manifest that Run would give, without its tables and files: two runs with equal manifests give equal bytes.
func Expect(from fs.FS, j Job) (*part.Manifest, error) {
	digest, s, err := expect(from, &j)
	if err != nil {
		return nil, err
	}
	return s.manifest(digest), nil
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
	return digest(raw), s, err
}

// manifest returns the manifest of a part without tables and files, made from a public part whose manifest has the digest parent.
func (s *Settings) manifest(parent string) *part.Manifest {
	return part.New(part.Inferred, map[string]string{part.Public: parent}, s)
}

// key returns the digest of everything that the stored partial results depend on. Results stored under another key
// are not reused.
func (s Settings) key(parent string) string {
	s.Outside = nil // no stored result depends on external observers
	return digest(append(s.manifest(parent).Encode(), pieceForm...))
}

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
