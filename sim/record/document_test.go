package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestDocumentMentionsEverything checks that docs/reference/format.md mentions every file, column and manifest key of
// the golden directory.
func TestDocumentMentionsEverything(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reference", "format.md"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("docs/ is not here, as in the blind copy")
	}
	if err != nil {
		t.Fatal(err)
	}
	mention := func(what, word string) {
		if !strings.Contains(string(text), "`"+word+"`") {
			t.Errorf("docs/reference/format.md does not mention %s `%s`", what, word)
		}
	}
	files := golden(t)
	var keys map[string]any
	if err := json.Unmarshal(files["manifest.json"], &keys); err != nil {
		t.Fatal(err)
	}
	for key := range keys {
		mention("the manifest's key", key)
	}
	for name, data := range files {
		if filepath.Ext(name) != ".parquet" {
			continue
		}
		f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range f.Root().Columns() {
			if name == "items.parquet" && i >= 4 {
				break // the other columns are the features of this battery
			}
			mention("column", c.Name())
		}
	}
	for _, word := range []string{"binary", "real", "unit", "count", "choice", "demand", "nuisance", "condition", "shortcut", "test", "familiarisation", "fit", "held-out", "4-heading", "8-neighbour"} {
		mention("the word", word)
	}
}
