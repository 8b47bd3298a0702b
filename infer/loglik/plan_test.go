package loglik_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"achilles/infer/loglik"
	"achilles/sim/expr"
	"achilles/sim/rng"
)

func near(a, b, rel float64) bool {
	return a == b || math.Abs(a-b) <= rel*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// TestLogistic checks that the logistic functions of plans and of expressions differ only in their last bits.
func TestLogistic(t *testing.T) {
	for x := -800.0; x <= 800; x += 0.37 {
		if got, want := loglik.Logistic(x), expr.Logistic.Value(0, []float64{x}); !near(got, want, 1e-15) {
			t.Errorf("logistic(%g) = %.17g, want %.17g", x, got, want)
		}
	}
}

// crossed returns a builder of 600 rows, and three features with 10, 6 and 5 levels. Every combination of levels occurs
// in two rows.
func crossed() (b *loglik.Builder, f [3][]float64) {
	for i := range 600 {
		f[0] = append(f[0], float64(i%10))
		f[1] = append(f[1], float64(i/10%6))
		f[2] = append(f[2], float64(i/60%5))
	}
	return loglik.NewBuilder(600, 4, 1), f
}

func TestPlates(t *testing.T) {
	b, f := crossed()
	link := func(i int) loglik.Node {
		return b.Apply(expr.Logistic, 0, b.Apply(expr.Sub, 0, b.Param(i), b.Data(f[i])))
	}
	product := b.Apply(expr.Mul, 0, b.Apply(expr.Mul, 0, link(0), link(1)), link(2))
	p := b.Apply(expr.Mix, 0, b.Param(3), product, b.Input(0))
	pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{p}}})
	// The arrays of the three links have 10, 6 and 5 values. The product of the two shorter ones has 6·5 values. The last
	// product has no array, because the likelihood computes it.
	if got := pl.StepSizes(); !slices.Equal(got, []int{10, 6, 5, 30}) {
		t.Errorf("array lengths %v, want 10 6 5 30", got)
	}
}

// TestAffine checks that an expression which is affine in the parameters becomes one array, however it is written. Rows
// that differ only in numbers that are multiplied by 0 share an element.
func TestAffine(t *testing.T) {
	b, f := crossed()
	x, one := b.Param(0), b.Const(1)
	margin := b.Apply(expr.Sub, 0, b.Const(50), b.Apply(expr.Mul, 0, b.Apply(expr.Sub, 0, b.Const(50), b.Apply(expr.Sub, 0, x, b.Data(f[0]))), b.Data(f[1])))
	present := b.Apply(expr.Present, 0, b.Param(1), b.Data(f[2]))
	mixed := b.Apply(expr.Mix, 0, b.Data(f[2]), b.Apply(expr.Neg, 0, x), b.Apply(expr.Div, 0, b.Param(2), b.Apply(expr.Add, 0, one, b.Data(f[1]))))
	for _, c := range []struct {
		name  string
		n     loglik.Node
		sizes []int
	}{{"margin", margin, []int{51}}, {"present", present, []int{5}}, {"mixed", mixed, []int{1, 25}}, {"cancelled", b.Apply(expr.Sub, 0, b.Apply(expr.Add, 0, x, b.Data(f[0])), x), []int{10}}} {
		pl := b.Compile([]loglik.Likelihood{{Family: loglik.Normal, Args: []loglik.Node{c.n, one}}})
		if got := pl.StepSizes(); !slices.Equal(got, c.sizes) {
			t.Errorf("%s: array lengths %v, want %v", c.name, got, c.sizes)
		}
		w, err := pl.NewWorkspace([]float64{0}, [][]loglik.Observation{nil})
		if err != nil {
			t.Fatal(err)
		}
		out, params := make([]float64, 600), []float64{3, 0.25, -2, 0}
		w.Evaluate(params)
		w.Output(0, 0, out)
		for r, v := range out {
			a, d, e := f[0][r], f[1][r], f[2][r]
			want := map[string]float64{"margin": 50 - (50-(3-a))*d, "present": 1 - 0.75*e, "mixed": (1-e)*-3 + e*-2/(1+d), "cancelled": a}[c.name]
			if !near(v, want, 1e-13) {
				t.Fatalf("%s in row %d is %g, want %g", c.name, r, v, want)
			}
		}
	}
}

// TestNodes checks that equal expressions are one node, and that expressions of rows only are computed at once.
func TestNodes(t *testing.T) {
	b, f := crossed()
	one := b.Apply(expr.Exp, 0, b.Apply(expr.Mul, 0, b.Param(0), b.Data(f[0])))
	if two := b.Apply(expr.Exp, 0, b.Apply(expr.Mul, 0, b.Param(0), b.Data(slices.Clone(f[0])))); one != two {
		t.Error("equal expressions are two nodes")
	}
	if b.Apply(expr.Max, 0.1, b.Param(0), b.Param(1)) == b.Apply(expr.Max, 0.2, b.Param(0), b.Param(1)) {
		t.Error("maxima of two temperatures are one node")
	}
	if b.Apply(expr.Max, 0.1, b.Const(1), b.Const(2)) != b.Const(2) {
		t.Error("a maximum of constants is not exact")
	}
	if b.Data(make([]float64, 600)) != b.Const(0) {
		t.Error("a column of one value is not a constant")
	}
	// (((x·f)²)²)… has 2^40 factors if it is expanded.
	p := b.Apply(expr.Logistic, 0, b.Apply(expr.Sub, 0, b.Param(0), b.Data(f[0])))
	for range 40 {
		p = b.Apply(expr.Mul, 0, p, p)
	}
	pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{p}}})
	if n := len(pl.StepSizes()); n > 200 {
		t.Errorf("%d arrays", n)
	}
}

// TestExtremeProbabilities checks likelihoods whose products of four probabilities underflow. The logarithms are then
// taken one by one.
func TestExtremeProbabilities(t *testing.T) {
	const rows = 23
	f := make([]float64, rows)
	for i := range f {
		f[i] = float64(i)
	}
	b := loglik.NewBuilder(rows, 1, 0)
	p := b.Apply(expr.Exp, 0, b.Apply(expr.Mul, 0, b.Apply(expr.Neg, 0, b.Param(0)), b.Data(f)))
	pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{p}}})
	var obs []loglik.Observation
	for i := 1; i < rows; i++ {
		obs = append(obs, loglik.Observation{Row: i, Value: 1, Count: float64(1 + i%3)}, loglik.Observation{Row: i, Value: 0, Count: float64(i % 4)})
	}
	w, err := pl.NewWorkspace(nil, [][]loglik.Observation{obs})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, 1)
	for k := range 200 { // from 1e-9 to 30; some products are subnormal
		x := 1e-9 * math.Pow(3e10, float64(k)/199)
		want, slope := 0.0, 0.0
		for i := 1; i < rows; i++ {
			s, n, z := float64(1+i%3), float64(i%4), x*float64(i)
			want += -s*z + n*math.Log(-math.Expm1(-z))
			slope += -s*float64(i) + n*float64(i)/math.Expm1(z)
		}
		tol := 1e-13 + 1e-15/x // 1−q has an error of 1e-16/x; at x = 1e-9 seven digits remain
		if got := w.Gradient([]float64{x}, grad); !near(got, want, tol) || !near(grad[0], slope, tol) {
			t.Errorf("at %g: %.15g with slope %.15g, want %.15g with %.15g", x, got, grad[0], want, slope)
		}
		if got, like := w.Gradient([]float64{x}, grad), w.LogLikelihood([]float64{x}); got != like {
			t.Errorf("at %g: Gradient gives %g, LogLikelihood %g", x, got, like)
		}
	}
}

func TestObservationErrors(t *testing.T) {
	b := loglik.NewBuilder(2, 1, 0)
	x := b.Param(0)
	for _, c := range []struct {
		name  string
		like  loglik.Likelihood
		value float64
		want  string
	}{
		{"bernoulli", loglik.Likelihood{Family: loglik.Bernoulli, Args: []loglik.Node{x}}, 2, "value 2 is neither 0 nor 1"},
		{"binomial", loglik.Likelihood{Family: loglik.Bernoulli, Args: []loglik.Node{x}, Trials: []float64{4, 4}}, 5, "value 5 is not a whole number from 0 to 4"},
		{"normal", loglik.Likelihood{Family: loglik.Normal, Args: []loglik.Node{x, x}}, math.NaN(), "value NaN is not finite"},
		{"beta", loglik.Likelihood{Family: loglik.Beta, Args: []loglik.Node{x, x}}, 1, "value 1 is outside the open interval (0, 1)"},
		{"zero-one-inflated beta", loglik.Likelihood{Family: loglik.ZeroOneInflatedBeta, Args: []loglik.Node{x, x, x, x}}, -0.1, "value -0.1 is outside the interval [0, 1]"},
		{"choice", loglik.Likelihood{Family: loglik.Choice, Args: []loglik.Node{x, x}}, 2, "value 2 is not a category from 0 to 1; achilles layouts new writes a layout with the categories of the data"},
	} {
		_, err := b.Compile([]loglik.Likelihood{c.like}).NewWorkspace(nil, [][]loglik.Observation{{{Row: 0, Value: c.value, Count: 1}}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestConcurrency checks that workspaces of one plan in several goroutines give the same bits as one alone.
func TestConcurrency(t *testing.T) {
	b, f := crossed()
	p := b.Apply(expr.Mix, 0, b.Param(1), b.Apply(expr.Logistic, 0, b.Apply(expr.Sub, 0, b.Param(0), b.Data(f[0]))), b.Input(0))
	pl := b.Compile([]loglik.Likelihood{{Family: loglik.Bernoulli, Args: []loglik.Node{p}}})
	one := func(k int) (out []float64) {
		w, err := pl.NewWorkspace([]float64{0.1 * float64(k)}, [][]loglik.Observation{{{Row: k, Value: 1, Count: 3}, {Row: 7 * k, Value: 0, Count: 1}}})
		if err != nil {
			t.Error(err)
			return nil
		}
		r, grad := rng.Stream(1, "concurrency"), make([]float64, 4)
		for range 200 {
			out = append(out, w.Gradient([]float64{3 * r.Norm(), r.Float64(), 0, 0}, grad), grad[0], grad[1])
		}
		return out
	}
	got := make([][]float64, 8)
	var wg sync.WaitGroup
	for k := range got {
		wg.Go(func() { got[k] = one(k) })
	}
	wg.Wait()
	for k := range got {
		if !slices.Equal(got[k], one(k)) {
			t.Errorf("workspace %d gives other numbers beside others", k)
		}
	}
}
