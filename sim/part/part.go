// Package part has the manifest of a part of a results directory: what it was made from, the tables that it has, with all
// that their columns mean, and every file with its digest. It opens no path: it reads from a file system that it is handed.
package part

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"achilles/sim/table"
)

// ManifestFile is the name of the manifest in a part.
const ManifestFile = "manifest.json"

// ErrFormat says that a part is of a format or version that the reader does not know.
var ErrFormat = errors.New("another format")

// maxManifest is the largest size of a manifest, in bytes.
const maxManifest = 64 << 20

// A Manifest describes a part.
type Manifest struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Parents  map[string]string `json:"parents"`            // digests of the parts that this one was made from, by name
	Settings json.RawMessage   `json:"settings,omitempty"` // an object: the settings that the part depends on
	Tables   []Table           `json:"tables"`
	Files    []File            `json:"files"` // those that are no tables
}

// A Table is all of a table but its rows, and the files that have them. Most tables have one file.
type Table struct {
	Files []File `json:"files"` // the rows of the first come first
	Rows  int    `json:"rows"`  // in all files; -1: not known, as in a part that was written before all had one form
	table.Table
}

// Add adds a file to the manifest. t says what its rows are; nil: it is no table.
func (m *Manifest) Add(path string, content []byte, t *table.Table) {
	f := NewFile(path, content)
	if t == nil {
		m.Files = append(m.Files, f)
		return
	}
	m.AddRows(f, len(t.Rows), *t)
}

// AddRows adds a file with rows of table t, which is a further file of that table if the manifest has it already.
func (m *Manifest) AddRows(f File, rows int, t table.Table) {
	x := m.Find(t.Name)
	if x == nil {
		t.Rows = nil
		m.Tables = append(m.Tables, Table{Table: t})
		x = &m.Tables[len(m.Tables)-1]
	}
	x.Files, x.Rows = append(x.Files, f), x.Rows+rows
}

// New returns the manifest of a part of that name without tables and files. settings has a JSON form, an object; nil: none.
func New(name string, parents map[string]string, settings any) *Manifest {
	m := &Manifest{Parents: parents, Tables: []Table{}, Files: []File{}} // not null
	if parents == nil {
		m.Parents = map[string]string{}
	}
	m.Format, m.Version = formatOf(name)
	if settings != nil {
		m.Settings = bytes.TrimSpace(encode(settings))
	}
	return m
}

// SameSource reports whether two parts of one format were made from the same parents with the same settings, and so are equal.
func (m *Manifest) SameSource(other *Manifest) bool {
	return m.Format == other.Format && m.Version == other.Version && maps.Equal(m.Parents, other.Parents) && bytes.Equal(m.Settings, other.Settings)
}

// Encode returns the manifest as JSON. The same manifest gives the same bytes.
func (m *Manifest) Encode() []byte {
	var b bytes.Buffer
	if json.Indent(&b, encode(m), "", "  ") != nil {
		panic("part: a manifest has no JSON form") // encode has panicked before
	}
	return b.Bytes()
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("part: a manifest has no JSON form") // it has texts and finite numbers alone
	}
	return b.Bytes()
}

// Read reads the manifest of a part of that name, and checks every file that it lists. The error says which file is not as the
// manifest says, or what of the manifest this reader does not know.
func Read(fsys fs.FS, name string) (*Manifest, error) {
	m, err := ReadManifest(fsys, name)
	if err != nil {
		return nil, err
	}
	return m, m.Verify(fsys)
}

// ReadManifest does as Read, but looks at no other file.
func ReadManifest(fsys fs.FS, name string) (*Manifest, error) {
	f, err := fsys.Open(ManifestFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err == nil && len(b) > maxManifest {
		err = fmt.Errorf("longer than %d bytes", maxManifest)
	}
	var m *Manifest
	if err == nil {
		m, err = decode(b, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	return m, nil
}

// decode reads the text of a manifest.
func decode(text []byte, name string) (*Manifest, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("cut off, or not JSON: %w", err)
	}
	format, version := formatOf(name)
	m := new(Manifest)
	var err error
	switch {
	case head.Format == format && (head.Version == version || isAlike(name, head.Version)):
		err = Strictly(text, m)
	case isOld(name, head.Format, head.Version):
		m, err = old(text, name)
	case head.Format == "":
		err = fmt.Errorf("%w: the key format is missing, where this program reads %q version %d", ErrFormat, format, version)
	default:
		err = fmt.Errorf("%w: %q version %d, where this program reads %q version %d", ErrFormat, head.Format, head.Version, format, version)
	}
	if err != nil {
		return nil, err
	}
	if m.Settings != nil {
		var b bytes.Buffer
		if err := json.Compact(&b, m.Settings); err != nil { // so that settings can be compared
			return nil, fmt.Errorf("settings: %w", err)
		}
		m.Settings = b.Bytes()
	}
	return m, m.check()
}

// Strictly decodes a JSON text into v. It returns an error for a key that v does not have, and for more text behind the value.
func Strictly(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more text after the end")
	}
	return nil
}

// check returns an error for a table without files, and for a file that is listed twice or that no part can have.
func (m *Manifest) check() error {
	for _, t := range m.Tables {
		if len(t.Files) == 0 {
			return fmt.Errorf("table %q has no file", t.Name)
		}
	}
	seen := map[string]bool{ManifestFile: true}
	for _, f := range m.All() {
		if err := f.check(); err != nil {
			return err
		}
		if seen[f.Path] {
			return fmt.Errorf("file %q: listed twice, or the manifest itself", f.Path)
		}
		seen[f.Path] = true
	}
	return nil
}

// Verify checks every file that the manifest lists. The error is a *Damaged if a file is not what the manifest states.
func (m *Manifest) Verify(fsys fs.FS) error {
	for _, f := range m.All() {
		if err := f.Verify(fsys); err != nil {
			return err
		}
	}
	return nil
}

// Faults returns everything that is wrong with the files of a part: first those that are not what the manifest states, then those that it
// does not list. there has the paths of all files of the part, which a reader of a part does not look at.
func (m *Manifest) Faults(fsys fs.FS, there []string) (faults []error) {
	listed := map[string]bool{ManifestFile: true}
	for _, f := range m.All() {
		listed[f.Path] = true
		if err := f.Verify(fsys); err != nil {
			faults = append(faults, err)
		}
	}
	for _, path := range there {
		if !listed[path] {
			faults = append(faults, fmt.Errorf("%s: is not listed in %s", path, ManifestFile))
		}
	}
	return faults
}

// All returns every file that the manifest lists.
func (m *Manifest) All() []File {
	out := slices.Clone(m.Files)
	for _, t := range m.Tables {
		out = append(out, t.Files...)
	}
	return out
}

// Lists returns the file of a path, of a table or not. ok is false if the manifest does not list it.
func (m *Manifest) Lists(path string) (f File, ok bool) {
	all := m.All()
	i := slices.IndexFunc(all, func(f File) bool { return f.Path == path })
	if i < 0 {
		return f, false
	}
	return all[i], true
}

// Find returns the table of that name without its rows, or nil if the part has none.
func (m *Manifest) Find(name string) *Table {
	for i := range m.Tables {
		if m.Tables[i].Name == name {
			return &m.Tables[i]
		}
	}
	return nil
}
