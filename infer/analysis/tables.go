package analysis

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"achilles/infer/chargrid"
	"achilles/infer/predict"
)

// A Sink receives the files of an analysis.
type Sink interface {
	// Put stores a file under its name; it may keep data.
	Put(name string, data []byte) error
}

// Write hands analysis.json and the tables to a sink, always in the same order.
func (a *Analysis) Write(s Sink) error {
	b, err := a.json()
	if err != nil {
		return fmt.Errorf("analysis.json: %w", err)
	}
	if err := s.Put("analysis.json", b); err != nil {
		return fmt.Errorf("analysis.json: %w", err)
	}
	for _, f := range []struct {
		name string
		make func(*csvTable)
	}{
		{"correlations.csv", a.correlationRows}, {"matrix.csv", a.matrixRows}, {"curves.csv", a.curveRows}, {"robustness.csv", a.robustnessRows},
		{"cells.csv", a.cellRows}, {"capability.csv", a.capabilityRows}, {"regions.csv", a.regionRows}, {"next.csv", a.nextRows},
		{"prediction.csv", a.predictionRows}, {"shift.csv", a.shiftRows},
	} {
		var t csvTable
		f.make(&t)
		b, err := t.bytes()
		if err == nil {
			err = s.Put(f.name, b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// A csvTable is a CSV file that is being written.
type csvTable struct {
	buf bytes.Buffer
	csv *csv.Writer
}

// row writes one line. A number that is not defined is an empty field.
func (s *csvTable) row(fields ...any) {
	if s.csv == nil {
		s.csv = csv.NewWriter(&s.buf)
	}
	line := make([]string, len(fields))
	for i, f := range fields {
		switch v := f.(type) {
		case string:
			line[i] = v
		case int:
			line[i] = strconv.Itoa(v)
		case float64:
			line[i] = number(v)
		case *float64:
			if v != nil {
				line[i] = number(*v)
			}
		default:
			panic("analysis: a field of a table is neither text nor number")
		}
	}
	s.csv.Write(line) // a bytes.Buffer does not fail
}

func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (s *csvTable) bytes() ([]byte, error) {
	s.csv.Flush()
	return s.buf.Bytes(), s.csv.Error()
}

func (a *Analysis) correlationRows(s *csvTable) {
	s.row("set", "feature", "responses", "values", "spearman", "spearman_fisher_low", "spearman_fisher_high", "spearman_cluster_low", "spearman_cluster_high",
		"pearson", "pearson_fisher_low", "pearson_fisher_high", "pearson_cluster_low", "pearson_cluster_high",
		"conformance", "conformance_cluster_low", "conformance_cluster_high", "intercept", "slope", "slope_cluster_low", "slope_cluster_high", "reason")
	for _, set := range a.Sets {
		for _, c := range set.Correlations {
			s.row(set.Name, c.Feature, c.Responses, c.Levels,
				c.Spearman.Value, c.Spearman.Fisher.Low, c.Spearman.Fisher.High, c.Spearman.Cluster.Low, c.Spearman.Cluster.High,
				c.Pearson.Value, c.Pearson.Fisher.Low, c.Pearson.Fisher.High, c.Pearson.Cluster.Low, c.Pearson.Cluster.High,
				c.Conformance.Value, c.Conformance.Cluster.Low, c.Conformance.Cluster.High,
				c.Line.Intercept.Value, c.Line.Slope.Value, c.Line.Slope.Cluster.Low, c.Line.Slope.Cluster.High, c.Reason)
		}
	}
}

func (a *Analysis) matrixRows(s *csvTable) {
	s.row("a", "b", "spearman", "pearson")
	for i, x := range a.Matrix.Names {
		for j, y := range a.Matrix.Names[:i] {
			s.row(x, y, a.Matrix.Spearman[i][j], a.Matrix.Pearson[i][j])
		}
	}
}

func (a *Analysis) curveRows(s *csvTable) {
	s.row("set", "feature", "kind", "label", "value", "responses", "mean", "low", "high")
	for _, set := range a.Sets {
		for _, c := range set.Curves {
			for _, part := range []struct {
				kind   string
				points []chargrid.CurvePoint
			}{{"value", c.Values}, {"bin", c.Binned}} {
				for _, p := range part.points {
					s.row(set.Name, c.Feature, part.kind, p.Label, p.Value, p.N, p.Mean, p.Low, p.High)
				}
			}
		}
	}
}

func (a *Analysis) robustnessRows(s *csvTable) {
	s.row("set", "feature", "robustness", "spread", "spread_by_chance", "p", "cells", "reason")
	for _, set := range a.Sets {
		for _, r := range set.Robustness {
			s.row(set.Name, r.Feature, r.Value, r.Spread, r.Expected, r.P, r.Cells, r.Reason)
		}
	}
}

// cellRows leaves out the empty cells of single subjects.
func (a *Analysis) cellRows(s *csvTable) {
	s.row("grid", "of", "cell", "bin1", "bin2", "bin3", "items", "responses", "mean", "p_competent", "verdict", "gain")
	for _, sp := range a.Spaces {
		for k, g := range sp.Grids {
			for c, j := range g.Cells {
				mean, ok := g.Mean(c)
				if !ok {
					if k >= len(a.Sets) {
						continue
					}
					mean = math.NaN()
				}
				bins := append(sp.Space.Label(c), "", "")
				s.row(sp.Name, g.Of, c, bins[0], bins[1], bins[2], sp.Space.Items[c], g.N[c], mean, j.P, string(j.Verdict), j.Gain)
			}
		}
	}
}

// capabilityRows has one line a subject, with the capability over every grid.
func (a *Analysis) capabilityRows(s *csvTable) {
	head := []any{"subject", "responses", "success_rate"}
	for _, sp := range a.Spaces {
		head = append(head, sp.Name, sp.Name+" se", sp.Name+" cells")
	}
	s.row(head...)
	if a.Capability == nil {
		return
	}
	for _, r := range a.Capability.Subjects {
		line := []any{r.Subject, r.Responses, r.SuccessRate}
		for k := range a.Spaces {
			line = append(line, r.Capability[k], r.SE[k], r.Cells[k])
		}
		s.row(line...)
	}
}

// regionRows has the regions over the space of capability.
func (a *Analysis) regionRows(s *csvTable) {
	s.row("grid", "of", "region", "verdict", "cells", "responses", "mean", "members")
	for _, sp := range a.firstSpace() {
		for _, g := range sp.Grids {
			for i, r := range g.Regions {
				mean := math.NaN()
				if r.N > 0 {
					mean = r.Sum / r.N
				}
				members := ""
				for k, c := range r.Cells {
					if k > 0 {
						members += " "
					}
					members += strconv.Itoa(c)
				}
				s.row(sp.Name, g.Of, i+1, string(r.Verdict), len(r.Cells), r.N, mean, members)
			}
		}
	}
}

// mostSuggestions bounds the cells to test next of a subject.
const mostSuggestions = 10

func (a *Analysis) nextRows(s *csvTable) {
	s.row("grid", "of", "rank", "cell", "bin1", "bin2", "bin3", "items", "p_competent", "gain")
	for _, sp := range a.firstSpace() {
		for _, g := range sp.Grids {
			for i, n := range g.Next[:min(len(g.Next), mostSuggestions)] {
				bins := append(sp.Space.Label(n.Cell), "", "")
				s.row(sp.Name, g.Of, i+1, n.Cell, bins[0], bins[1], bins[2], n.Items, n.P, n.Gain)
			}
		}
	}
}

func (a *Analysis) firstSpace() []SpaceResult { return a.Spaces[:min(1, len(a.Spaces))] }

func predictionHead(lead ...any) []any {
	return append(lead, "model", "split", "responses", "error", "error_se", "mae", "mae_se", "mse", "mse_se", "log_loss", "bias", "calibration", "refinement")
}

func gradeRow(lead []any, model, split string, g predict.Grade) []any {
	return append(lead, model, split, g.N, g.Mean[predict.Error], g.SE[predict.Error], g.Mean[predict.MAE], g.SE[predict.MAE],
		g.Mean[predict.MSE], g.SE[predict.MSE], g.Mean[predict.LogLoss], g.Mean[predict.Bias], g.Calibration, g.Refinement)
}

func (a *Analysis) predictionRows(s *csvTable) {
	s.row(predictionHead()...)
	for _, m := range a.Prediction {
		for i, g := range m.Grades {
			s.row(gradeRow(nil, m.Model, m.Splits[i], g)...)
		}
	}
}

func (a *Analysis) shiftRows(s *csvTable) {
	s.row(predictionHead("shift", "train")...)
	for _, x := range a.Shifts {
		for _, m := range x.Models {
			for i, g := range m.Grades {
				s.row(gradeRow([]any{x.Name, x.Train}, m.Model, m.Splits[i], g)...)
			}
		}
	}
}
