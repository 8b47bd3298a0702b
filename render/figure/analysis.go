package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/analysis"
)

// An Analysis is what `achilles analyse` has written, as it is read back.
type Analysis struct {
	Document Document
	Tables   map[string]Table // by file name, without its extension
}

// A Document is the part of analysis.json that is shown.
type Document struct {
	Format      string             `json:"format"`
	Version     int                `json:"version"`
	Measure     string             `json:"measure"`
	Subjects    int                `json:"subjects"`
	Items       int                `json:"items"`
	Responses   int                `json:"responses"`
	SuccessRate float64            `json:"success_rate"`
	Features    []Feature          `json:"features"`
	Correlation *float64           `json:"capability_success_correlation"`
	Capability  *Capability        `json:"capability"`
	Prediction  map[string]Losses  `json:"prediction"`
	Shift       map[string]Shifted `json:"shift"`
	Warnings    []analysis.Caveat  `json:"warnings"`
	Settings    struct {
		Level        float64 `json:"level"`
		Replicates   int     `json:"replicates"`
		Permutations int     `json:"permutations"`
		Threshold    float64 `json:"competence_threshold"`
		Confidence   float64 `json:"competence_confidence"`
	} `json:"settings"`
}

// A Feature is a feature of the items with its bins.
type Feature struct {
	Name    string   `json:"name"`
	Role    string   `json:"role"`
	Kind    string   `json:"kind"`
	Binning string   `json:"binning"`
	Bins    []string `json:"bins"`
}

// Capability says how capability and success rate go together across subjects.
type Capability struct {
	Space     string      `json:"space"`
	Cells     int         `json:"cells"`
	UsedCells int         `json:"used_cells"`
	Interval  *[2]float64 `json:"pearson_fisher"`
	Spearman  *float64    `json:"spearman"`
}

// Losses are the means of one model over the splits.
type Losses struct {
	Splits        int         `json:"splits"`
	Error         *float64    `json:"error"`
	ErrorInterval *[2]float64 `json:"error_interval"`
	MAE           *float64    `json:"mae"`
	MAEInterval   *[2]float64 `json:"mae_interval"`
	MSE           *float64    `json:"mse"`
	MSEInterval   *[2]float64 `json:"mse_interval"`
	LogLoss       *float64    `json:"log_loss"`
	Bias          *float64    `json:"bias"`
}

// Shifted are the losses of all models where the test is harder than the training.
type Shifted struct {
	Train  int               `json:"train"`
	Test   int               `json:"test"`
	Models map[string]Losses `json:"models"`
}

// A Table is a CSV file.
type Table struct {
	Head []string
	Rows [][]string
}

// tables are the files of an analysis that are read.
var tables = []string{"correlations", "matrix", "curves", "robustness", "cells", "capability", "regions", "next", "prediction", "shift"}

// ReadAnalysis reads an analysis, each file by its name; the error names the file.
func ReadAnalysis(read func(name string) ([]byte, error)) (*Analysis, error) {
	a := &Analysis{Tables: map[string]Table{}}
	b, err := read("analysis.json")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &a.Document); err != nil {
		return nil, fmt.Errorf("analysis.json: %w", err)
	}
	if d := &a.Document; d.Format != analysis.Format || d.Version != analysis.Version {
		return nil, fmt.Errorf("analysis.json: format %q version %d; this program reads %q version %d", d.Format, d.Version, analysis.Format, analysis.Version)
	}
	for _, name := range tables {
		b, err := read(name + ".csv")
		if err != nil {
			return nil, err
		}
		rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil || len(rows) == 0 {
			return nil, fmt.Errorf("%s.csv: no table (%v)", name, err)
		}
		a.Tables[name] = Table{rows[0], rows[1:]}
	}
	return a, nil
}

// Text is the field of a row in the column of that name; empty where there is no such column.
func (t *Table) Text(row int, column string) string {
	if k := slices.Index(t.Head, column); k >= 0 {
		return t.Rows[row][k]
	}
	return ""
}

// Number is the number in a field; NaN where there is none.
func (t *Table) Number(row int, column string) float64 {
	v, err := strconv.ParseFloat(t.Text(row, column), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Distinct are the texts of a column in the order of their first rows.
func (t *Table) Distinct(column string) (out []string) {
	seen := map[string]bool{}
	for i := range t.Rows {
		if v := t.Text(i, column); !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// Models are the models in the order of the files; of each whether it is a measurement layout.
func (a *Analysis) Models() (names []string, layouts []bool) {
	for _, file := range []string{"prediction", "shift"} {
		t := a.Tables[file]
		for _, m := range t.Distinct("model") {
			if !slices.Contains(names, m) {
				names, layouts = append(names, m), append(layouts, !slices.Contains(analysis.Models(), m))
			}
		}
	}
	return names, layouts
}

// Sets are everybody and the groups.
func (a *Analysis) Sets() []string {
	t := a.Tables["curves"]
	if sets := t.Distinct("set"); len(sets) > 0 {
		return sets
	}
	return []string{"all"}
}

// Spaces are the grids, that of capability first.
func (a *Analysis) Spaces() []string {
	t := a.Tables["cells"]
	return t.Distinct("grid")
}

// bins are the labels of a feature's bins.
func (a *Analysis) bins(feature string) []string {
	for _, f := range a.Document.Features {
		if f.Name == feature {
			return f.Bins
		}
	}
	return nil
}

// features are those of a grid, by its name.
func features(space string) []string { return strings.Split(space, " × ") }
