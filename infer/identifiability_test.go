package infer

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// twoRates returns a layout bound to n items in each of two groups. It has a success rate for each group; with a uniform
// prior their posteriors are beta distributions. Its third parameter, idle, has no influence on responses: it is
// multiplied by 0.
func twoRates(t *testing.T, n int) *layout.Design {
	t.Helper()
	l, err := layout.Parse("two.toml", rates)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Bind(ratedItems(n), []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func ratedItems(n int) *record.Items {
	items := &record.Items{Columns: []record.Column{{Feature: record.Feature{Name: "g"}}}}
	for i := range 2 * n {
		items.ID = append(items.ID, string(rune('A'+i/26))+string(rune('a'+i%26)))
		items.Columns[0].Number = append(items.Columns[0].Number, float64(i%2))
	}
	return items
}

const rates = `name = "two"
[metafeature]
g = { column = "g", range = [0, 1] }
[capability]
a = { prior = "uniform(0, 1)" }
b = { prior = "uniform(0, 1)" }
idle = { prior = "normal(0, 2)" }
[response.success]
p = "mix(0*logistic(idle), mix(g, b, a), 0)"
`

// few returns settings with a quarter of the usual draws.
func few(seed uint64) Settings {
	s := Default(nil)
	s.Seed, s.Draws, s.Jobs = seed, 250, 2
	return s
}

// TestIdentify checks contractions. With a uniform prior and 100 responses the posterior variance of a rate is 1/(6·102)
// on average over the prior, which is 0.020 of the prior variance. The posterior variance of idle is its prior variance.
func TestIdentify(t *testing.T) {
	d := twoRates(t, 100)
	for seed := range uint64(3) {
		ids, err := identify(context.Background(), d, Job{Settings: few(seed)}, 8)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range ids.Parameters[:2] {
			if math.Abs(x.Contraction-0.980) > 0.008 || x.Identified != 8 || x.Subjects != 8 || math.Abs(x.PriorSD-1/math.Sqrt(12)) > 1e-12 || x.RMSE > 0.08 {
				t.Errorf("seed %d: %+v", seed, x)
			}
		}
		if x := ids.Parameters[2]; math.Abs(x.Contraction) > 0.2 || x.Identified != 0 || x.PriorSD != 2 {
			t.Errorf("seed %d: a parameter in no response: %+v", seed, x)
		}
		if len(ids.Strong) != 0 {
			t.Errorf("seed %d: strong correlations %+v", seed, ids.Strong)
		}
	}
}

// TestIdentifiability checks the summary of three subjects. Subject p has draws without a correlation of a and b, q has
// no posterior, and in r parameters a and b are strongly correlated.
func TestIdentifiability(t *testing.T) {
	var apart, together [][]float64
	for i := range 200 {
		x := float64(i) / 2000
		y := float64(i*37%200) / 2000
		apart = append(apart, []float64{x, y, 8 * (y - 0.05)})
		together = append(together, []float64{x, 0.1 - x + y/20, 80 * (y - 0.05)})
	}
	ids := identifiability(twoRates(t, 2), []*moments{momentsOf("p", [][][]float64{apart}), momentsOf("q", nil), momentsOf("r", [][][]float64{together})})
	if x := ids.Parameters[0]; x.Identified != 2 || x.Subjects != 3 || x.Parameter != "a" || x.Prior != "uniform(0, 1)" {
		t.Errorf("a: %+v", x)
	}
	if x := ids.Parameters[2]; x.Identified != 1 {
		t.Errorf("idle: %+v", x)
	}
	if len(ids.Strong) != 2 { // a with b for subject r, b with idle for subject p
		t.Fatalf("strong correlations %+v", ids.Strong)
	}
	for _, p := range ids.Strong {
		if p.Strong != 1 || p.Subjects != 3 || p.A == "a" && (p.Subject != "r" || p.R > -0.9) || p.A == "b" && p.Subject != "p" {
			t.Errorf("%+v", p)
		}
	}
}

// TestUnboundedPriors checks that parameters whose prior has no finite variance are named, and the others summed up.
func TestUnboundedPriors(t *testing.T) {
	l, err := layout.Parse("wide.toml", `name = "wide"
[capability]
a = { prior = "normal(0, spread)" }
b = { prior = "normal(0, 1)" }
[shared]
spread = { prior = "halfcauchy(1)" }
[response.y]
p = "logistic(a + b)"
`)
	if err != nil {
		t.Fatal(err)
	}
	items := &record.Items{ID: []string{"i"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}
	j, err := l.BindJoint(items, []string{"s"}, nil, []record.Measure{{Name: "y", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	ids := identifiabilityOf(j, posterior.Auto, [][][]float64{{{0, 0.1, 1}, {0, -0.1, 2}}}, nil)
	if len(ids.Parameters) != 1 || ids.Parameters[0].Parameter != "b" || !slices.Equal(ids.Unbounded, []string{"a", "spread"}) {
		t.Errorf("parameters %+v, unbounded %v", ids.Parameters, ids.Unbounded)
	}
}

// TestUnknownOrder checks that responses whose place is not known are no data for a layout that names it.
func TestUnknownOrder(t *testing.T) {
	data := &record.Dataset{Responses: record.PackResponses([]record.Response{{Position: 1}, {Position: 2}})}
	data.Items = record.Items{ID: []string{"a"}, Suite: []string{""}, Paradigm: []string{""}, Task: []string{""}}
	if err := oneSequence(data); err != nil {
		t.Error(err)
	}
	data.Responses = record.PackResponses([]record.Response{{Position: 1}, {}})
	if err := oneSequence(data); err == nil {
		t.Error("a response without a place passes")
	}
}

// TestToldApart checks the contraction of abilities whose prior depends on a spread: against the population that the draws infer. Draws
// are normal about each subject's mean with SD 1, and the means have SD τ, so that the reliability is τ²/(τ² + 1) whatever the prior
// of the spread. In a table of parts that nothing connects nobody counts as identified.
func TestToldApart(t *testing.T) {
	const subjects = 400
	l, err := layout.Parse("rasch.toml", `name = "rasch"
[capability]
ability = { prior = "normal(0, spread)" }
[shared]
spread = { prior = "halfnormal(50)" }
[item]
slope = { prior = "lognormal(0, spread)" }
[response.success]
p = "logistic(slope * ability)"
`)
	if err != nil {
		t.Fatal(err)
	}
	names := func(n int) (out []string) {
		for i := range n {
			out = append(out, strconv.Itoa(1000+i))
		}
		return out
	}
	none := make([]string, 40)
	j, err := l.BindJoint(&record.Items{ID: names(40), Suite: none, Paradigm: none, Task: none}, names(subjects), nil, []record.Measure{{Name: "success", Family: record.Binary}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tau        float64
		identified int
	}{{0, 0}, {1, 0}, {10, subjects}} {
		r := rng.Stream(501, "apart")
		draws, means := make([][][]float64, 2), make([]float64, j.Len())
		for i := range means {
			means[i] = float64(c.tau * r.Norm())
		}
		for chain := range draws {
			for range 500 {
				draw := make([]float64, j.Len())
				for i := range draw {
					draw[i] = means[i] + r.Norm()
				}
				for u := range j.Units(1) { // slopes, whose logarithm is what the abilities are
					draw[j.First(1)+u] = math.Exp(draw[j.First(1)+u])
				}
				draws[chain] = append(draws[chain], draw)
			}
		}
		x := identifiabilityOf(j, posterior.Auto, draws, nil)
		if names := [3]string{x.Parameters[0].Parameter, x.Parameters[1].Parameter, x.Parameters[2].Parameter}; names != [3]string{"ability", "slope", "spread"} {
			t.Fatalf("parameters %v", names)
		}
		p, want := x.Parameters[0], c.tau*c.tau/(c.tau*c.tau+1)
		// The SD of a sample variance of 400 normal values is 7 % of it: five of them, times what is left of the contraction.
		if off := 5 * 0.07 * want * (1 - want); math.Abs(p.Contraction-want) > off+0.02 {
			t.Errorf("τ %v: contraction %.3f, want %.3f", c.tau, p.Contraction, want)
		}
		if c.tau == 10 && p.Identified < subjects-2 || c.tau < 10 && p.Identified > 0 {
			t.Errorf("τ %v: %d identified, want %d", c.tau, p.Identified, c.identified)
		}
		if p.Log || !x.Parameters[1].Log || x.Parameters[1].Contraction < want-0.2 || x.Parameters[1].Contraction > want+0.2 {
			t.Errorf("τ %v: slopes %+v", c.tau, x.Parameters[1])
		}
		x.withhold(map[string]int{"1000": 1, "1001": 2})
		if p := x.Parameters[0]; p.Identified != 0 || p.Parts != 2 || x.Table().Value(0, "identified").Text() != "" {
			t.Errorf("in two parts: %+v", p)
		}
	}
}
