package diag_test

import (
	"math"
	"strconv"
	"testing"

	"achilles/infer/diag"
	"achilles/sim/rng"
)

// TestAgainstLOO compares PSISLOO with R's package loo. testdata/loo.R made both tables.
func TestAgainstLOO(t *testing.T) {
	var logLik [][][]float64
	for _, row := range readCSV(t, "loo_draws.csv")[1:] {
		i, c := integer(t, row[0])-1, integer(t, row[1])-1
		for len(logLik) <= i {
			logLik = append(logLik, nil)
		}
		for len(logLik[i]) <= c {
			logLik[i] = append(logLik[i], nil)
		}
		logLik[i][c] = append(logLik[i][c], number(t, row[2]))
	}
	got := diag.PSISLOO(logLik, nil)
	rows := readCSV(t, "loo_reference.csv")[1:]
	if len(rows) != len(got.Each) {
		t.Fatalf("%d references for %d observations", len(rows), len(got.Each))
	}
	for i, row := range rows {
		e := got.Each[i]
		for _, c := range []struct {
			name string
			got  float64
			want string
		}{{"elpd", e.ELPD, row[1]}, {"p", e.P, row[2]}, {"k", e.K, row[3]}, {"ess", e.ESS, row[4]}, {"total elpd", got.ELPD, row[5]}, {"se", got.SE, row[6]}} {
			if want := number(t, c.want); !near(c.got, want, 1e-9) {
				t.Errorf("observation %d: %s = %.12g, loo has %.12g", i+1, c.name, c.got, want)
			}
		}
	}
}

func integer(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// normalMean returns the log likelihoods of data y ~ N(μ, 1) with a flat prior, at 4 × 2000 exact draws of μ. It also
// returns the exact leave-one-out densities: y_i given the other data is N(their mean, 1 + 1/(n−1)).
func normalMean(root uint64, n int) (logLik [][][]float64, exact []float64) {
	rng := rng.Stream(root, "normal-mean")
	y := make([]float64, n)
	sum := 0.0
	for i := range y {
		y[i] = rng.Norm()
		sum += y[i]
	}
	mu := make([][]float64, 4)
	for c := range mu {
		for range 2000 {
			mu[c] = append(mu[c], sum/float64(n)+rng.Norm()/math.Sqrt(float64(n)))
		}
	}
	density := func(x, mean, variance float64) float64 {
		return -0.5*math.Log(2*math.Pi*variance) - (x-mean)*(x-mean)/2/variance
	}
	for i := range y {
		chains := make([][]float64, 4)
		for c := range mu {
			for _, m := range mu[c] {
				chains[c] = append(chains[c], density(y[i], m, 1))
			}
		}
		logLik = append(logLik, chains)
		rest := (sum - y[i]) / float64(n-1)
		exact = append(exact, density(y[i], rest, 1+1/float64(n-1)))
	}
	return logLik, exact
}

// TestExactLOO checks that each estimate lies within 6 of its Monte Carlo errors, plus 0.002 for the smoothing. The
// probability of a false alarm in any of the 200 checks is below 1e-6.
func TestExactLOO(t *testing.T) {
	for root := range uint64(10) {
		logLik, exact := normalMean(root, 20)
		got := diag.PSISLOO(logLik, nil)
		for i, e := range got.Each {
			if math.Abs(e.ELPD-exact[i]) > 6*e.MCSE+0.002 {
				t.Errorf("seed %d, observation %d: %.4f ± %.4f, exactly %.4f", root, i, e.ELPD, e.MCSE, exact[i])
			}
			if e.K > diag.KLimit(8000) {
				t.Errorf("seed %d, observation %d: k = %.2f", root, i, e.K)
			}
		}
	}
}

// TestRepeats checks that an entry with 3 repeats counts as three observations.
func TestRepeats(t *testing.T) {
	logLik, _ := normalMean(1, 5)
	long := append(append([][][]float64{}, logLik...), logLik[0], logLik[0])
	a, b := diag.PSISLOO(logLik, []float64{3, 1, 1, 1, 1}), diag.PSISLOO(long, nil)
	if !near(a.ELPD, b.ELPD, 1e-12) || !near(a.SE, b.SE, 1e-12) || !near(a.P, b.P, 1e-12) {
		t.Errorf("repeats give %.6f ± %.6f, %.6f; copies %.6f ± %.6f, %.6f", a.ELPD, a.SE, a.P, b.ELPD, b.SE, b.P)
	}
}

func TestLOOEdges(t *testing.T) {
	constant := [][]float64{make([]float64, 100), make([]float64, 100)}
	for _, c := range constant {
		for i := range c {
			c[i] = -2
		}
	}
	if e := diag.PSISLOO([][][]float64{constant}, nil).Each[0]; e.ELPD != -2 || e.K != 0 || e.MCSE != 0 || math.Abs(e.P) > 1e-12 {
		t.Errorf("a constant likelihood: %+v", e)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(-1)} {
		chains := [][]float64{append([]float64{bad}, constant[0]...)}
		if got := diag.PSISLOO([][][]float64{chains, constant}, nil); !math.IsNaN(got.ELPD) || !math.IsNaN(got.Each[0].K) {
			t.Errorf("with %g: %+v", bad, got)
		}
	}
	if k := diag.PSISLOO([][][]float64{{{-1, -2, -3, -4, -5, -6, -7, -8}}}, nil).Each[0].K; !math.IsInf(k, 1) {
		t.Errorf("eight draws have no tail to fit, k = %g", k)
	}
	if diag.KLimit(100) != 0.5 || diag.KLimit(4000) != 0.7 {
		t.Errorf("limits %g and %g, want 0.5 and 0.7", diag.KLimit(100), diag.KLimit(4000))
	}
	defer func() {
		if r := recover(); r != "diag: not as many repeats as observations" {
			t.Errorf("recovered %v", r)
		}
	}()
	diag.PSISLOO(nil, []float64{1})
}
