package analysis_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/infer/analysis"
	"achilles/infer/chargrid"
	"achilles/infer/layout"
	"achilles/infer/predict"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

var (
	update = flag.Bool("update", false, "rewrite the generated parts of docs/guide/not-a-number.md")
)

// holdPage compares a generated part of docs/guide/not-a-number.md, or of testdata, with want. With -update, it rewrites the part
// instead.
func holdPage(t *testing.T, part, want string) {
	t.Helper()
	file := filepath.Join("..", "..", "docs", "guide", "not-a-number.md")
	if part == "prediction" || part == "shift" || part == "grids" { // too long for the page
		file = filepath.Join("testdata", "not-a-number-"+part+".md")
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("no documentation beside this package: %v", err)
	}
	begin, end := fmt.Sprintf("<!-- begin %s (generated) -->\n", part), fmt.Sprintf("<!-- end %s -->", part)
	_, rest, ok := strings.Cut(string(page), begin)
	got, _, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part %q", file, part)
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s states other numbers than are computed; go test -run %s -update, and read the difference.\nstated:\n%s\ncomputed:\n%s", file, t.Name(), got, want)
		return
	}
	page = bytes.Replace(page, []byte(begin+got+end), []byte(begin+want+end), 1)
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
}

// markdown returns a table in Markdown, with all columns except the first aligned right.
func markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	rule := slices.Repeat([]string{"---:"}, len(head))
	rule[0] = "---"
	line(rule)
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

func f4(x float64) string { return strings.Replace(fmt.Sprintf("%.4f", x), "-", "−", 1) }

func span(i chargrid.Interval) string {
	return strings.ReplaceAll(fmt.Sprintf("%.3f … %.3f", i.Low, i.High), "-", "−")
}

func TestDescriptivePage(t *testing.T) {
	a := descriptive(t)

	var rows [][]string
	reference := aaio(t, "nan_correlations.csv")
	lookup := func(feature string) string {
		k := slices.Index(reference[0], feature)
		for _, r := range reference[1:] {
			if r[0] == "passed" && r[len(r)-1] == "spearman" {
				return strings.Replace(r[k], "-", "−", 1)
			}
		}
		return ""
	}
	for _, c := range a.Sets[0].Correlations {
		if c.Shape == "" { // labels
			continue
		}
		rows = append(rows, []string{c.Feature, f4(c.Spearman.Value), lookup(c.Feature), span(c.Spearman.Fisher), span(c.Spearman.Cluster), fmt.Sprint(c.Responses)})
	}
	holdPage(t, "correlations", markdown([]string{"feature", "Spearman", "reference", "95 %, Fisher", "95 %, subjects", "responses"}, rows))

	rows = nil
	for _, p := range conformances {
		c := correlation(a, p.feature)
		rows = append(rows, []string{c.Feature, f4(c.Conformance.Value), strings.Replace(fmt.Sprintf("%.2f", p.printed), "-", "−", 1), span(c.Conformance.Cluster), fmt.Sprint(c.Levels)})
	}
	holdPage(t, "conformance", markdown([]string{"feature", "conformance", "published", "95 %, subjects", "values"}, rows))

	rows = nil
	for _, p := range projections {
		k := slices.IndexFunc(a.Spaces, func(s analysis.SpaceResult) bool { return s.Name == p.space })
		var rate, capability []float64
		for _, s := range a.Capability.Subjects {
			rate, capability = append(rate, s.SuccessRate), append(capability, *s.Capability[k])
		}
		said := "–"
		if p.column == "x1x2x3" {
			said = "0.96"
		}
		rows = append(rows, []string{p.space, f4(chargrid.Pearson(rate, capability, nil)), said, f4(p.pearson),
			fmt.Sprintf("%d of %d", a.Spaces[k].Grids[0].Used(), a.Spaces[k].Space.Cells)})
	}
	holdPage(t, "capability", markdown([]string{"grid", "correlation", "published", "reference", "cells with responses"}, rows))

	rows = nil
	for _, r := range a.Sets[0].Robustness {
		rows = append(rows, []string{r.Feature, f4(r.Value), f4(r.Spread), f4(r.Expected), fmt.Sprintf("%.3f", r.P), fmt.Sprint(r.Cells)})
	}
	holdPage(t, "robustness", markdown([]string{"feature", "robustness", "spread", "by chance", "P", "cells"}, rows))

	rows = nil
	for _, c := range table1 {
		g := result(a, c.model).Grades[0]
		row := []string{c.model}
		for m, got := range []float64{crispError(t, c.model), g.Mean[predict.MAE], g.Mean[predict.MSE]} {
			row = append(row, fmt.Sprintf("%.2f", 100*got), fmt.Sprintf("%.1f", c.printed[m]))
		}
		rows = append(rows, row)
	}
	holdPage(t, "table 1", markdown([]string{"rule", "error, drawn", "published", "MAE", "published", "MSE", "published"}, rows))
	holdPage(t, "grids", picture(a, "INAOE1", "daydayup", "all"))
}

// picture returns grids over size × distance as text. A cell has the success rate in per cent and a mark for the
// verdict: + competent, - incompetent, ? undecided. A point stands for an empty cell.
func picture(a *analysis.Analysis, of ...string) string {
	k := slices.IndexFunc(a.Spaces, func(s analysis.SpaceResult) bool { return s.Name == "size × distance" })
	s := a.Spaces[k]
	var b strings.Builder
	b.WriteString("```\n")
	for _, name := range of {
		g := s.Grids[slices.IndexFunc(s.Grids, func(g analysis.GridResult) bool { return g.Of == name })]
		fmt.Fprintf(&b, "%-18s", name)
		for _, l := range s.Space.Axes[1].Labels {
			fmt.Fprintf(&b, "%13s", l)
		}
		b.WriteString("\n")
		for i, l := range s.Space.Axes[0].Labels {
			fmt.Fprintf(&b, "  %-16s", l)
			for j := range s.Space.Axes[1].Labels {
				c := s.Space.Index([]int{i, j})
				cell := "·"
				if m, ok := g.Mean(c); ok {
					mark := map[chargrid.Decision]string{chargrid.Competent: "+", chargrid.Incompetent: "-", chargrid.Undecided: "?"}[g.Cells[c].Verdict]
					cell = fmt.Sprintf("%.0f%%%s", 100*m, mark)
				}
				fmt.Fprintf(&b, "%13s", cell)
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("```\n")
	return b.String()
}

// TestPredictionPage fits the configured models and a layout to the ten reference splits and the shifts. Under a shift, the
// layout must predict better than the subjects' success rates. On the splits, four models must have a smaller error and MSE
// than models of the reference: the two trees than C5.0 on the same features, the blend than gradient boosting on features,
// and the factor model than the best model that has effects of single items.
func TestPredictionPage(t *testing.T) {
	longtest.Only(t, "takes minutes")
	d, place := olympics(t)
	c := published(t)
	c.SplitsFile, c.SplitsText = "nan_splits.csv", referenceSplits(t, d, place)
	c.Predictors = []predict.Predictor{shippedLayout(t, &c, d, "aaio-99")}
	a, err := analysis.Run(context.Background(), d, c)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, r := range a.Prediction {
		s := r.Summary
		rows = append(rows, []string{r.Model, fmt.Sprintf("%.2f", 100*s[predict.Error].Mean), fmt.Sprintf("%.2f", 100*s[predict.Error].SD),
			fmt.Sprintf("%.1f … %.1f", 100*s[predict.Error].Low, 100*s[predict.Error].High),
			fmt.Sprintf("%.2f", 100*s[predict.MAE].Mean), fmt.Sprintf("%.2f", 100*s[predict.MSE].Mean), f4(s[predict.LogLoss].Mean)})
	}
	holdPage(t, "prediction", markdown([]string{"model", "error %", "sd", "95 %", "MAE %", "MSE %", "log loss"}, rows))

	rows = nil
	for _, s := range a.Shifts {
		if s.Name != "size+distance+ypos" { // the page has one of the four
			continue
		}
		for _, r := range s.Models {
			m := r.Summary
			rows = append(rows, []string{r.Model, fmt.Sprintf("%.1f", 100*m[predict.Error].Mean), fmt.Sprintf("%.1f", 100*m[predict.MAE].Mean),
				fmt.Sprintf("%.1f", 100*m[predict.MSE].Mean), strings.Replace(fmt.Sprintf("%+.1f", 100*m[predict.Bias].Mean), "-", "−", 1)})
		}
	}
	holdPage(t, "shift", markdown([]string{"model", "error %", "MAE %", "MSE %", "bias %"}, rows))

	for _, s := range a.Shifts {
		rate, own := modelOf(s.Models, "subject").Summary, modelOf(s.Models, "aaio-99").Summary
		if own[predict.MSE].Mean >= rate[predict.MSE].Mean || math.Abs(own[predict.Bias].Mean) >= 0.5*math.Abs(rate[predict.Bias].Mean) {
			t.Errorf("harder by %s: MSE %.4f, bias %+.3f of the layout: not ahead of the subjects' own rates (%.4f, %+.3f)", s.Name,
				own[predict.MSE].Mean, own[predict.Bias].Mean, rate[predict.MSE].Mean, rate[predict.Bias].Mean)
		}
	}

	for _, c := range []struct {
		model      string
		error, mse float64
		against    string
	}{
		{"tree", 0.1895, 0.1422, "C5.0, all features"},
		{"tree_relevant", 0.2033, 0.1516, "C5.0, relevant features"},
		{"blend", 0.1578, 0.1133, "the reference's gradient boosting on features"},
		{"factor", 0.1444, 0.1089, "the best error and the best MSE of the reference's item-aware models"},
	} {
		s := result(a, c.model).Summary
		if s[predict.Error].Mean >= c.error || s[predict.MSE].Mean >= c.mse {
			t.Errorf("%s: error %.4f, MSE %.4f: not ahead of %s (%.4f, %.4f)", c.model, s[predict.Error].Mean, s[predict.MSE].Mean, c.against, c.error, c.mse)
		}
	}
}

// shippedLayout returns the predictor of a layout that the repository ships.
func shippedLayout(t *testing.T, c *analysis.Settings, d *record.Dataset, name string) predict.Predictor {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "scenarios", "layouts", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := layout.Parse(name+".toml", string(b))
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.LayoutPredictor(d, l)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func modelOf(rs []analysis.ModelResult, name string) analysis.ModelResult {
	return rs[slices.IndexFunc(rs, func(r analysis.ModelResult) bool { return r.Model == name })]
}
