package layout_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"achilles/infer/infertest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestSimulateMatchesPredict compares the sums of simulated responses with Predict, and their variances with those of Moments, whose
// means must be those of Predict. The bound z is that of infertest.ZBound: the
// probability that any of the six checks of each kind fails by chance is below 1e-6.
func TestSimulateMatchesPredict(t *testing.T) {
	text := kitchenWith(`[response.success]
p = 'mix(c, logistic(a - g), f)'
[response.hits]
family = "binomial"
p = 'logistic(b - g)'
trials = 'n'
[response.time]
family = "normal"
mean = 'a - g'
sd = '0.5 + s'
[response.share]
family = "beta"
mean = 'logistic(b - g)'
precision = '2 + s'
[response.choice]
family = "choice"
utility = ['0', 'a - g', 'b']
[response.score]
family = "zero_one_inflated_beta"
mean = 'logistic(b - g)'
precision = '2 + s'
inflation = 'c'
ones = 'logistic(a - g)'
`, []string{"a", "b", "c", "f", "g", "n", "s"}, decl{"metafeature", "n", `{ column = "n", range = [1, 4] }`})
	items := kitchenItems()
	d := bind(t, parse(t, text), items, allMeasures)
	r := rng.Stream(21, "simulate")
	theta := make([]float64, len(d.Parameters()))
	d.DrawPrior(&r, theta)
	const rounds = 1000
	sum, squares := make([]float64, 6), make([]float64, 6)
	var last []record.Response
	for range rounds {
		last = d.Simulate(theta, &r)
		if len(last) != 6*items.Len() {
			t.Fatalf("%d responses", len(last))
		}
		total := make([]float64, 6)
		for _, x := range last {
			total[x.Measure] += x.Value
		}
		for m, v := range total {
			sum[m] += v
			squares[m] += v * v
		}
	}
	tg := target(t, d, last) // NewData refuses values that a family cannot have
	p := make([]float64, 6*d.Rows())
	tg.Predict(theta, p)
	means, variances := make([]float64, len(p)), make([]float64, len(p))
	if tg.Moments(theta, means, variances); !slices.Equal(means, p) {
		t.Errorf("means %g, and Predict has %g", means, p)
	}
	z := infertest.ZBound(6, 1e-6)
	for m, name := range d.Measures() {
		want, variance := 0.0, 0.0
		for i := range items.Len() {
			want += p[m*d.Rows()+d.Row(i)]
			variance += variances[m*d.Rows()+d.Row(i)]
		}
		mean := sum[m] / rounds
		sd := math.Sqrt((squares[m]/rounds - mean*mean) / rounds)
		if math.Abs(mean-want) > z*sd {
			t.Errorf("%s: %g simulated, %g predicted, standard error %g", name, mean, want, sd)
		}
		if ratio := sd * sd * rounds / variance; math.Abs(ratio-1) > z*math.Sqrt(2./rounds) { // sums of many responses are nearly normal
			t.Errorf("%s: variance %g simulated, %g by Moments", name, sd*sd*rounds, variance)
		}
	}
}

// TestSimulateSolvesForTheMean checks the simulated mean in a layout that mentions the mean of its own responses. By
// hand: if q is the mean of the link over the items, the mean m solves m = (1−c)q + c(1−m).
func TestSimulateSolvesForTheMean(t *testing.T) {
	items := kitchenItems()
	d := bind(t, parse(t, kitchen("mix(c, logistic(a - g), 1 - mean(success))")), items, allMeasures)
	for _, theta := range [][]float64{{1, 0.3}, {2.5, 0.01}, {0.2, 0.95}, {1.5, 1}} {
		q := 0.0 // mean of the link
		col, _ := items.Column("g")
		for _, g := range col.Number {
			q += logistic(theta[0]-g) / 60
		}
		want := ((1-theta[1])*q + theta[1]) / (1 + theta[1]) // m = (1−c)q + c(1−m)
		r := rng.Stream(22, "mean")
		sum, rounds := 0.0, 400
		for range rounds {
			for _, x := range d.Simulate(theta, &r) {
				sum += x.Value
			}
		}
		n := float64(60 * rounds)
		if got, z := sum/n, infertest.ZBound(4, 1e-6); math.Abs(got-want) > z*0.5/math.Sqrt(n) {
			t.Errorf("at %g the mean is %g, want %g", theta, got, want)
		}
	}
}

// TestDrawPrior checks that the values of the prior distribution functions at prior draws are uniform, also if a bound
// depends on another parameter.
func TestDrawPrior(t *testing.T) {
	opItems, opSubjects := opBattery(t)
	d := bind(t, shipped(t, "op"), opItems, success)
	tg := target(t, d, opSubjects[0])
	r := rng.Stream(23, "prior")
	const draws = 4000
	theta, q := make([]float64, 9), make([]float64, 9)
	u := make([][]float64, 9)
	for range draws {
		d.DrawPrior(&r, theta)
		tg.Unconstrain(theta, q)
		for i, v := range q {
			if i == 7 { // rightLeft ~ normal(0, 1)
				v = 0.5 * math.Erfc(-v/math.Sqrt2)
			} else {
				v = logistic(v) // uniform on the parameter's interval; that of op depends on memory
			}
			u[i] = append(u[i], v)
		}
	}
	// Kolmogorov's statistic exceeds 2.95 with probability 2·e^(−2·2.95²) = 6e-8.
	for i, v := range u {
		slices.Sort(v)
		worst := 0.0
		for k, x := range v {
			worst = math.Max(worst, math.Max(math.Abs(x-float64(k)/draws), math.Abs(x-float64(k+1)/draws)))
		}
		if worst*math.Sqrt(draws) > 2.95 {
			t.Errorf("%s: Kolmogorov's statistic %g", d.Parameters()[i].Name, worst*math.Sqrt(draws))
		}
	}
}

// TestTargetsShareADesign checks that targets of one design in several goroutines give the same bits as one target
// alone.
func TestTargetsShareADesign(t *testing.T) {
	d := bind(t, parse(t, kitchen("mix(c, min(logistic(a - g), logistic(x - f)), 1 - mean(success))", decl{"capability", "x", `{ prior = "normal(b, s)" }`})), kitchenItems(), allMeasures)
	one := func(k int) (out []float64) {
		tg := target(t, d, kitchenAnswers()[5*k:])
		r := rng.Stream(24, "share")
		q, grad := make([]float64, tg.Dim()), make([]float64, tg.Dim())
		for range 100 {
			for i := range q {
				q[i] = r.Norm()
			}
			out = append(append(out, tg.LogDensity(q, grad)), grad...)
		}
		return out
	}
	got := make([][]float64, 6)
	var wg sync.WaitGroup
	for k := range got {
		wg.Go(func() { got[k] = one(k) })
	}
	wg.Wait()
	for k := range got {
		if !slices.Equal(got[k], one(k)) {
			t.Errorf("target %d gives other numbers beside others", k)
		}
	}
}

// TestPriorSD checks prior SDs of the op layout. Because op ~ U(0, 11·memory) and memory ~ U(0, 4.8), the variance of op
// is 121·(4.8²/9 − 4.8²/16).
func TestPriorSD(t *testing.T) {
	items, _ := opBattery(t)
	d := bind(t, shipped(t, "op"), items, success)
	sd := d.PriorSD()
	for k, p := range d.Parameters() {
		want := map[string]float64{"op": 11 * 4.8 * math.Sqrt(1./9-1./16), "memory": 4.8 / math.Sqrt(12), "rightLeft": 1, "lava": 1 / math.Sqrt(12)}[p.Name]
		if want > 0 && math.Abs(sd[k]/want-1) > 0.01 {
			t.Errorf("%s: %g, want %g", p.Name, sd[k], want)
		}
	}
}
