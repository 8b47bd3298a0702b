package joint_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

func marginal(t *testing.T, c *layout.Cells, config posterior.Config) *posterior.Posterior {
	t.Helper()
	p, err := joint.Marginal(t.Context(), c, config, 1, "marginal")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkMarginal compares derivatives of a marginal density with differences, at points with this spread, of answers of which a fifth is
// missing.
func checkMarginal[D interface {
	Dim() int
	LogDensity(q, grad []float64) float64
}](t *testing.T, j *layout.Joint, marginal func(*layout.Cells) (D, error), name string, spread float64) {
	t.Helper()
	var some []record.Response
	for i, x := range answers(7, 6, name) {
		if i%5 != 0 {
			some = append(some, x)
		}
	}
	target, err := marginal(cells(t, j, some))
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(2, "points")
	q := make([]float64, target.Dim())
	for range 3 {
		for i := range q {
			q[i] = spread * r.Norm()
		}
		infertest.CheckGradient(t, target, q, 1e-6)
	}
}

// TestMarginalGradient compares derivatives of the marginal density with differences, with a prior of abilities that depends on shared
// parameters and one that does not, and with cells missing.
func TestMarginalGradient(t *testing.T) {
	for _, text := range []string{twoParameter, hierarchical, strings.Replace(hierarchical, "normal(0, 1)", "gamma(2, 1)", 1)} {
		j := bind(t, text, battery(6, nil), 7, record.Binary)
		checkMarginal(t, j, joint.NewMarginal, "marginal", 0.5)
	}
}

// oneItem is a Rasch model with a single unknown difficulty.
const oneItem = `name = "one"
[capability]
ability = { prior = "normal(0, 1)" }
[shared]
difficulty = { prior = "normal(0, 1)" }
[response.y]
p = "logistic(ability - difficulty)"
`

// TestMarginalOfRasch compares draws with quadrature over both values: one subject, 5 items, all answers right.
func TestMarginalOfRasch(t *testing.T) {
	j := bind(t, oneItem, battery(5, nil), 1, record.Binary)
	var all []record.Response
	for i := range 5 {
		all = append(all, record.Response{Item: int32(i), Value: 1})
	}
	config := joint.Default()
	config.Warmup, config.Draws = 200, 1000
	p := marginal(t, cells(t, j, all), config)
	var sum, mean, square [2]float64
	for a := -7.0; a < 7; a += 0.05 {
		for b := -7.0; b < 7; b += 0.05 {
			w := math.Exp(-a*a/2-b*b/2) * math.Pow(1/(1+math.Exp(b-a)), 5)
			for k, x := range []float64{a, b} {
				sum[k], mean[k], square[k] = sum[k]+w, mean[k]+w*x, square[k]+w*x*x
			}
		}
	}
	for k, s := range p.Summaries {
		m := mean[k] / sum[k]
		sd := math.Sqrt(square[k]/sum[k] - m*m)
		if z := (s.Mean - m) / s.MCSEMean; !(math.Abs(z) <= 5 && math.Abs(s.SD/sd-1) <= 0.1) {
			t.Errorf("%s is %.3f ± %.3f (z = %.1f), want %.3f ± %.3f", p.Parameters[k], s.Mean, s.SD, z, m, sd)
		}
	}
}

// TestMarginalWorkers checks that draws have the same bits for any number of goroutines.
func TestMarginalWorkers(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 9, 6, "workers")
	config := joint.Default()
	config.Warmup, config.Draws = 20, 10
	a := marginal(t, c, config)
	config.Jobs = 3
	b := marginal(t, c, config)
	for i := range a.Draws {
		for k := range a.Draws[i] {
			if !slices.Equal(a.Draws[i][k], b.Draws[i][k]) {
				t.Fatalf("chain %d, draw %d differs", i, k)
			}
		}
	}
}

// TestSummable names why the parameter of subjects cannot be integrated out.
func TestSummable(t *testing.T) {
	for why, text := range map[string]string{
		"2 parameters":                       strings.NewReplacer("[item]", "second = { prior = \"normal(0, 1)\" }\n[item]", "(ability -", "(ability*second -").Replace(hierarchical),
		"a subject has 0 parameters":         replace(schools, "false"),
		"neither normal nor lognormal":       strings.Replace(twoParameter, "normal(0, sigma_theta)", "gamma(2, sigma_theta)", 1),
		"mean(y) is another number for each": strings.Replace(hierarchical, "logistic(discrimination*(ability - difficulty))", "mix(0.1, logistic(discrimination*(ability - difficulty)), mean(y))", 1),
	} {
		if _, err := parse(t, text).Summable(); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("error %v, want %q", err, why)
		}
	}
	if at, err := parse(t, twoParameter).Summable(); err != nil || !slices.Equal(at, []int{0}) {
		t.Errorf("parameter %d, error %v", at, err)
	}
}

// TestMarginalAgainstNUTS compares the means of all values of simulated tables with those of NUTS on the whole, and the standard
// deviations: |z| ≤ 4.
func TestMarginalAgainstNUTS(t *testing.T) {
	longtest.Only(t, "takes a minute")
	rasch := strings.NewReplacer("discrimination*", "", `discrimination = { prior = "lognormal(0, spread)" }`, "", `spread = { prior = "lognormal(-1, 0.3)" }`, "").Replace(hierarchical)
	for _, text := range []string{hierarchical, rasch} {
		_, j, c := simulated(t, text, 60, 25, "against")
		config := joint.Default()
		config.Draws, config.Jobs = 500, 2
		p := marginal(t, c, config)
		q, err := joint.Fit(t.Context(), c, config, 1)
		if err != nil {
			t.Fatal(err)
		}
		worst, worstSD := 0.0, 0.0
		for k, a := range p.Summaries {
			b := q.Summaries[k]
			z := (a.Mean - b.Mean) / math.Hypot(a.MCSEMean, b.MCSEMean)
			zs := (a.SD - b.SD) / math.Hypot(a.MCSESD, b.MCSESD)
			worst, worstSD = max(worst, math.Abs(z)), max(worstSD, math.Abs(zs))
			if !(math.Abs(z) <= 4 && math.Abs(zs) <= 4 && a.RHat <= 1.02 && b.RHat <= 1.02) {
				t.Errorf("%s is %.3f ± %.3f (R-hat %.3f), by NUTS %.3f ± %.3f: z = %.1f and %.1f", p.Parameters[k], a.Mean, a.SD, a.RHat, b.Mean, b.SD, z, zs)
			}
		}
		t.Logf("%s: %d values, worst z %.1f of means, %.1f of standard deviations; %d and %d gradients; warnings %v", j.Layout().Name, len(p.Summaries), worst, worstSD, p.Work.Gradients, q.Work.Gradients, p.Warnings)
	}
}

// TestMarginalShowsModes checks that chains disagree where a posterior has two modes, which are mirror images: chains that all began
// around one of them would not. The two are nearly mirror images.
func TestMarginalShowsModes(t *testing.T) {
	config := joint.Default()
	config.Chains, config.Warmup, config.Draws, config.Jobs = 4, 20, 15, 2
	config.MaxDepth = 4
	p := marginal(t, mirror(t, 0.001), config)
	if s := p.Summaries[len(p.Summaries)-1]; !(s.RHat > 1.2) {
		t.Errorf("mean %.2f, R-hat %.3f", s.Mean, s.RHat)
	}
}

// TestMarginalRefusesEarly checks that too many outcomes are refused. The long suite measures that this is before memory is taken for
// them: 12 million pairs take a gigabyte.
func TestMarginalRefusesEarly(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 10, 12, "many")
	var err error
	ask := func() { _, err = c.AtNodes(1<<19, 1<<23) }
	if !longtest.On() {
		ask()
	} else {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ask()
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
			t.Errorf("%d MB were taken", taken>>20)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "23 outcomes at 524288 nodes are 12058624 pairs: at most 8388608") {
		t.Errorf("error %v", err)
	}
}

// TestMarginalOfTrials checks that a number of successes in several trials gives the same density as so many single responses, but for a
// constant, and that a subject without responses adds nothing.
func TestMarginalOfTrials(t *testing.T) {
	text := strings.Replace(oneItem, "p = ", "family = \"binomial\"\np = ", 1)
	counted := bind(t, text, battery(2, nil), 2, record.Count)
	single := bind(t, oneItem, battery(2, nil), 2, record.Binary)
	var ones []record.Response
	for _, v := range []float64{1, 1, 0} {
		ones = append(ones, record.Response{Value: v})
	}
	a, err := joint.NewMarginal(cells(t, counted, []record.Response{{Value: 2, Trials: 3}}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := joint.NewMarginal(cells(t, single, ones))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := joint.NewMarginal(cells(t, bind(t, oneItem, battery(2, nil), 1, record.Binary), ones))
	if err != nil {
		t.Fatal(err)
	}
	g, h := make([]float64, 1), make([]float64, 1)
	for _, x := range []float64{-3, 0, 2} {
		da, db := a.LogDensity([]float64{x}, g), b.LogDensity([]float64{x}, h)
		if !(math.Abs(da-db-math.Log(3)) <= 1e-9 && math.Abs(g[0]-h[0]) <= 1e-9) {
			t.Errorf("at %g: %g and %g, derivatives %g and %g", x, da, db, g[0], h[0])
		}
		dc := alone.LogDensity([]float64{x}, h)
		if !(math.Abs(db-dc) <= 1e-7 && math.Abs(g[0]-h[0]) <= 1e-9) {
			t.Errorf("at %g: %g, and %g without the subject that has no responses", x, db, dc)
		}
	}
}
