package part

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"achilles/sim/record"
)

// The parts of a results directory: a public part commits to a sealed one, from it an inferred part is made, and from all three
// the scores. They are chained by their digests.
const (
	Public   = "public"
	Sealed   = "sealed"
	Inferred = "inferred"
	Scores   = "scores"
)

// The formats of parts whose manifests have the form of Manifest, and the versions that this program writes.
const (
	InferredFormat  = "achilles-inferred"
	InferredVersion = 3
	ScoresFormat    = "achilles-scores"
	ScoresVersion   = 2
)

// Of returns the manifest of the inferred part or of the scores in a results directory, and the files of the part. It verifies
// every file, and that the parts from which it was made are those that the directory has now. The error begins with the path of
// the file that is wrong.
func Of(dir fs.FS, name string) (*Manifest, fs.FS, error) {
	fsys, err := fs.Sub(dir, name)
	if err != nil {
		return nil, nil, err
	}
	m, err := Read(fsys, formatOf(name), versionOf(name))
	if err != nil {
		return nil, nil, fmt.Errorf("%s/%w", name, err)
	}
	for _, parent := range slices.Sorted(maps.Keys(m.Parents)) {
		now, err := digestOf(dir, parent)
		if err != nil {
			return nil, nil, fmt.Errorf("%s/%s: parent %s: %v", name, File, parent, err) // no error of a file of this part
		}
		if now != m.Parents[parent] {
			return nil, nil, fmt.Errorf("%s/%s: made from another %s part: %.12s…, where %.12s… is there now", name, File, parent, m.Parents[parent], now)
		}
	}
	return m, fsys, nil
}

func formatOf(name string) string {
	switch name {
	case Inferred:
		return InferredFormat
	case Scores:
		return ScoresFormat
	}
	panic("part: neither the inferred part nor the scores")
}

func versionOf(name string) int {
	if name == Inferred {
		return InferredVersion
	}
	return ScoresVersion
}

// digestOf returns the digest of a part: that of its manifest, or of the sealed part the one to which the public part commits.
func digestOf(dir fs.FS, name string) (string, error) {
	if name == Sealed {
		public, err := fs.Sub(dir, Public)
		if err != nil {
			return "", err
		}
		m, err := record.ReadManifest(public)
		if err != nil {
			return "", err
		}
		return m.Sealed, nil
	}
	b, err := fs.ReadFile(dir, name+"/"+File)
	return record.NewFile(File, b).SHA256, err
}
