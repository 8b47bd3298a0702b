package joint_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/joint"
	"achilles/infer/mml"
	"achilles/infer/posterior"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// lsat returns a section of the Law School Admission Test (Bock and Lieberman 1970): how many of 1000 subjects have each pattern of five responses.
func lsat(section int) (out []record.Response) {
	counts := map[int][]int{
		6: {3, 6, 2, 11, 1, 1, 3, 4, 1, 8, 0, 16, 0, 3, 2, 15, 10, 29, 14, 81, 3, 28, 15, 80, 16, 56, 21, 173, 11, 61, 28, 298},
		7: {12, 19, 1, 7, 3, 19, 3, 17, 10, 5, 3, 7, 7, 23, 8, 28, 7, 39, 11, 34, 14, 51, 15, 90, 6, 25, 7, 35, 18, 136, 32, 308},
	}[section]
	s := int32(0)
	for pattern, n := range counts {
		for range n {
			for i := range 5 {
				out = append(out, record.Response{Subject: s, Item: int32(i), Value: float64(pattern >> (4 - i) & 1)})
			}
			s++
		}
	}
	return out
}

// maximised returns the fit of a shipped layout by maximum marginal likelihood.
func maximised(t *testing.T, text string, responses []record.Response, subjects, items int) *posterior.Posterior {
	t.Helper()
	c := joint.Default()
	c.Engine, c.Chains, c.Draws = posterior.MML, 2, 100
	p, err := joint.Sample(t.Context(), cells(t, bind(t, text, battery(items, nil), subjects, record.Binary), responses), c, 1, "infer", "all")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %.6g, want %.6g ± %g", what, got, want, within)
	}
}

// TestMaximumOfLSAT compares with what ltm 1.1 and mirt 1.41 print (see TestLSAT6 and TestLSAT7 of infer/mml, which climb in other code).
func TestMaximumOfLSAT(t *testing.T) {
	find := func(p *posterior.Posterior, name string) posterior.Estimate {
		for _, e := range p.Maximum.Estimates {
			if p.Parameters[e.At] == name {
				return e
			}
		}
		t.Fatalf("there is no estimate of %s", name)
		return posterior.Estimate{}
	}
	each := func(p *posterior.Posterior, name string, want, errors []float64, within float64) {
		t.Helper()
		for i := range want {
			e := find(p, fmt.Sprintf("%s[%s]", name, ids("i", 5)[i]))
			near(t, fmt.Sprint(name, " ", i+1), e.Value, want[i], within)
			if errors != nil {
				near(t, fmt.Sprint("error of ", name, " ", i+1), *e.SE, errors[i], within)
			}
		}
	}
	p := maximised(t, shippedText(t, "rasch"), lsat(6), 1000, 5)
	e := find(p, "spread")
	near(t, "spread", e.Value, 0.7551, 2e-4)
	near(t, "its error", *e.SE, 0.0694, 1e-3)
	each(p, "difficulty", []float64{-2.730, -0.999, -0.240, -1.306, -2.099}, nil, 1e-3)
	near(t, "log likelihood", p.Maximum.LogLik, -2466.938, 1e-3)
	near(t, "M2", p.Maximum.Fit.M2, 5.292566, 2e-3)
	near(t, "its degrees of freedom", float64(p.Maximum.Fit.DF), 9, 0)

	p = maximised(t, shippedText(t, "2pl"), lsat(6), 1000, 5)
	each(p, "discrimination", []float64{0.8254, 0.7229, 0.8905, 0.6886, 0.6575}, []float64{0.2581, 0.1867, 0.2326, 0.1852, 0.2100}, 1e-3)
	each(p, "difficulty", []float64{-3.3597, -1.3696, -0.2799, -1.8659, -3.1236}, []float64{0.8669, 0.3073, 0.0997, 0.4341, 0.8700}, 3e-3)
	near(t, "log likelihood", p.Maximum.LogLik, -2466.653, 1e-3)
	near(t, "AIC", p.Maximum.AIC, 4953.307, 1e-3)
	near(t, "BIC", p.Maximum.BIC, 5002.384, 1e-3)
	near(t, "M2", p.Maximum.Fit.M2, 4.737141, 2e-3)

	p = maximised(t, shippedText(t, "2pl"), lsat(7), 1000, 5)
	each(p, "discrimination", []float64{0.988, 1.081, 1.706, 0.7651, 0.7358}, []float64{0.3474 / 1.959964, 0.3309 / 1.959964, 0.628 / 1.959964, 0.2629 / 1.959964, 0.2963 / 1.959964}, 2e-3)
	near(t, "M2", p.Maximum.Fit.M2, 11.93841, 1e-3)
	for _, e := range p.Maximum.Estimates {
		if e.Bounds != "" {
			t.Errorf("the prior of %s counts: %s", p.Parameters[e.At], e.Bounds)
		}
	}
	if n := len(p.Maximum.Estimates); n != 10 || p.Maximum.Parameters != 10 {
		t.Errorf("%d estimates of %d parameters, want 10: mean and standard deviation of difficulties are none", n, p.Maximum.Parameters)
	}
}

// TestMaximumOfDraws checks that draws have the means and standard errors of the estimates, on the scale of the coordinates.
func TestMaximumOfDraws(t *testing.T) {
	c := joint.Default()
	c.Engine, c.Chains, c.Draws = posterior.MML, 4, 500
	p, err := joint.Sample(t.Context(), cells(t, bind(t, shippedText(t, "rasch"), battery(5, nil), 1000, record.Binary), lsat(6)), c, 1, "infer", "all")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Maximum.Estimates {
		s := p.Summaries[e.At] // 2000 draws: false alarms below 1e-4 in all
		near(t, "mean of "+p.Parameters[e.At], s.Mean, e.Value, 0.12**e.SE)
		near(t, "SD of "+p.Parameters[e.At], s.SD, *e.SE, 0.1**e.SE)
	}
}

// TestMaximumAtBounds checks that items that tell nothing by themselves keep their priors and leave the others as they are without them.
func TestMaximumAtBounds(t *testing.T) {
	var responses []record.Response
	for _, x := range lsat(6) {
		responses = append(responses, x)
		if x.Item == 4 { // all pass a sixth item, and nobody took a seventh
			responses = append(responses, record.Response{Subject: x.Subject, Item: 5, Value: 1})
		}
	}
	p := maximised(t, shippedText(t, "2pl"), responses, 1000, 7)
	bounded := map[string]string{}
	for _, e := range p.Maximum.Estimates {
		if name := p.Parameters[e.At]; e.Bounds != "" {
			bounded[name] = e.Bounds
		} else if name == "discrimination["+ids("i", 7)[0]+"]" {
			near(t, name, e.Value, 0.8254, 0.02)
		}
	}
	for i, why := range map[int]string{5: "all responses to it are the same", 6: "nobody responded to it"} {
		for _, name := range []string{"difficulty", "discrimination"} {
			if got := bounded[name+"["+ids("i", 7)[i]+"]"]; got != why {
				t.Errorf("%s of item %d: %q, want %q", name, i+1, got, why)
			}
		}
	}
	if len(bounded) != 4 || p.Maximum.Parameters != 14 {
		t.Errorf("%d priors count, and %d parameters are estimated: %v", len(bounded), p.Maximum.Parameters, bounded)
	}
	if !slices.ContainsFunc(p.Warnings, func(w posterior.Warning) bool { return w.Kind == posterior.OtherMaxima }) {
		t.Error("no warning says so")
	}
}

// TestMaximumOfGuessing compares 3pl on LSAT7, where the guessing parameters of four items are 0 by the responses alone, with mirt (TestLSAT7 of
// infer/mml): that of item 2 is the same though the priors of the others count.
func TestMaximumOfGuessing(t *testing.T) {
	p := maximised(t, shippedText(t, "3pl"), lsat(7), 1000, 5)
	for _, e := range p.Maximum.Estimates {
		name := p.Parameters[e.At]
		if name == "guess["+ids("i", 5)[1]+"]" {
			near(t, name, e.Value, 0.2950545, 0.01)
		}
		if bounded := strings.HasPrefix(name, "guess") && !strings.Contains(name, ids("i", 5)[1]); bounded != (e.Bounds != "") {
			t.Errorf("%s: %q", name, e.Bounds)
		}
	}
}

// parts has an ability for all items, and others for parts of them.
const parts = `name = "parts"
[metafeature]
x = { column = "x", range = [0, 1] }
y = { column = "y", range = [0, 1] }
[capability]
general = { prior = "normal(0, 1)" }
first = { prior = "normal(0, 1)" }
second = { prior = "normal(0, 1)" }
[item]
easiness = { prior = "normal(0, 2)" }
slope = { prior = "normal(1, 1)" }
own = { prior = "normal(1, 1)" }
[response.y]
p = "logistic(easiness + slope*general + own*(x*first + y*second))"
`

// TestMaximumOfAbilities compares the largest likelihood with several abilities with that which infer/mml finds on a grid of its own.
func TestMaximumOfAbilities(t *testing.T) {
	for _, abilities := range []int{2, 3} {
		if abilities == 3 && !longtest.On() { // a minute
			continue
		}
		const subjects, items = 3000, 8
		text, columns := parts, map[string][]float64{"x": {0, 0, 0, 0, 1, 1, 1, 1}, "y": {1, 1, 1, 1, 0, 0, 0, 0}}
		if abilities == 2 { // items without a second ability have no slope on one
			text = strings.Replace(text, "second = { prior = \"normal(0, 1)\" }\n", "", 1)
			text = strings.Replace(text, "y*second", "0*y", 1)
		}
		j := bind(t, text, battery(items, columns), subjects, record.Binary)
		theta := make([]float64, j.Len())
		r := rng.Stream(7, "parts")
		j.DrawPrior(&r, theta)
		for i, par := range j.Layout().Parameters {
			for u := range j.Units(i) {
				switch par.Name {
				case "easiness":
					theta[j.First(i)+u] = float64(u%4)/2 - 0.75
				case "slope", "own":
					theta[j.First(i)+u] = 1.5
				}
			}
		}
		responses, err := j.Simulate(theta, &r)
		if err != nil {
			t.Fatal(err)
		}
		c := joint.Default()
		c.Engine, c.Chains, c.Draws = posterior.MML, 2, 10
		p, err := joint.Sample(t.Context(), cells(t, j, responses), c, 1, "infer", "all")
		if err != nil {
			t.Fatal(err)
		}
		d := &mml.Data{Categories: slices.Repeat([]int{2}, items), Responses: make([][]int8, subjects)}
		for s := range d.Responses {
			d.Responses[s] = slices.Repeat([]int8{-1}, items)
		}
		for _, x := range responses {
			d.Responses[x.Subject][x.Item] = int8(x.Value)
		}
		loads := make([][]bool, items)
		for i := range loads {
			loads[i] = []bool{true, columns["x"][i] == 1, columns["y"][i] == 1}[:abilities]
		}
		f, err := mml.Estimate(d, mml.Settings{Model: mml.TwoPL, Loads: loads})
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint("log likelihood with ", abilities, " abilities"), p.Maximum.LogLik, f.LogLik, 0.1)
	}
}

// TestMaximumOfNothing checks that one subject and a table of passes, which tell nothing, are refused.
func TestMaximumOfNothing(t *testing.T) {
	c := joint.Default()
	c.Engine, c.Chains, c.Draws = posterior.MML, 2, 10
	for _, size := range [][2]int{{1, 6}, {50, 6}} {
		var responses []record.Response
		for s := range size[0] {
			for i := range size[1] {
				x := record.Response{Subject: int32(s), Item: int32(i), Value: 1}
				if size[0] == 1 {
					x.Value = float64((s + i) % 5 / 2 % 2)
				}
				responses = append(responses, x)
			}
		}
		p, err := joint.Sample(t.Context(), cells(t, bind(t, shippedText(t, "rasch"), battery(size[1], nil), size[0], record.Binary), responses), c, 1, "infer", "all")
		if err == nil {
			t.Errorf("%d × %d: %v, %+v", size[0], size[1], err, p)
		}
	}
}

// TestMaximumOfCoins checks that tables of 60 × 5 coins, of which no subject is better than another, are not said to be too informative for a grid: rasch has
// a spread of which the likelihood is highest at 0, and 2pl, without a maximum, is refused with the reason.
func TestMaximumOfCoins(t *testing.T) {
	c := joint.Default()
	c.Engine, c.Chains, c.Draws = posterior.MML, 2, 10
	for name, seed := range map[string]uint64{"rasch": 3, "2pl": 5} {
		r := rng.Stream(seed, "coins")
		responses := make([]record.Response, 300)
		for k := range responses {
			responses[k] = record.Response{Subject: int32(k / 5), Item: int32(k % 5), Value: float64(r.IntN(2))}
		}
		p, err := joint.Sample(t.Context(), cells(t, bind(t, shippedText(t, name), battery(5, nil), 60, record.Binary), responses), c, 1, "x")
		if name == "2pl" {
			if err == nil || !strings.Contains(err.Error(), "subjects differ no more than chance can make them") {
				t.Errorf("2pl: error %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Maximum.Estimates {
			if spread := p.Parameters[e.At] == "spread"; spread != strings.Contains(e.Bounds, "highest at 0") {
				t.Errorf("%s: %q", p.Parameters[e.At], e.Bounds)
			}
		}
	}
}

// TestMaximumOfSteepAndFlat checks that 2pl has estimates of tables of 80 × 40 in which some discriminations are near 0, so that nothing is known of the
// item's difficulty, and others so large that the likelihood rises without end: their priors decide, which is said, and all draws are finite.
func TestMaximumOfSteepAndFlat(t *testing.T) {
	const subjects, items = 80, 40
	seeds := []uint64{501, 502, 518} // of which the second has a flat item that matters, and the third a steep one
	for s := uint64(501); longtest.On() && s <= 540; s++ {
		seeds = append(seeds, s)
	}
	c := joint.Default()
	c.Chains, c.Draws = 2, 50
	bounded := 0
	for _, seed := range seeds {
		r := rng.Stream(seed, "steep and flat")
		ability := make([]float64, subjects)
		for s := range ability {
			ability[s] = r.Norm()
		}
		var responses []record.Response
		for i := range int32(items) {
			slope, difficulty := math.Exp(1.2*r.Norm()), 0.5+1.5*r.Norm()
			for s := range int32(subjects) {
				x := record.Response{Subject: s, Item: i}
				if r.Float64() < num.Logistic(slope*(ability[s]-difficulty)) {
					x.Value = 1
				}
				responses = append(responses, x)
			}
		}
		p, err := joint.Maximise(t.Context(), cells(t, bind(t, shippedText(t, "2pl"), battery(items, nil), subjects, record.Binary), responses), c, 1)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		for _, e := range p.Maximum.Estimates {
			if e.Bounds != "" {
				bounded++
			} else if e.SE == nil || math.IsNaN(e.Value) {
				t.Errorf("seed %d: %s is %v with the standard error %v", seed, p.Parameters[e.At], e.Value, e.SE)
			}
		}
		for k, s := range p.Summaries {
			if x := s.Mean + s.SD + s.Q5 + s.Q95; math.IsInf(x, 0) || math.IsNaN(x) {
				t.Errorf("seed %d: %s has mean %v, SD %v, %v to %v", seed, p.Parameters[k], s.Mean, s.SD, s.Q5, s.Q95)
			}
		}
	}
	if share := float64(bounded) / float64(len(seeds)*2*items); share == 0 || share > 0.3 {
		t.Errorf("priors decide %.2f of all values", share)
	}
}

// TestMaximumOfOneItem checks that one item, which tells nothing of how much subjects differ, is refused or has finite draws,
// whatever number of 50 subjects pass it.
func TestMaximumOfOneItem(t *testing.T) {
	for _, passed := range []int{1, 10, 20, 25, 30, 38, 40, 42, 45, 49} {
		j := bind(t, shippedText(t, "rasch"), battery(1, nil), 50, record.Binary)
		var responses []record.Response
		for s := range int32(50) {
			x := record.Response{Subject: s}
			if int(s) < passed {
				x.Value = 1
			}
			responses = append(responses, x)
		}
		c := joint.Default()
		c.Draws = 500
		p, err := joint.Maximise(t.Context(), cells(t, j, responses), c, 1)
		if err != nil {
			continue
		}
		for k, s := range p.Summaries {
			if x := s.Mean + s.SD + s.Q5 + s.Q95; math.IsInf(x, 0) || math.IsNaN(x) {
				t.Errorf("%d of 50 pass: %s has mean %v, SD %v, %v to %v", passed, p.Parameters[k], s.Mean, s.SD, s.Q5, s.Q95)
				break
			}
		}
	}
}

// TestMaximumOfMissing checks that M2 is withheld where a subject lacks a response, with the number of those who lack none.
func TestMaximumOfMissing(t *testing.T) {
	responses := lsat(6)
	for missing, want := range []string{"", "999 of 1000 subjects have one response to every item, and all must"} {
		m := maximised(t, shippedText(t, "rasch"), responses[missing:], 1000, 5).Maximum
		if m.NoFit != want || (m.Fit == nil) != (want != "") {
			t.Errorf("%d missing: %+v, %q", missing, m.Fit, m.NoFit)
		}
	}
}

// TestMaximumOfFewerCategories checks why there is no M2 where the layout has a category that no item has, so that the priors of all items count.
func TestMaximumOfFewerCategories(t *testing.T) {
	r := rng.Stream(1, "categories")
	var responses []record.Response
	for s := range int32(60) {
		for i := range int32(5) {
			responses = append(responses, record.Response{Subject: s, Item: i, Value: float64(r.IntN(3))})
		}
	}
	c := joint.Default()
	c.Engine, c.Chains, c.Draws = posterior.MML, 2, 100
	p, err := joint.Sample(t.Context(), cells(t, bind(t, shippedText(t, "grm"), battery(5, nil), 60, record.Choice), responses), c, 1, "infer", "all")
	if err != nil {
		t.Fatal(err)
	}
	if m := p.Maximum; m.NoFit != "0 of 5 items are estimated by their responses alone, too few to test" {
		t.Errorf("%+v: %q", m.Fit, m.NoFit)
	}
}
