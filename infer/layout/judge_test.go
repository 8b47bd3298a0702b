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

// labelled returns items with columns of numbers.
func labelled(columns map[string][]float64) *record.Items {
	out := &record.Items{}
	for name, v := range columns {
		out.Columns = append(out.Columns, record.Column{Feature: record.Feature{Name: name}, Number: v})
		if out.ID == nil {
			for i := range v {
				out.ID = append(out.ID, fmt.Sprint("i", i))
			}
			out.Suite, out.Paradigm, out.Task = make([]string, len(v)), make([]string, len(v)), make([]string, len(v))
		}
	}
	slices.SortFunc(out.Columns, func(a, b record.Column) int { return strings.Compare(a.Name, b.Name) })
	return out
}

var successes = []record.Measure{{Name: "success", Family: record.Binary}}

// predictions returns the expected success on every item.
func predictions(t testing.TB, l *layout.Layout, items *record.Items, theta []float64) (out []float64) {
	d := bind(t, l, items, successes)
	rows := make([]float64, d.Rows())
	target(t, d, nil).Predict(theta, rows)
	for i := range items.Len() {
		out = append(out, rows[d.Row(i)])
	}
	return out
}

// TestJudgeByHand: of two levels, a judge names 0 right in 9 of 10 items and 1 in 4 of 5. Three items of four are 0. So of an item that is
// called 1 the level is 0 with probability .75·.1/(.75·.1 + .25·.8) = 3/11, and 1 with 8/11; of one that is called 0 with 27/29 and 2/29.
func TestJudgeByHand(t *testing.T) {
	l := parse(t, `name = "hand"
[metafeature]
d = { column = "d", range = [0, 1], judge = { confusion = [[0.9, 0.1], [0.2, 0.8]], truth = [0.75, 0.25] } }
[capability]
a = { prior = "normal(0, 2)" }
[response.success]
p = "logistic(a - 3*d)"
`)
	items := labelled(map[string][]float64{"d": {0, 1}})
	p := predictions(t, l, items, []float64{1})
	easy, hard := 1/(1+math.Exp(-1)), 1/(1+math.Exp(2))
	for i, want := range []float64{27./29*easy + 2./29*hard, 3./11*easy + 8./11*hard} {
		if math.Abs(p[i]-want) > 1e-14 {
			t.Errorf("label %d: success has probability %.15g, want %.15g", i, p[i], want)
		}
	}
	lik := target(t, bind(t, l, items, successes), []record.Response{{Item: 0, Value: 1}, {Item: 1, Value: 0}})
	q, grad := []float64{1}, make([]float64, 1)
	want := math.Log(p[0]) + math.Log1p(-p[1]) - 0.5*0.25 - math.Log(2) - 0.5*math.Log(2*math.Pi)
	if got := lik.LogDensity(q, grad); math.Abs(got-want) > 1e-13 {
		t.Errorf("log density %g, want %g", got, want)
	}
}

// judges are layouts in which the true values of several demands meet in every way, with the keys of the judges of d, e and f.
var judges = []struct{ name, p string }{
	{"product", "mix(lapse, present(logistic(a - d), d > 0)*logistic(b - e)*logistic(a + b - f), 0.25)"},
	{"sum of demands", "mix(lapse, logistic(a + b - d - e), logistic(b - f))"},
	{"worst", "min(logistic(a - d), logistic(b - e))*(1 - logistic(f - lapse))"},
	{"one demand twice", "mix(lapse, logistic(a - d)*logistic(b - d)*(0.5*logistic(a - e) + 0.5*logistic(b - f)), 0)"},
	{"through nodes", "mix(lapse, one*two, 0)"},
}

// judged returns the layout of one of judges, with or without the judges.
func judged(p string, with bool) string {
	judge := func(s string) string {
		if !with {
			return ""
		}
		return ", judge = " + s
	}
	nodes := ""
	if strings.Contains(p, "one") {
		nodes = "[performance]\none = \"logistic(a - harder)\"\nharder = \"d + 0.1*d*d\"\ntwo = \"logistic(b - e)*logistic(b - f)\"\n"
	}
	return `name = "three"
[metafeature]
d = { column = "d", range = [0, 2]` + judge("{ confusion = [[0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.3, 0.7]] }") + ` }
e = { column = "e", range = [0, 3]` + judge("{ sd = 0.6, values = [0, 1, 3] }") + ` }
f = { column = "f", range = [0, 1]` + judge("{ confusion = [[0.9, 0.1], [0.15, 0.85]], truth = [0.5, 0.5] }") + ` }
[capability]
a = { prior = "normal(0, 2)" }
b = { prior = "normal(0, 2)" }
[robustness]
lapse = { prior = "beta(1, 4)" }
` + nodes + `[response.success]
p = "` + p + `"
`
}

// TestJudgeEnumerates compares every prediction with the sum over all true values of three demands, each of which is the prediction of the layout
// without judges, with weights from Bayes' rule written out here; and the gradient with central differences.
func TestJudgeEnumerates(t *testing.T) {
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	eNames := [][]float64{}
	for _, truth := range []float64{0, 1, 3} {
		at := func(edge float64) float64 { return phi((edge - truth) / 0.6) }
		eNames = append(eNames, []float64{at(0.5), at(2) - at(0.5), 1 - at(2)})
	}
	confusions := [][][]float64{{{.8, .2, 0}, {.1, .8, .1}, {0, .3, .7}}, eNames, {{.9, .1}, {.15, .85}}}
	values := [][]float64{{0, 1, 2}, {0, 1, 3}, {0, 1}}
	r := rng.Stream(3, "judge")
	labels := make([][]int, 3)
	columns := make([][]float64, 3)
	const n = 40
	for k := range labels {
		for range n {
			x := r.IntN(len(values[k]))
			labels[k], columns[k] = append(labels[k], x), append(columns[k], values[k][x])
		}
	}
	truths := [][]float64{climb(confusions[0], labels[0]), climb(confusions[1], labels[1]), {0.5, 0.5}}
	items := labelled(map[string][]float64{"d": columns[0], "e": columns[1], "f": columns[2]})
	for _, c := range judges {
		l, exact := parse(t, judged(c.p, true)), parse(t, judged(c.p, false))
		theta := []float64{r.Norm(), r.Norm(), 0.2}
		got := predictions(t, l, items, theta)
		want := make([]float64, n)
		for i0, x0 := range values[0] {
			for i1, x1 := range values[1] {
				for i2, x2 := range values[2] {
					p := predictions(t, exact, labelled(map[string][]float64{"d": {x0}, "e": {x1}, "f": {x2}}), theta)[0]
					for i := range want {
						w := 1.0
						for k, state := range []int{i0, i1, i2} {
							sum := 0.0
							for s, prior := range truths[k] {
								sum += prior * confusions[k][s][labels[k][i]]
							}
							w *= truths[k][state] * confusions[k][state][labels[k][i]] / sum
						}
						want[i] += w * p
					}
				}
			}
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9 {
				t.Fatalf("%s: item %d has %.12g, the sum over true values is %.12g", c.name, i, got[i], want[i])
			}
		}
		var responses []record.Response
		for i := range n {
			responses = append(responses, record.Response{Item: int32(i), Value: float64(r.IntN(2))})
		}
		lik := target(t, bind(t, l, items, successes), responses)
		infertest.CheckGradient(t, lik, []float64{r.Norm(), r.Norm(), r.Norm()}, 1e-7)
		sum := 0.0
		for i, x := range responses {
			sum += math.Log(x.Value*got[i] + (1-x.Value)*(1-got[i]))
		}
		out := make([]float64, len(responses))
		data := lik.Data().Tallies()
		lik.PointwiseLogLik(theta, out[:len(data)])
		for k, x := range data {
			sum -= float64(x.Count) * out[k]
		}
		if math.Abs(sum) > 1e-9 {
			t.Errorf("%s: the log likelihood is off by %g", c.name, sum)
		}
	}
}

// climb returns the distribution of true values under which labels are most likely, by gradient ascent on log odds: another way than
// the one that is tested.
func climb(confusion [][]float64, labels []int) []float64 {
	z := make([]float64, len(confusion))
	p := make([]float64, len(z))
	for range 200000 {
		total := 0.0
		for t := range z {
			p[t] = math.Exp(z[t])
			total += p[t]
		}
		slope := make([]float64, len(z))
		for t := range p {
			p[t] /= total
		}
		for _, label := range labels {
			sum := 0.0
			for t := range p {
				sum += p[t] * confusion[t][label]
			}
			for t := range p {
				slope[t] += (p[t]*confusion[t][label]/sum - p[t]) / float64(len(labels))
			}
		}
		for t := range z {
			z[t] += slope[t]
		}
	}
	return p
}

// TestJudgeOfNumbers compares a judge with an sd with a fine sum over the true value, whose distribution is normal and known, in the middle
// of the range and at its end.
func TestJudgeOfNumbers(t *testing.T) {
	text := `name = "numbers"
[metafeature]
d = { column = "d", range = [0, 10], judge = { sd = 0.8%s } }
[capability]
a = { prior = "normal(0, 2)" }
[response.success]
p = "logistic(1.5*(a - d))"
`
	columns := []float64{0, 1.25, 3, 4.5, 5, 7, 8.75, 10}
	items := labelled(map[string][]float64{"d": columns})
	mean, variance := 0.0, 0.0
	for _, x := range columns {
		mean += x / float64(len(columns))
	}
	for _, x := range columns {
		variance += (x - mean) * (x - mean) / float64(len(columns))
	}
	for _, c := range []struct {
		truth    string
		mean, sd float64
	}{{"", mean, math.Sqrt(variance - 0.64)}, {", truth = [2, 1]", 2, 1}} {
		got := predictions(t, parse(t, fmt.Sprintf(text, c.truth)), items, []float64{4})
		for i, label := range columns {
			const steps = 20000
			num, den := 0.0, 0.0
			for k := range steps {
				x := 10 * (float64(k) + 0.5) / steps
				w := math.Exp(-0.5*(x-c.mean)*(x-c.mean)/(c.sd*c.sd) - 0.5*(label-x)*(label-x)/0.64)
				num += w / (1 + math.Exp(-1.5*(4-x)))
				den += w
			}
			within := 1e-4 // at the ends of the range, where the posterior is cut off
			if label > 3 && label < 7 {
				within = 1e-5
			}
			if want := num / den; math.Abs(got[i]-want) > within {
				t.Errorf("truth%s: label %g has %.8f, the integral is %.8f", c.truth, label, got[i], want)
			}
		}
	}
}

// TestJudgeOfADeLe: every one of many demands can have a judge where they are met one by one.
func TestJudgeOfADeLe(t *testing.T) {
	const confusion = "[[0.9,0.1,0,0,0,0],[0.05,0.9,0.05,0,0,0],[0,0.05,0.9,0.05,0,0],[0,0,0.05,0.9,0.05,0],[0,0,0,0.05,0.9,0.05],[0,0,0,0,0.1,0.9]]"
	text := `name = "many"
[metafeature]
demand = { columns = ["%s"], range = [0, 5], judge = { confusion = ` + confusion + ` } }
[capability]
ability = { prior = "normal(3, 3)", size = "demand" }
[response.success]
p = "prod(present(logistic(ability - demand), demand > 0))"
`
	columns := map[string][]float64{}
	var names []string
	r := rng.Stream(4, "many")
	for k := range 18 {
		name := fmt.Sprintf("q%02d", k)
		names = append(names, name)
		for range 200 {
			columns[name] = append(columns[name], float64(r.IntN(6)))
		}
	}
	l := parse(t, fmt.Sprintf(text, strings.Join(names, `", "`)))
	items := labelled(columns)
	d := bind(t, l, items, successes)
	theta := make([]float64, 18)
	d.DrawPrior(&r, theta)
	infertest.CheckGradient(t, target(t, d, d.Simulate(theta, &r)), make([]float64, 18), 1e-7)
	_, err := parse(t, strings.Replace(fmt.Sprintf(text, strings.Join(names, `", "`)), "prod(present(logistic(ability - demand), demand > 0))", "logistic(sum(ability - demand))", 1)).Bind(items, successes)
	if err == nil || !strings.Contains(err.Error(), "more than 256 combinations") {
		t.Errorf("18 demands in one sum: %v", err)
	}
}

func TestJudgeErrors(t *testing.T) {
	text := `name = "faulty"
[metafeature]
d = { column = "d", range = [0, 1], judge = { confusion = [[0.9, 0.1], [0.2, 0.8]] } }
[capability]
a = { prior = "normal(0, 2)" }
[response.success]
p = "logistic(a - d)"
`
	items := labelled(map[string][]float64{"d": {0, 1, 1}})
	for _, c := range []struct{ old, new, want string }{
		{"confusion = [[0.9, 0.1], [0.2, 0.8]]", "", "either sd"},
		{"[0.2, 0.8]", "[0.2, 0.7]", "2 lists, one for each true value"},
		{"[0.2, 0.8]", "[0.2, 0.8, 0]", "2 lists, one for each true value"},
		{"[0.2, 0.8]] }", "[0.2, 0.8]], sd = 1 }", "either sd"},
		{"range = [0, 1], judge = {", "range = [0, 1.5], judge = {", "the possible true values"},
		{"[0.2, 0.8]] }", "[0.2, 0.8]], truth = [1, 1] }", "2 probabilities"},
		{"[0.2, 0.8]] }", "[0.2, 0.8]], values = [1, 0] }", "ascending"},
		{"[0.2, 0.8]] }", "[0.2, 0.8]], values = [0, 0.5] }", "item i1 has d = 1, which is not among the values 0 0.5"},
		{"[[0.9, 0.1], [0.2, 0.8]]", "[[1, 0], [1, 0]]", "item i1 has d = 1, a label that this judge gives to none of the true values"},
		{"confusion = [[0.9, 0.1], [0.2, 0.8]]", "sd = 0.5", "no more than the judge's 0.5"},
		{"confusion = [[0.9, 0.1], [0.2, 0.8]]", "sd = 0", "a number above 0"},
		{"[capability]", "[shared]\ns = { prior = \"exponential(1)\" }\n[capability]", "subjects that are measured one by one"},
		{"p = \"logistic(a - d)\"", "family = \"normal\"\nmean = \"a - d\"\nsd = 1", "only the probability of a binary response"},
		{"[response.success]", "[response.other]\np = \"logistic(a + d)\"\n[response.success]", "one true value for both"},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if strings.Contains(c.new, "[shared]") {
			changed = strings.Replace(changed, "normal(0, 2)", "normal(0, s)", 1)
		}
		l, err := layout.Parse("f.toml", changed)
		if err == nil {
			_, err = l.Bind(items, successes)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.toml:") {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
	d := bind(t, parse(t, text), items, successes)
	if _, err := d.NewData([]record.Response{{Item: 1, Value: 1}, {Item: 1, Value: 0}}); err == nil || !strings.Contains(err.Error(), "several responses to item i1") {
		t.Errorf("an item that was answered twice: %v", err)
	}
	shown := parse(t, text).Show()
	if !strings.Contains(shown, "judged with a confusion of 2 levels, 85 % right on average") {
		t.Errorf("the judge is not shown:\n%s", shown)
	}
}

// TestJudgeOfOtherItems: items that nobody took get the distribution of true values of those that were, so that what an item's label means
// does not depend on the items beside it.
func TestJudgeOfOtherItems(t *testing.T) {
	for _, judge := range []string{"{ sd = 0.5 }", "{ sd = 0.5, values = [0, 1, 2, 3] }", "{ confusion = [[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.1, 0.1, 0.7, 0.1], [0.1, 0.1, 0.1, 0.7]] }"} {
		l := parse(t, `name = "others"
[metafeature]
d = { column = "d", range = [0, 3], judge = `+judge+` }
[capability]
a = { prior = "normal(0, 2)" }
[response.success]
p = "logistic(a - d)"
`)
		items := labelled(map[string][]float64{"d": {0, 0, 0, 1, 2, 3, 3}})
		all := predictions(t, l, items, []float64{1})
		known, err := l.KnownFrom(items)
		if err != nil {
			t.Fatal(err)
		}
		if one := predictions(t, known, labelled(map[string][]float64{"d": {2}}), []float64{1})[0]; math.Abs(one-all[4]) > 1e-14 {
			t.Errorf("%s: alone an item has %.15g, among the others %.15g", judge, one, all[4])
		}
	}
}

// TestJudgeAndAnotherMeasure: an item's response to a measure without judges is no second response.
func TestJudgeAndAnotherMeasure(t *testing.T) {
	l := parse(t, `name = "two"
[metafeature]
d = { column = "d", range = [0, 1], judge = { confusion = [[0.9, 0.1], [0.2, 0.8]] } }
[capability]
a = { prior = "normal(0, 2)" }
[response.time]
family = "normal"
mean = "a"
sd = 1
[response.success]
p = "logistic(a - d)"
`)
	d := bind(t, l, labelled(map[string][]float64{"d": {0, 1}}), []record.Measure{{Name: "success", Family: record.Binary}, {Name: "time", Family: record.Real}})
	target(t, d, []record.Response{{Item: 0, Measure: 1, Value: 3}, {Item: 0, Value: 1}, {Item: 1, Value: 1}, {Item: 1, Measure: 1, Value: 2}})
}
