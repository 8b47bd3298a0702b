package score

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"achilles/sim/part"
	"achilles/sim/table"
)

// Files returns the files of the scores directory, name → content: scores.json, a CSV file for each table, which csv
// makes, and the manifest. The same scores give the same bytes. The error says that a score is NaN or infinite, which JSON cannot express.
func (s *Scores) Files(csv func(*table.Table) []byte) (map[string][]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil { // fails if a score is NaN or infinite
		return nil, fmt.Errorf("score: scores.json: %w", err)
	}
	rows, err := rows(s)
	if err != nil {
		return nil, fmt.Errorf("score: %s: %w", rowsFile, err)
	}
	files := map[string][]byte{"scores.json": buf.Bytes(), rowsFile: rows}
	var settings any
	named := map[string]string{}
	if s.Source != "" {
		named["published"] = s.Source
	}
	if s.Analysis != "" {
		named["analysis"] = s.Analysis
	}
	if len(named) > 0 {
		settings = named
	}
	m := part.New(part.Scores, s.Read(), settings)
	for _, t := range s.Tables() {
		path := t.Name + ".csv"
		files[path] = csv(t)
		m.Add(path, files[path], t)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if m.Find(strings.TrimSuffix(path, ".csv")) == nil {
			m.Add(path, files[path], nil)
		}
	}
	files[part.ManifestFile] = m.Encode()
	return files, nil
}
