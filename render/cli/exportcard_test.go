package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/sim/part"
)

// TestCitation checks that what people cite has the version of the program.
func TestCitation(t *testing.T) {
	said := regexp.MustCompile(`^achilles version ([^+, ]+)`).FindStringSubmatch(must(t, "version"))
	cited := regexp.MustCompile(`(?m)^version: (.*)$`).FindSubmatch(read(t, filepath.Join("..", "..", "CITATION.cff")))
	if said == nil || cited == nil || said[1] != string(cited[1]) {
		t.Errorf("CITATION.cff has %q, the program is %q", cited, said)
	}
}

// TestCardsAreKept checks that data are described where they are made, under a name that tells nothing, and that what somebody states stays when the
// data are replaced.
func TestCardsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	smallRun(t, dir)
	described := func() (c struct{ Name, Identifier, License string }) {
		t.Helper()
		if err := json.Unmarshal(read(t, filepath.Join(dir, "croissant.json")), &c); err != nil {
			t.Fatal(err)
		}
		digest := part.Digest(read(t, filepath.Join(dir, "public", "manifest.json")))
		if c.Identifier != "sha256:"+digest || !strings.Contains(string(read(t, filepath.Join(dir, "DATACARD.md"))), digest) {
			t.Errorf("the cards are of other data than %s: %s", digest, c.Identifier)
		}
		return c
	}
	first := described()
	if first.License != "" || first.Name != "achilles-"+first.Identifier[7:19] {
		t.Errorf("of themselves, data state %+v", first)
	}
	must(t, "export", "card", dir, "--licence", "https://creativecommons.org/licenses/by/4.0/", "--name", "mine")
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "matrix.csv"), "--out", dir, "--force")
	if now := described(); now.License == "" || now.Name != "mine" || now.Identifier == first.Identifier {
		t.Errorf("after other data: %+v", now)
	}
	must(t, "verify", dir)
	own := []byte(`{"name": "somebody's own"}`)
	write(t, filepath.Join(dir, "croissant.json"), own)
	must(t, "import", filepath.Join(repository(t), "docs", "examples", "lsat6.csv"), "--count", "count", "--out", dir, "--force")
	if got := read(t, filepath.Join(dir, "croissant.json")); string(got) != string(own) {
		t.Errorf("somebody's own file is overwritten: %s", got)
	}
}

// TestExportCard checks that the Croissant file has every file of the public part by its digest and the columns of every table, that
// the card names them and the seal, and that the public part keeps its bytes. It must say the same without the sealed truth.
func TestExportCard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	smallRun(t, dir)
	before := tree(t, filepath.Join(dir, "public"))
	out := must(t, "export", "card", dir, "--licence", "https://creativecommons.org/licenses/by/4.0/")
	if !strings.Contains(out, "DATACARD.md") {
		t.Errorf("said %q", out)
	}
	if !equal(before, tree(t, filepath.Join(dir, "public"))) {
		t.Error("the public part has changed")
	}
	text, card := read(t, filepath.Join(dir, "croissant.json")), string(read(t, filepath.Join(dir, "DATACARD.md")))
	var c struct {
		Context      map[string]any `json:"@context"`
		Name         string
		ConformsTo   string
		Identifier   string
		License      string
		Distribution []struct{ ContentURL, SHA256 string }
		RecordSet    []struct {
			ID    string `json:"@id"`
			Field []struct {
				Name, Description, DataType string
				Source                      struct{ Extract struct{ Column string } }
			}
		}
	}
	var m struct {
		Parents map[string]string
		Tables  []struct {
			Name    string
			Columns []struct{ Name, Kind, Doc, Unit string }
		}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(before["manifest.json"], &m); err != nil {
		t.Fatal(err)
	}
	if c.Name != "r" || c.ConformsTo != "http://mlcommons.org/croissant/1.0" || c.Identifier != "sha256:"+part.Digest(before["manifest.json"]) || c.License == "" {
		t.Errorf("head %q %q %q %q", c.Name, c.ConformsTo, c.Identifier, c.License)
	}
	for _, key := range []string{"column", "recordSet", "extract", "dataType", "fileObject"} {
		if c.Context[key] == nil {
			t.Errorf("@context lacks %s", key)
		}
	}
	files := map[string]bool{"manifest.json": true}
	for _, f := range c.Distribution {
		name := strings.TrimPrefix(f.ContentURL, "public/")
		if files[name] = true; part.Digest(read(t, filepath.Join(dir, f.ContentURL))) != f.SHA256 {
			t.Errorf("%s has another digest", f.ContentURL)
		}
	}
	for name := range before {
		if !files[name] {
			t.Errorf("%s is not described", name)
		}
	}
	types := map[string]string{"text": "sc:Text", "count": "sc:Integer", "number": "sc:Float"}
	if len(c.RecordSet) != len(m.Tables) || len(m.Tables) < 2 {
		t.Fatalf("%d record sets of %d tables", len(c.RecordSet), len(m.Tables))
	}
	for i, table := range m.Tables {
		r := c.RecordSet[i]
		if r.ID != table.Name || len(r.Field) != len(table.Columns) {
			t.Fatalf("record set %s has %d fields, table %s %d columns", r.ID, len(r.Field), table.Name, len(table.Columns))
		}
		for k, column := range table.Columns {
			f := r.Field[k]
			if f.Name != column.Name || f.Source.Extract.Column != column.Name || f.DataType != types[column.Kind] || !strings.Contains(f.Description, column.Unit) || !strings.HasPrefix(f.Description, column.Doc) {
				t.Errorf("column %v is the field %v", column, f)
			}
			if !strings.Contains(card, "| "+table.Name+" | "+strings.ReplaceAll(column.Name, "_", `\_`)+" |") {
				t.Errorf("the card lacks %s of %s", column.Name, table.Name)
			}
		}
	}
	if !strings.Contains(card, m.Parents["sealed"]) || m.Parents["sealed"] == "" || !strings.Contains(card, "by/4.0") || !strings.Contains(card, "Creator: not stated") {
		t.Errorf("card:\n%s", card)
	}
	if err := os.RemoveAll(filepath.Join(dir, "sealed")); err != nil {
		t.Fatal(err)
	}
	must(t, "export", "card", dir, "--licence", "https://creativecommons.org/licenses/by/4.0/", "--force")
	if string(read(t, filepath.Join(dir, "croissant.json"))) != string(text) || string(read(t, filepath.Join(dir, "DATACARD.md"))) != card {
		t.Error("the files say something else without the sealed truth")
	}
	must(t, "export", "card", dir) // keeps the licence
	if string(read(t, filepath.Join(dir, "croissant.json"))) != string(text) {
		t.Error("what was stated before is gone")
	}
	must(t, "export", "card", dir, "--licence", "https://example.org/other") // no need of --force: nobody has edited the files
	must(t, "verify", dir)
	write(t, filepath.Join(dir, "DATACARD.md"), append([]byte(card), "\nOur own words.\n"...))
	for args, want := range map[string]string{"": "exists already", "--force --licence CC-BY": "--licence", "--force --date 26.11.2026": "YYYY-MM-DD", "--force --release 1": "1.0.0"} {
		if code, _, stderr := achilles(t, append([]string{"export", "card", dir}, strings.Fields(args)...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s", args, code, stderr)
		}
	}
}

// TestExportCardImported checks the card of other people's data; nobody stated a licence.
func TestExportCardImported(t *testing.T) {
	dir := t.TempDir()
	table, r := filepath.Join(dir, "t.csv"), filepath.Join(dir, "r")
	write(t, table, []byte("id,item,resp,cov_a_b_c\nx,i1,1,3\nx,i2,0,3\ny,i1,1,4\ny,i2,0,4\n"))
	must(t, "import", table, "--out", r)
	must(t, "export", "card", r, "--name", "Two subjects")
	card := string(read(t, filepath.Join(r, "DATACARD.md")))
	for _, want := range []string{"# Two subjects\n", "4 responses (success) of 2 subjects to 2 items", "There is no sealed truth", "check consent", `| a\_b\_c | number | covariate |`} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	if text := string(read(t, filepath.Join(r, "croissant.json"))); !strings.Contains(text, `"@id": "subjects/a_b_c"`) || strings.Contains(text, `"license"`) {
		t.Errorf("croissant.json:\n%s", text)
	}
}

// TestExportCardOld checks the card of parts whose manifests do not describe columns, one with responses and one with episodes alone.
func TestExportCardOld(t *testing.T) {
	for name, want := range map[string]string{"answered": "| items | goalDistance | number | demand |", "watched": "To show the episodes"} {
		dir := filepath.Join(t.TempDir(), name)
		copyDir(t, filepath.Join("testdata", "old", name), dir)
		must(t, "export", "card", dir)
		card := string(read(t, filepath.Join(dir, "DATACARD.md")))
		if !strings.Contains(card, want) || !strings.Contains(card, "does not describe the columns of items") {
			t.Errorf("%s:\n%s", name, card)
		}
		if text := string(read(t, filepath.Join(dir, "croissant.json"))); strings.Contains(text, "null") || strings.Contains(text, `"key": {`) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
