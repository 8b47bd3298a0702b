package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// NewFile returns the description of a file with this content.
func NewFile(path string, data []byte) File {
	sum := sha256.Sum256(data)
	return File{Path: path, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// Encode returns the manifest and the tables of a public directory, path → content, and sets d.Manifest.Files. others
// are the files of worlds, trajectories and scenes, which must have been written before (EncodeWorlds,
// TrajectoryWriter, EncodeSceneShard). If there are scenes and no responses, there is no table of responses. Equal data
// sets give equal bytes. Encode returns an error for a data set that Read would refuse.
func Encode(d *Dataset, others ...File) (map[string][]byte, error) {
	d.Manifest.Format, d.Manifest.Version = Format, Version
	d.Manifest.Files = sortFiles(slices.Clone(others))
	if err := d.Manifest.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	items, err := encodeItems(&d.Items, d.Manifest.Features)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", itemsFile, err)
	}
	files := map[string][]byte{itemsFile: items}
	if len(d.Responses) > 0 || !d.Manifest.Watched() {
		if files[responsesFile], err = encodeResponses(d); err != nil {
			return nil, fmt.Errorf("%s: %w", responsesFile, err)
		}
	}
	if len(d.Manifest.Covariates) > 0 {
		if files[subjectsFile], err = encodeCovariates(d); err != nil {
			return nil, fmt.Errorf("%s: %w", subjectsFile, err)
		}
	}
	for name, data := range files {
		d.Manifest.Files = append(d.Manifest.Files, NewFile(name, data))
	}
	sortFiles(d.Manifest.Files)
	if err := d.Manifest.checkTables(); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	if files[manifestFile], err = d.Manifest.encode(); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	return files, nil
}

func sortFiles(files []File) []File {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// Watched says whether the directory has scenes; then it need not have responses.
func (m *Manifest) Watched() bool { return len(SceneShards(m)) > 0 }

// Answered says whether the directory has responses.
func (m *Manifest) Answered() bool {
	return slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == responsesFile })
}
