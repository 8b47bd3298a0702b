package loglik_test

import (
	"math"
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

// TestInflatedBetaIsADistribution checks that the probabilities of 0 and 1 and the integral of the density between them add up
// to 1, and that they have the mean αγ + (1−α)μ. The integral is a sum over 20,000 midpoints in y = sin²x, which stretches the
// ends, where the density may be infinite.
func TestInflatedBetaIsADistribution(t *testing.T) {
	for _, args := range [][]float64{{0.5, 2, 0.3, 0.5}, {0.7, 12, 0.05, 0.9}, {0.3, 3, 0.6, 0.2}, {0.9, 20, 0, 0.5}, {0.5, 4, 1, 0.25}} {
		prob := func(y float64) float64 { return math.Exp(loglik.LogProb(loglik.ZeroOneInflatedBeta, args, y, 1)) }
		sum, mean := prob(0)+prob(1), prob(1)
		const n = 20_000
		for i := range n {
			x := (float64(i) + 0.5) / n * math.Pi / 2
			y := math.Sin(x) * math.Sin(x)
			w := prob(y) * 2 * math.Sin(x) * math.Cos(x) * math.Pi / 2 / n
			sum, mean = sum+w, mean+w*y
		}
		if want := args[2]*args[3] + (1-args[2])*args[0]; math.Abs(sum-1) > 1e-6 || math.Abs(mean-want) > 1e-6 {
			t.Errorf("%v: total probability %.8f, mean %.8f, want %.8f", args, sum, mean, want)
		}
	}
}

// TestInflatedBeta compares the gradient with central differences, and the log likelihood of many scores with the sum of
// LogProb, for rows with scores of all kinds, only zeros, only ones, and only scores between.
func TestInflatedBeta(t *testing.T) {
	scores := [][]float64{{0, 0, 1, 0.2, 0.9, 0.9}, {0, 0}, {1}, {0.1, 0.4}}
	b := loglik.NewBuilder(len(scores), 4, 0)
	plan := b.Compile([]loglik.Likelihood{{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{b.Param(0), b.Param(1), b.Param(2), b.Param(3)}}})
	for row := range scores {
		var obs []loglik.Observation
		for _, y := range scores[row] {
			obs = append(obs, loglik.Observation{Row: row, Value: y, Count: 1})
		}
		w, err := plan.NewWorkspace(nil, [][]loglik.Observation{obs})
		if err != nil {
			t.Fatal(err)
		}
		r, grad := rng.Stream(1, "inflated"), make([]float64, 4)
		for range 50 {
			x := []float64{0.05 + 0.9*r.Float64(), 0.5 + 20*r.Float64(), 0.05 + 0.9*r.Float64(), 0.05 + 0.9*r.Float64()}
			got, want := w.Gradient(x, grad), 0.0
			for _, y := range scores[row] {
				want += loglik.LogProb(loglik.ZeroOneInflatedBeta, x, y, 1)
			}
			if !near(got, want, 1e-12) || got != w.LogLikelihood(x) {
				t.Fatalf("row %d at %v: %.15g, want %.15g", row, x, got, want)
			}
			for i := range x {
				const h = 1e-6
				at := x[i]
				x[i] = at + h
				up := w.LogLikelihood(x)
				x[i] = at - h
				down := w.LogLikelihood(x)
				x[i] = at
				if d := (up - down) / (2 * h); !near(grad[i], d, 1e-6) {
					t.Fatalf("row %d at %v: derivative %d is %g, difference %g", row, x, i, grad[i], d)
				}
			}
		}
	}
}

// TestInflatedBetaAtTheEdges checks that scores which a parameter makes impossible have the log probability −Inf, and that
// scores of 0 and 1 do not depend on the mean, which may then be 0 or 1 too.
func TestInflatedBetaAtTheEdges(t *testing.T) {
	b := loglik.NewBuilder(1, 4, 0)
	plan := b.Compile([]loglik.Likelihood{{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{b.Param(0), b.Param(1), b.Param(2), b.Param(3)}}})
	for _, c := range []struct {
		args  []float64
		score float64
		want  float64
	}{{[]float64{0, 5, 0.4, 0.5}, 1, math.Log(0.2)}, {[]float64{1, 5, 0.4, 0.5}, 0, math.Log(0.2)}, {[]float64{0.5, 5, 0, 0.5}, 0, math.Inf(-1)}, {[]float64{0.5, 5, 1, 0.5}, 0.5, math.Inf(-1)}, {[]float64{0.5, 5, 0.4, 0}, 1, math.Inf(-1)}, {[]float64{0.5, 5, 1, 1}, 1, 0}} {
		w, err := plan.NewWorkspace(nil, [][]loglik.Observation{{{Value: c.score, Count: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.LogLikelihood(c.args); !near(got, c.want, 1e-12) {
			t.Errorf("score %g at %v: %g, want %g", c.score, c.args, got, c.want)
		}
		grad := make([]float64, 4)
		if w.Gradient(c.args, grad); !math.IsInf(c.want, -1) && (math.IsNaN(grad[0]+grad[1]+grad[2]+grad[3]) || grad[0] != 0) {
			t.Errorf("score %g at %v: gradient %v", c.score, c.args, grad)
		}
	}
}

// TestFarProportions compares the log density of degrees of success, and its derivatives, where the mean, or the share of ones, of ones and zeros
// together, rounds to 1 or ends with the doubles, with those of logarithms: with b = (1 − mean)·precision small, 1/B(a, b) is b.
func TestFarProportions(t *testing.T) {
	const precision = 3.0
	for _, of := range []struct {
		name  string
		value float64
		like  func(b *loglik.Builder, far loglik.Node) loglik.Likelihood
		want  func(x float64) float64 // of a margin, far above 0
		sign  float64
	}{
		{"mean near 1", 0.7, func(b *loglik.Builder, far loglik.Node) loglik.Likelihood {
			return loglik.Likelihood{Family: loglik.Beta, Args: []loglik.Node{far, b.Const(precision)}}
		}, func(x float64) float64 {
			return (precision-1)*math.Log(0.7) - math.Log(0.3) + math.Log(precision) - x
		}, 1},
		{"mean near 0", 0.7, func(b *loglik.Builder, far loglik.Node) loglik.Likelihood {
			return loglik.Likelihood{Family: loglik.Beta, Args: []loglik.Node{far, b.Const(precision)}}
		}, func(x float64) float64 {
			return (precision-1)*math.Log(0.3) - math.Log(0.7) + math.Log(precision) - x
		}, -1},
		{"inflation near 1", 0.7, func(b *loglik.Builder, far loglik.Node) loglik.Likelihood {
			return loglik.Likelihood{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{b.Const(0.5), b.Const(2), far, b.Const(0.5)}}
		}, func(x float64) float64 { return -x }, 1},
		{"ones near 1", 0, func(b *loglik.Builder, far loglik.Node) loglik.Likelihood {
			return loglik.Likelihood{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{far, b.Const(2), b.Const(0.5), far}}
		}, func(x float64) float64 { return -math.Ln2 - x }, 1},
		{"mean near 1, inflation near 0", 0.7, func(b *loglik.Builder, far loglik.Node) loglik.Likelihood {
			return loglik.Likelihood{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{far, b.Const(precision), b.Apply(expr.Logistic, 0, b.Apply(expr.Sub, 0, b.Const(0), b.Param(0))), b.Const(0.5)}}
		}, func(x float64) float64 {
			return (precision-1)*math.Log(0.7) - math.Log(0.3) + math.Log(precision) - x
		}, 1},
	} {
		b := loglik.NewBuilder(1, 1, 0)
		plan := b.Compile([]loglik.Likelihood{of.like(b, b.Apply(expr.Logistic, 0, b.Param(0)))})
		w, err := plan.NewWorkspace(nil, [][]loglik.Observation{{{Value: of.value, Count: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{20, 36, 38, 700, 1000} {
			if of.sign < 0 && x < 700 {
				continue // the doubles have digits
			}
			grad := []float64{0}
			l := w.Gradient([]float64{of.sign * x}, grad)
			w.Evaluate([]float64{of.sign * x})
			if want := of.want(x); !near(l, want, 1e-6) || !near(grad[0], -of.sign, 1e-6) || l != w.LogProb(0, 0, of.value) || l != w.LogLikelihood([]float64{of.sign * x}) {
				t.Errorf("%s, margin %g: %.9g, derivative %g, want %.9g", of.name, x, l, grad[0], want)
			}
		}
	}
}
