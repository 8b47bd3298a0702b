package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"achilles/sim/part"
)

// Encode returns the manifest and the tables of a public directory, path → content. It is Write in memory, with the
// responses of d; if d has none and there are scenes, there is no table of responses.
func Encode(d *Dataset, others ...part.File) (map[string][]byte, error) {
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
func Write(d *Dataset, rows *Rows, create Create, others ...part.File) error {
	return WriteBeside(d, rows, create, others, func() ([]part.File, error) { return nil, nil })
}

// WriteBeside is Write while some of the other files are still being written. It calls late once, after the tables and before the
// manifest, to get these. late may set d.Manifest.Parents.
func WriteBeside(d *Dataset, rows *Rows, create Create, others []part.File, late func() ([]part.File, error)) error {
	d.Manifest.Manifest = *part.New(part.Public, d.Manifest.Parents, nil)
	d.Manifest.Files = sortFiles(append(d.Manifest.Files, others...))
	if err := d.Manifest.check(); err != nil {
		return fmt.Errorf("%s: %w", part.ManifestFile, err)
	}
	if rows == nil && !d.Manifest.Watched() {
		rows = rowsOf(&Dataset{})
	}
	for _, table := range []struct {
		name  string
		there bool
		write func() (part.Table, error)
	}{
		{itemsTable, true, func() (part.Table, error) { return d.Items.write(d.Manifest.Features, create) }},
		{responsesTable, rows != nil, func() (part.Table, error) { return d.writeResponses(rows, create) }},
		{subjectsTable, len(d.Manifest.Covariates) > 0, func() (part.Table, error) { return d.writeCovariates(create) }},
	} {
		if !table.there {
			continue
		}
		t, err := table.write()
		if err != nil {
			return fmt.Errorf("%s%s: %w", table.name, tableSuffix, err)
		}
		d.Manifest.Tables = append(d.Manifest.Tables, t)
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
	if err := cmp.Or(m.checkTables(), m.check()); err != nil {
		return fmt.Errorf("%s: %w", part.ManifestFile, err)
	}
	m.Settings = part.New(part.Public, nil, m.Schema).Settings
	out, err := create(part.ManifestFile)
	if err != nil {
		return err
	}
	_, err = out.Write(m.Encode())
	return errors.Join(err, out.Close())
}

func sortFiles(files []part.File) []part.File {
	slices.SortFunc(files, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// Watched says whether the directory has scenes; then it need not have responses.
func (m *Manifest) Watched() bool { return len(SceneShards(m)) > 0 }

// Answered says whether the directory has responses.
func (m *Manifest) Answered() bool {
	return m.Find(responsesTable) != nil
}
