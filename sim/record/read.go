package record

import (
	"fmt"
	"io"
	"io/fs"

	"achilles/sim/part"
)

// Read reads a public directory: manifest, items and, unless there are only scenes, responses, with
// the covariates of subjects if there are any. It verifies the size and
// digest of every file that the manifest lists, and refuses inconsistent data; the error names the file, and the row if
// there is one. It never opens files that the manifest does not list.
func Read(fsys fs.FS) (*Dataset, error) { return read(fsys, true) }

// Tables reads the same as Read, but verifies only the manifest and the tables. This is enough to look at data, but
// not to grade.
func Tables(fsys fs.FS) (*Dataset, error) { return read(fsys, false) }

func read(fsys fs.FS, everything bool) (*Dataset, error) {
	m, err := ReadManifest(fsys)
	if err != nil {
		return nil, err
	}
	d := &Dataset{Manifest: *m}
	if everything {
		for _, f := range m.Files {
			if err := f.Verify(fsys); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range []string{itemsTable, responsesTable} {
		if m.Find(name) == nil && !(name == responsesTable && m.Watched()) {
			return nil, fmt.Errorf("%s: %s%s is not listed", part.ManifestFile, name, tableSuffix)
		}
	}
	if err := m.checkTables(); err != nil {
		return nil, fmt.Errorf("%s: %w", part.ManifestFile, err)
	}
	err = d.read(fsys, itemsTable, func(in io.ReaderAt, size int64) (int, error) {
		it, err := decodeItems(in, size, m.Features)
		if err == nil {
			d.Items = *it
		}
		return d.Items.Len(), err
	})
	if err != nil {
		return nil, err
	}
	if !m.Answered() {
		d.Reasons = []string{""}
		return d, nil
	}
	err = d.read(fsys, responsesTable, func(in io.ReaderAt, size int64) (int, error) {
		err := decodeResponses(in, size, d)
		return d.Responses.Len(), err
	})
	if err == nil && len(m.Covariates) > 0 {
		err = d.read(fsys, subjectsTable, func(in io.ReaderAt, size int64) (int, error) {
			return len(d.Subjects), decodeCovariates(in, size, d)
		})
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// read verifies the file of a table, and calls decode to read it, which returns the number of its rows.
func (d *Dataset) read(fsys fs.FS, name string, decode func(in io.ReaderAt, size int64) (rows int, err error)) error {
	t := d.Manifest.Find(name)
	return t.Files[0].Read(fsys, func(in io.ReaderAt, size int64) error {
		rows, err := decode(in, size)
		if err == nil && t.Rows >= 0 && rows != t.Rows {
			err = fmt.Errorf("%d rows, where %s states %d", rows, part.ManifestFile, t.Rows)
		}
		return err
	})
}
