package layout_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"achilles/infer/layout"
	"achilles/sim/conf"
	"achilles/sim/record"
)

// base is a valid layout. Each case of TestParseErrors replaces one part of it.
const base = `name = "base"
temperature = 0.1

[constant]
nu = 0.5

[metafeature]
size = { column = "size", range = [0, 5] }
family = { column = "family", levels = ["cup", "grid"] }

[capability]
visual = { prior = "uniform(0, 6)", unit = "size" }
[bias]
side = { prior = "normal(0, 1)" }
[robustness]
noise = { prior = "uniform(0, 1)" }

[performance]
visualP = "logistic(visual - size + side*(family == 'cup'))"

[response.success]
p = "mix(noise, visualP, nu)"
`

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"malformed", `nu = 0.5`, `nu = `, `f.toml:5: key constant.nu: want a value: a text in quotes, a number, true or false, or a list in brackets, not the end of the line`},
		{"duplicate key", `nu = 0.5`, "nu = 0.5\nnu = 0.6", `f.toml:6: key constant.nu: is in line 5 already: keep one`},
		{"unknown section", `[bias]`, `[biases]`, `f.toml:13: key biases: unknown key: did you mean bias?`},
		{"far from any section", `[bias]`, `[zzz]`, `f.toml:13: key zzz: unknown key: there are bias, capability, classification, constant, covariate, doc, item, metafeature, name, performance, response, robustness, shared, temperature, walking`},
		{"no name", `name = "base"`, ``, `f.toml: key name: is missing: what the layout is called`},
		{"name of the wrong type", `name = "base"`, `name = 3`, `f.toml:1: key name: want a text in quotes, not 3`},
		{"temperature of the wrong type", `temperature = 0.1`, `temperature = "low"`, `f.toml:2: key temperature: want a number above 0, not the text "low"`},
		{"temperature of zero", `temperature = 0.1`, `temperature = 0`, `f.toml:2: key temperature: want a number above 0, not 0`},
		{"section of the wrong type", "[bias]\nside = { prior = \"normal(0, 1)\" }", "", `f.toml:18: key performance.visualP: column 26: unknown name side: did you mean size?`},
		{"constant of the wrong type", `nu = 0.5`, `nu = [1]`, `f.toml:5: key constant.nu: want a finite number, not [1]`},
		{"constant without end", `nu = 0.5`, `nu = inf`, `f.toml:5: key constant.nu: want a finite number, not +Inf`},
		{"keyword", `nu = 0.5`, `range = 0.5`, `f.toml:5: key constant.range: "range" is not a name: use letters and digits, a letter first, and no keyword of Go`},
		{"hyphen", `nu = 0.5`, `n-u = 0.5`, `f.toml:5: key constant.n-u: "n-u" is not a name: use letters and digits, a letter first, and no keyword of Go`},
		{"function", `nu = 0.5`, `log = 0.5`, `f.toml:5: key constant.log: log is a function: choose another name`},
		{"mean", `nu = 0.5`, `mean = 0.5`, `f.toml:5: key constant.mean: mean is a function: choose another name`},
		{"declared twice", `side = {`, `size = {`, `f.toml:14: key bias.size: size is declared twice, first in line 8 as metafeature.size`},
		{"unknown key of a metafeature", `range = [0, 5]`, `rang = [0, 5]`, `f.toml:8: key metafeature.size.rang: unknown key: did you mean range?`},
		{"no column", `column = "size", `, ``, `f.toml:8: key metafeature.size.column: is missing: the name of a column of the items`},
		{"no range", `, range = [0, 5]`, ``, `f.toml:8: key metafeature.size.range: is missing: [lowest, highest] of a number; a text has levels = ["a", "b"] instead`},
		{"range and levels", `range = [0, 5]`, `range = [0, 5], levels = ["a"]`, `f.toml:8: key metafeature.size.levels: a metafeature has a range or levels, not both`},
		{"range of one", `range = [0, 5]`, `range = [5]`, `f.toml:8: key metafeature.size.range: want two numbers, [lowest, highest], the first not above the second, not [5]`},
		{"range of texts", `range = [0, 5]`, `range = ["a", "b"]`, `f.toml:8: key metafeature.size.range: want two numbers, [lowest, highest], the first not above the second, not ["a", "b"]`},
		{"range of a text", `range = [0, 5]`, `range = "0-5"`, `f.toml:8: key metafeature.size.range: want two numbers, [lowest, highest], the first not above the second, not the text "0-5"`},
		{"range upside down", `range = [0, 5]`, `range = [5, 0]`, `f.toml:8: key metafeature.size.range: want two numbers, [lowest, highest], the first not above the second, not [5, 0]`},
		{"levels of numbers", `levels = ["cup", "grid"]`, `levels = [1]`, `f.toml:9: key metafeature.family.levels: want a list of texts, such as ["a", "b"], not [1]`},
		{"no levels", `levels = ["cup", "grid"]`, `levels = []`, `f.toml:9: key metafeature.family.levels: must name at least one text`},
		{"missing outside", `range = [0, 5]`, `range = [0, 5], missing = 9`, `f.toml:8: key metafeature.size.missing: 9 is outside the range 0 to 5`},
		{"missing of a text", `levels = ["cup", "grid"]`, `levels = ["cup"], missing = 1`, `f.toml:9: key metafeature.family.missing: only a number has a value for missing ones`},
		{"parameter that is a text", `side = { prior = "normal(0, 1)" }`, `side = "normal(0, 1)"`, `f.toml:14: key bias.side: want a table, not the text "normal(0, 1)"`},
		{"no prior", `side = { prior = "normal(0, 1)" }`, `side = {}`, `f.toml:14: key bias.side.prior: is missing: for instance prior = "uniform(0, 1)"`},
		{"prior that is a number", `"normal(0, 1)"`, `"0"`, `f.toml:14: key bias.side.prior: column 1: a prior is one of uniform, normal, halfnormal, beta, gamma, exponential, lognormal, halfcauchy, bernoulli, scaledbeta, walk with its arguments`},
		{"unknown prior", `"normal(0, 1)"`, `"norml(0, 1)"`, `f.toml:14: key bias.side.prior: column 1: unknown prior norml: did you mean normal?`},
		{"prior from nowhere", `"normal(0, 1)"`, `"cauchy(0, 1)"`, `f.toml:14: key bias.side.prior: column 1: unknown prior cauchy: there are uniform, normal, halfnormal, beta, gamma, exponential, lognormal, halfcauchy, bernoulli, scaledbeta, walk`},
		{"arguments of a prior", `"normal(0, 1)"`, `"normal(1)"`, `f.toml:14: key bias.side.prior: column 1: normal takes 2 arguments, not 1: normal(mean, sd)`},
		{"negative sd", `"normal(0, 1)"`, `"normal(0, -1)"`, `f.toml:14: key bias.side.prior: column 8: sd of normal must be positive, and can be -1`},
		{"sd that can be negative", `"normal(0, 1)"`, `"normal(0, visual - 1)"`, `f.toml:14: key bias.side.prior: column 8: sd of normal must be positive, and can be -1`},
		{"empty uniform", `"uniform(0, 6)"`, `"uniform(6, 6)"`, `f.toml:12: key capability.visual.prior: column 9: upper bound of uniform (6 to 6) is not above the lower bound (6 to 6)`},
		{"infinite bound", `"uniform(0, 6)"`, `"uniform(0, Inf)"`, `f.toml:12: key capability.visual.prior: column 9: upper of uniform is not finite`},
		{"prior of a metafeature", `"normal(0, 1)"`, `"normal(size, 1)"`, `f.toml:14: key bias.side.prior: column 8: a prior of subjects may mention constants, covariates and other parameters, and size is neither`},
		{"prior of a mean", `"normal(0, 1)"`, `"normal(mean(success), 1)"`, `f.toml:14: key bias.side.prior: column 8: a prior of subjects may mention constants, covariates and other parameters, and mean(success) is neither`},
		{"prior of itself", `"normal(0, 1)"`, `"normal(side, 1)"`, `f.toml:14: key bias.side: depends on itself: side → side`},
		{"cycle of priors", `"uniform(0, 1)"`, `"uniform(0, exp(noise))"`, `f.toml:16: key robustness.noise: depends on itself: noise → noise`},
		{"cycle of performances", `visualP = "logistic(visual`, "a = \"b*2\"\nb = \"visualP + 1\"\nvisualP = \"logistic(a + visual", `f.toml:19: key performance.a: depends on itself: a → b → visualP → a`},
		{"unknown name", `logistic(visual -`, `logistic(visul -`, `f.toml:19: key performance.visualP: column 10: unknown name visul: did you mean visual?`},
		{"unknown function", `logistic(visual`, `logit(visual`, `f.toml:19: key performance.visualP: column 1: unknown function logit: there are abs, exp, gmean, in, log, logistic, max, min, mix, pow, present, probit, sqrt`},
		{"arity", `mix(noise, visualP, nu)`, `mix(noise, visualP)`, `f.toml:22: key response.success.p: column 1: mix takes 3 arguments, not 2: mix(a, b, c)`},
		{"syntax", `mix(noise, visualP, nu)`, `mix(noise, visualP nu)`, `f.toml:22: key response.success.p: column 20: missing ',' in argument list`},
		{"text in arithmetic", `family == 'cup'`, `family`, `f.toml:19: key performance.visualP: column 32: * needs numbers, and family is a text: compare it with == or in(…)`},
		{"text as a result", `"mix(noise, visualP, nu)"`, `"family"`, `f.toml:22: key response.success.p: column 1: the expression is a text: compare it with == or in(…)`},
		{"unknown level", `family == 'cup'`, `family == 'cop'`, `f.toml:19: key performance.visualP: column 42: "cop" is not among the levels of family: cup, grid`},
		{"condition on a parameter", `family == 'cup'`, `visual > 3`, `f.toml:19: key performance.visualP: column 32: a condition may depend on metafeatures and constants, and visual is inferred: use logistic(…) of the difference`},
		{"exponent of a mean", `logistic(visual -`, `gmean(noise, visual, 1 +`, `f.toml:19: key performance.visualP: column 7: the exponent of gmean must be a number`},
		{"negative mean", `logistic(visual -`, `gmean(2, side, 0*`, `f.toml:19: key performance.visualP: column 10: gmean needs numbers that are not negative, and side may lie anywhere from -Inf to +Inf`},
		{"logarithm", `logistic(visual -`, `log(1 - visual +`, `f.toml:19: key performance.visualP: column 5: log needs numbers that are not negative, and 1 - visual + size + side * (family == "cup") may lie anywhere from -Inf to +Inf`},
		{"root", `logistic(visual - size +`, `sqrt(visual - 1) + abs(`, `f.toml:19: key performance.visualP: column 6: sqrt needs numbers that are not negative, and visual - 1 may lie anywhere from -1 to 5`},
		{"power", `logistic(visual - size +`, `pow(side, noise) + abs(`, `f.toml:19: key performance.visualP: column 5: side has no such powers when it is negative, and it may lie anywhere from -Inf to +Inf`},
		{"negative power", `logistic(visual - size +`, `pow(side, -2) + abs(`, `f.toml:19: key performance.visualP: column 5: side may lie anywhere from -Inf to +Inf: it can be 0, and the power is negative`},
		{"divisor", `logistic(visual - size +`, `(visual/(size - 1) +`, `f.toml:19: key performance.visualP: column 8: the divisor size - 1 may lie anywhere from -1 to 4: it can be 0`},
		{"probability above 1", `mix(noise, visualP, nu)`, `visualP + noise*nu`, `f.toml:22: key response.success.p: column 1: p may lie anywhere from 0 to 1.5, and must stay in [0, 1]: build it from logistic, probit, mix, present and products`},
		{"probability below 0", `mix(noise, visualP, nu)`, `noise*nu*visualP - 0.1`, `f.toml:22: key response.success.p: column 1: p may lie anywhere from -0.1 to 0.4, and must stay in [0, 1]: build it from logistic, probit, mix, present and products`},
		{"no parameter in the response", `mix(noise, visualP, nu)`, `nu`, `f.toml:22: key response.success.p: the response depends on no parameter`},
		{"unused parameter", `mix(noise, visualP, nu)`, `visualP*nu`, `f.toml:16: key robustness.noise: no response depends on this parameter: use it or remove it`},
		{"unused performance", `mix(noise, visualP, nu)`, `mix(noise, logistic(visual - size + side), nu)`, `f.toml:19: key performance.visualP: no response depends on this performance: use it or remove it`},
		{"unused metafeature", `visual - size`, `visual`, `f.toml:8: key metafeature.size: no response depends on this metafeature: use it or remove it`},
		{"unused constant", `visualP, nu)`, `visualP, 0.5)`, `f.toml:5: key constant.nu: no response depends on this constant: use it or remove it`},
		{"mean of two", `visualP, nu)`, `visualP, nu*mean(success, 1))`, `f.toml:22: key response.success.p: column 24: mean takes the name of a measure: mean(success)`},
		{"mean of a measure that is not modelled", `visualP, nu)`, `visualP, nu*mean(steps))`, `f.toml:22: key response.success.p: column 29: no response of the layout has the measure steps: want one of success`},
		{"unknown family", `p = "mix`, "family = \"poisson\"\np = \"mix", `f.toml:22: key response.success.family: "poisson" is not one of "bernoulli", "binomial", "normal", "beta", "zero_one_inflated_beta", "choice"`},
		{"key of another family", `p = "mix`, "sd = \"1\"\np = \"mix", `f.toml:22: key response.success.sd: unknown key: there are doc, family, p`},
		{"missing key of a family", `p = "mix`, "family = \"normal\"\nmean = \"mix", `f.toml:21: key response.success.sd: is missing: family normal needs mean and sd`},
		{"sd of a response", `p = "mix(noise, visualP, nu)"`, "family = \"normal\"\nmean = \"mix(noise, visualP, nu)\"\nsd = \"side\"", `f.toml:24: key response.success.sd: column 1: sd may lie anywhere from -Inf to +Inf, and must be positive`},
		{"trials of a parameter", `p = "mix(noise, visualP, nu)"`, "family = \"binomial\"\np = \"mix(noise, visualP, nu)\"\ntrials = \"visual\"", `f.toml:24: key response.success.trials: column 1: the number of trials must not depend on parameters or responses`},
		{"one utility", `p = "mix(noise, visualP, nu)"`, "family = \"choice\"\nutility = [\"0\"]", `f.toml:23: key response.success.utility: a choice needs at least two utilities, one for each category`},
		{"no response", "[response.success]\np = \"mix(noise, visualP, nu)\"\n", "", `f.toml: key response: the layout has no response: add [response.success] with p`},
		{"parameter that drives nothing", "[response", "[walking]\nchance = 0.5\n[response", `f.toml:21: key walking: no trait is driven by the parameter side: give one, as in memory = "side", or ignore = ["side"]; traits are visual, op, memory, effort, flatNav, rightLeft, tracking, inhibition, number, retreat, visits, unbaited, ratio, rationality, restraint, fading, noise, lava, ramp, platform, tubes, timing, openings, sizes, when, area, cohesion, reach, gone, decoys, boards, tools, winRate, lossRate, ruleRate, spanRate`},
		{"trait twice", "[response", "[walking]\nvisual = \"side\"\n[response", `f.toml:21: key walking: visual is given, and a parameter has that name: name the parameter in it, or ignore = ["visual"]`},
		{"share above 1", "[response", "[walking]\nlava = \"visual\"\nrightLeft = \"side\"\n[response", `f.toml:22: key walking.lava: the trait lava is a proportion, and may lie anywhere from 0 to 6: it must stay in [0, 1]`},
		{"unknown name of a trait", "[response", "[walking]\nrightLeft = \"sid\"\n[response", `f.toml:22: key walking.rightLeft: column 1: unknown name sid: did you mean side?`},
		{"ignored stranger", "[response", "[walking]\nrightLeft = \"side\"\nignore = [\"speed\"]\n[response", `f.toml:21: key walking: ignore names speed, which is not a parameter`},
		{"trait of responses", "[response", "[walking]\nrightLeft = \"side*mean(success)\"\n[response", `f.toml:22: key walking.rightLeft: column 6: unknown function mean: did you mean gmean?`},
		{"place of nothing", "[response", "[walking]\nplace = 0\n[response", `f.toml:22: key walking.place: want a number above 0, not 0`},
		{"chance of more than one", "[response", "[walking]\nplace = 1\nchance = 2\n[response", `f.toml:23: key walking.chance: want a fraction from 0 to 1, not 2`},
		{"unknown key of walking", "[response", "[walking]\nplaces = 1\n[response", `f.toml:22: key walking.places: unknown key: did you mean place?`},
		{"no parameter", "[capability]\nvisual = { prior = \"uniform(0, 6)\", unit = \"size\" }\n[bias]\nside = { prior = \"normal(0, 1)\" }\n[robustness]\nnoise = { prior = \"uniform(0, 1)\" }\n", "", `f.toml: key capability: the layout has no parameter: add one under [capability], [bias] or [robustness]`},
	} {
		text := strings.Replace(base, c.old, c.new, 1)
		text = strings.ReplaceAll(text, "'c", "`c")
		text = strings.NewReplacer("`cup'", "`cup`", "`cop'", "`cop`").Replace(text)
		_, err := layout.Parse("f.toml", text)
		var e *conf.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v, want a *conf.Error", c.name, err)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, err, c.want)
		}
	}
}

func TestBindErrors(t *testing.T) {
	size := numberColumn("size", []float64{1, 5})
	family := record.Column{Feature: record.Feature{Name: "family", Kind: record.Text}, Text: []string{"cup", "grid"}}
	with := func(c record.Column, change func(*record.Column)) record.Column { change(&c); return c }
	l := parse(t, strings.ReplaceAll(base, "'cup'", "`cup`"))
	for _, c := range []struct {
		name         string
		size, family record.Column
		measures     []record.Measure
		want         string
	}{
		{"no column", with(size, func(c *record.Column) { c.Name = "siz" }), family, success, "test.toml:8: key metafeature.size: the items have no column size: did you mean siz?"},
		{"nothing near", with(size, func(c *record.Column) { c.Name = "distance" }), family, success, "test.toml:8: key metafeature.size: the items have no column size: there are suite, paradigm, task, distance, family"},
		{"outside", with(size, func(c *record.Column) { c.Number = []float64{1, 5.5} }), family, success, "test.toml:8: key metafeature.size: item item1 has size = 5.5, outside the declared range 0 to 5"},
		{"missing", with(size, func(c *record.Column) { c.Missing = []bool{true, false} }), family, success, "test.toml:8: key metafeature.size: item item0 has no value of column size: declare missing = a number to stand for it"},
		{"texts", with(size, func(c *record.Column) { c.Kind, c.Text = record.Text, []string{"a", "b"} }), family, success, `test.toml:8: key metafeature.size: column size has texts: declare levels = ["a", "b"] in place of a range`},
		{"numbers", size, with(size, func(c *record.Column) { c.Name = "family" }), success, "test.toml:9: key metafeature.family: column family has numbers: declare range = [lowest, highest] in place of levels"},
		{"level", size, with(family, func(c *record.Column) { c.Text = []string{"cup", "cv"} }), success, `test.toml:9: key metafeature.family: item item1 has family "cv", which is not among the levels cup, grid`},
		{"no measure", size, family, []record.Measure{{Name: "succes", Family: record.Binary}}, "test.toml:22: key response.success.p: the responses have no measure success: did you mean succes?"},
		{"family", size, family, []record.Measure{{Name: "success", Family: record.Real}}, "test.toml:22: key response.success.p: family bernoulli is for binary measures, and success is real"},
	} {
		_, err := l.Bind(newItems(c.size, c.family), c.measures)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
	}
	if _, err := l.Bind(&record.Items{}, success); err == nil || err.Error() != "test.toml: the battery has no items" {
		t.Errorf("no items: %v", err)
	}
	trials := parse(t, kitchenWith("[response.hits]\nfamily = \"binomial\"\np = 'logistic(b)'\ntrials = '2*f'\n", []string{"b", "f"}))
	if _, err := trials.Bind(kitchenItems(), allMeasures); err == nil || !strings.HasSuffix(err.Error(), "response.hits.trials: the number of trials is 0.5 for item item3, and must be a whole number") {
		t.Errorf("trials: %v", err)
	}
	infinite := parse(t, kitchen("logistic(b + log(f))"))
	if _, err := infinite.Bind(kitchenItems(), allMeasures); err == nil || !strings.Contains(err.Error(), "response.success.p: column 14: log(f) is -Inf for item item") {
		t.Errorf("infinite demand: %v", err)
	}
}

// FuzzParse checks that no text makes Parse panic. Parse must return a layout or a *conf.Error. If the layout can be
// bound to kitchenItems, its log density at 0 must be a number or −Inf, and not NaN or huge.
func FuzzParse(f *testing.F) {
	f.Add(strings.ReplaceAll(base, "'cup'", "`cup`"))
	files, err := filepath.Glob(filepath.Join("..", "..", "scenarios", "layouts", "*.toml"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(kitchen("mix(c, gmean(-Inf, logistic(a - g), min(f, c), 0.5), 1 - mean(success))"))
	f.Add(kitchenWith("[response.choice]\nfamily = \"choice\"\nutility = ['0', 'a - g', 'b']\n", []string{"a", "b", "g"}))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := layout.Parse("f.toml", text)
		if err != nil {
			var e *conf.Error
			if !errors.As(err, &e) {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		l.Show()
		l.DOT()
		d, err := l.Bind(kitchenItems(), allMeasures)
		if err != nil {
			return
		}
		data, err := d.NewData(kitchenAnswers())
		if err != nil {
			return
		}
		tg := d.NewTarget(data)
		q, grad := make([]float64, tg.Dim()), make([]float64, tg.Dim())
		if v := tg.LogDensity(q, grad); v != v || v > 1e300 {
			t.Fatalf("log density %g", v)
		}
		for i := range q {
			q[i] = 0.5
		}
		if v := tg.LogLikelihood(q); v != v || v > 1e300 {
			t.Fatalf("log likelihood %g", v)
		}
	})
}

// itemBase is a valid layout with parameters of items. Each case of TestJointErrors replaces one part of it.
const itemBase = `name = "items"
[metafeature]
size = { column = "size", range = [0, 5] }
[capability]
ability = { prior = "normal(level, 1)" }
[item]
difficulty = { prior = "normal(slope*size, sd)" }
task = { prior = "normal(0, sd)", per = "task" }
[shared]
level = { prior = "normal(0, 1)" }
slope = { prior = "normal(0, 1)" }
sd = { prior = "halfnormal(1)", doc = "of difficulties" }
[response.success]
p = "logistic(ability - difficulty - task)"
`

func TestJointErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"prior of a subject with a parameter of items", `normal(level, 1)`, `normal(difficulty, 1)`, `f.toml:5: key capability.ability.prior: column 8: ability belongs to each subject and difficulty to each item: a prior may mention parameters of the same unit, or shared parameters ([shared])`},
		{"prior of a subject with a metafeature", `normal(level, 1)`, `normal(size, 1)`, `f.toml:5: key capability.ability.prior: column 8: a prior of subjects may mention constants, covariates and other parameters, and size is neither`},
		{"prior of an item with a capability", `normal(slope*size, sd)`, `normal(slope*ability, sd)`, `f.toml:7: key item.difficulty.prior: column 14: difficulty belongs to each item and ability to each subject: a prior may mention parameters of the same unit, or shared parameters ([shared])`},
		{"prior of an item with a performance", `normal(slope*size, sd)`, `normal(mean(success), sd)`, `f.toml:7: key item.difficulty.prior: column 8: a prior of items may mention constants, metafeatures and other parameters, and mean(success) is neither`},
		{"shared prior with a parameter of items", `slope = { prior = "normal(0, 1)" }`, `slope = { prior = "normal(difficulty, 1)" }`, `f.toml:11: key shared.slope.prior: column 8: slope belongs to everybody and difficulty to each item: a prior may mention parameters of the same unit, or shared parameters ([shared])`},
		{"prior of groups with a metafeature", `"normal(0, sd)", per`, `"normal(size, sd)", per`, `f.toml:8: key item.task.prior: column 8: size may differ between the items of one task: a prior of groups may mention constants and shared parameters`},
		{"sd that can be negative", `halfnormal(1)`, `normal(0, 1)`, `f.toml:7: key item.difficulty.prior: column 13: sd of normal must be positive, and can be -Inf`},
		{"shared prior per group", `"halfnormal(1)", doc`, `"halfnormal(1)", per = "task", doc`, `f.toml:12: key shared.sd.per: unknown key: did you mean capability.ability.per?`},
		{"centred bound", `"halfnormal(1)"`, `"halfnormal(1)", centred = true`, `f.toml:12: key shared.sd.centred: only a normal or lognormal prior has scores to move instead`},
		{"cycle", `slope = { prior = "normal(0, 1)" }`, `slope = { prior = "normal(0, sd)" }`, ``},
		{"unused", ` - task)`, `)`, `f.toml:8: key item.task: no response depends on this parameter: use it or remove it`},
	} {
		_, err := layout.Parse("f.toml", strings.Replace(itemBase, c.old, c.new, 1))
		if got := message(err); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	l, err := layout.Parse("f.toml", strings.Replace(itemBase, `per = "task"`, `per = "taks"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	items := &record.Items{ID: []string{"a"}, Suite: []string{"s"}, Paradigm: []string{"p"}, Task: []string{"t"}, Columns: []record.Column{{Feature: record.Feature{Name: "size"}, Number: []float64{1}}}}
	measures := []record.Measure{{Name: "success", Family: record.Binary}}
	if _, err := l.BindJoint(items, []string{"s"}, nil, measures); message(err) != `f.toml:8: key item.task.prior: per = "taks": the items have no text column of this name: did you mean task?` {
		t.Errorf("unknown column of groups: %v", err)
	}
	if _, err := l.Bind(items, measures); message(err) != `f.toml:7: key item.difficulty.prior: difficulty belongs to each item, so that all subjects are measured together, in one fit` {
		t.Errorf("bound to single subjects: %v", err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
