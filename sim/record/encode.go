package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// NewFile describes a file of that content.
func NewFile(path string, data []byte) File {
	sum := sha256.Sum256(data)
	return File{Path: path, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// Encode returns the manifest and the tables of a public directory, path → content, and sets d.Manifest.Files.
// Others are the files of worlds and trajectories, which have been written already (EncodeWorlds, TrajectoryWriter).
// The same data set gives the same bytes. Encode refuses a data set that Read would refuse.
func Encode(d *Dataset, others ...File) (map[string][]byte, error) {
	d.Manifest.Format, d.Manifest.Version = Format, Version
	d.Manifest.Files = nil
	if err := d.Manifest.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	items, err := encodeItems(&d.Items, d.Manifest.Features)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", itemsFile, err)
	}
	responses, err := encodeResponses(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", responsesFile, err)
	}
	d.Manifest.Files = append(slices.Clone(others), NewFile(itemsFile, items), NewFile(responsesFile, responses))
	slices.SortFunc(d.Manifest.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	manifest, err := d.Manifest.encode()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	return map[string][]byte{manifestFile: manifest, itemsFile: items, responsesFile: responses}, nil
}
