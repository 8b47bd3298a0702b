package diag_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/num"
)

// TestAgainstPosterior compares the diagnostics with R's package posterior. testdata/reference.R made both tables.
func TestAgainstPosterior(t *testing.T) {
	sets := readDraws(t)
	rows := readCSV(t, "reference.csv")
	if len(rows)-1 != len(sets) {
		t.Fatalf("%d references for %d sets of draws", len(rows)-1, len(sets))
	}
	compute := map[string]func([][]float64) float64{
		"mean": mean, "sd": sd, "ess_mean": diag.ESSMean,
		"rhat":      func(c [][]float64) float64 { return diag.Summarise(c).RHat },
		"ess_bulk":  func(c [][]float64) float64 { return diag.Summarise(c).ESSBulk },
		"ess_tail":  func(c [][]float64) float64 { return diag.Summarise(c).ESSTail },
		"mcse_mean": diag.MCSEMean, "mcse_sd": diag.MCSESD,
		"q5":  func(c [][]float64) float64 { return quantile(c, 0.05) },
		"q50": func(c [][]float64) float64 { return quantile(c, 0.5) },
		"q95": func(c [][]float64) float64 { return quantile(c, 0.95) },
	}
	for _, row := range rows[1:] {
		chains := sets[row[0]]
		for i, name := range rows[0][1:] {
			want, err := strconv.ParseFloat(row[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := compute[name](chains); !near(got, want, 1e-10) {
				t.Errorf("%s: %s = %.14g, posterior has %.14g", row[0], name, got, want)
			}
		}
	}
}

// TestSummariseIsTheFunctions checks that Summarise gives the same values as the functions for each figure.
func TestSummariseIsTheFunctions(t *testing.T) {
	for name, c := range readDraws(t) {
		s := diag.Summarise(c)
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"Mean", s.Mean, mean(c)}, {"SD", s.SD, sd(c)}, {"MCSEMean", s.MCSEMean, diag.MCSEMean(c)}, {"MCSESD", s.MCSESD, diag.MCSESD(c)},
			{"Q5", s.Q5, quantile(c, .05)}, {"Q25", s.Q25, quantile(c, .25)}, {"Q50", s.Q50, quantile(c, .5)},
			{"Q75", s.Q75, quantile(c, .75)}, {"Q95", s.Q95, quantile(c, .95)}, {"ESSMean", s.ESSMean, diag.ESSMean(c)},
			{"RHat as a maximum", max(s.RHatBulk, s.RHatFolded), s.RHat},
		} {
			if f.got != f.want {
				t.Errorf("%s: Summarise has %s %v, the function %v", name, f.name, f.got, f.want)
			}
		}
	}
}

func readDraws(t *testing.T) map[string][][]float64 {
	t.Helper()
	sets := map[string][][]float64{}
	for _, row := range readCSV(t, "draws.csv")[1:] {
		chain, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		value, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		for len(sets[row[0]]) < chain {
			sets[row[0]] = append(sets[row[0]], nil)
		}
		sets[row[0]][chain-1] = append(sets[row[0]][chain-1], value)
	}
	return sets
}

func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// What diagnostics say of all draws without regard to chains.

func mean(chains [][]float64) float64 { return num.Mean(slices.Concat(chains...)) }

func sd(chains [][]float64) float64 {
	_, variance := num.Moments(slices.Concat(chains...))
	return math.Sqrt(variance)
}

func quantile(chains [][]float64, p float64) float64 {
	all := slices.Concat(chains...)
	slices.Sort(all)
	return num.SortedQuantile(all, p)
}
