package part

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// The parts of a results directory: a public part commits to a sealed one, from it an inferred part is made, and from all three
// the scores. They are chained by their digests. An analysis has a directory of its own, and so has a shard,
// whose files are the pieces that it made.
const (
	Public   = "public"
	Sealed   = "sealed"
	Inferred = "inferred"
	Scores   = "scores"
	Analysis = "analysis"
	Shard    = "shard"
)

// formatOf returns the format of a part, and the version that this program writes.
func formatOf(name string) (format string, version int) {
	switch name {
	case Public:
		return "achilles-public", 3
	case Inferred:
		return "achilles-inferred", 3
	case Scores:
		return "achilles-scores", 2
	case Analysis:
		return "achilles-analysis", 2
	case Shard:
		return "achilles-shard", 2
	}
	panic("part: no such part")
}

// Of returns the manifest of the inferred part or of the scores in a results directory, and the files of the part. It verifies
// every file, and that the parts from which it was made are those that the directory has now. The error begins with the path of
// the file that is wrong.
func Of(dir fs.FS, name string) (*Manifest, fs.FS, error) {
	fsys, err := fs.Sub(dir, name)
	if err != nil {
		return nil, nil, err
	}
	m, err := Read(fsys, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s/%w", name, err)
	}
	for _, parent := range slices.Sorted(maps.Keys(m.Parents)) {
		now, err := digestOf(dir, parent)
		if err != nil {
			return nil, nil, fmt.Errorf("%s/%s: parent %s: %v", name, ManifestFile, parent, err) // no error of a file of this part
		}
		if now != m.Parents[parent] {
			return nil, nil, fmt.Errorf("%s/%s: made from another %s part: %.12s…, where %.12s… is there now", name, ManifestFile, parent, m.Parents[parent], now)
		}
	}
	return m, fsys, nil
}

// digestOf returns the digest of a part: that of its manifest, or of the sealed part the one to which the public part commits.
func digestOf(dir fs.FS, name string) (string, error) {
	if name == Sealed {
		public, err := fs.Sub(dir, Public)
		if err != nil {
			return "", err
		}
		m, err := ReadManifest(public, Public)
		if err != nil {
			return "", err
		}
		return m.Parents[Sealed], nil
	}
	b, err := fs.ReadFile(dir, name+"/"+ManifestFile)
	return Digest(b), err
}
