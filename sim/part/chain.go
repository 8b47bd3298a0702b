package part

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// The parts of a results directory: a public part commits to a sealed one, from it an inferred part is made, and from all three
// the scores. They are chained by their digests. An analysis has a directory of its own, an item analysis too, and so has a shard,
// whose files are the pieces that it made.
const (
	Public   = "public"
	Sealed   = "sealed"
	Inferred = "inferred"
	Scores   = "scores"
	Analysis = "analysis"
	Items    = "irt"
	Shard    = "shard"
)

// As returns the name of an inferred part beside that called Inferred.
func As(name string) string { return Inferred + "-" + name }

// formatOf returns the format of a part, and the version that this program writes.
func formatOf(name string) (format string, version int) {
	if strings.HasPrefix(name, As("")) {
		name = Inferred
	}
	switch name {
	case Public:
		return "achilles-public", 4
	case Sealed:
		return "achilles-sealed", 2
	case Inferred:
		return "achilles-inferred", 3
	case Scores:
		return "achilles-scores", 2
	case Analysis:
		return "achilles-analysis", 2
	case Items:
		return "achilles-irt", 1
	case Shard:
		return "achilles-shard", 2
	}
	panic("part: no such part")
}

// Of returns the manifest of a part of a results directory, and the files of the part. It verifies every file that the manifest lists,
// and that the parts from which it was made are those that the directory has now. The error begins with the path of the file that is
// wrong.
func Of(dir fs.FS, name string) (*Manifest, fs.FS, error) {
	fsys, err := fs.Sub(dir, name)
	if err != nil {
		return nil, nil, err
	}
	m, err := Read(fsys, name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s/%w", name, err)
	}
	if wrong := m.strangers(dir, name); len(wrong) > 0 {
		return nil, nil, wrong[0]
	}
	return m, fsys, nil
}

// Faults returns the manifest of a part of a results directory, and everything for which Of would refuse the part, with every file that the
// manifest does not list. there has the paths of all files of the part. The manifest is nil if it cannot be read.
func Faults(dir fs.FS, name string, there []string) (m *Manifest, faults []error) {
	fsys, err := fs.Sub(dir, name)
	if err == nil {
		m, err = ReadManifest(fsys, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is missing: the part is incomplete, or an older version of this program wrote it", ManifestFile)
	}
	if err != nil {
		return nil, []error{fmt.Errorf("%s/%w", name, err)}
	}
	for _, err := range m.Faults(fsys, there) {
		faults = append(faults, fmt.Errorf("%s/%w", name, err))
	}
	return m, append(faults, m.strangers(dir, name)...)
}

// strangers returns an error for each part from which a part of that name was made, and which the directory does not have now.
func (m *Manifest) strangers(dir fs.FS, name string) (wrong []error) {
	for _, parent := range slices.Sorted(maps.Keys(m.Parents)) {
		now, err := digestOf(dir, parent)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s/%s: parent %s: %v", name, ManifestFile, parent, err)) // no error of a file of this part
		default:
			if err := m.MadeFrom(name, parent, now); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	return wrong
}

// MadeFrom returns an error unless the part called name, whose manifest m is, was made from the part called parent with a digest.
func (m *Manifest) MadeFrom(name, parent, digest string) error {
	if m.Parents[parent] == digest {
		return nil
	}
	return fmt.Errorf("%s/%s: made from another %s part: %.12s…, and there is %.12s… now", name, ManifestFile, parent, m.Parents[parent], digest)
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
