package infer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"slices"
	"strings"

	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A listing passes files on and lists them in a manifest.
type listing struct {
	Out
	tables   []table.Table // that an inferred part may have, without their rows
	manifest *part.Manifest
}

// listing returns a listing without files.
func (r *run) listing(out Out) *listing {
	var parameters []string
	if r.design != nil || r.joint != nil {
		parameters = r.subjectParameters()
	}
	return &listing{Out: out, tables: declared(parameters), manifest: r.settings.manifest(r.parent)}
}

// Put adds a file to the list and passes it on.
func (l *listing) Put(name string, data []byte) error {
	rows := 0
	if path.Ext(name) == ".parquet" {
		f, err := record.OpenParquet(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return fmt.Errorf("infer: %s: %w", name, err)
		}
		rows = int(f.NumRows())
	}
	l.add(part.NewFile(name, data), rows)
	return l.Out.Put(name, data)
}

// add adds a file to the list. The table whose rows it has is called as the file or its folder.
func (l *listing) add(f part.File, rows int) {
	if path.Ext(f.Path) != ".parquet" {
		l.manifest.Files = append(l.manifest.Files, f)
		return
	}
	name, _, _ := strings.Cut(strings.TrimSuffix(f.Path, ".parquet"), "/")
	i := slices.IndexFunc(l.tables, func(t table.Table) bool { return t.Name == name })
	l.manifest.AddRows(f, rows, l.tables[i])
}

// A listed is a file of a listing that is open for writing.
type listed struct {
	io.WriteCloser
	list *listing
	name string
	sum  hash.Hash
	n    int64
	rows int // of the table that the file has
}

// create opens a file of the listing for writing.
func (l *listing) create(name string) (*listed, error) {
	f, err := l.Out.Create(name)
	if err != nil {
		return nil, err
	}
	return &listed{WriteCloser: f, list: l, name: name, sum: sha256.New()}, nil
}

// Write writes p, and adds it to the digest.
func (f *listed) Write(p []byte) (int, error) {
	n, err := f.WriteCloser.Write(p)
	f.sum.Write(p[:n])
	f.n += int64(n)
	return n, err
}

// Close closes the file and adds it to the list.
func (f *listed) Close() error {
	f.list.add(part.File{Path: f.name, Bytes: f.n, SHA256: hex.EncodeToString(f.sum.Sum(nil))}, f.rows)
	return f.WriteCloser.Close()
}
