package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// NewFile returns the description of a file with this content.
func NewFile(path string, data []byte) File {
	sum := sha256.Sum256(data)
	return File{Path: path, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:])}
}

// Encode returns the manifest and the tables of a public directory, path → content. It is Write in memory, with the
// responses of d; if d has none and there are scenes, there is no table of responses.
func Encode(d *Dataset, others ...File) (map[string][]byte, error) {
	var rows *Rows
	if d.Responses.Len() > 0 {
		rows = rowsOf(d)
	}
	files := map[string][]byte{}
	err := Write(d, rows, func(path string) (io.WriteCloser, error) { return &memory{files: files, path: path}, nil }, others...)
	if err != nil {
		return nil, err
	}
	return files, nil
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

// Write writes the tables of a public directory and then its manifest, and sets d.Manifest.Files. The responses are those
// of rows; d.Responses is not looked at. rows may be nil if there are scenes. others are the files of worlds, trajectories
// and scenes, which must have been written before (WorldWriter, TrajectoryWriter, EncodeSceneShard). Equal data give equal
// bytes. Write returns an error for data that Read would refuse.
func Write(d *Dataset, rows *Rows, create Create, others ...File) error {
	return WriteBeside(d, rows, create, others, func() ([]File, error) { return nil, nil })
}

// WriteBeside is Write while some of the other files are still being written. It calls late once, after the tables and before the
// manifest, to get these. late may set d.Manifest.Sealed.
func WriteBeside(d *Dataset, rows *Rows, create Create, others []File, late func() ([]File, error)) error {
	d.Manifest.Format, d.Manifest.Version = Format, Version
	d.Manifest.Files = sortFiles(slices.Clone(others))
	if err := d.Manifest.check(); err != nil {
		return fmt.Errorf("%s: %w", manifestFile, err)
	}
	if rows == nil && !d.Manifest.Watched() {
		rows = rowsOf(&Dataset{})
	}
	for _, table := range []struct {
		path  string
		there bool
		write func() (File, error)
	}{
		{itemsFile, true, func() (File, error) { return d.Items.write(d.Manifest.Features, create) }},
		{responsesFile, rows != nil, func() (File, error) { return d.writeResponses(rows, create) }},
		{subjectsFile, len(d.Manifest.Covariates) > 0, func() (File, error) { return d.writeCovariates(create) }},
	} {
		if !table.there {
			continue
		}
		f, err := table.write()
		if err != nil {
			return fmt.Errorf("%s: %w", table.path, err)
		}
		d.Manifest.Files = append(d.Manifest.Files, f)
	}
	files, err := late()
	if err != nil {
		return err
	}
	d.Manifest.Files = append(d.Manifest.Files, files...)
	return d.Manifest.write(create)
}

// write writes the manifest, which it sorts and checks.
func (m *Manifest) write(create Create) error {
	sortFiles(m.Files)
	err := m.checkTables()
	if err != nil {
		return fmt.Errorf("%s: %w", manifestFile, err)
	}
	text, err := m.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", manifestFile, err)
	}
	out, err := create(manifestFile)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return errors.Join(err, out.Close())
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
