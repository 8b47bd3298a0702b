package joint_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/infer/diag"
	"achilles/infer/joint"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
)

// skills is a layout of two skills with known items: whoever has the skills of an item succeeds with probability 0.9, and
// others with probability 0.2.
const skills = `name = "skills"
[metafeature]
q = { columns = ["a", "b"], range = [0, 1] }
[capability]
mastery = { prior = "bernoulli(rate)", size = "q" }
[shared]
rate = { prior = "beta(1, 1)", size = "q" }
[response.y]
p = "mix(prod(present(mastery, q)), 0.2, 0.9)"
`

// hierarchy is a layout in which only those can have the skill b who have a, so that a pattern is impossible.
const hierarchy = `name = "hierarchy"
[metafeature]
a = { column = "a", range = [0, 1] }
b = { column = "b", range = [0, 1] }
[capability]
first = { prior = "bernoulli(rate)" }
second = { prior = "bernoulli(other*first)" }
[item]
guess = { prior = "beta(1, 2)" }
[shared]
rate = { prior = "beta(2, 1)" }
other = { prior = "beta(1, 3)" }
[response.y]
p = "mix(present(first, a)*present(second, b), guess, 0.9)"
`

// needs returns the columns of n items that need a, b and both in turn.
func needs(n int) map[string][]float64 {
	out := map[string][]float64{}
	for i := range n {
		out["a"] = append(out["a"], [3]float64{1, 0, 1}[i%3])
		out["b"] = append(out["b"], [3]float64{0, 1, 1}[i%3])
	}
	return out
}

// unknownItems is dina with two skills.
func unknownItems(t *testing.T) string {
	return strings.Replace(shippedText(t, "dina"), `"occluder", "lava", "ramp", "platform"`, `"a", "b"`, 1)
}

// TestPatternsByHand checks the posterior of a subject who succeeds at the item that needs a, and fails at those that need b and both.
//
//	a b   likelihood
//	0 0   .2 × .8 × .8 = .128
//	1 0   .9 × .8 × .8 = .576
//	0 1   .2 × .1 × .8 = .016
//	1 1   .9 × .1 × .1 = .009
//
// With uniform rates all patterns are equally likely before, and their probabilities after are these over .729. The posterior mean of a
// rate is (1 + the probability of the skill)/3.
func TestPatternsByHand(t *testing.T) {
	likelihood := []float64{.128, .576, .016, .009}
	c := cells(t, bind(t, skills, battery(3, needs(3)), 1, record.Binary), []record.Response{{Item: 0, Value: 1}, {Item: 1}, {Item: 2}})
	target, err := joint.NewMarginal(c)
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, 2)
	for _, x := range [][]float64{{0, 0}, {-1, 2}, {3, 0.5}} {
		want, prior := 0.0, 0.0
		var r [2]float64
		for k := range r {
			r[k] = 1 / (1 + math.Exp(-x[k]))
			prior += math.Log(r[k] * (1 - r[k])) // uniform, as a density of the log odds
		}
		for g, l := range likelihood {
			for k, rate := range r {
				if g>>k&1 == 0 {
					rate = 1 - rate
				}
				l *= rate
			}
			want += l
		}
		if got := target.LogDensity(x, grad); !(math.Abs(got-math.Log(want)-prior) <= 1e-12) {
			t.Errorf("at %v: log density %.15g, want %.15g", x, got, math.Log(want)+prior)
		}
	}
	config := joint.Default()
	config.Warmup, config.Draws = 200, 1000
	p := marginal(t, c, config)
	patterns := make([]float64, 4)
	for _, chain := range p.Draws {
		for _, theta := range chain {
			patterns[int(theta[0])+2*int(theta[1])]++
		}
	}
	n := float64(len(p.Draws) * len(p.Draws[0])) // chains may go on
	for g, l := range likelihood {               // rates are drawn in between, so that draws are as good as independent
		p := l / .729
		if z := (patterns[g]/n - p) / math.Sqrt(p*(1-p)/n); !(math.Abs(z) <= 6) {
			t.Errorf("pattern %02b has %.4f of the draws, want %.4f (z = %.1f)", g, patterns[g]/n, p, z)
		}
	}
	for k, has := range []float64{.585 / .729, .025 / .729} {
		rate := p.Summaries[2+k]
		if z := (rate.Mean - (1+has)/3) / rate.MCSEMean; !(math.Abs(z) <= 5) {
			t.Errorf("rate %d is %.4f, want %.4f (z = %.1f)", k, rate.Mean, (1+has)/3, z)
		}
	}
}

// TestPatternsGradient compares derivatives of the marginal density with differences: with known and with unknown items, and with a
// pattern that is impossible.
func TestPatternsGradient(t *testing.T) {
	for _, text := range []string{skills, unknownItems(t), hierarchy} {
		j := bind(t, text, battery(6, needs(6)), 7, record.Binary)
		checkMarginal(t, j, joint.NewMarginal, "patterns", 1)
	}
}

// TestPatternsByBruteForce compares draws with sums over a grid of all other values: one skill, with a guess, a slip and a rate
// that all items and subjects share. Of a subject, only the number of successes in 4 items counts.
func TestPatternsByBruteForce(t *testing.T) {
	text := strings.NewReplacer("[item]", "[shared]", "[shared]\n", "", `"a", "b"`, `"a"`).Replace(unknownItems(t))
	right := []int{0, 1, 1, 3, 4, 4, 2}
	j := bind(t, text, battery(4, map[string][]float64{"a": {1, 1, 1, 1}}), len(right), record.Binary)
	var all []record.Response
	for s, n := range right {
		for i := range 4 {
			x := record.Response{Subject: int32(s), Item: int32(i)}
			if i < n {
				x.Value = 1
			}
			all = append(all, x)
		}
	}
	config := joint.Default()
	config.Warmup, config.Draws = 300, 1000
	p := marginal(t, cells(t, j, all), config)
	const steps = 60
	sum, want, mastery := 0.0, map[string]float64{}, make([]float64, len(right))
	for a := range steps {
		for b := range steps {
			guess := (float64(a) + 0.5) / steps
			slip := (1 - guess) * (float64(b) + 0.5) / steps
			var skilled, unskilled [5]float64 // likelihoods by the number of successes
			for n := range skilled {
				skilled[n] = math.Pow(1-slip, float64(n)) * math.Pow(slip, float64(4-n))
				unskilled[n] = math.Pow(guess, float64(n)) * math.Pow(1-guess, float64(4-n))
			}
			for c := range steps {
				rate := (float64(c) + 0.5) / steps
				w := (1 - guess) * rate * (1 - rate) // the densities of beta(1, 2) and beta(2, 2), up to a constant
				has := make([]float64, len(right))
				for s, n := range right {
					with, without := rate*skilled[n], (1-rate)*unskilled[n]
					w *= with + without
					has[s] = with / (with + without)
				}
				sum += w
				want["guess"], want["slip"], want["rate[a]"] = want["guess"]+w*guess, want["slip"]+w*slip, want["rate[a]"]+w*rate
				for s, x := range has {
					mastery[s] += w * x
				}
			}
		}
	}
	for s, x := range mastery {
		want["mastery[a]["+ids("s", len(right))[s]+"]"] = x
	}
	for k, s := range p.Summaries {
		m, ok := want[p.Parameters[k]]
		if z := (s.Mean - m/sum) / s.MCSEMean; !ok || !(math.Abs(z) < 5) {
			t.Errorf("%s is %.4f, want %.4f (z = %.1f)", p.Parameters[k], s.Mean, m/sum, z)
		}
	}
}

// TestPatternsNeedMarginal checks that the engines that move every value refuse binary ones.
func TestPatternsNeedMarginal(t *testing.T) {
	c := cells(t, bind(t, skills, battery(3, needs(3)), 1, record.Binary), []record.Response{{Value: 1}})
	for name, fit := range map[string]func() error{
		"NUTS":    func() error { _, err := joint.Fit(t.Context(), c, joint.Default(), 1); return err },
		"Laplace": func() error { _, err := joint.Laplace(t.Context(), c, joint.Default(), 1); return err },
	} {
		if err := fit(); err == nil || !strings.Contains(err.Error(), "test.toml:5: key capability.mastery.prior: mastery[a] is binary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPatternsRecovered fits tables of 300 subjects and 24 items that are drawn from dina, with fresh seeds: the central 90 % intervals
// hold nine tenths of the guesses, slips and rates, posterior probabilities of skills are calibrated, and skills are told.
func TestPatternsRecovered(t *testing.T) {
	longtest.Only(t, "takes a minute")
	const subjects, items, tables = 300, 24, 5
	config := joint.Default()
	config.Warmup, config.Draws, config.Jobs = 300, 300, 2
	var held, of, right, skills int
	var forecast, came, variance float64
	for seed := range tables {
		theta, j, responses := simulatedOn(t, unknownItems(t), subjects, battery(items, needs(items)), strconv.Itoa(501+seed))
		p := marginal(t, cells(t, j, responses), config)
		if slices.ContainsFunc(p.Summaries[j.First(2):], func(s diag.Summary) bool { return !(s.RHat <= 1.05) }) {
			t.Errorf("table %d: the chains disagree: %v", 501+seed, p.Warnings)
		}
		mean, v := num.Moments(numbersOf(p.Draws, j.First(2)))
		forecast, variance = forecast+mean, variance+v
		for i, par := range j.Layout().Parameters {
			for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
				s, x := p.Summaries[at], theta[at]
				if !par.Binary() {
					of++
					if s.Q5 <= x && x <= s.Q95 {
						held++
					}
					continue
				}
				skills++
				came += x
				if math.Abs(s.Mean-x) < 0.5 {
					right++
				}
			}
		}
	}
	// Skills of a table depend on the same rates and items, so that the variance is that of their number.
	share, z := float64(held)/float64(of), (came-forecast)/math.Sqrt(variance)
	t.Logf("%.3f of %d values in 90 %%; %.3f of %d skills told, %g of them there, %.1f expected (z = %.1f)", share, of, float64(right)/float64(skills), skills, came, forecast, z)
	if !(math.Abs(share-0.9) <= 5*math.Sqrt(0.09/float64(of))) {
		t.Errorf("%.3f of the values are in the central 90 %%", share)
	}
	if !(math.Abs(z) <= 5) || float64(right) < 0.8*float64(skills) {
		t.Errorf("of %d skills %d are told; %g are there, %.1f expected", skills, right, came, forecast)
	}
}

// numbersOf returns the sum of the first n values of every draw.
func numbersOf(draws [][][]float64, n int) (out []float64) {
	for _, chain := range draws {
		for _, theta := range chain {
			sum := 0.0
			for _, x := range theta[:n] {
				sum += x
			}
			out = append(out, sum)
		}
	}
	return out
}
