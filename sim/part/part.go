// Package part has the manifest of a part of a results directory: what it was made from, the tables that it has, with all
// that their columns mean, and every file with its digest. It opens no path: it reads from a file system that it is handed.
package part

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"achilles/sim/record"
	"achilles/sim/table"
)

// File is the name of the manifest in a part.
const File = "manifest.json"

// maxManifest is the largest size of a manifest, in bytes.
const maxManifest = 64 << 20

// A Manifest describes a part.
type Manifest struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Parents map[string]string `json:"parents"` // digests of the parts that this one was made from, by name
	Tables  []Table           `json:"tables"`
	Files   []record.File     `json:"files"` // those that are no tables
}

// A Table is the file of a table, and all of the table but its rows.
type Table struct {
	record.File
	Rows int `json:"rows"`
	table.Table
}

// Add adds a file to the manifest. t says what its rows are; nil: it is no table.
func (m *Manifest) Add(path string, content []byte, t *table.Table) {
	f := record.NewFile(path, content)
	if t == nil {
		m.Files = append(m.Files, f)
		return
	}
	said := *t
	said.Rows = nil
	m.Tables = append(m.Tables, Table{f, len(t.Rows), said})
}

// Encode returns the manifest as JSON. The same manifest gives the same bytes.
func (m *Manifest) Encode() []byte {
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
	f, err := fsys.Open(File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxManifest {
		return nil, fmt.Errorf("%s: longer than %d bytes", File, maxManifest)
	}
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("%s: %w", File, err)
	}
	if m.Format != format || m.Version != version {
		return nil, fmt.Errorf("%s: format %q, version %d: this reader knows %q, version %d", File, m.Format, m.Version, format, version)
	}
	for _, f := range m.all() {
		if err := f.Verify(fsys); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// all returns every file that the manifest lists.
func (m *Manifest) all() []record.File {
	out := slices.Clone(m.Files)
	for _, t := range m.Tables {
		out = append(out, t.File)
	}
	return out
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
