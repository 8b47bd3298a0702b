package generatetest

import (
	"bytes"
	"context"
	"io"

	"achilles/scenarios/generate"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
)

// Files publishes a session in memory. It returns the files of the public and of the sealed part, path → content.
func Files(s *generate.Session) (public, sealed map[string][]byte, err error) {
	files, create := InMemory()
	if err := generate.PublishTo(context.Background(), s, 1, nil, create); err != nil {
		return nil, nil, err
	}
	return files[seal.PublicPart], files[seal.SealedPart], nil
}

// Commitment returns the digest of a sealed part, path → content, which the public manifest states.
func Commitment(sealed map[string][]byte) string { return part.Digest(sealed[part.ManifestFile]) }

// InMemory returns a Create that stores files in memory, and the files by part.
func InMemory() (map[string]map[string][]byte, results.Create) {
	files := map[string]map[string][]byte{seal.PublicPart: {}, seal.SealedPart: {}}
	return files, func(part, path string) (io.WriteCloser, error) {
		return &memory{files: files[part], path: path}, nil
	}
}

// A memory is a file in memory. Closing it adds it to files.
type memory struct {
	bytes.Buffer
	files map[string][]byte
	path  string
}

// Close adds the file to files.
func (m *memory) Close() error {
	m.files[m.path] = m.Bytes()
	return nil
}

// EncodeWorlds writes worlds in memory, path → content.
func EncodeWorlds(worlds []record.World) (map[string][]byte, error) {
	files := map[string][]byte{}
	w := record.NewWorldWriter(func(path string) (io.WriteCloser, error) { return &memory{files: files, path: path}, nil })
	for i := range worlds {
		if err := w.Write(&worlds[i]); err != nil {
			return nil, err
		}
	}
	_, err := w.Close()
	return files, err
}
