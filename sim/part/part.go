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
	"slices"

	"achilles/sim/record"
	"achilles/sim/table"
)

// File is the name of the manifest in a part.
const File = "manifest.json"

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
	Files    []record.File     `json:"files"` // those that are no tables
}

// A Table is all of a table but its rows, and the files that have them. Most tables have one file.
type Table struct {
	Files []record.File `json:"files"` // the rows of the first come first
	Rows  int           `json:"rows"`  // in all files
	table.Table
}

// Add adds a file to the manifest. t says what its rows are; nil: it is no table.
func (m *Manifest) Add(path string, content []byte, t *table.Table) {
	f := record.NewFile(path, content)
	if t == nil {
		m.Files = append(m.Files, f)
		return
	}
	m.AddRows(f, len(t.Rows), *t)
}

// AddRows adds a file with rows of table t, which is a further file of that table if the manifest has it already.
func (m *Manifest) AddRows(f record.File, rows int, t table.Table) {
	x := m.Find(t.Name)
	if x == nil {
		t.Rows = nil
		m.Tables = append(m.Tables, Table{Table: t})
		x = &m.Tables[len(m.Tables)-1]
	}
	x.Files, x.Rows = append(x.Files, f), x.Rows+rows
}

// Encode returns the manifest as JSON. The same manifest gives the same bytes.
func (m *Manifest) Encode() []byte {
	if m.Tables == nil {
		m.Tables = []Table{} // not null
	}
	if m.Files == nil {
		m.Files = []record.File{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		panic("part: a manifest has no JSON form") // it has texts and finite numbers alone
	}
	return b.Bytes()
}

// Read reads the manifest of a part of a format and version, and checks every file that it lists. The error says which file
// is not as the manifest says, or what of the manifest this reader does not know.
func Read(fsys fs.FS, format string, version int) (*Manifest, error) {
	m, err := ReadManifest(fsys, format, version)
	if err != nil {
		return nil, err
	}
	return m, m.Verify(fsys)
}

// ReadManifest does as Read, but looks at no other file.
func ReadManifest(fsys fs.FS, format string, version int) (*Manifest, error) {
	f, err := fsys.Open(File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	if len(b) > maxManifest {
		return nil, fmt.Errorf("%s: longer than %d bytes", File, maxManifest)
	}
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	if (m.Format != format || m.Version != version) && !m.old(b, format) {
		return nil, fmt.Errorf("%s: %w: %q version %d, where this program reads %q version %d", File, ErrFormat, m.Format, m.Version, format, version)
	}
	if m.Settings != nil {
		var b bytes.Buffer
		if err := json.Compact(&b, m.Settings); err != nil { // so that settings can be compared
			return nil, fmt.Errorf("%s: settings: %w", File, err)
		}
		m.Settings = b.Bytes()
	}
	for _, t := range m.Tables {
		if len(t.Files) == 0 {
			return nil, fmt.Errorf("%s: table %q has no file", File, t.Name)
		}
	}
	return m, nil
}

// Verify checks every file that the manifest lists. The error is a *record.Damaged if a file is not what the manifest states.
func (m *Manifest) Verify(fsys fs.FS) error {
	for _, f := range m.all() {
		if err := f.Verify(fsys); err != nil {
			return err
		}
	}
	return nil
}

// all returns every file that the manifest lists.
func (m *Manifest) all() []record.File {
	out := slices.Clone(m.Files)
	for _, t := range m.Tables {
		out = append(out, t.Files...)
	}
	return out
}

// Lists returns the file of a path, of a table or not. ok is false if the manifest does not list it.
func (m *Manifest) Lists(path string) (f record.File, ok bool) {
	all := m.all()
	i := slices.IndexFunc(all, func(f record.File) bool { return f.Path == path })
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
