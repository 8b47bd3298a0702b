package layout_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/infer/infertest"
	"achilles/infer/layout"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A decl is one declaration in a section of a layout.
type decl struct{ section, name, value string }

// kitchenDecls are declarations for the expressions of tests: numbers f in [0, 1] and g in [−2, 2], a text kind, and
// parameters with every kind of support.
var kitchenDecls = []decl{
	{"constant", "half", "0.5"},
	{"metafeature", "f", `{ column = "f", range = [0, 1], missing = 0.25 }`},
	{"metafeature", "g", `{ column = "g", range = [-2, 2] }`},
	{"metafeature", "kind", `{ column = "kind", levels = ["cup", "row", "cv"] }`},
	{"capability", "a", `{ prior = "uniform(0, 3)" }`},
	{"capability", "b", `{ prior = "normal(0.3, 1.2)" }`},
	{"bias", "c", `{ prior = "beta(2, 3)" }`},
	{"robustness", "s", `{ prior = "gamma(2, 1.5)" }`},
}

// kitchen returns the text of a layout in which success has probability p. It has only those declarations that p needs,
// because layouts refuse unused ones. A declaration in more replaces the one of the same name in kitchenDecls.
func kitchen(p string, more ...decl) string {
	return kitchenWith("[response.success]\np = '"+p+"'\n", mustParse(p).Names(), more...)
}

func kitchenWith(response string, names []string, more ...decl) string {
	all := append(slices.Clone(more), kitchenDecls...)
	needed := map[string]bool{}
	var need func(names []string)
	need = func(names []string) {
		for _, n := range names {
			i := slices.IndexFunc(all, func(d decl) bool { return d.name == n })
			if i < 0 || needed[n] {
				continue
			}
			needed[n] = true
			if d := all[i]; d.section == "performance" {
				need(mustParse(strings.Trim(d.value, "'")).Names())
			} else if _, prior, ok := strings.Cut(d.value, `prior = "`); ok {
				prior, _, _ = strings.Cut(prior, `"`)
				need(mustParse(prior).Names())
			}
		}
	}
	need(names)
	text := "name = \"kitchen\"\ntemperature = 0.1\n"
	for _, section := range []string{"constant", "metafeature", "capability", "bias", "robustness", "performance"} {
		text += "[" + section + "]\n"
		for i, d := range all {
			first := slices.IndexFunc(all, func(o decl) bool { return o.name == d.name }) == i
			if d.section == section && needed[d.name] && first {
				text += d.name + " = " + d.value + "\n"
			}
		}
	}
	return text + response
}

var allMeasures = []record.Measure{
	{Name: "success", Family: record.Binary}, {Name: "hits", Family: record.Count}, {Name: "time", Family: record.Real},
	{Name: "share", Family: record.Unit}, {Name: "choice", Family: record.Choice},
	{Name: "score", Family: record.Unit},
}

// kitchenItems returns 60 items. Some have equal values, and some have no f.
func kitchenItems() *record.Items {
	r := rng.Stream(7, "kitchen")
	f := record.Column{Feature: record.Feature{Name: "f", Kind: record.Number}}
	g := record.Column{Feature: record.Feature{Name: "g", Kind: record.Number}}
	kind := record.Column{Feature: record.Feature{Name: "kind", Kind: record.Text}}
	n := record.Column{Feature: record.Feature{Name: "n", Kind: record.Number}}
	for i := range 60 {
		f.Number = append(f.Number, float64(r.IntN(5))/4)
		f.Missing = append(f.Missing, i%17 == 3)
		g.Number = append(g.Number, float64(r.IntN(5))-2)
		kind.Text = append(kind.Text, []string{"cup", "row", "cv"}[r.IntN(3)])
		n.Number = append(n.Number, float64(1+r.IntN(4)))
	}
	return newItems(f, g, kind, n)
}

// kitchenAnswers returns two responses to most items, for every measure, and some responses without a score.
func kitchenAnswers() []record.Response {
	r := rng.Stream(8, "kitchen")
	var out []record.Response
	for i := range int32(60) {
		for rep := range int16(2) {
			if r.IntN(5) == 0 {
				out = append(out, record.Response{Item: i, Repetition: rep, Unscored: 1})
				continue
			}
			values := []float64{float64(r.IntN(2)), float64(r.IntN(2)), r.Norm(), r.Float64(), float64(r.IntN(3))}
			values = append(values, min(max(2*values[3]-0.5, 0), 1)) // a quarter of the scores are 0, a quarter 1
			for m, v := range values {
				out = append(out, record.Response{Item: i, Repetition: rep, Measure: uint8(m), Value: v})
			}
		}
	}
	return out
}

// check compares the densities of a layout with those of the oracle, and its gradient with central differences, at
// random points.
func check(t *testing.T, text string, points int) {
	t.Helper()
	l := parse(t, text)
	o := &oracle{l, kitchenItems(), kitchenAnswers(), allMeasures}
	tg := target(t, bind(t, l, o.items, o.measures), o.responses)
	r := rng.Stream(9, text)
	q := make([]float64, tg.Dim())
	for range points {
		for i := range q {
			q[i] = 0.8 * r.Norm()
		}
		o.agree(t, tg, q)
		infertest.CheckGradient(t, tg, q, 1e-6)
		if t.Failed() {
			t.Fatal(text)
		}
	}
}

func TestFunctions(t *testing.T) {
	for _, p := range []string{
		"logistic(a - g)", "logistic(2*a*half - g/(1 + f) + b*f)", "probit(a*g - b)", "probit(b - g*f)",
		"mix(c, logistic(a - g), f)", "mix(c, logistic(a - g)*probit(b - f), 1 - mean(success))", "mix(c, logistic(b), half)",
		"mix(f, c, logistic(b - g))", "mix(logistic(b - g), c, 1 - c)", "mix(c*half, f, 1 - f)", "mix(mean(success), c, f)",
		"present(c, 0.2 + f/2)", "present(c, logistic(a - g))", "present(f, c)*logistic(b - g)", "present(logistic(b*g), half)",
		"gmean(-Inf, 0.4*c, 0.5 + half*logistic(b - g), 0.95)", "gmean(-2, c, logistic(b - g))", "gmean(-0.001, c, logistic(b - g))", "gmean(0, c, logistic(b - g), 0.9)",
		"gmean(half, c, logistic(b - g))", "gmean(1, c, logistic(b - g), f)", "gmean(3, c, logistic(b - g))", "gmean(Inf, 0.4*c, 0.5 + half*logistic(b - g), f/4)",
		"exp(-s*(f + 0.1))", "exp(-s)*c", "logistic(exp(0.3*b*g) - s)", "logistic(log(s + f) - g)", "logistic(log(1 + abs(g)) - b)",
		"logistic(sqrt(s) - g)", "logistic(sqrt(s*(f + 1)) - a)", "logistic(abs(b) - g)", "logistic(abs(b - 8 - g) - 8)",
		"pow(c, f + 1)", "pow(logistic(b - g), s)", "pow(c, 2)", "logistic(pow(b, 3) - g)", "logistic(pow(a + 1, -2)*g)", "pow(1 - f/2, 2)*c", "logistic(pow(s + 1, b)*g)",
		"min(c, logistic(b - g))", "max(c, logistic(b - g), 0.3)", "min(0.2 + f/2, half)*c", "max(0.1, min(f, c), mean(success))", "mix(half, max(f, 0.2), c)", "logistic(max(a, s, b) - g)",
		`logistic(a - g*(kind == "cup") + b*in(kind, "cv", "row"))`, `logistic(b + ((f > 0.3 && !(g < 0)) || kind != "cv"))`, "logistic(a*(g >= 1) - (g <= 0))",
		"logistic(-(a - b)*-g)", "logistic(a/(s + 1) - g)", "logistic(a/(s + f + 1) - b*s*g)", "logistic((a - g)*(b - f))", "c", "c*c", "(1 - f/2)*c", "0.5*c*logistic(b - g)*probit(a - f)*logistic(s - 1 - g*f)",
		"logistic(a - a + b)", "logistic(b*(g - g) + c)", "logistic(a - mean(success)*g)", "logistic(b - g)*mean(success)", "1 - c*logistic(b - g)",
		"logistic(mix(c, b, g))", "logistic(mix(f, b, a))", "logistic(mix(c, 1, g))", "logistic(present(c, 3*f) - b)",
	} {
		t.Run(p, func(t *testing.T) { check(t, kitchen(p), 10) })
	}
}

func TestPriors(t *testing.T) {
	x := func(prior string) decl { return decl{"capability", "x", `{ prior = "` + prior + `" }`} }
	for _, prior := range []string{
		"uniform(-1, 2)", "uniform(-half, 2*a + 1)", "uniform(-a, 1)", "normal(1, 2)", "normal(b, s)", "halfnormal(2)", "halfnormal(s)", "beta(0.5, 3)", "beta(s + 1, a + 0.2)",
		"gamma(0.7, 2)", "gamma(s + 0.5, a + 1)", "exponential(2)", "exponential(s + 0.1)", "lognormal(-0.2, 0.4)", "lognormal(b, s + 0.1)", "normal(max(a, s), gmean(2, a, s))", "beta(pow(s, 2) + 1, sqrt(a) + exp(b))",
	} {
		t.Run(prior, func(t *testing.T) { check(t, kitchen("logistic(x - g)*present(c, f)", x(prior)), 20) })
	}
	t.Run("a chain of three", func(t *testing.T) {
		check(t, kitchen("logistic(z - g)", x("halfnormal(1)"), decl{"bias", "y", `{ prior = "normal(0, x)" }`}, decl{"robustness", "z", `{ prior = "normal(y, x)" }`}), 20)
	})
}

func TestFamilies(t *testing.T) {
	for _, c := range []struct{ name, response string }{
		{"binomial", "[response.hits]\nfamily = \"binomial\"\np = 'mix(c, logistic(a - g), 1 - exp(-mean(hits)))'\ntrials = 'n'\n"},
		{"binomial of constant trials", "[response.hits]\nfamily = \"binomial\"\np = 'logistic(b - g)'\ntrials = '3'\n"},
		{"normal", "[response.time]\nfamily = \"normal\"\nmean = 'a - b*g'\nsd = 's*(1 + f)'\n"},
		{"normal of a mean", "[response.time]\nfamily = \"normal\"\nmean = 'a - mean(time)'\nsd = 'half'\n"},
		{"beta", "[response.share]\nfamily = \"beta\"\nmean = 'logistic(b - g)'\nprecision = '1 + s*exp(a*f)'\n"},
		{"zero-one-inflated beta", "[response.score]\nfamily = \"zero_one_inflated_beta\"\nmean = 'logistic(b - g)'\nprecision = '1 + s*exp(min(a*f, 1))'\ninflation = 'c*(1 - f/2)'\nones = 'logistic(a - g)'\n"},
		{"choice", "[response.choice]\nfamily = \"choice\"\nutility = ['0', 'a - g', 'b*(kind == \"cup\")']\n"},
		{"three measures", "[response.success]\np = 'logistic(a - g)*c'\n[response.time]\nfamily = \"normal\"\nmean = 'a - g'\nsd = 's'\n[response.choice]\nfamily = \"choice\"\nutility = ['b', '0', 'f']\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := decl{"metafeature", "n", `{ column = "n", range = [1, 4] }`}
			names := strings.FieldsFunc(c.response, func(r rune) bool { return !(r >= 'a' && r <= 'z') })
			text := kitchenWith(c.response, names, n)
			if !strings.Contains(c.response, "mean(time)") && strings.Contains(text, "1 + s*exp") {
				text = strings.ReplaceAll(text, "1 + s*exp(a*f)", "1 + s*exp(min(a*f, 1))")
			}
			check(t, text, 20)
		})
	}
}

// TestPerformances checks a product of several links with a performance that is used twice, one that depends on items
// only, and performances that are declared after those that mention them.
func TestPerformances(t *testing.T) {
	text := kitchen("mix(c, navP*visP*navP, 1 - mean(success))",
		decl{"performance", "navP", "'linkP*present(c, f)'"}, decl{"performance", "linkP", "'logistic(a - demand)'"},
		decl{"performance", "demand", "'g*(1 + half*f)'"}, decl{"performance", "visP", "'min(linkP, logistic(b - f), 0.9)'"})
	check(t, text, 50)
}

func TestTargetDoesNotAllocate(t *testing.T) {
	l := parse(t, kitchen("mix(c, min(logistic(a - g), gmean(2, c, logistic(x - f))), 1 - mean(success))", decl{"capability", "x", `{ prior = "normal(b, s)" }`}))
	tg := target(t, bind(t, l, kitchenItems(), allMeasures), kitchenAnswers())
	n := tg.Dim()
	q, grad, theta, z := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = 0.4 * float64(i-2)
	}
	p, points := make([]float64, tg.Design().Rows()), make([]float64, len(tg.Data().Tallies()))
	for name, f := range map[string]func(){
		"LogDensity": func() { tg.LogDensity(q, grad) }, "LogLikelihood": func() { tg.LogLikelihood(z) }, "FromOdds": func() { tg.FromOdds(z, q) },
		"Constrain": func() { tg.Constrain(q, theta) }, "Unconstrain": func() { tg.Unconstrain(theta, q) },
		"Predict": func() { tg.Predict(theta, p) }, "PointwiseLogLik": func() { tg.PointwiseLogLik(theta, points) },
	} {
		if k := testing.AllocsPerRun(20, f); k != 0 {
			t.Errorf("%s allocates %g times", name, k)
		}
	}
}

// TestScales checks that LogLikelihood at z is the oracle's log likelihood at the same theta, and that Unconstrain
// inverts Constrain.
func TestScales(t *testing.T) {
	l := parse(t, kitchen("mix(c, logistic(a - g*x)*exp(-s*f)*logistic(y + z + w), 0.5)",
		decl{"capability", "x", `{ prior = "halfnormal(a)" }`}, decl{"capability", "y", `{ prior = "uniform(-x, s)" }`},
		decl{"capability", "z", `{ prior = "lognormal(b, 0.5)" }`}, decl{"capability", "w", `{ prior = "exponential(x + 1)" }`}))
	o := &oracle{l, kitchenItems(), kitchenAnswers(), allMeasures}
	tg := target(t, bind(t, l, o.items, o.measures), o.responses)
	n := tg.Dim()
	z, q, theta, back := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	r := rng.Stream(3, "scales")
	for range 200 {
		for i := range z {
			u := r.Float64()
			z[i] = math.Log(u / (1 - u))
		}
		tg.FromOdds(z, q)
		tg.Constrain(q, theta)
		if got, want := tg.LogLikelihood(z), o.logLikelihood(theta); !near(got, want, 1e-9) {
			t.Fatalf("log likelihood at z = %g is %.17g, oracle %.17g", z, got, want)
		}
		tg.Unconstrain(theta, back)
		for i := range q {
			if !near(q[i], back[i], 1e-7*(1+math.Exp(math.Abs(q[i])))*1e-6+1e-9) {
				t.Fatalf("coordinate %d: q = %g comes back as %g", i, q[i], back[i])
			}
		}
	}
}

// TestDataErrors checks that responses which a layout cannot explain give an error. They must not panic or be
// ignored.
func TestDataErrors(t *testing.T) {
	d := bind(t, parse(t, kitchen("mix(c, logistic(a - g), 1 - mean(success))")), kitchenItems(), allMeasures)
	for _, c := range []struct {
		name      string
		responses []record.Response
		want      string
	}{
		{"no response", nil, "layout kitchen: mean(success) is wanted of a subject without a success response"},
		{"of other measures only", []record.Response{{Measure: 2, Value: 1}}, "layout kitchen: mean(success) is wanted of a subject without a success response"},
		{"unscored only", []record.Response{{Unscored: 1}}, "layout kitchen: mean(success) is wanted of a subject without a success response"},
		{"value", []record.Response{{Value: 0.5}}, "layout kitchen: value 0.5 is neither 0 nor 1"},
		{"item", []record.Response{{Item: 60}}, "layout kitchen: response to item number 60 of 60"},
	} {
		if _, err := d.NewData(c.responses); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	// A layout without means accepts a subject without responses; the posterior is then the prior.
	l := parse(t, kitchen("logistic(a - g)"))
	tg := target(t, bind(t, l, kitchenItems(), allMeasures), nil)
	if got := tg.LogLikelihood([]float64{0.3}); got != 0 {
		t.Errorf("log likelihood of nothing is %g", got)
	}
}

// TestImpossible checks that the log density is −Inf, not NaN, if an observation is impossible. A sampler takes −Inf for
// a divergence.
func TestImpossible(t *testing.T) {
	l := parse(t, kitchen("c*f"))
	tg := target(t, bind(t, l, kitchenItems(), allMeasures), kitchenAnswers())
	grad := make([]float64, 1)
	if got := tg.LogDensity([]float64{0.1}, grad); !math.IsInf(got, -1) {
		t.Errorf("log density %g where an observed success has probability 0", got)
	}
	if got := tg.LogLikelihood([]float64{0.5}); !math.IsInf(got, -1) {
		t.Errorf("log likelihood %g", got)
	}
	// The slope of the square root is infinite at 0, to which s underflows.
	for _, p := range []string{"logistic(a - g)*probit(b)", "logistic(sqrt(s) - g)*probit(b)", "mix(c, pow(a, 0.1)/2, f)*logistic(log(s))"} {
		tg = target(t, bind(t, parse(t, kitchen(p)), kitchenItems(), allMeasures), kitchenAnswers())
		grad = make([]float64, tg.Dim())
		for _, v := range []float64{800, 1e3, 1e6, 1e300, math.Inf(1), math.NaN()} {
			for i := range 2 * tg.Dim() {
				q := make([]float64, tg.Dim())
				q[i/2] = v * float64(i%2*2-1)
				got := tg.LogDensity(q, grad)
				if got != got || math.IsInf(got, 1) {
					t.Errorf("%s at %g: density %g", p, q, got)
				}
				if !math.IsInf(got, -1) && slices.ContainsFunc(grad, func(g float64) bool { return g-g != 0 }) {
					t.Errorf("%s at %g: density %g, gradient %g", p, q, got, grad)
				}
			}
		}
	}
}

func TestOrderOfItemsDoesNotMatter(t *testing.T) {
	items, responses := kitchenItems(), kitchenAnswers()
	l := parse(t, kitchen("mix(c, logistic(a - g)*logistic(b - f), 1 - mean(success))"))
	r := rng.Stream(5, "order")
	perm := r.Perm(items.Len())
	moved := newItems(slices.Clone(items.Columns)...)
	for k := range moved.Columns {
		c := &moved.Columns[k]
		c.Number, c.Text, c.Missing = permuted(c.Number, perm), permuted(c.Text, perm), permuted(c.Missing, perm)
	}
	var movedResponses []record.Response
	for _, x := range responses {
		x.Item = int32(perm[x.Item])
		movedResponses = append(movedResponses, x)
	}
	slices.Reverse(movedResponses)
	one, two := target(t, bind(t, l, items, allMeasures), responses), target(t, bind(t, l, moved, allMeasures), movedResponses)
	for range 50 {
		z := []float64{2 * r.Norm(), 2 * r.Norm(), 2 * r.Norm()}
		if a, b := one.LogLikelihood(z), two.LogLikelihood(z); !near(a, b, 1e-13) {
			t.Fatal(fmt.Sprint("log likelihood depends on the order of items: ", a, b))
		}
	}
}

// permuted returns a slice with v[i] at index perm[i].
func permuted[T any](v []T, perm []int) []T {
	if v == nil {
		return nil
	}
	out := make([]T, len(v))
	for i, x := range v {
		out[perm[i]] = x
	}
	return out
}

var _ infertest.Density = (*layout.Target)(nil)
