package joint_test

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/diag"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// TestCurvature compares the curvature with differences of the gradient by one value after the other.
func TestCurvature(t *testing.T) {
	items := battery(7, map[string][]float64{"x": {-2, -1, 0, 0.5, 1, 2, 2.5}})
	for _, text := range []string{everything, twoParameter} {
		j := bind(t, text, items, 5, record.Binary)
		c := cells(t, j, answers(5, 7, "curvature"))
		centred := make([]bool, len(j.Layout().Parameters))
		for i := range centred {
			centred[i] = true
		}
		target := c.NewTarget(centred, 2)
		r := rng.Stream(2, "curvature")
		q := make([]float64, j.Len())
		for i := range q {
			q[i] = 0.7 * r.Norm()
		}
		got := target.Curvature(q, j.Spreads())
		row := func(at int) []float64 {
			up, down := make([]float64, j.Len()), make([]float64, j.Len())
			q[at] += 1e-3
			target.LogDensity(q, up)
			q[at] -= 2e-3
			target.LogDensity(q, down)
			q[at] += 1e-3
			for i := range up {
				down[i] = (down[i] - up[i]) / 2e-3
			}
			return down
		}
		check := func(what string, a, b int, x float64) {
			if want := row(a)[b]; !(math.Abs(x-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%s of %d and %d is %g, want %g", what, a, b, x, want)
			}
		}
		for i, a := range got.Subjects {
			for k := range got.PerSubject {
				check("subject", a, got.Subjects[i-i%got.PerSubject+k], got.OfSubject[i*got.PerSubject+k])
			}
			for k, b := range got.Items {
				check("cross", a, b, got.Cross[i*len(got.Items)+k])
			}
		}
		for i, a := range got.Items {
			for k := range got.PerItem {
				check("item", a, got.Items[i-i%got.PerItem+k], got.OfItem[i*got.PerItem+k])
			}
		}
		for i, a := range got.Rest {
			for b := range j.Len() {
				check("rest", a, b, got.OfRest[i*j.Len()+b])
			}
		}
	}
}

func laplace(t *testing.T, c *layout.Cells, config posterior.Config) *posterior.Posterior {
	t.Helper()
	p, err := joint.Laplace(context.Background(), c, config, 1, "laplace")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// warned reports whether p has a warning of a kind.
func warned(p *posterior.Posterior, kind posterior.Kind) bool {
	return slices.ContainsFunc(p.Warnings, func(w posterior.Warning) bool { return w.Kind == kind })
}

// TestLaplaceOfNormals compares draws with formulas, in a model where the approximation of effects and mean is exact given the
// spread tau: with known errors s, the effects are normal, and the marginal density of log tau is
// tau/(1 + tau²/25) · √V · Π N(y_i; m, s_i² + tau²) up to a constant, where m and V are the posterior mean and variance of mu.
func TestLaplaceOfNormals(t *testing.T) {
	y, s := []float64{28, 8, -3, 7, -1, 1, 18, 12}, []float64{1.5, 1, 1.6, 1.1, 0.9, 1.1, 1, 1.8}
	j := bind(t, replace(schools, "false"), battery(8, map[string][]float64{"error": s}), 1, record.Real)
	var responses []record.Response
	for i, v := range y {
		responses = append(responses, record.Response{Item: int32(i), Value: v})
	}
	config := joint.Default()
	config.Draws = 5000
	p := laplace(t, cells(t, j, responses), config)

	given := func(l float64) (density, mean, variance float64) {
		tau := math.Exp(l)
		precision := 1.0 / 25 // of the prior of mu
		for i := range y {
			precision += 1 / (s[i]*s[i] + tau*tau)
			mean += y[i] / (s[i]*s[i] + tau*tau)
		}
		mean /= precision
		density = l - math.Log1p(tau*tau/25) - 0.5*math.Log(precision) - mean*mean/50
		for i := range y {
			v := s[i]*s[i] + tau*tau
			density -= 0.5*math.Log(v) + 0.5*(y[i]-mean)*(y[i]-mean)/v
		}
		return density, mean, 1 / precision
	}
	top := 0.0
	for l := 0.0; l < 5; l += 1e-3 {
		if a, _, _ := given(l); a > first(given(top)) {
			top = l
		}
	}
	const h = 0.1 // the second difference over this step is what the ascent sees, to a few per cent
	width := h / math.Sqrt(2*first(given(top))-first(given(top+h))-first(given(top-h)))
	_, mu, variance := given(top)
	var sum, squares float64
	n := 0.0
	for _, chain := range p.Draws {
		for _, theta := range chain {
			l := math.Log(theta[9])
			sum, squares, n = sum+l, squares+l*l, n+1
		}
	}
	mean := sum / n
	sd := math.Sqrt(squares/n - mean*mean)
	if !(math.Abs(mean-top) <= 0.03*width && math.Abs(sd/width-1) <= 0.05) {
		t.Errorf("log tau has %.4f ± %.4f, want %.4f ± %.4f", mean, sd, top, width)
	}
	tau := math.Exp(top)
	for i := range y {
		w := tau * tau / (s[i]*s[i] + tau*tau)
		want := w*y[i] + (1-w)*mu
		wide := math.Sqrt(w*s[i]*s[i] + (1-w)*(1-w)*variance)
		if got := p.Summaries[i]; !(math.Abs(got.Mean-want) <= 0.04*wide && math.Abs(got.SD/wide-1) <= 0.04) {
			t.Errorf("effect %d is %.3f ± %.3f, want %.3f ± %.3f", i, got.Mean, got.SD, want, wide)
		}
	}
	if got := p.Summaries[0]; !math.IsNaN(got.RHat) || !math.IsNaN(got.ESSBulk) || !warned(p, posterior.Approximate) || warned(p, posterior.OtherMaxima) {
		t.Errorf("diagnostics %v, warnings %v", got, p.Warnings)
	}
}

func first(x, _, _ float64) float64 { return x }

// TestLaplaceMaxima fits a model that has nearly a mirror image of every maximum.
func TestLaplaceMaxima(t *testing.T) {
	config := joint.Default()
	config.Chains, config.Draws = 8, 10
	if p := laplace(t, mirror(t, 0.001), config); !warned(p, posterior.OtherMaxima) {
		t.Errorf("warnings %v", p.Warnings)
	}
}

// TestLaplaceWorkers checks that draws have the same bits for any number of goroutines, and more items than subjects.
func TestLaplaceWorkers(t *testing.T) {
	_, _, c := simulated(t, hierarchical, 20, 25, "workers")
	config := joint.Default()
	config.Draws = 5
	a := laplace(t, c, config)
	config.Jobs = 3
	b := laplace(t, c, config)
	for i := range a.Draws {
		for k := range a.Draws[i] {
			if !slices.Equal(a.Draws[i][k], b.Draws[i][k]) {
				t.Fatalf("chain %d, draw %d differs", i, k)
			}
		}
	}
}

// TestLaplaceSkewed checks that draws are finite, and come with a warning, where the posterior is far from normal: nothing is known
// of rates but that no event was seen, under a prior that is wide on the log scale.
func TestLaplaceSkewed(t *testing.T) {
	text := `name = "skewed"
[item]
rate = { prior = "lognormal(0, 3)" }
[response.y]
p = "exp(-rate)"
`
	j := bind(t, text, battery(3, map[string][]float64{"x": {1, 2, 3}}), 4, record.Binary)
	var responses []record.Response
	for s := range 4 {
		for i := range 3 {
			responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: 1})
		}
	}
	p := laplace(t, cells(t, j, responses), joint.Default())
	if !warned(p, posterior.Skewed) {
		t.Errorf("warnings are %v", p.Warnings)
	}
	for k, s := range p.Summaries {
		if math.IsNaN(s.Mean) || math.IsInf(s.SD, 0) {
			t.Errorf("%s: %+v", p.Parameters[k], s)
		}
	}
}

// TestLaplaceEnds checks that climbs end where rounding errors leave a line search no higher point: a few responses, and guessing.
func TestLaplaceEnds(t *testing.T) {
	const text = `name = "guessing"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
difficulty = { prior = "normal(mu, sigma)" }
discrimination = { prior = "lognormal(0, spread)" }
guessing = { prior = "beta(2, 8)" }
[shared]
mu = { prior = "normal(0, 2)" }
sigma = { prior = "halfnormal(2)" }
spread = { prior = "halfnormal(1)" }
[response.y]
p = "mix(guessing, logistic(discrimination*(ability - difficulty)), 1)"
`
	table := []string{"01101110", "0.101111", "1.00001.", "11.11101", "11000100", "01001010", "10011010", ".01010.0", "00010010", "01100101", "01111011", "11001110"}
	j := bind(t, text, battery(len(table[0]), map[string][]float64{"x": make([]float64, len(table[0]))}), len(table), record.Binary)
	var responses []record.Response
	for s, row := range table {
		for i, c := range row {
			if c != '.' {
				responses = append(responses, record.Response{Subject: int32(s), Item: int32(i), Value: float64(c - '0')})
			}
		}
	}
	_, _ = joint.Laplace(t.Context(), cells(t, j, responses), joint.Default(), 1, "infer", "all") // a refusal is an end too
}

// shippedText returns the text of a shipped layout, with its measure called y.
func shippedText(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../scenarios/layouts/" + name + ".toml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(b), "[response.success]", "[response.y]", 1)
}

// TestLaplaceAnswers checks that small tables, drawn from wide priors, get finite draws or are refused, because there is no maximum
// with subjects integrated out, and that both happens. Tables have a subject and an item without a
// failure, missing cells, only one subject or item, or more items than subjects.
func TestLaplaceAnswers(t *testing.T) {
	config := joint.Default()
	config.Chains, config.Draws = 2, 20
	refused := 0
	for _, layout := range []string{"rasch", "2pl", "3pl"} {
		for seed, size := range [][2]int{{12, 8}, {12, 8}, {12, 8}, {1, 8}, {5, 40}, {12, 1}} {
			text := shippedText(t, layout)
			_, j, responses := simulatedResponses(t, text, size[0], size[1], strconv.Itoa(seed))
			for i := range responses {
				if responses[i].Subject == 0 || responses[i].Item == 0 {
					responses[i].Value = 1
				}
			}
			if seed == 2 {
				responses = slices.DeleteFunc(responses, func(x record.Response) bool { return (x.Subject+x.Item)%3 == 0 })
			}
			p, err := joint.Laplace(t.Context(), cells(t, j, responses), config, 1, layout)
			if err != nil {
				if !strings.Contains(err.Error(), "--engine nuts") {
					t.Errorf("%s, %d × %d: %v", layout, size[0], size[1], err)
				}
				refused++
				continue
			}
			for k, s := range p.Summaries {
				if math.IsNaN(s.Mean) || math.IsInf(s.Mean, 0) || !(s.SD >= 0) || math.IsInf(s.SD, 0) {
					t.Errorf("%s, %d × %d: %s is %g ± %g", layout, size[0], size[1], p.Parameters[k], s.Mean, s.SD)
				}
			}
		}
	}
	if refused == 0 || refused > 9 {
		t.Errorf("of 18 tables, %d are refused", refused)
	}
}

// TestLaplaceRefusals checks what Laplace cannot do.
func TestLaplaceRefusals(t *testing.T) {
	text := `name = "refused"
[capability]
ability = { prior = "normal(0, 1)" }
wide = { prior = "halfnormal(1)" }
other = { prior = "normal(0, wide)" }
[item]
difficulty = { prior = "normal(0, 1)" }
[response.y]
p = "logistic(ability + other - difficulty)"
`
	j := bind(t, text, battery(3, nil), 4, record.Binary)
	_, err := joint.Laplace(t.Context(), cells(t, j, answers(4, 3, "refused")), joint.Default(), 1)
	if err == nil || !strings.Contains(err.Error(), "depends on wide") {
		t.Errorf("a spread of each subject: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j = bind(t, twoParameter, battery(3, nil), 4, record.Binary)
	if _, err := joint.Laplace(ctx, cells(t, j, answers(4, 3, "refused")), joint.Default(), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// hierarchical is a two-parameter model whose prior draws look like tables of tests.
const hierarchical = `name = "hierarchical"
[capability]
ability = { prior = "normal(0, 1)" }
[item]
difficulty = { prior = "normal(mu, sigma)" }
discrimination = { prior = "lognormal(0, spread)" }
[shared]
mu = { prior = "normal(0, 1)" }
sigma = { prior = "lognormal(0, 0.3)" }
spread = { prior = "lognormal(-1, 0.3)" }
[response.y]
p = "logistic(discrimination*(ability - difficulty))"
`

// simulated draws all values of a layout from the prior, and a response of every subject to every item.
func simulated(t *testing.T, text string, subjects, items int, seed string) (theta []float64, j *layout.Joint, c *layout.Cells) {
	t.Helper()
	theta, j, responses := simulatedResponses(t, text, subjects, items, seed)
	return theta, j, cells(t, j, responses)
}

func simulatedResponses(t *testing.T, text string, subjects, items int, seed string) (theta []float64, j *layout.Joint, responses []record.Response) {
	t.Helper()
	return simulatedOn(t, text, subjects, battery(items, nil), seed)
}

func simulatedOn(t *testing.T, text string, subjects int, items *record.Items, seed string) (theta []float64, j *layout.Joint, responses []record.Response) {
	t.Helper()
	j = bind(t, text, items, subjects, record.Binary)
	theta = make([]float64, j.Len())
	r := rng.Stream(3, "simulated", seed)
	j.DrawPrior(&r, theta)
	responses, err := j.Simulate(theta, &r)
	if err != nil {
		t.Fatal(err)
	}
	return theta, j, responses
}

// TestLaplaceAgainstNUTS compares means and standard deviations of a table of 100 × 50 with those of NUTS: no mean differs by more
// than 1 standard deviation, those of a parameter's units by not more than 0.3 on average, and their SDs by 15 %.
func TestLaplaceAgainstNUTS(t *testing.T) {
	longtest.Only(t, "takes 20 s")
	_, j, c := simulated(t, hierarchical, 100, 50, "nuts")
	p := laplace(t, c, joint.Default())
	q, err := joint.Fit(t.Context(), c, joint.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, par := range j.Layout().Parameters {
		var sum, off, ratio float64
		for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
			a, b := p.Summaries[at], q.Summaries[at]
			shift := (a.Mean - b.Mean) / b.SD
			if !(math.Abs(shift) <= 1) {
				t.Errorf("%s is %.3f ± %.3f, by NUTS %.3f ± %.3f", p.Parameters[at], a.Mean, a.SD, b.Mean, b.SD)
			}
			sum, off, ratio = sum+shift, off+math.Abs(shift), ratio+a.SD/b.SD
		}
		n := float64(j.Units(i))
		if !(off/n <= 0.3 && math.Abs(ratio/n-1) <= 0.15) {
			t.Errorf("%s: too far from NUTS", par.Name)
		}
		t.Logf("%s: mean shift %.2f SD, mean absolute shift %.2f SD, mean ratio of SDs %.2f", par.Name, sum/n, off/n, ratio/n)
	}
}

// TestLaplaceCovers counts how many true values of simulated tables lie in intervals of 90 %. An approximation is allowed to be off by
// 5 percentage points, and sampling by 5.2 standard errors of the mean over tables, which are independent, as their values are not: a
// false alarm has a probability of at most 1e-6 over all six parameters. A shared parameter has one value a table, so that its errors
// are those of a share. Tables that are refused have no intervals; they may not be more than half. The seeds are fresh: no limit was
// set after a look at them.
func TestLaplaceCovers(t *testing.T) {
	longtest.Only(t, "takes a minute")
	const tables, allowed, z = 60, 0.05, 5.2
	config := joint.Default()
	config.Draws = 250
	shares := map[string][]float64{}
	for k := range tables {
		theta, j, c := simulated(t, hierarchical, 60, 40, strconv.Itoa(501+k))
		p, err := joint.Laplace(t.Context(), c, config, 1, "laplace")
		if err != nil {
			t.Logf("seed %d: %v", 501+k, err)
			continue
		}
		for i, par := range j.Layout().Parameters {
			in := 0.0
			for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
				if s := p.Summaries[at]; s.Q5 <= theta[at] && theta[at] <= s.Q95 {
					in++
				}
			}
			shares[par.Name] = append(shares[par.Name], in/float64(j.Units(i)))
		}
	}
	if of := shares["ability"]; len(of) < tables/2 {
		t.Errorf("%d of %d tables are refused", tables-len(of), tables)
	}
	for name, of := range shares {
		s := diag.Describe([][]float64{of})
		answered := float64(len(of))
		se := s.SD / math.Sqrt(answered)
		if se == 0 {
			se = 0.3 / math.Sqrt(answered) // that of a share of 0.9
		}
		t.Logf("%s: %.3f ± %.3f over %d of %d tables", name, s.Mean, se, len(of), tables)
		if !(math.Abs(s.Mean-0.9) <= allowed+z*se) {
			t.Errorf("%s: %.3f ± %.3f of the intervals of 90 %% hold the truth", name, s.Mean, se)
		}
	}
}
