package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	listed := map[string]File{}
	for _, f := range m.Files {
		listed[f.Path] = f
		table := f.Path == itemsFile || f.Path == responsesFile || f.Path == subjectsFile
		if everything && !table {
			if err := f.Verify(fsys); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range []string{itemsFile, responsesFile} {
		if _, ok := listed[name]; !ok && !(name == responsesFile && m.Watched()) {
			return nil, fmt.Errorf("%s: %s is not listed", manifestFile, name)
		}
	}
	if err := m.checkTables(); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	err = listed[itemsFile].read(fsys, func(in io.ReaderAt, size int64) error {
		it, err := decodeItems(in, size, m.Features)
		if err == nil {
			d.Items = *it
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, ok := listed[responsesFile]; !ok {
		d.Reasons = []string{""}
		return d, nil
	}
	if err := listed[responsesFile].read(fsys, func(in io.ReaderAt, size int64) error { return decodeResponses(in, size, d) }); err != nil {
		return nil, err
	}
	if len(m.Covariates) > 0 {
		if err := listed[subjectsFile].read(fsys, func(in io.ReaderAt, size int64) error { return decodeCovariates(in, size, d) }); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// A Damaged error says that a file is not what the manifest states: cut short, changed since it was written, or
// missing.
type Damaged struct {
	Path string // path in the manifest
	Why  error
}

func (d *Damaged) Error() string { return d.Path + ": " + d.Why.Error() }

// Unwrap returns the reason; it wraps fs.ErrNotExist if the file is missing.
func (d *Damaged) Unwrap() error { return d.Why }

// Verify checks every file that the manifest lists. The error is a *Damaged if a file is not what the manifest states.
func (m *Manifest) Verify(fsys fs.FS) error {
	for _, f := range m.Files {
		if err := f.Verify(fsys); err != nil {
			return err
		}
	}
	return nil
}

// Verify checks that the file has the stated size and digest. The error is a *Damaged if it has not.
func (f File) Verify(fsys fs.FS) error { return f.copy(fsys, io.Discard) }

// copy copies the file to out. It computes size and digest from the bytes that it writes to out, so that the file
// cannot change between the check and the copy.
func (f File) copy(fsys fs.FS, out io.Writer) error {
	damaged := func(format string, args ...any) error { return &Damaged{f.Path, fmt.Errorf(format, args...)} }
	in, err := fsys.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return damaged("%w, though the manifest lists it", fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(h, out), io.LimitReader(in, f.Bytes+1))
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if n < f.Bytes {
		return damaged("truncated: %d bytes of the %d that the manifest states", n, f.Bytes)
	}
	if n > f.Bytes {
		return damaged("longer than the %d bytes that the manifest states", f.Bytes)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != f.SHA256 {
		return damaged("changed since it was written: SHA-256 is %s, the manifest states %s", got, f.SHA256)
	}
	return nil
}
