package score

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Files returns the files of the scores directory, name → content: scores.json, and a CSV file for each table. The
// same scores give the same bytes. The error says that a score is NaN or infinite, which JSON cannot express.
func (s *Scores) Files() (map[string][]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil { // fails if a score is NaN or infinite
		return nil, fmt.Errorf("score: scores.json: %w", err)
	}
	files := map[string][]byte{"scores.json": buf.Bytes()}
	for _, t := range []struct {
		name   string
		graded bool
		rows   func() [][]string
	}{
		{"profiles.csv", s.Profiles != nil, s.profileRows},
		{"recovery.csv", s.Recovery != nil, s.recoveryRows},
		{"simulated.csv", s.Drawn != nil, s.simulatedRows},
		{"binary.csv", s.classifiedInShort() != "", s.classificationRows},
		{"parameters.csv", s.Drawn != nil, s.parameterRows},
		{"coverage.csv", s.Coverage != nil, s.coverageRows},
		{"prediction.csv", s.Prediction != nil, s.predictionRows},
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

func (s *Scores) recoveryRows() [][]string {
	rows := [][]string{{"block", "capability", "n", "rmse", "low", "high", "bias", "mcse", "published", "single", "always_maximum", "inside_n", "inside_rmse", "inside_always_maximum"}}
	for _, block := range s.Blocks() {
		for _, c := range sortedKeys(s.Recovery[block]) {
			r := s.Recovery[block][c]
			row := append([]string{block, c, strconv.Itoa(r.N), full(r.RMSE)}, ends(r.Interval)...)
			row = append(row, full(r.Bias), optional(r.MCSE), optional(r.Published), optional(r.Single), full(r.Maximum))
			if in := r.Inside; in != nil {
				row = append(row, strconv.Itoa(in.N), full(in.RMSE), full(in.Maximum))
			} else {
				row = append(row, "0", "", "")
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Blocks returns the names of the blocks, which are groups of subjects whose recovery is graded; overall, the block of
// all subjects, is first.
func (s *Scores) Blocks() []string {
	names := sortedKeys(s.Recovery)
	if i := slices.Index(names, overall); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, overall)
	}
	return names
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

func (s *Scores) predictionRows() [][]string {
	rows := [][]string{{
		"subject", "id", "n", "success_rate", "brier", "brier_low", "brier_high", "brier_binned",
		"calibration", "calibration_low", "calibration_high", "refinement", "refinement_low", "refinement_high",
		"brier_aggregate", "calibration_aggregate", "refinement_aggregate", "excess", "excess_low", "excess_high",
		"published_brier", "published_brier_aggregate", "published_calibration", "published_calibration_aggregate",
		"published_refinement", "published_refinement_aggregate", "imv", "imv_low", "imv_high",
	}}
	for _, name := range s.Prediction.Names() {
		rows = append(rows, s.Prediction.Subjects[name].row(name))
	}
	return append(rows, s.Prediction.Pooled.row(""))
}

func (p Prediction) row(name string) []string {
	row := []string{name, p.ID, strconv.Itoa(p.N), full(p.SuccessRate), full(p.Brier)}
	row = append(append(row, ends(p.BrierInterval)...), full(p.BrierBinned), full(p.Calibration))
	row = append(append(row, ends(p.CalibrationInterval)...), full(p.Refinement))
	row = append(append(row, ends(p.RefinementInterval)...),
		optional(p.BrierAggregate), optional(p.CalibrationAggregate), optional(p.RefinementAggregate), optional(p.Excess))
	row = append(row, ends(p.ExcessInterval)...)
	pub := p.Published
	if pub == nil {
		pub = &PublishedPrediction{}
	}
	row = append(row, optional(pub.Brier), optional(pub.BrierAggregate), optional(pub.Calibration),
		optional(pub.CalibrationAggregate), optional(pub.Refinement), optional(pub.RefinementAggregate), optional(p.IMV))
	return append(row, ends(p.IMVInterval)...)
}

// Names returns the subjects in natural order.
func (p *Predictions) Names() []string {
	names := sortedKeys(p.Subjects)
	sortByName(names, func(n string) string { return n })
	return names
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
