package part_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"achilles/sim/part"
	"achilles/sim/table"
)

// directory returns a part of one file, and of a table of two.
func directory() fstest.MapFS {
	m := part.New(part.Scores, map[string]string{part.Public: "aa"}, json.RawMessage(`{"seed":"1","b":{"c":2}}`))
	numbers := table.Table{Name: "numbers", Columns: []table.Column{{Name: "x", Doc: "a number", Unit: "cells"}}, Rows: [][]table.Value{{table.Int(1)}, {table.Int(2)}}}
	m.Add("notes.txt", []byte("hello"), nil)
	m.Add("numbers/0.csv", []byte("x\n1\n2\n"), &numbers)
	m.AddRows(part.NewFile("numbers/1.csv", []byte("x\n3\n")), 1, numbers)
	return fstest.MapFS{"manifest.json": {Data: m.Encode()}, "notes.txt": {Data: []byte("hello")},
		"numbers/0.csv": {Data: []byte("x\n1\n2\n")}, "numbers/1.csv": {Data: []byte("x\n3\n")}}
}

// TestRead checks that a manifest says what was added, and that it has the same bytes when it was read.
func TestRead(t *testing.T) {
	dir := directory()
	m, err := part.Read(dir, part.Scores)
	if err != nil {
		t.Fatal(err)
	}
	x := m.Find("numbers")
	if x == nil || x.Rows != 3 || len(x.Files) != 2 || x.Table.Rows != nil || m.Find("letters") != nil {
		t.Errorf("tables %+v", m.Tables)
	}
	if f, ok := m.Lists("numbers/1.csv"); !ok || f.Bytes != 4 {
		t.Errorf("numbers/1.csv is %+v, %v", f, ok)
	}
	if _, ok := m.Lists("numbers"); ok {
		t.Error("a file numbers is listed")
	}
	if d := cmp.Diff(string(dir["manifest.json"].Data), string(m.Encode())); d != "" {
		t.Errorf("other bytes:\n%s", d)
	}
}

// TestRefused checks that a part with a file that is changed, missing or not listed as a table needs is refused, and a manifest
// of another format.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, from, to, want string }{
		{"notes.txt", "hello", "hallo", "notes.txt: changed"},
		{"numbers/1.csv", "3", "33", "numbers/1.csv: longer than"},
		{"manifest.json", `"version": 2`, `"version": 7`, `another format: "achilles-scores" version 7`},
		{"manifest.json", "achilles-scores", "achilles-watched", "another format"},
		{"manifest.json", `"version": 2`, `"version": 2, "clock": 12`, `unknown field "clock"`},
		{"manifest.json", "]\n}", "]\n}{}", "after top-level value"},
		{"manifest.json", `"numbers/1.csv"`, `"numbers/0.csv"`, "listed twice"},
		{"manifest.json", `"notes.txt"`, `"manifest.json"`, "listed twice, or the manifest itself"},
		{"manifest.json", `"numbers/1.csv"`, `"numbers\\1.csv"`, "not a path inside the part"},
		{"manifest.json", `"bytes": 4`, `"bytes": -4`, "negative size"},
		{"manifest.json", `"sha256": "`, `"sha256": "00`, "not a digest"},
		{"manifest.json", `"numbers/1.csv"`, `"../1.csv"`, "../1.csv"},
		{"manifest.json", "{", "[", "manifest.json: "},
		{"manifest.json", `"seed"`, `seed`, "manifest.json: "},
	} {
		dir := directory()
		was := dir[c.file].Data
		dir[c.file] = &fstest.MapFile{Data: bytes.Replace(was, []byte(c.from), []byte(c.to), 1)}
		if bytes.Equal(dir[c.file].Data, was) {
			t.Fatalf("%s has no %q", c.file, c.from)
		}
		if _, err := part.Read(dir, part.Scores); err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, part.ErrFormat) != strings.Contains(c.want, "another format") {
			t.Errorf("%s: %q: %v", c.file, c.to, err)
		}
	}
	dir := fstest.MapFS{"manifest.json": {Data: []byte(`{"format": "achilles-scores", "version": 2, "tables": [{"name": "numbers"}]}`)}}
	if _, err := part.Read(dir, part.Scores); err == nil || !strings.Contains(err.Error(), `table "numbers" has no file`) {
		t.Errorf("a table without files: %v", err)
	}
}

// TestOld checks that manifests from before all had one form are read, and keep their version.
func TestOld(t *testing.T) {
	for _, format := range []string{`"format": "achilles-inferred", "version": 1`, `"format": "achilles-inferred", "version": 2`, `"format": "achilles-watched", "version": 1`} {
		dir := fstest.MapFS{"manifest.json": {Data: []byte(`{` + format + `, "public": "aa", "layout": {"name": "op"}, "config": {"seed": "1"}, "files": [{"path": "x", "bytes": 1, "sha256": "` + strings.Repeat("b", 64) + `"}]}`)}}
		m, err := part.ReadManifest(dir, part.Inferred)
		if err != nil {
			t.Fatal(err)
		}
		if m.Parents["public"] != "aa" || string(m.Settings) != `{"layout":{"name":"op"},"seed":"1"}` || len(m.Files) != 1 || m.Version > 2 {
			t.Errorf("%s is read as %+v", format, m)
		}
		if _, err := part.ReadManifest(dir, part.Scores); err == nil {
			t.Errorf("%s is taken for scores", format)
		}
	}
}

// TestChain checks that a part is refused if a part from which it was made is another one now, or is missing.
func TestChain(t *testing.T) {
	public := part.New(part.Public, map[string]string{part.Sealed: strings.Repeat("1", 64)}, map[string][]int{"features": {}}).Encode()
	digest := part.Digest
	whole := func() fstest.MapFS {
		inferred := part.New(part.Inferred, map[string]string{part.Public: digest(public)}, nil)
		text := inferred.Encode()
		scores := part.New(part.Scores, map[string]string{part.Public: digest(public), part.Inferred: digest(text), part.Sealed: strings.Repeat("1", 64)}, nil)
		scores.Add("a.csv", []byte("a\n"), nil)
		return fstest.MapFS{"public/manifest.json": {Data: public}, "inferred/manifest.json": {Data: text},
			"scores/manifest.json": {Data: scores.Encode()}, "scores/a.csv": {Data: []byte("a\n")}}
	}
	for _, name := range []string{part.Inferred, part.Scores} {
		if _, _, err := part.Of(whole(), name); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct{ name, file, from, to, want string }{
		{part.Inferred, "public/manifest.json", "features", "measures", "inferred/manifest.json: made from another public part"},
		{part.Scores, "public/manifest.json", "features", "measures", "scores/manifest.json: made from another public part"},
		{part.Scores, "inferred/manifest.json", "{", "{ ", "scores/manifest.json: made from another inferred part"},
		{part.Scores, "public/manifest.json", "1111", "2222", "scores/manifest.json: made from another public part"},
		{part.Scores, "scores/manifest.json", strings.Repeat("1", 64), strings.Repeat("2", 64), "scores/manifest.json: made from another sealed part"},
		{part.Scores, "scores/a.csv", "a", "b", "scores/a.csv: changed"},
		{part.Scores, "inferred/manifest.json", "", "", "scores/manifest.json: parent inferred: "},
		{part.Scores, "scores/manifest.json", "", "", "scores/manifest.json: "},
	} {
		dir := whole()
		dir[c.file] = &fstest.MapFile{Data: bytes.Replace(dir[c.file].Data, []byte(c.from), []byte(c.to), 1)}
		if c.from == "" {
			delete(dir, c.file)
		}
		if _, _, err := part.Of(dir, c.name); err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.Is(err, fs.ErrNotExist) != (c.from == "" && strings.HasPrefix(c.file, c.name)) {
			t.Errorf("%s, %s: %v", c.name, c.file, err)
		}
	}
}
