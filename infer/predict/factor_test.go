package predict_test

import (
	"math"
	"testing"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestDraws compares moments of draws with closed forms. The tolerance is 5 standard errors each; the false-alarm rate
// is below 1e-5 in all.
func TestDraws(t *testing.T) {
	const n = 200_000
	r := rng.Stream(1, "draws")
	check := func(what string, mean, variance float64, draw func() float64) {
		sum := 0.0
		for range n {
			sum += draw()
		}
		near(t, what, sum/n, mean, 5*math.Sqrt(variance/n))
	}
	for _, m := range []float64{3, 0, -0.3, -0.5, -2, -6} { // mean of a truncated normal: m + φ(m)/Φ(m)
		ratio := math.Exp(-m*m/2) / math.Sqrt(2*math.Pi) / num.NormalCDF(m)
		check("positive normal", m+ratio, 1-ratio*(m+ratio), func() float64 { return predict.DrawPositive(m, &r) })
	}
	// inverse gamma(5, 8): mean 8/4, variance 64/(16·3)
	check("variance", 2, 64.0/48, func() float64 { return predict.DrawVariance(5, 8, &r) })
	check("variance of shape 1, through exp(−1/x)", 0.5, 1.0/12, func() float64 { // 1/x is exponential
		return math.Exp(-1 / predict.DrawVariance(1, 1, &r))
	})
	// precision [[2, 1], [1, 2]] and right-hand side (3, 3): mean (1, 1), covariance [[2, −1], [−1, 2]]/3
	draw := func() (x, y float64) {
		b := []float64{3, 3}
		predict.DrawGaussian([]float64{2, 1, 2}, b, &r)
		return b[0] - 1, b[1] - 1
	}
	check("Gaussian mean", 0, 2.0/3, func() float64 { x, _ := draw(); return x })
	check("Gaussian variance", 2.0/3, 2*4.0/9, func() float64 { _, y := draw(); return y * y })
	check("Gaussian covariance", -1.0/3, 4.0/9+1.0/9, func() float64 { x, y := draw(); return x * y })
}

// TestJointDistribution runs the test of Geweke (2004). If parameters given responses and responses given parameters
// are drawn in turn, the parameters must keep their prior distribution. A wrong conditional distribution would change
// some moment. Functions of the parameters are bounded, because the priors of the variances have no mean. Standard
// errors are from 50 batches. The tolerance is 6 standard errors over 26 functions: false-alarm rate about 1e-5 with
// Student's t of 49 degrees of freedom.
func TestJointDistribution(t *testing.T) {
	sweeps := 50_000
	if longtest.On() {
		sweeps = 1_000_000
	}
	tb := &table.Table{Binary: true, Subjects: make([]string, 3), Items: make([]string, 4),
		Features: []table.Feature{{Name: "x", Value: []float64{-1, 0, 0, 1}}, {Name: "side", Levels: []string{"l", "r"}, Value: []float64{0, 1, 0, 1}}}}
	for s := range int32(3) {
		for j := range int32(4) {
			if s+j != 3 {
				tb.Subject, tb.Item, tb.Value = append(tb.Subject, s), append(tb.Item, j), append(tb.Value, 0)
			}
		}
	}
	c := predict.NewChain(tb, []string{"x", "side"}, 1)
	r := rng.Stream(2, "geweke")
	c.Prior(&r)
	prior := make([]float64, len(c.State()))
	squares := make([]float64, len(prior))
	for range sweeps {
		c.Prior(&r)
		for k, v := range c.State() {
			prior[k] += v / float64(sweeps)
			squares[k] += v * v / float64(sweeps)
		}
	}
	const batches = 50
	means := make([][]float64, batches)
	for b := range means {
		means[b] = make([]float64, len(prior))
		for range sweeps / batches {
			c.Respond(&r)
			c.Sweep(&r)
			for k, v := range c.State() {
				means[b][k] += v / float64(sweeps/batches)
			}
		}
	}
	for k := range prior {
		mean, square := 0.0, 0.0
		for b := range means {
			mean += means[b][k] / batches
		}
		for b := range means {
			square += (means[b][k] - mean) * (means[b][k] - mean)
		}
		se := math.Sqrt(square/(batches*(batches-1)) + (squares[k]-prior[k]*prior[k])/float64(sweeps))
		if z := (mean - prior[k]) / se; math.Abs(z) > 6 {
			t.Errorf("function %d: %.4f in the chain, %.4f in the prior: %.1f standard errors", k, mean, prior[k], z)
		}
	}
}

// TestFactorLearns fits half of the responses to items that the features describe. Predictions must be at most half as
// far from the true probabilities as the subjects' success rates are, also for items without training responses.
func TestFactorLearns(t *testing.T) {
	r := rng.Stream(3, "factor")
	tb, truth := simulated(&r, 40, 60)
	f := predict.DefaultFactor("factor", []string{"x", "side"})
	f.Dimensions, f.Chains = 2, 2
	var train []int32
	for i, j := range tb.Item {
		if j >= 15 && r.Bernoulli(0.5) {
			train = append(train, int32(i))
		}
	}
	sub := tb.Subset(train)
	distance := func(m predict.Model, use func(item int32) bool) float64 {
		sum, n := 0.0, 0.0
		for i, p := range all(tb, m) {
			if use(tb.Item[i]) {
				sum, n = sum+(p-truth[i])*(p-truth[i]), n+1
			}
		}
		return math.Sqrt(sum / n)
	}
	seen, unseen := func(j int32) bool { return j >= 15 }, func(j int32) bool { return j < 15 && j%10 != 9 }
	m, base := fit(t, f, sub), fit(t, predict.Subject{}, sub)
	if got, want := distance(m, seen), distance(base, seen)/2; got > want {
		t.Errorf("answered items: off by %.3f, want at most %.3f", got, want)
	}
	if got, want := distance(m, unseen), distance(base, unseen)/2; got > want {
		t.Errorf("new items: off by %.3f, want at most %.3f", got, want)
	}
	f.Pooled = true
	if got, want := distance(fit(t, f, sub), unseen), distance(base, unseen)/2; got > want {
		t.Errorf("by features only: off by %.3f, want at most %.3f", got, want)
	}
}

// TestPooledItems checks that a model which knows items only by their features predicts the same for two items with the
// same features, although all subjects pass one and fail the other.
func TestPooledItems(t *testing.T) {
	r := rng.Stream(4, "factor")
	tb, _ := simulated(&r, 10, 20)
	for _, f := range tb.Features {
		f.Value[1] = f.Value[0]
	}
	for i, j := range tb.Item {
		if j < 2 {
			tb.Value[i] = float64(j)
		}
	}
	f := predict.DefaultFactor("factor", []string{"x", "side"})
	f.Chains, f.Warmup, f.Draws = 1, 20, 20
	p := make([]float64, 2)
	fit(t, f, tb).Predict([]int32{0, 0}, []int32{0, 1}, p)
	if p[0] >= p[1] {
		t.Errorf("item effects: %v for the item that all fail, %v for the one that all pass", p[0], p[1])
	}
	f.Pooled = true
	fit(t, f, tb).Predict([]int32{0, 0}, []int32{0, 1}, p)
	if p[0] != p[1] {
		t.Errorf("features only: %v and %v", p[0], p[1])
	}
}
