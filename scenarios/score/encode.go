package score

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"achilles/scenarios/seal"
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
	rows, err := s.rows()
	if err != nil {
		return nil, fmt.Errorf("score: %s: %w", rowsFile, err)
	}
	files := map[string][]byte{"scores.json": buf.Bytes(), rowsFile: rows}
	for _, t := range []struct {
		name   string
		graded bool
		rows   func() [][]string
	}{
		{"profiles.csv", s.Profiles != nil, s.profileRows},
		{"simulated.csv", s.Drawn != nil, s.simulatedRows},
		{"binary.csv", s.classifiedInShort() != "", s.classificationRows},
		{"parameters.csv", s.Drawn != nil, s.parameterRows},
		{"coverage.csv", s.Coverage != nil, s.coverageRows},
		{"values.csv", s.Values != nil, s.valueRows},
		{"verdicts.csv", s.Verdicts != nil, s.verdictRows},
		{"paths.csv", s.Paths != nil, s.pathRows},
		{"ctest.csv", s.CTest != nil, s.ctestRows},
		{"ctest-figures.csv", len(s.Curves()) > 0, s.curveRows},
		{"collectives.csv", s.Collectives != nil, s.collectiveRows},
		{"observers.csv", s.Observers != nil, s.observerRows},
		{"episodes.csv", s.Seen != nil, s.episodeRows},
	} {
		if t.graded {
			files[t.name] = encodeCSV(t.rows())
		}
	}
	m := part.Manifest{Format: Format, Version: PartVersion, Parents: map[string]string{seal.PublicPart: s.Public, seal.InferredPart: s.Inferred}}
	if s.Sealed != "" {
		m.Parents[seal.SealedPart] = s.Sealed
	}
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
	files[part.File] = m.Encode()
	return files, nil
}

func encodeCSV(rows [][]string) []byte {
	var buf bytes.Buffer
	if err := csv.NewWriter(&buf).WriteAll(rows); err != nil {
		panic("score: writing CSV to memory failed") // a Buffer does not fail and the delimiter is valid
	}
	return buf.Bytes()
}

// full returns x with as many digits as identify it.
func full(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// optional returns full(x), or "" if x is nil.
func optional(x *float64) string {
	if x == nil {
		return ""
	}
	return full(*x)
}

// ends returns the two ends of an interval as text, or two empty texts if i is nil.
func ends(i *Interval) []string {
	if i == nil {
		return []string{"", ""}
	}
	return []string{full(i[0]), full(i[1])}
}

func (s *Scores) profileRows() [][]string {
	rows := [][]string{{"subject", "id", "parameter", "mean", "sd", "mcse", "q5", "q25", "q50", "q75", "q95", "ess_bulk", "ess_tail", "rhat", "truth", "truth_fraction", "stacked_mean", "stacked_sd", "stacked_q5", "stacked_q95", "log_evidence", "log_evidence_se"}}
	for _, p := range s.Profiles {
		stacked := []string{"", "", "", ""}
		if q := p.Stacked; q != nil {
			stacked = []string{full(q.Mean), full(q.SD), full(q.Q5), full(q.Q95)}
		}
		row := append([]string{
			p.Name, p.Subject, p.Parameter, full(p.Mean), full(p.SD), optional(p.MCSE),
			full(p.Q5), full(p.Q25), full(p.Q50), full(p.Q75), full(p.Q95),
			optional(p.ESSBulk), optional(p.ESSTail), optional(p.RHat), optional(p.Truth), optional(p.Fraction),
		}, stacked...)
		rows = append(rows, append(row, optional(p.LogEvidence), optional(p.LogEvidenceSE)))
	}
	return rows
}

func (s *Scores) coverageRows() [][]string {
	rows := [][]string{{"level", "capability", "truths", "covered", "n", "share", "low", "high"}}
	for _, level := range levels {
		for _, c := range sortedKeys(s.Coverage.Detail[level.name]) {
			d := s.Coverage.Detail[level.name][c]
			for _, v := range d.variants() {
				row := []string{level.name, c, v.name, strconv.Itoa(v.share.Covered), strconv.Itoa(v.share.N), full(v.share.Share)}
				rows = append(rows, append(row, ends(&v.share.Interval)...))
			}
		}
	}
	for _, c := range sortedKeys(s.Coverage.Stacked) {
		d := s.Coverage.Stacked[c]
		for _, v := range d.variants() {
			row := []string{"90", c, "stacked " + v.name, strconv.Itoa(v.share.Covered), strconv.Itoa(v.share.N), full(v.share.Share)}
			rows = append(rows, append(row, ends(&v.share.Interval)...))
		}
	}
	return rows
}

type variant struct {
	name  string
	share *Share
}

// variants returns the shares that d has, each with its name.
func (d *CoverageDetail) variants() []variant {
	all := []variant{{"all", &d.All}, {"interior", d.Interior}, {"shortest", d.Shortest}}
	return slices.DeleteFunc(all, func(v variant) bool { return v.share == nil })
}

// Names returns the subjects in natural order.
func (p *Predictions) Names() []string {
	names := sortedKeys(p.Subjects)
	sortByName(names, func(n string) string { return n })
	return names
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
